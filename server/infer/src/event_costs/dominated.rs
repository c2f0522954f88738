//! Bounds on events for which the solver finds no solution: multiples of the bound on steps.
//!
//! Entering a clause counts a bounded number of events, and so does each goal in the clause. The number of events is therefore often at
//! most `c` times the number of steps, regardless of the form of the step bound. This candidate is treated like any other: it is accepted
//! if its induction step is proved in the event's own equations.

use costlens_algebra::work::Meter;
use costlens_algebra::{Expr, Rat, Var, rat};
use costlens_recurrences::{Direction, Solution, System, verify};
use num_traits::Signed as _;

use crate::component::forgotten::{filled, is_unknown};

/// Replaces unknown bounds of a solution by multiples of another column's solution. Returns `None` if none is proved.
pub(crate) fn by_multiples(
    system: &System,
    solution: &Solution,
    steps: &Solution,
    fuel: &mut u64,
) -> Option<Solution> {
    let factors = factors(system, solution)?;
    let mut meter = Meter::start(*fuel);
    for (factor, more) in factors.into_iter().flat_map(|c| [(c.clone(), 0), (c, 1)]) {
        let guess = |e: &Expr| (e + &Expr::int(more)).scale(&factor);
        let functions = filled(system, solution, steps, &guess)?;
        let is_proved = verify(system, &functions, Direction::Upper).is_ok();
        meter.settle(fuel);
        if is_proved {
            return Some(Solution {
                functions,
                ..solution.clone()
            });
        }
        if *fuel == 0 {
            break;
        }
    }
    None
}

/// Returns the candidate factors: the greatest constant in the equations, and the greatest sum of the constants in one alternative. Returns
/// `None` if an alternative has no value.
fn factors(system: &System, solution: &Solution) -> Option<Vec<Rat>> {
    let (mut greatest, mut sums) = (rat(1), rat(1));
    for (function, pieces) in system.functions.iter().zip(&solution.functions) {
        if !pieces.iter().any(is_unknown) || function.params.is_empty() {
            continue;
        }
        for alternative in function.cells.iter().flat_map(|c| &c.alternatives) {
            let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
            let own = alternative.value.as_ref()?.terms();
            let own = own
                .filter(|(m, c)| c.is_positive() && !m.variables().any(|v| results.contains(&v)));
            let mut sum = rat(0);
            for (_, c) in own {
                sum += c;
                if *c > greatest {
                    greatest = c.clone();
                }
            }
            if sum > sums {
                sums = sum;
            }
        }
    }
    let mut factors = vec![greatest];
    if !factors.contains(&sums) {
        factors.push(sums);
    }
    Some(factors)
}
