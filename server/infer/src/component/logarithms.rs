//! Bounds for loops whose rounds cost logarithms, such as a sort in each round. The logarithm is held at its greatest value while the loop is
//! solved, and the bound is then proved with the logarithms of all rounds.
//!
//! ```prolog
//! sorted([], []).
//! sorted([X|Xs], Ys) :- sorted(Xs, Zs), msort([X|Zs], Ys).      % Σ k·⌈log₂(k+1)⌉, at most (n²/2+n/2)·⌈log₂(n+1)⌉
//! ```
//!
//! If each round costs at most a + b·l, where l is a logarithm, all rounds cost at most A + B·L: A and B solve the equations with a and with b
//! alone, and L is at least each l. That L is large enough is a guess, like A and B.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::work::Meter;
use costlens_algebra::{Atom, Expr, Rat, Rounding, Var, rat};
use num_traits::{Signed as _, Zero as _};

use costlens_recurrences::{Direction, Function, Solution, SolvedPiece, System, Value, verify};

use super::Component;
use super::forgotten::{filled, is_unknown, replaced};
use crate::summary::pieces::Pieces;
use crate::world::lookup::limits;

impl Component<'_> {
    /// Replaces unknown upper bounds by bounds in which the logarithms of all rounds have the same value.
    pub(crate) fn by_holding_logarithms(
        &self,
        system: &System,
        solution: &Solution,
    ) -> Option<Solution> {
        if !solution.functions.iter().flatten().any(is_unknown) || !has_logarithms(system) {
            return None;
        }
        let beside = self.run_solver(&parts(system, Part::Beside)?, Direction::Upper);
        let factors = self.run_solver(&parts(system, Part::Factors)?, Direction::Upper);
        // An argument of a logarithm may grow by what another loses: `m([V|Vs], Seen) :- msort(Seen, _), m(Vs, [V|Seen])`.
        GROWTHS.into_iter().find_map(|growth| {
            let solved = beside.functions.iter().zip(&factors.functions);
            let combined = solved
                .zip(&system.functions)
                .map(|((a, b), function)| combined(a, b, &greatest(function, system, growth)));
            let guess = Solution {
                functions: combined.collect(),
                ..beside.clone()
            };
            let functions = filled(system, solution, &guess, &Expr::clone)?;
            // If the known bounds for a few sizes exceed the guess, the guess is proved without them.
            let whole = || replaced(solution, &guess);
            [functions]
                .into_iter()
                .chain(std::iter::once_with(whole))
                .find_map(|functions| {
                    let fuel = &self.shared.solver_fuel;
                    let mut left = fuel.get();
                    let mut meter = Meter::start(left);
                    let is_proved = verify(system, &functions, Direction::Upper).is_ok();
                    meter.settle(&mut left);
                    fuel.set(left);
                    is_proved.then(|| Solution {
                        functions,
                        ..solution.clone()
                    })
                })
        })
    }
}

/// The growth of a logarithm's argument in each round that is tried, by each of the other sizes.
const GROWTHS: [i64; 4] = [0, 1, 2, 4];

fn is_log(atom: &Atom) -> bool {
    matches!(atom, Atom::Log { .. })
}

fn values(system: &System) -> impl Iterator<Item = &Expr> {
    let cells = system.functions.iter().flat_map(|function| &function.cells);
    let alternatives = cells.flat_map(|cell| &cell.alternatives);
    alternatives.filter_map(|alternative| alternative.value.as_ref())
}

fn has_logarithms(system: &System) -> bool {
    values(system).flat_map(Expr::atoms).any(is_log)
}

/// A part of the values in a system.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The terms without logarithms.
    Beside,
    /// The factors of logarithms.
    Factors,
}

/// Returns the system with a part of its values; `None` if a value is not linear in logarithms, or if sizes depend on one.
fn parts(system: &System, part: Part) -> Option<System> {
    let mut weaker = system.clone();
    for function in &mut weaker.functions {
        for alternative in function
            .cells
            .iter_mut()
            .flat_map(|cell| &mut cell.alternatives)
        {
            let args = alternative.results.iter().flat_map(|result| &result.args);
            if args.flat_map(Expr::atoms).any(is_log) {
                return None;
            }
            let results: Vec<Var> = alternative
                .results
                .iter()
                .map(|result| result.var)
                .collect();
            if let Some(value) = &mut alternative.value {
                *value = part_of(value, &results, part)?;
            }
        }
    }
    Some(weaker)
}

fn part_of(value: &Expr, results: &[Var], part: Part) -> Option<Expr> {
    let mut found = Expr::zero();
    for (monomial, coefficient) in value.terms() {
        if monomial.atom_exponentials.keys().any(is_log) {
            return None;
        }
        let is_result = monomial.variables().any(|v| results.contains(&v));
        let logs: Vec<(Atom, u32)> = (monomial.atoms.iter())
            .filter(|(atom, _)| is_log(atom))
            .map(|(atom, &power)| (atom.clone(), power))
            .collect();
        let term = match (&logs[..], part) {
            ([], Part::Factors) if !is_result => continue,
            ([], _) => monomial.clone(),
            ([(log, 1)], _) if !is_result => {
                if part == Part::Beside {
                    continue;
                }
                let mut plain = monomial.clone();
                plain.atoms.remove(log);
                plain
            }
            _ => return None,
        };
        found = &found + &Expr::monomial(term, coefficient.clone());
    }
    Some(found)
}

/// Returns the logarithms in the values of a function, with locals at their upper bounds: for `m <= k, k <= m+1` and ⌈log₂ (k+2)⌉, this is
/// ⌈log₂ (m+3)⌉.
fn logarithms(function: &Function) -> BTreeSet<Atom> {
    let alternatives = function.cells.iter().flat_map(|cell| &cell.alternatives);
    let logs = alternatives.flat_map(|alternative| {
        let atoms = alternative.value.iter().flat_map(Expr::atoms);
        let logs: Vec<Atom> = atoms.filter(|atom| is_log(atom)).cloned().collect();
        logs.into_iter().map(|log| {
            let Atom::Log { base, rounding, of } = &log else {
                return log;
            };
            let highest = |v: &Var| {
                let (_, upper) = limits(*v, &alternative.constraints);
                let is_own = |e: &Expr| e.variables().iter().all(|w| function.params.contains(w));
                Some((*v, upper.into_iter().find(is_own)?))
            };
            let locals = of.variables();
            let locals = locals.iter().filter(|v| alternative.locals.contains(v));
            let by: BTreeMap<Var, Expr> = locals.filter_map(highest).collect();
            let grows = of.terms().all(|(_, c)| !c.is_negative());
            let at_most = of.substitute(&by).filter(|_| grows && !by.is_empty());
            let widened = at_most.and_then(|of| Expr::log(*base, *rounding, &of));
            let atom =
                widened.and_then(|e| e.atoms().into_iter().find(|atom| is_log(atom)).cloned());
            atom.unwrap_or(log)
        })
    });
    logs.collect()
}

/// Returns the sum of the logarithms in the values of a function or, if it has none, of its callees, over its own sizes. The other sizes are
/// added to their arguments, times `growth`.
fn greatest(function: &Function, system: &System, growth: i64) -> Expr {
    let of_one = |function: &Function| logarithms(function);
    let mut found = of_one(function);
    if found.is_empty() {
        found = system.functions.iter().flat_map(of_one).collect();
    }
    let widened = |log: Atom| {
        let Atom::Log { base, rounding, of } = log else {
            return None;
        };
        let used = of.variables();
        let is_own = used.iter().all(|v| function.params.contains(v));
        let start = match is_own {
            true => Some(of),
            false => of.substitute(&used.iter().map(|&v| (v, Expr::zero())).collect()),
        };
        let others = (function.params.iter())
            .filter(|v| !is_own || growth > 0 && !used.contains(v))
            .fold(Expr::zero(), |sum, &v| &sum + &Expr::var(v))
            .scale(&rat(growth.max(1)));
        Some((base, rounding, &start? + &others))
    };
    let all: Vec<_> = found.into_iter().filter_map(widened).collect();
    // ⌈log₂ (n+3)⌉ is at least ⌈log₂ (n+2)⌉.
    let is_largest = |(i, (base, rounding, of)): &(usize, &(u32, Rounding, Expr))| {
        !all.iter().enumerate().any(|(j, (b, r, other))| {
            let excess = (other - of).as_constant();
            let exceeds = |c: Rat| c.is_positive() || c.is_zero() && j < *i;
            j != *i && b == base && r == rounding && excess.is_some_and(exceeds)
        })
    };
    (all.iter().enumerate().filter(is_largest))
        .filter_map(|(_, (base, rounding, of))| Expr::log(*base, *rounding, of))
        .fold(Expr::zero(), |sum, log| &sum + &log)
}

/// Returns A + B·L, on the common regions of A and B.
fn combined(a: &Pieces, b: &Pieces, log: &Expr) -> Pieces {
    let mut found = Pieces::new();
    for x in a {
        for y in b {
            let region = x.region.and_all(&y.region);
            if region.is_empty() {
                continue;
            }
            let value = match (&x.value, &y.value) {
                (Value::Known(a), Value::Known(b)) => Value::Known(a + &(b * log)),
                (Value::Known(_), other) | (other, _) => other.clone(),
            };
            found.push(SolvedPiece { region, value });
        }
    }
    found
}
