//! Linear least squares by Householder's reflections (PADL'07 §3).

use nalgebra::{DMatrix, DVector};

/// The error that some column is a linear combination of other columns, so that the solution is not unique (PPDP'08, Proposition 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the columns are linearly dependent")]
pub struct Deficient;

/// A diagonal element of R below this share of the largest element indicates a linearly dependent column.
const NEGLIGIBLE: f64 = 1e-10;

/// Returns the x that minimises |A x - b|.
///
/// # Errors
/// Returns an error if the columns are linearly dependent, or if there are more columns than rows.
pub fn least_squares(a: &DMatrix<f64>, b: &DVector<f64>) -> Result<DVector<f64>, Deficient> {
    if a.ncols() == 0 {
        return Ok(DVector::zeros(0));
    }
    if a.nrows() < a.ncols() {
        return Err(Deficient);
    }
    let qr = a.clone().qr();
    let r = qr.r();
    let diagonal = r.diagonal();
    let largest = diagonal.amax();
    if diagonal.iter().any(|d| d.abs() <= NEGLIGIBLE * largest) {
        return Err(Deficient);
    }
    let mut projected = b.clone();
    qr.q_tr_mul(&mut projected);
    let top = projected.rows(0, a.ncols()).into_owned();
    r.solve_upper_triangular(&top).ok_or(Deficient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_systems_are_solved() {
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0]);
        let x = least_squares(&a, &DVector::from_vec(vec![1.0, 3.0, 5.0])).unwrap();
        assert!(
            (x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12,
            "{x}"
        );
    }

    #[test]
    fn dependent_columns_are_refused() {
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 2.0, 2.0, 4.0, 3.0, 6.0]);
        let b = DVector::from_vec(vec![1.0, 2.0, 3.0]);
        assert_eq!(least_squares(&a, &b), Err(Deficient));
    }
}
