//! Growth rates of `T(n) = Σ aᵢ·T(n - sᵢ) + …`: rational numbers close to the root of the characteristic equation.
//!
//! With `aᵢ >= 0`, `Σ aᵢ·r^(-sᵢ) = 1` has one positive root ρ. `c·r^n` is inductive as an upper bound for `r >= ρ` and as a lower bound for
//! `r <= ρ`, so rounding outward yields provable bounds. For Fibonacci numbers, the rates are 13/8 and 8/5, on either side of 1.618….

use costlens_algebra::linear::fraction::Fraction;
use costlens_algebra::{Expr, Rat, Var, rat};

use crate::graph::{CellId, Graph, linear_coefficient};
use crate::system::{Direction, System};

/// The largest denominator.
const DENOMINATORS: i128 = 8;

/// The longest step.
const STEP_LIMIT: i128 = 8;

/// Returns a rate for each alternative that calls its own function several times at constant distances in one parameter.
pub(crate) fn of_cells(
    system: &System,
    graph: &Graph,
    cells: &[CellId],
    direction: Direction,
) -> Vec<Rat> {
    let mut rates = Vec::new();
    for &(f, c) in cells {
        let function = &system.functions[f];
        for (alternative, landings) in function.cells[c]
            .alternatives
            .iter()
            .zip(&graph.landings[f][c])
        {
            let (Some(landings), Some(value)) = (landings, &alternative.value) else {
                continue;
            };
            let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
            let mut steps = Vec::new();
            for (call, landing) in alternative.results.iter().zip(landings) {
                if call.function != f || !landing.cells.iter().any(|id| cells.contains(id)) {
                    continue;
                }
                let factor = linear_coefficient(value, call.var, &results)
                    .and_then(|e| Fraction::from_rat(&e.as_constant()?));
                let Some(step) = step_back(&function.params, &call.args) else {
                    steps.clear();
                    break;
                };
                let Some(factor) = factor.filter(|a| a.is_positive()) else {
                    steps.clear();
                    break;
                };
                steps.push((factor, step));
            }
            // If all steps are 1, the rate is the sum of the factors, which is tried anyway.
            if steps.iter().any(|&(_, s)| s > 1) && steps.len() > 1 {
                rates.extend(rate(&steps, direction));
            }
        }
    }
    rates
}

/// Returns the distance in the only parameter that changes, if exactly one changes.
fn step_back(params: &[Var], args: &[Expr]) -> Option<i32> {
    let mut step = None;
    for (&p, arg) in params.iter().zip(args) {
        let difference = Fraction::from_rat(&(&Expr::var(p) - arg).as_constant()?)?.to_integer()?;
        if difference == 0 {
            continue;
        }
        if step.is_some() || !(1..=STEP_LIMIT).contains(&difference) {
            return None;
        }
        step = Some(i32::try_from(difference).ok()?);
    }
    step
}

/// Returns the nearest fraction on the safe side of the root.
fn rate(steps: &[(Fraction, i32)], direction: Direction) -> Option<Rat> {
    // Σ aᵢ·r^(-sᵢ) <= 1 holds for r >= ρ.
    let beyond = |r: Fraction| -> Option<bool> {
        let mut sum = Fraction::ZERO;
        for &(a, s) in steps {
            sum = sum.add(a.mul(r.pow(-s)?)?)?;
        }
        Some(!Fraction::ONE.less(sum)?)
    };
    let mut best: Option<Fraction> = None;
    for q in 1..=DENOMINATORS {
        let mut p = q;
        while p < 64 * q && !beyond(Fraction::new(p, q)?)? {
            p += 1;
        }
        let found = match direction {
            Direction::Upper => Fraction::new(p, q)?,
            Direction::Lower => Fraction::new(p - 1, q)?,
        };
        let better = match (&best, direction) {
            (None, _) => true,
            (Some(b), Direction::Upper) => found.less(*b)?,
            (Some(b), Direction::Lower) => b.less(found)?,
        };
        if better {
            best = Some(found);
        }
    }
    best.map(Fraction::rat).filter(|r| *r > rat(1))
}
