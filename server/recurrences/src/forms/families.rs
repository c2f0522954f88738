//! Atoms that a closed form may need, derived from the equations of a component.
//!
//! | equations | atoms |
//! |---|---|
//! | `T(n) = a·T(n-c) + …`, or a cycle through several functions | `⌊(n+r)/c⌋`, `a^⌊(n+r)/c⌋` |
//! | `T(n) = a₁·T(n-1) + … + a_d·T(n-d) + …` | the sequence with these coefficients |
//! | `T(n) = a·T(j) + …` with `b·j <= n <= b·j + b-1` | `⌊log_b n⌋`, `a^⌊log_b n⌋`; with `⌈n/b⌉` the logarithm rounded up |
//! | `T(n) = a·(n+s)·T(n-1) + …` | `a^n·(n+s)!` and numbers of arrangements ([`crate::forms::products`]) |
//!
//! and the atoms in the bounds of callees. A family only suggests candidates.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::fraction::{Fraction, FreeUnknowns, solve_all};
use costlens_algebra::{Atom, Expr, Rat, Region, Rounding, Var, rat};
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::forms::products::Products;
use crate::graph::quotients::{Logarithm, quotients};
use crate::graph::{CellId, Graph, enabled, linear_coefficient};
use crate::system::{Alternative, CallResult, Direction, System};

/// The functions that may occur in a closed form in addition to powers of the variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Families {
    /// The bases `b` of exponentials `b^v`.
    pub(crate) exponents: Vec<Rat>,
    /// The divisors of v in floors.
    pub(crate) periods: BTreeSet<u32>,
    /// Logarithms of `v - shift`.
    pub(crate) logarithms: BTreeSet<Logarithm>,
    /// The coefficients of linear recurrences.
    pub(crate) sequences: BTreeSet<Vec<Rat>>,
    /// The bases `b` of `b^⌊…⌋` for the floors and logarithms above.
    pub(crate) bases: BTreeSet<Rat>,
    /// True if some alternative makes a single recursive call on a part of a size, so that the depth of the recursion matters.
    pub(crate) descends: bool,
    /// True if a size may be divided evenly into parts, although no constraint requires it.
    pub(crate) splits: bool,
    /// Polynomial factors of recursive calls.
    pub(crate) products: Products,
}

/// The longest step that is considered.
const STEP_LIMIT: usize = 6;

/// The maximum number of families of one kind.
const KIND_LIMIT: usize = 3;

impl Families {
    /// Returns families without atoms.
    pub(crate) fn plain(exponents: &[Rat]) -> Self {
        Self {
            exponents: exponents.to_vec(),
            ..Self::default()
        }
    }

    /// Returns the families for a component.
    pub(crate) fn of_cells(
        system: &System,
        graph: &Graph,
        cells: &[CellId],
        exponents: &[Rat],
        direction: Direction,
        known: &dyn Fn(CellId) -> Option<Expr>,
    ) -> Self {
        let mut families = Self::plain(exponents);
        let mut functions: BTreeSet<usize> = BTreeSet::new();
        let mut longest = 0;
        for &(f, c) in cells {
            let function = &system.functions[f];
            for (alternative, landings) in function.cells[c]
                .alternatives
                .iter()
                .zip(&graph.landings[f][c])
            {
                let Some(landings) = landings else { continue };
                let mut internal = Vec::new();
                for (i, landing) in landings.iter().enumerate() {
                    if landing.cells.iter().any(|id| cells.contains(id)) {
                        internal.push(i);
                    }
                    for &id in &landing.cells {
                        if let Some(e) = known(id) {
                            families.note_expr(&e);
                        }
                    }
                }
                if let Some(value) = &alternative.value {
                    families.note_expr(value);
                }
                for call in alternative.results.iter() {
                    call.args.iter().for_each(|a| families.note_expr(a));
                }
                if internal.is_empty() {
                    continue;
                }
                functions.insert(f);
                let steps = families.note_steps(system, f, alternative, &internal);
                longest = longest.max(steps);
                let on = enabled(&function.cells[c].region, alternative);
                let at_most = direction == Direction::Upper;
                let products = &mut families.products;
                products.note_calls(system, f, alternative, &internal, &on, at_most);
                families.note_quotients(&function.params, &on, alternative, &internal, at_most);
                if direction == Direction::Lower {
                    // ⌊n/b⌋ + 1 >= (n+1)/b, so this compensates for the loss from rounding down.
                    let down = families.logarithms.iter().copied();
                    let down = down.filter(|l| l.rounding == Rounding::Down && l.shift == 0);
                    let shifted: Vec<Logarithm> =
                        down.map(|l| Logarithm { shift: -1, ..l }).collect();
                    families.logarithms.extend(shifted);
                }
                if direction == Direction::Lower && internal.len() > 1 {
                    families.note_splits(&function.params, &on, alternative, &internal);
                }
            }
        }
        // A cycle through several functions returns to the first function after the sum of its steps.
        if functions.len() > 1 && functions.len() * longest.max(1) <= STEP_LIMIT {
            let cycle = u32::try_from(functions.len() * longest.max(1)).unwrap_or(2);
            families.periods.insert(cycle);
        }
        families.limit();
        families
    }

    pub(crate) fn has_atoms(&self) -> bool {
        !(self.periods.is_empty() && self.logarithms.is_empty() && self.sequences.is_empty())
    }

    fn limit(&mut self) {
        while self.periods.len() > KIND_LIMIT {
            self.periods.pop_last();
        }
        while self.logarithms.len() > KIND_LIMIT {
            self.logarithms.pop_last();
        }
        while self.sequences.len() > KIND_LIMIT {
            self.sequences.pop_last();
        }
        self.bases
            .retain(|b| b.is_positive() && !b.is_one() && *b <= rat(64));
        while self.bases.len() > KIND_LIMIT {
            self.bases.pop_last();
        }
    }

    /// Records the kinds of atoms in an expression.
    fn note_expr(&mut self, e: &Expr) {
        for (m, _) in e.terms() {
            for atom in m.all_atoms() {
                match atom {
                    Atom::Floor(of) => {
                        let d = of.common_denominator();
                        if let Some(d) = d.to_u32().filter(|d| (2..=6).contains(d)) {
                            self.periods.insert(d);
                        }
                    }
                    Atom::Log { base, rounding, of } => {
                        let mut factors = of.terms().filter(|(m, _)| !m.is_one());
                        self.logarithms.insert(Logarithm {
                            base: *base,
                            rounding: *rounding,
                            shift: 0,
                            mirrored: factors.all(|(_, c)| c.is_negative()),
                        });
                    }
                    Atom::Factorial(_) | Atom::Arrangements { .. } => self.products.note_atom(atom),
                    Atom::CFinite { coefficients, .. } => {
                        self.sequences.insert(coefficients.clone());
                    }
                }
            }
            self.bases.extend(m.atom_exponentials.values().cloned());
        }
    }

    /// Records calls at constant distances. Returns the longest distance.
    fn note_steps(
        &mut self,
        system: &System,
        f: usize,
        alternative: &Alternative,
        internal: &[usize],
    ) -> usize {
        let params = &system.functions[f].params;
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        let mut coefficients = vec![Rat::zero(); STEP_LIMIT];
        let mut longest = 0;
        let mut is_own = true;
        for &i in internal {
            let call = &alternative.results[i];
            let Some(step) = distance(params, &call.args) else {
                return longest;
            };
            longest = longest.max(step);
            is_own = is_own && call.function == f && step > 0;
            let factor = alternative
                .value
                .as_ref()
                .and_then(|v| linear_coefficient(v, call.var, &results)?.as_constant());
            match factor {
                Some(factor) if is_own => coefficients[step - 1] += factor,
                _ => is_own = false,
            }
        }
        if !is_own {
            return longest;
        }
        coefficients.truncate(longest);
        let several = coefficients.iter().filter(|a| !a.is_zero()).count() > 1;
        if several {
            self.sequences.insert(coefficients);
        } else if longest > 1 {
            if let Ok(step) = u32::try_from(longest) {
                self.periods.insert(step);
            }
            self.bases.extend(coefficients.pop());
        }
        longest
    }

    /// Records calls at quotients ([`quotients`]), and the factors of their results.
    fn note_quotients(
        &mut self,
        params: &[Var],
        on: &Region,
        alternative: &Alternative,
        internal: &[usize],
        at_most: bool,
    ) {
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        let mut factors: BTreeMap<u32, Rat> = BTreeMap::new();
        for &i in internal {
            let call = &alternative.results[i];
            let factor = alternative
                .value
                .as_ref()
                .and_then(|v| linear_coefficient(v, call.var, &results)?.as_constant());
            let logs: BTreeSet<Logarithm> = call
                .args
                .iter()
                .flat_map(|e| quotients(e, params, on, at_most))
                .collect();
            for log in &logs {
                self.logarithms.insert(*log);
            }
            let logs: BTreeSet<u32> = logs.iter().map(|l| l.base).collect();
            for base in logs {
                *factors.entry(base).or_insert_with(Rat::zero) +=
                    factor.clone().unwrap_or_else(Rat::one);
            }
        }
        self.descends |= factors.values().any(Rat::is_one);
        self.bases.extend(factors.into_values());
    }

    /// Records calls on parts whose sizes add up and for which balanced parts are the cheapest: `T(n) = T(i) + T(j) + …` with `i + j = n-1`
    /// is minimal if both are close to (n-1)/2, and the depth of such divisions is the logarithm of n+1.
    fn note_splits(
        &mut self,
        params: &[Var],
        on: &Region,
        alternative: &Alternative,
        internal: &[usize],
    ) {
        let Ok(parts) = i64::try_from(internal.len()) else {
            return;
        };
        let Some(base) = u32::try_from(parts).ok().filter(|b| (2..=8).contains(b)) else {
            return;
        };
        let calls: Vec<&CallResult> = internal.iter().map(|&i| &alternative.results[i]).collect();
        for at in 0..calls.iter().map(|c| c.args.len()).min().unwrap_or(0) {
            let sum = calls.iter().fold(Expr::zero(), |sum, c| &sum + &c.args[at]);
            if sum.variables().iter().all(|v| params.contains(v)) {
                continue;
            }
            for &v in params {
                let (Some(least), Some(most)) = on.bounds(&(&Expr::var(v) - &sum)) else {
                    continue;
                };
                let lost = (least == most && least.is_integer())
                    .then(|| least.to_integer().to_i64())
                    .flatten()
                    .filter(|c| c.rem_euclid(parts - 1) == 0);
                if let Some(c) = lost {
                    self.logarithms.insert(Logarithm {
                        base,
                        rounding: Rounding::Down,
                        shift: -c / (parts - 1),
                        mirrored: false,
                    });
                    self.splits = true;
                }
            }
        }
    }

    /// Computes the coefficients of a short recurrence that all values satisfy, up to a constant (`F(n) = F(n-1) + F(n-2) + c`), for cycles
    /// through several functions.
    pub(crate) fn from_values(values: &[Fraction]) -> Option<Self> {
        (2..=4usize).find_map(|d| {
            let unknowns = d + 1;
            if values.len() < 2 * d + 3 {
                return None;
            }
            let rows = (d..values.len()).map(|n| {
                let mut row: Vec<Fraction> = (1..=d).map(|i| values[n - i]).collect();
                row.push(Fraction::ONE);
                (row, values[n])
            });
            let solution = solve_all(rows, unknowns, FreeUnknowns::Refused)?;
            let coefficients: Vec<Rat> = solution[..d].iter().map(|c| c.rat()).collect();
            // The other recurrences are sums of exponentials or grow like polynomials. Both are tried anyway.
            let usable = coefficients
                .iter()
                .all(|c| !c.is_negative() && c.is_integer())
                && coefficients.last().is_some_and(|c| !c.is_zero());
            usable.then(|| Self {
                sequences: BTreeSet::from([coefficients]),
                ..Self::default()
            })
        })
    }
}

/// Returns the distance in the only parameter that decreases, if no other parameter changes.
fn distance(params: &[Var], args: &[Expr]) -> Option<usize> {
    let mut step = 0;
    for (&p, arg) in params.iter().zip(args) {
        let difference = (&Expr::var(p) - arg).as_constant()?;
        if difference.is_zero() {
            continue;
        }
        if step != 0 || !difference.is_integer() {
            return None;
        }
        step = difference.to_integer().to_usize()?;
        if step > STEP_LIMIT {
            return None;
        }
    }
    Some(step)
}
