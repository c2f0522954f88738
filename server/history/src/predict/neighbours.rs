//! Distance-weighted neighbours (hybrid prediction §IV.A).
//!
//! The estimate for a call E* is the mean of the counts of the runs E, with each run weighted by its distance d from E*:
//!
//! ```text
//! n(E*) = Σ w(d(E, E*)) n(E) / Σ w(d(E, E*)),     w(d) = exp(-(d/k)²)
//! ```
//!
//! k is the width of the Gaussian function, not a number of neighbours. The paper recommends 0.01 to 0.1, with small values for dense runs.
//! Here each block gets the width with the smallest leave-one-out error.

/// The candidate widths.
pub(crate) const WIDTHS: [f64; 12] = [
    0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0,
];

/// The weights of runs: for each other run, and for the call, which comes last. Each row adds up to 1.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(crate) width: f64,
    rows: Vec<Vec<f64>>,
}

impl Weights {
    /// Returns the weights for a width, from squared distances.
    pub(crate) fn new(distances: &[Vec<f64>], width: f64) -> Self {
        let rows = distances.iter().enumerate();
        let rows = rows.map(|(own, row)| weights(row, width, Some(own)));
        Weights {
            width,
            rows: rows.collect(),
        }
    }

    /// Returns the leave-one-out estimates of the runs, followed by the estimate for the call.
    pub(crate) fn estimates(&self, values: &[f64]) -> Vec<f64> {
        let mean = |row: &Vec<f64>| row.iter().zip(values).map(|(w, v)| w * v).sum();
        self.rows.iter().map(mean).collect()
    }
}

/// Returns the weights of the runs at these distances, optionally excluding one run.
pub(crate) fn weights(squares: &[f64], width: f64, without: Option<usize>) -> Vec<f64> {
    let others = || {
        let all = squares.iter().copied().enumerate();
        all.filter(move |(at, _)| Some(*at) != without)
    };
    // All weights may underflow; only their ratio to the nearest run's weight matters.
    let nearest = others().map(|(_, d)| d).fold(f64::INFINITY, f64::min);
    let mut row = vec![0.0; squares.len()];
    let mut sum = 0.0;
    for (at, square) in others() {
        row[at] = (-(square - nearest) / (width * width)).exp();
        sum += row[at];
    }
    if sum > 0.0 {
        row.iter_mut().for_each(|w| *w /= sum);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_estimated_from_the_others() {
        // Three runs at 0, 0.1 and 1, and a call at 0.
        let at: [f64; 4] = [0.0, 0.1, 1.0, 0.0];
        let distances: Vec<Vec<f64>> = at
            .iter()
            .map(|a| at[..3].iter().map(|b| (a - b).powi(2)).collect())
            .collect();
        let narrow = Weights::new(&distances, 0.01).estimates(&[10.0, 20.0, 90.0]);
        for (found, wanted) in narrow.iter().zip([20.0, 10.0, 20.0, 10.0]) {
            assert!((found - wanted).abs() < 1e-9, "{narrow:?}");
        }
        let wide = Weights::new(&distances, 1e6).estimates(&[10.0, 20.0, 90.0]);
        assert!((wide[3] - 40.0).abs() < 1e-6, "{wide:?}");
    }
}
