//! Fits linear combinations of given functions to observations by least squares, and computes their leave-one-out error.

use nalgebra::{DMatrix, DVector};

use crate::least_squares::least_squares;

/// The error below which differences are due to floating-point rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// A linear combination of functions, fitted to observations.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The coefficient of each function.
    pub coefficients: Vec<f64>,
    /// The root mean square of the relative leave-one-out errors.
    pub error: f64,
}

/// Fits the coefficients of functions, which are given by their values: one row for each observation. Errors are relative to the observed
/// value; values below 1 count as 1.
///
/// Returns `None` if the observations do not determine the coefficients, or if leaving out some observation makes them undetermined.
#[must_use]
pub fn described(rows: &[Vec<f64>], observed: &[f64]) -> Option<Described> {
    let (count, functions) = (rows.len(), rows.first()?.len());
    if count <= functions || count != observed.len() {
        return None;
    }
    let weight = |i: usize| 1.0 / observed[i].abs().max(1.0);
    let a = DMatrix::from_fn(count, functions, |i, j| rows[i][j] * weight(i));
    let b = DVector::from_fn(count, |i, _| observed[i] * weight(i));
    // Columns of very different lengths would appear linearly dependent.
    let lengths: Vec<f64> = (a.column_iter())
        .map(|column| column.norm().max(f64::MIN_POSITIVE))
        .collect();
    let scaled = DMatrix::from_fn(count, functions, |i, j| a[(i, j)] / lengths[j]);
    let whole = least_squares(&scaled, &b).ok()?;
    let mut squares = 0.0;
    for i in 0..count {
        let others = scaled.clone().remove_row(i);
        let without = least_squares(&others, &b.clone().remove_row(i)).ok()?;
        squares += ((scaled.row(i) * without)[0] - b[i]).powi(2);
    }
    let error = (squares / count as f64).sqrt();
    Some(Described {
        coefficients: (whole.iter().zip(&lengths))
            .map(|(coefficient, length)| coefficient / length)
            .collect(),
        error: if error < NEGLIGIBLE { 0.0 } else { error },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(shape: impl Fn(f64) -> Vec<f64>) -> Vec<Vec<f64>> {
        (0..12).map(|n| shape(f64::from(n))).collect()
    }

    #[test]
    fn a_sum_of_the_functions_is_found_again() {
        let observed: Vec<f64> = (0..12)
            .map(f64::from)
            .map(|n| n * n / 2.0 + 1.5 * n + 1.0)
            .collect();
        let found = described(&rows(|n| vec![n * n, n, 1.0]), &observed).unwrap();
        for (coefficient, expected) in found.coefficients.iter().zip([0.5, 1.5, 1.0]) {
            assert!((coefficient - expected).abs() < 1e-9, "{found:?}");
        }
        assert!(found.error.abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn the_error_is_that_of_what_was_left_out() {
        // Two functions and three points that are not on a line: each held-out point is mispredicted from the other two points.
        let found = described(
            &[vec![1.0, 0.0], vec![1.0, 1.0], vec![1.0, 2.0]],
            &[1.0, 1.0, 3.0],
        )
        .unwrap();
        // Predictions are -1 for 1, 2 for 1, and 1 for 3: relative errors 2, 1, 2/3.
        let expected = ((4.0 + 1.0 + 4.0 / 9.0) / 3.0_f64).sqrt();
        assert!((found.error - expected).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn a_line_describes_squares_badly() {
        let observed: Vec<f64> = (0..12).map(f64::from).map(|n| n * n).collect();
        let line = described(&rows(|n| vec![n, 1.0]), &observed).unwrap();
        assert!(line.error > 0.1, "{line:?}");
    }

    #[test]
    fn what_is_not_determined_is_none() {
        assert_eq!(described(&[vec![1.0]], &[1.0]), None);
        assert_eq!(described(&[], &[]), None);
        let same = rows(|n| vec![n, 2.0 * n]);
        assert_eq!(described(&same, &[1.0; 12]), None);
    }
}
