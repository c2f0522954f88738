//! Phase 3: numbers of solutions.

use std::rc::Rc;

use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Atom, Expr};
use costlens_recurrences::{Direction, Function, Solution, SolvedPiece, System, Value};

use super::Component;
use crate::equations::quantity::Quantity;
use crate::summary::pieces::{Pieces, Sides, at_least_zero};
use crate::tree::runs::RegionRuns;

impl Component<'_> {
    /// Runs phase 3: numbers of solutions.
    pub(super) fn solutions(&mut self) {
        let runs = self.runs();
        let n = self.nodes.len();
        self.sums.open(n);
        let (mut system, mut upper) = self.number_of_solutions(&runs, Direction::Upper);
        let has_sums = system.functions.len() > n;
        if has_sums && may_be_better_without(&upper.functions[..n]) {
            let plain = self.number_of_solutions(&runs, Direction::Upper);
            if are_better(&plain.1.functions, &upper.functions[..n]) {
                (system, upper) = plain;
            }
        }
        self.keep_solutions(&system, Direction::Upper, &upper);
        let (system, lower) = self.number_of_solutions(&runs, Direction::Lower);
        self.keep_solutions(&system, Direction::Lower, &lower);
        self.sums.clear();
        let (mut uppers, mut lowers) = (upper.functions.into_iter(), lower.functions.into_iter());
        for node in &mut self.nodes {
            node.solutions = Some(Sides {
                lower: at_least_zero(lowers.next().unwrap_or_default()),
                upper: one_at_most(uppers.next().unwrap_or_default()),
            });
        }
    }

    /// Solves the equations for the numbers of solutions. If sums are allowed, their functions follow those of the nodes.
    fn number_of_solutions(
        &self,
        runs: &[Rc<[RegionRuns]>],
        direction: Direction,
    ) -> (System, Solution) {
        let n = self.nodes.len();
        let own = (0..n).map(|i| {
            self.function(i, &runs[i], direction, true, &|q, run| {
                q.clauses(Quantity::Solutions, run)
            })
        });
        let mut functions: Vec<Function> = own.collect();
        functions.extend(self.sums.close(&functions, &self.nodes, &|| self.fresh()));
        let mut system = System { functions };
        self.prune(&mut system, &|f| match f < n {
            true => Some(f),
            false => self.sums.node(f),
        });
        let solution = self.run_solver(&system, direction);
        (system, solution)
    }

    fn keep_solutions(&self, system: &System, direction: Direction, solution: &Solution) {
        let n = self.nodes.len();
        self.keep(system, direction, solution, &|f| match f < n {
            true => format!("number of solutions of {}", self.called(f)),
            false => {
                let node = self.sums.node(f).unwrap_or_default();
                format!("sum of the numbers of solutions of {}", self.called(node))
            }
        });
    }
}

/// Replaces upper bounds that are at most 1 by the constant 1: `2-n` for trees of size 1 and 2, since there is no tree of size 2.
fn one_at_most(mut pieces: Pieces) -> Pieces {
    let one = Expr::int(1);
    for piece in &mut pieces {
        if let Value::Known(e) = &mut piece.value
            && e.as_constant().is_none()
            && nonnegative(&(&one - e), &piece.region)
        {
            *e = one.clone();
        }
    }
    pieces
}

/// Returns whether all bounds are known.
pub(super) fn are_known(functions: &[Pieces]) -> bool {
    let is_known = |p: &SolvedPiece| matches!(p.value, Value::Known(_));
    functions.iter().flatten().all(is_known)
}

/// Returns whether equations without sums may yield better bounds. Callers cannot use most linear recurrence sequences, so a bound without
/// them is better, even if it is larger.
pub(super) fn may_be_better_without(summed: &[Pieces]) -> bool {
    !are_known(summed) || have(summed, is_sequence)
}

/// Returns whether the bounds without sums are better than those with sums.
pub(super) fn are_better(plain: &[Pieces], summed: &[Pieces]) -> bool {
    let is_factorial = |a: &Atom| matches!(a, Atom::Factorial(_) | Atom::Arrangements { .. });
    let is_larger = || have(plain, is_factorial) && !have(summed, is_factorial);
    !are_known(summed) || are_known(plain) && have(summed, is_sequence) && !is_larger()
}

fn is_sequence(atom: &Atom) -> bool {
    matches!(atom, Atom::CFinite { .. })
}

fn have(functions: &[Pieces], is: impl Fn(&Atom) -> bool) -> bool {
    functions.iter().flatten().any(|piece| match &piece.value {
        Value::Known(e) => e.atoms().into_iter().any(&is),
        _ => false,
    })
}
