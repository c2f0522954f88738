//! Least squares fits of columns: their values for the runs and for a call, and leave-one-out estimates.

use costlens_calibrate::least_squares;
use nalgebra::{DMatrix, DVector};

/// The fit of columns to values.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// The coefficients of the columns.
    pub(crate) coefficients: Vec<f64>,
    /// The fitted values of the runs, followed by the value of the call.
    pub(crate) values: Vec<f64>,
    /// The leave-one-out estimates of the runs.
    pub(crate) without: Vec<f64>,
}

/// The leverage above which a run cannot be estimated from the other runs.
const OWN: f64 = 0.999;

/// Fits columns to values. Each column has a number for each run, followed by a number for the call. Returns `None` if the columns are
/// linearly dependent over the runs, or if a single run determines a coefficient.
pub(crate) fn fit(columns: &[Vec<f64>], values: &[f64]) -> Option<Fit> {
    let rows = values.len();
    if rows < columns.len() + 2 || columns.iter().flatten().any(|v| !v.is_finite()) {
        return None;
    }
    // Scale columns to the same norm: powers of large inputs differ by many orders of magnitude.
    let scales: Vec<f64> = (columns.iter())
        .map(|c| c[..rows].iter().fold(0.0_f64, |m, v| m.max(v.abs())))
        .collect();
    if scales.contains(&0.0) {
        return None;
    }
    let matrix = DMatrix::from_fn(rows, columns.len(), |i, j| columns[j][i] / scales[j]);
    let wanted = DVector::from_column_slice(values);
    let scaled = least_squares(&matrix, &wanted).ok()?;
    let q = matrix.qr().q();
    let at = |i: usize| -> f64 {
        let own = columns.iter().zip(&scales).zip(scaled.iter());
        own.map(|((c, s), x)| c[i] / s * x).sum()
    };
    let fitted: Vec<f64> = (0..=rows).map(at).collect();
    let mut without = Vec::with_capacity(rows);
    for i in 0..rows {
        let own: f64 = q.row(i).iter().map(|v| v * v).sum();
        if own > OWN {
            return None;
        }
        // The leave-one-out estimate, computed from the full fit (Allen's PRESS, 1974).
        without.push(values[i] - (values[i] - fitted[i]) / (1.0 - own));
    }
    Some(Fit {
        coefficients: scaled.iter().zip(&scales).map(|(x, s)| x / s).collect(),
        values: fitted,
        without,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_without_a_run_is_that_of_the_fit_to_the_others() {
        let x: Vec<f64> = vec![1.0, 2.0, 3.0, 5.0, 8.0, 4.0];
        let y = [2.0, 3.5, 7.0, 11.0, 13.0];
        let columns = |x: &[f64]| vec![vec![1.0; x.len()], x.to_vec()];
        let all = fit(&columns(&x), &y).unwrap();
        let others = |v: &[f64]| [&v[1..5], &v[..1]].concat();
        let without = fit(&columns(&others(&x)), &y[1..]).unwrap();
        assert!((all.without[0] - without.values[4]).abs() < 1e-9);
        assert!((all.values[5] - (all.coefficients[0] + 4.0 * all.coefficients[1])).abs() < 1e-9);
        assert!(fit(&[vec![1.0; 6], vec![2.0; 6]], &y).is_none());
    }
}
