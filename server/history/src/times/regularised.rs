//! Regularised nonnegative least squares: returns the smallest of the solutions that explain the times equally well.

use costlens_calibrate::non_negative;
use nalgebra::{DMatrix, DVector};

use super::Solution;

/// The penalty, relative to the largest singular value.
const PENALTY: f64 = 1e-5;

/// Solves min |A x - b|² + α²|x|², x ≥ 0. This is the unpenalised problem for the equations A x = b and α x = 0 (Lawson and Hanson 1974,
/// chapter 25).
pub(super) fn solve(a: &DMatrix<f64>, b: &DVector<f64>) -> Solution {
    let (rows, columns) = a.shape();
    let alpha = PENALTY * a.singular_values().max();
    let wide = DMatrix::from_fn(rows + columns, columns, |i, j| match i.checked_sub(rows) {
        None => a[(i, j)],
        Some(below) if below == j => alpha,
        Some(_) => 0.0,
    });
    let wanted = DVector::from_fn(rows + columns, |i, _| if i < rows { b[i] } else { 0.0 });
    Solution {
        values: non_negative(&wide, &wanted),
        iterations: 0,
        converged: true,
    }
}
