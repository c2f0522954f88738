//! The Kaczmarz method: projects the solution onto one equation after another, with decreasing relaxation.

use nalgebra::{DMatrix, DVector};

use super::Solution;

const MOST_SWEEPS: usize = 4000;
/// The method ends if a sweep moves the solution by less than this relative amount.
const MOVED: f64 = 1e-7;
/// The number of sweeps between two checks of the residual.
const STRETCH: usize = 20;
/// The relaxation is halved unless the residual has decreased by this factor since the last check.
const SMALLER: f64 = 0.99;
/// The method ends when the relaxation is below this limit, since only noise remains.
const RELAXED: f64 = 1e-4;

/// Solves the system. Rows are drawn with probabilities proportional to their squared norms, in the same sequence in each run.
pub(super) fn solve(a: &DMatrix<f64>, b: &DVector<f64>) -> Solution {
    let rows: Vec<DVector<f64>> = a.row_iter().map(|row| row.transpose()).collect();
    let squares: Vec<f64> = rows.iter().map(|row| row.norm_squared()).collect();
    let sum: f64 = squares.iter().sum();
    let mut x = DVector::zeros(a.ncols());
    let mut state = 0x5851_f42d_4c95_7f2d_u64;
    let mut converged = sum <= 0.0;
    let (mut sweep, mut relaxation, mut residual) = (0, 1.0, f64::INFINITY);
    while !converged && sweep < MOST_SWEEPS {
        let before = x.clone();
        for _ in 0..rows.len() {
            let at = drawn(&mut state, &squares, sum);
            if squares[at] > 0.0 {
                let off = (b[at] - rows[at].dot(&x)) / squares[at];
                x.axpy(relaxation * off, &rows[at], 1.0);
                x.apply(|v| *v = v.max(0.0));
            }
        }
        sweep += 1;
        let moved = (&x - &before).norm();
        converged = moved <= MOVED * relaxation * x.norm().max(f64::MIN_POSITIVE);
        if sweep % STRETCH == 0 {
            let now = (a * &x - b).norm();
            if now > SMALLER * residual {
                relaxation /= 2.0;
            }
            residual = residual.min(now);
            converged |= relaxation < RELAXED;
        }
    }
    Solution {
        values: x,
        iterations: sweep,
        converged,
    }
}

/// Draws a row with probability proportional to its weight.
fn drawn(state: &mut u64, weights: &[f64], sum: f64) -> usize {
    // Use a linear congruential generator, whose high bits suffice for this purpose.
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let high = u32::try_from(*state >> 32).unwrap_or(0);
    let mut left = f64::from(high) / f64::from(u32::MAX) * sum;
    for (at, weight) in weights.iter().enumerate() {
        left -= weight;
        if left <= 0.0 {
            return at;
        }
    }
    weights.len().saturating_sub(1)
}
