//! Least squares with no negative constant: an event does not give time back.
//!
//! The active-set method of Lawson and Hanson (*Solving Least Squares Problems*, 1974, chapter 23). Which columns are zero is decided by the
//! gradient; among the others the problem is an unconstrained one.

use nalgebra::{DMatrix, DVector};

use crate::least_squares::least_squares;

/// Rounds for each column: the method ends by itself, but for rounding.
const ROUNDS: usize = 12;

/// Gradients below this share of the largest at the beginning are zero.
const NEGLIGIBLE: f64 = 1e-9;

/// The x without negative parts for which |A x - b| is least.
#[must_use]
pub fn non_negative(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    non_negative_from(a, b, &DVector::zeros(a.ncols()))
}

/// The same, from a vector that may be near: the solution of a similar problem. It is found sooner, and is the same where it is unique.
#[must_use]
pub(crate) fn non_negative_from(
    a: &DMatrix<f64>,
    b: &DVector<f64>,
    near: &DVector<f64>,
) -> DVector<f64> {
    let n = a.ncols();
    let mut x = near.clone();
    let mut free: Vec<bool> = near.iter().map(|&v| v > 0.0).collect();
    let begins_near = free.contains(&true) && settle(a, b, &mut x, &mut free);
    if !begins_near {
        x.fill(0.0);
        free.fill(false);
    }
    // Columns that depend on free ones: their share is carried by these.
    let mut barred = vec![false; n];
    let gradient = |x: &DVector<f64>| a.tr_mul(&(b - a * x));
    let least = gradient(&DVector::zeros(n)).amax() * NEGLIGIBLE;
    for _ in 0..ROUNDS * n.max(1) {
        let w = gradient(&x);
        let candidates = (0..n).filter(|&j| !free[j] && !barred[j] && w[j] > least);
        let Some(next) = candidates.max_by(|&i, &j| w[i].total_cmp(&w[j])) else {
            break;
        };
        free[next] = true;
        if !settle(a, b, &mut x, &mut free) {
            free[next] = false;
            barred[next] = true;
        }
    }
    x
}

/// Solves for the free columns, and takes those that would turn negative out; false where the columns are dependent.
fn settle(a: &DMatrix<f64>, b: &DVector<f64>, x: &mut DVector<f64>, free: &mut [bool]) -> bool {
    loop {
        let columns: Vec<usize> = (0..free.len()).filter(|&j| free[j]).collect();
        let Ok(z) = least_squares(&a.select_columns(&columns), b) else {
            return false;
        };
        if z.iter().all(|&v| v > 0.0) {
            x.fill(0.0);
            for (&j, &v) in columns.iter().zip(z.iter()) {
                x[j] = v;
            }
            return true;
        }
        // As far towards z as no part turns negative.
        let step = (columns.iter().zip(z.iter()))
            .filter(|(_, v)| **v <= 0.0)
            .map(|(&j, &v)| x[j] / (x[j] - v))
            .filter(|t| t.is_finite())
            .fold(1.0, f64::min);
        for (&j, &v) in columns.iter().zip(z.iter()) {
            x[j] += step * (v - x[j]);
            if v <= 0.0 && x[j] <= f64::EPSILON {
                x[j] = 0.0;
                free[j] = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_would_be_negative_is_zero() {
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 1.0, 1.0, 2.0, 1.0, 3.0]);
        let x = non_negative(&a, &DVector::from_vec(vec![3.0, 2.0, 1.0]));
        assert!((x[0] - 2.0).abs() < 1e-9 && x[1] == 0.0, "{x}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Where the search begins makes no difference to the distance.
        #[test]
        fn a_beginning_is_no_end(
            entries in prop::collection::vec(0.0..10.0_f64, 24),
            b in prop::collection::vec(0.0..10.0_f64, 6),
            near in prop::collection::vec(0.0..3.0_f64, 4),
        ) {
            let a = DMatrix::from_vec(6, 4, entries);
            let b = DVector::from_vec(b);
            let of = |x: &DVector<f64>| (&a * x - &b).norm_squared();
            let there = non_negative_from(&a, &b, &DVector::from_vec(near));
            prop_assert!(there.iter().all(|&v| v >= 0.0));
            let (there, least) = (of(&there), of(&non_negative(&a, &b)));
            prop_assert!((there - least).abs() <= 1e-6 * (1.0 + least), "{there} {least}");
        }

        /// No step into the region where all parts stay non-negative makes the sum of squares smaller.
        #[test]
        fn no_neighbour_is_better(
            entries in prop::collection::vec(0.0..10.0_f64, 24),
            b in prop::collection::vec(0.0..10.0_f64, 6),
        ) {
            let a = DMatrix::from_vec(6, 4, entries);
            let b = DVector::from_vec(b);
            let x = non_negative(&a, &b);
            let of = |x: &DVector<f64>| (&a * x - &b).norm_squared();
            let least = of(&x);
            prop_assert!(x.iter().all(|&v| v >= 0.0));
            for j in 0..4 {
                for step in [1e-3, -1e-3] {
                    let mut y = x.clone();
                    y[j] = (y[j] + step).max(0.0);
                    prop_assert!(of(&y) >= least - 1e-6 * (1.0 + least));
                }
            }
        }
    }
}
