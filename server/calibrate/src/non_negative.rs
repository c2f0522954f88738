//! Nonnegative least squares, since no event can save time.
//!
//! The active-set method of Lawson and Hanson (*Solving Least Squares Problems*, 1974, chapter 23). The gradient determines which columns
//! are zero; for the other columns the problem is unconstrained.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn, RowDVector};

/// The maximum number of rounds per column; apart from rounding errors, the method terminates by itself.
const ROUNDS: usize = 12;

/// Gradients below this share of the largest initial gradient count as zero.
const NEGLIGIBLE: f64 = 1e-9;

/// A column counts as dependent if its independent part is at most this share of its squared length.
const DEPENDENT: f64 = 1e-13;

/// Returns the nonnegative x that minimises |A x - b|.
#[must_use]
pub fn non_negative(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    non_negative_from(a, b, &DVector::zeros(a.ncols()))
}

/// Solves like [`non_negative`], but starts from a vector that may be close: the solution of a similar problem. This is faster, and has the
/// same result if the solution is unique.
#[must_use]
pub(crate) fn non_negative_from(
    a: &DMatrix<f64>,
    b: &DVector<f64>,
    near: &DVector<f64>,
) -> DVector<f64> {
    let n = a.ncols();
    let mut search = Search::new(a, b);
    let free: Vec<usize> = (0..n).filter(|&j| near[j] > 0.0).collect();
    if search.take(&free) {
        search.x.copy_from(near);
        search.settle();
    }
    // Columns that depend on free columns, which carry their share.
    let mut barred = vec![false; n];
    let least = search.gradient(&DVector::zeros(n)).amax() * NEGLIGIBLE;
    for _ in 0..ROUNDS * n.max(1) {
        let w = search.gradient(&search.x);
        let candidates =
            (0..n).filter(|j| !barred[*j] && w[*j] > least && !search.free.contains(j));
        let Some(next) = candidates.max_by(|&i, &j| w[i].total_cmp(&w[j])) else {
            break;
        };
        match search.add(next) {
            true => search.settle(),
            false => barred[next] = true,
        }
    }
    search.x
}

/// The state of the search for the nonzero columns.
///
/// The free columns are solved with a Cholesky factor of their part of AᵀA, which changes little when a column is added or removed, and
/// corrected once by the residual of A itself (Björck's corrected semi-normal equations). Adding a free column takes time quadratic in the
/// number of free columns and needs no new factorisation; the tests compare the results with Householder reflections.
struct Search<'a> {
    /// The rows of A without zeros, since each program has few of the events.
    rows: Vec<Vec<(usize, f64)>>,
    b: &'a DVector<f64>,
    /// AᵀA.
    products: DMatrix<f64>,
    /// The free columns, in the order of the Cholesky factor.
    free: Vec<usize>,
    factors: Cholesky<f64, Dyn>,
    x: DVector<f64>,
}

impl<'a> Search<'a> {
    fn new(a: &'a DMatrix<f64>, b: &'a DVector<f64>) -> Self {
        let entries = |row: RowDVector<f64>| -> Vec<(usize, f64)> {
            let all = row.iter().copied().enumerate();
            all.filter(|(_, v)| *v != 0.0).collect()
        };
        let rows: Vec<_> = a.row_iter().map(|row| entries(row.into_owned())).collect();
        let mut products = DMatrix::zeros(a.ncols(), a.ncols());
        for row in &rows {
            for &(j, v) in row {
                for &(i, u) in row {
                    products[(i, j)] += u * v;
                }
            }
        }
        Search {
            rows,
            b,
            products,
            free: Vec::new(),
            factors: Cholesky::pack_dirty(DMatrix::zeros(0, 0)),
            x: DVector::zeros(a.ncols()),
        }
    }

    /// Makes these columns the free columns. Returns false, without changing anything, if they are linearly dependent.
    fn take(&mut self, columns: &[usize]) -> bool {
        let part = self.products.select_columns(columns).select_rows(columns);
        let Some(factors) = part.cholesky() else {
            return false;
        };
        let own = factors.l_dirty().diagonal();
        let mut all = own.iter().zip(columns);
        let independent = all.all(|(own, &j)| self.is_independent(*own, j));
        if independent {
            (self.free, self.factors) = (columns.to_vec(), factors);
        }
        independent
    }

    /// Frees another column. Returns false, without changing anything, if it depends on the free columns.
    fn add(&mut self, next: usize) -> bool {
        let last = self.free.len();
        let mut column = DVector::zeros(last + 1);
        for (value, &j) in column.iter_mut().zip(self.free.iter().chain([&next])) {
            *value = self.products[(j, next)];
        }
        let factors = self.factors.insert_column(last, column);
        let own = factors.l_dirty()[(last, last)];
        let independent = self.is_independent(own, next);
        if independent {
            self.free.push(next);
            self.factors = factors;
        }
        independent
    }

    /// Returns whether a column's independent part exceeds rounding errors.
    fn is_independent(&self, own: f64, column: usize) -> bool {
        own * own > DEPENDENT * self.products[(column, column)]
    }

    /// Returns Aᵀ(b - A x).
    fn gradient(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut all = DVector::zeros(x.len());
        for (row, b) in self.rows.iter().zip(self.b) {
            let left = b - row.iter().map(|&(j, v)| v * x[j]).sum::<f64>();
            for &(j, v) in row {
                all[j] += v * left;
            }
        }
        all
    }

    /// Returns the least-squares solution over the free columns; all other columns are zero.
    fn solved(&self) -> DVector<f64> {
        let part = |whole: &DVector<f64>| {
            let values = self.free.iter().map(|&j| whole[j]);
            self.factors
                .solve(&DVector::from_iterator(self.free.len(), values))
        };
        let mut z = DVector::zeros(self.x.len());
        for _ in 0..2 {
            for (&j, more) in self.free.iter().zip(&part(&self.gradient(&z))) {
                z[j] += more;
            }
        }
        z
    }

    /// Solves for the free columns, and removes columns that would become negative.
    fn settle(&mut self) {
        loop {
            let z = self.solved();
            if self.free.iter().all(|&j| z[j] > 0.0) {
                self.x = z;
                return;
            }
            // Move towards z until some component would become negative.
            let step = (self.free.iter())
                .filter(|&&j| z[j] <= 0.0)
                .map(|&j| self.x[j] / (self.x[j] - z[j]))
                .filter(|t| t.is_finite())
                .fold(1.0, f64::min);
            self.x += step * (&z - &self.x);
            for at in (0..self.free.len()).rev() {
                let j = self.free[at];
                if z[j] <= 0.0 && self.x[j] <= f64::EPSILON {
                    self.x[j] = 0.0;
                    self.free.remove(at);
                    self.factors = self.factors.remove_column(at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::least_squares::least_squares;

    #[test]
    fn what_would_be_negative_is_zero() {
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 1.0, 1.0, 2.0, 1.0, 3.0]);
        let x = non_negative(&a, &DVector::from_vec(vec![3.0, 2.0, 1.0]));
        assert!((x[0] - 2.0).abs() < 1e-9 && x[1] == 0.0, "{x}");
    }

    /// Householder reflections (`least_squares`) are the reference, after columns were added and removed.
    #[test]
    fn free_columns_are_solved_as_by_reflections() {
        let mut a = DMatrix::from_fn(40, 12, |i, j| {
            let entry = ((i * i * 7 + j * j * 13 + i * j * 5) % 31) as f64 + 1.0;
            entry * [0.01, 0.1, 1.0, 10.0, 100.0][j % 5]
        });
        // Add a column that nearly depends on other columns.
        for i in 0..40 {
            a[(i, 11)] = a[(i, 3)] + a[(i, 5)] + if i == 7 { 1e-3 } else { 0.0 };
        }
        let b = DVector::from_fn(40, |i, _| 1.0 + (i % 3) as f64);
        let mut search = Search::new(&a, &b);
        assert!(search.take(&[4, 2, 0, 8, 3]));
        for next in [5, 1, 6, 11, 7, 9, 10] {
            assert!(search.add(next), "{next}");
        }
        search.free.remove(2);
        search.factors = search.factors.remove_column(2);
        assert!(search.add(0));
        let (found, wanted) = (search.solved(), least_squares(&a, &b).unwrap());
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!(
                (found - wanted).abs() <= 1e-6 * wanted.abs(),
                "{found} {wanted}"
            );
        }
    }

    #[test]
    fn a_column_that_is_there_twice_is_free_once() {
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
        let b = DVector::from_vec(vec![2.0, 4.0, 6.0]);
        let x = non_negative(&a, &b);
        assert!((x.sum() - 2.0).abs() < 1e-9 && x.amin() == 0.0, "{x}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// The starting point of the search must not affect the residual.
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

        /// No step within the nonnegative region may reduce the sum of squares.
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
