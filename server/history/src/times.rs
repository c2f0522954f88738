//! Times of blocks from the times of runs (hybrid prediction §III).
//!
//! Each run is an equation: the sum over the blocks of count times the time of one pass is the time of the run (equation 1). There are more
//! runs than blocks, and the system is ill-conditioned, since the counts of blocks are nearly proportional to each other. The paper adds an
//! error term to the system and solves it by iteration. This module compares three methods with known convergence by their accuracy for
//! held-out runs:
//!
//! | method | converges to | ends if |
//! |---|---|---|
//! | projected Landweber | the least squares without negative parts, for a step below 2/σ₁² (Landweber 1951; Bertero and Boccacci, *Introduction to Inverse Problems in Imaging*, 1998, §6.2) | a step moves less than 10⁻⁶ of the solution |
//! | Kaczmarz | the solution of a consistent system, otherwise a weighted least squares as the relaxation goes to 0 (Kaczmarz 1937; Censor,
//! Eggermont and Gordon 1983); rows drawn by their norms (Strohmer and Vershynin 2009) | a sweep moves less than 10⁻⁷ of the solution, or
//! the relaxation, which is halved when the residual stagnates, is below 10⁻⁴ |
//! | NNLS | the least squares without negative parts and with a penalty on the sizes of times (Lawson and Hanson 1974, chapters 23 and 25)
//! | the gradient shows that it is optimal |
//!
//! Equations are weighted so that a run of a microsecond counts as much as a run of a second, since relative errors matter.

mod kaczmarz;
mod landweber;
mod regularised;

use nalgebra::{DMatrix, DVector};

/// A method of solving the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Solver {
    /// Projected Landweber.
    Landweber,
    /// Kaczmarz with relaxation and projection.
    Kaczmarz,
    /// Regularised nonnegative least squares.
    NonNegative,
}

impl Solver {
    /// All methods.
    pub const ALL: [Solver; 3] = [Solver::Landweber, Solver::Kaczmarz, Solver::NonNegative];

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Solver::Landweber => "projected Landweber",
            Solver::Kaczmarz => "Kaczmarz",
            Solver::NonNegative => "NNLS",
        }
    }
}

/// The solution of a system.
#[derive(Clone, Debug)]
pub struct Solution {
    /// A non-negative number for each column.
    pub values: DVector<f64>,
    /// The number of sweeps or steps; 0 for a direct method.
    pub iterations: usize,
    /// True if the method converged before it was stopped.
    pub converged: bool,
}

/// Solves A x = b for nonnegative x.
#[must_use]
pub fn solve(solver: Solver, a: &DMatrix<f64>, b: &DVector<f64>) -> Solution {
    match solver {
        Solver::Landweber => landweber::solve(a, b),
        Solver::Kaczmarz => kaczmarz::solve(a, b),
        Solver::NonNegative => regularised::solve(a, b),
    }
}

/// The times of blocks, and their accuracy.
#[derive(Clone, Debug)]
pub struct BlockTimes {
    /// The nanoseconds for each column.
    pub times: Vec<f64>,
    /// The method with the smallest error for held-out runs.
    pub solver: Solver,
    /// The methods with their mean relative errors for held-out runs: 0.05 for 5%.
    pub compared: Vec<(Solver, f64)>,
    /// The mean relative error of the chosen method for the runs to which it was fitted.
    pub residual: f64,
    /// For the system with normalised columns, the ratio of the largest singular value to the smallest that is nonzero up to rounding.
    pub condition: f64,
    /// The number of independent columns.
    pub rank: usize,
    /// The number of sweeps or steps.
    pub iterations: usize,
    /// True if the method converged before it was stopped.
    pub converged: bool,
    parts: Vec<Vec<f64>>,
}

/// The number of folds for cross-validation.
const PARTS: usize = 5;
/// The minimum number of runs for which times are determined.
const FEWEST: usize = 6;

impl BlockTimes {
    /// Returns the times fitted without a run's fold.
    #[must_use]
    pub fn fitted_without(&self, run: usize) -> &[f64] {
        &self.parts[run % PARTS]
    }
}

/// A system with scaled rows and columns.
struct System {
    a: DMatrix<f64>,
    b: DVector<f64>,
    scales: Vec<f64>,
}

impl System {
    /// Returns the equations of the given runs.
    fn new(columns: &[Vec<f64>], ns: &[f64], runs: &[usize]) -> Self {
        let row = |i: usize| 1.0 / ns[i].max(1.0);
        let mut a = DMatrix::from_fn(runs.len(), columns.len(), |i, j| {
            columns[j][runs[i]] * row(runs[i])
        });
        let b = DVector::from_fn(runs.len(), |i, _| ns[runs[i]] * row(runs[i]));
        let mut scales = Vec::with_capacity(columns.len());
        for mut column in a.column_iter_mut() {
            let length = column.norm();
            scales.push(length);
            if length > 0.0 {
                column /= length;
            }
        }
        System { a, b, scales }
    }

    fn times(&self, values: &DVector<f64>) -> Vec<f64> {
        let time = |(value, scale): (&f64, &f64)| match *scale > 0.0 {
            true => value / scale,
            false => 0.0,
        };
        values.iter().zip(&self.scales).map(time).collect()
    }
}

/// Determines the times of blocks from the nanoseconds of the runs and a column of counts for each block. Returns `None` if there are too
/// few runs, or if no run has a time.
#[must_use]
pub fn fit(columns: &[Vec<f64>], ns: &[f64]) -> Option<BlockTimes> {
    let runs = ns.len();
    if runs < FEWEST || columns.is_empty() || ns.iter().all(|n| *n <= 0.0) {
        return None;
    }
    let all: Vec<usize> = (0..runs).collect();
    let part = |out: usize| -> Vec<usize> { (0..runs).filter(|i| i % PARTS != out).collect() };
    let mut best: Option<(f64, Solver, Vec<Vec<f64>>)> = None;
    let mut compared = Vec::new();
    for solver in Solver::ALL {
        let parts: Vec<Vec<f64>> = (0..PARTS)
            .map(|out| {
                let system = System::new(columns, ns, &part(out));
                system.times(&solve(solver, &system.a, &system.b).values)
            })
            .collect();
        let error = relative_error(columns, ns, &|run| &parts[run % PARTS]);
        compared.push((solver, error));
        if best.as_ref().is_none_or(|(least, ..)| error < *least) {
            best = Some((error, solver, parts));
        }
    }
    let (_, solver, parts) = best?;
    let system = System::new(columns, ns, &all);
    let solution = solve(solver, &system.a, &system.b);
    let times = system.times(&solution.values);
    let singular = system.a.singular_values();
    let largest = singular.max();
    let independent: Vec<f64> = { singular.iter().copied() }
        .filter(|s| *s > largest * 1e-10)
        .collect();
    Some(BlockTimes {
        residual: relative_error(columns, ns, &|_| &times),
        condition: largest / independent.iter().copied().fold(largest, f64::min),
        rank: independent.len(),
        iterations: solution.iterations,
        converged: solution.converged,
        times,
        solver,
        compared,
        parts,
    })
}

/// Returns the mean relative error over the runs.
fn relative_error<'t>(columns: &[Vec<f64>], ns: &[f64], times: &dyn Fn(usize) -> &'t [f64]) -> f64 {
    let of = |run: usize| {
        let predicted: f64 = columns
            .iter()
            .zip(times(run))
            .map(|(c, t)| c[run] * t)
            .sum();
        (predicted.max(1e-9) / ns[run].max(1e-9)).ln().abs()
    };
    let sum: f64 = (0..ns.len()).map(of).sum();
    let runs = u32::try_from(ns.len()).unwrap_or(u32::MAX);
    (sum / f64::from(runs)).exp_m1()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::Random;

    fn system(rows: usize, columns: usize, seed: u64) -> (DMatrix<f64>, DVector<f64>) {
        let mut random = Random::new(seed);
        let a = DMatrix::from_fn(rows, columns, |i, j| {
            random.unit() + if i % columns == j { 2.0 } else { 0.0 }
        });
        let x = DVector::from_fn(
            columns,
            |j, _| if j % 3 == 2 { 0.0 } else { 1.0 + random.unit() },
        );
        (a, x)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Each method must find the solution of a consistent system.
        #[test]
        fn known_solutions_are_found(rows in 8_usize..30, columns in 1_usize..7, seed in any::<u64>()) {
            let (a, x) = system(rows, columns, seed);
            let b = &a * &x;
            for solver in Solver::ALL {
                let found = solve(solver, &a, &b);
                let off = (&found.values - &x).norm() / x.norm();
                prop_assert!(off < 2e-3, "{solver:?} {off} {found:?}");
                prop_assert!(found.values.iter().all(|v| *v >= 0.0));
                prop_assert!(found.converged, "{solver:?}");
            }
        }

        /// With noise, no method may have a much larger residual than least squares.
        #[test]
        fn noise_is_spread(seed in any::<u64>()) {
            let (a, x) = system(40, 5, seed);
            let mut random = Random::new(seed ^ 1);
            let b = (&a * &x).map(|v| v * (1.0 + 0.02 * (random.unit() - 0.5)));
            let least = (&a * costlens_calibrate::non_negative(&a, &b) - &b).norm();
            for solver in Solver::ALL {
                let residual = (&a * solve(solver, &a, &b).values - &b).norm();
                prop_assert!(residual <= 1.2 * least + 1e-9, "{solver:?} {residual} {least}");
            }
        }
    }

    /// Two columns differ by a thousandth, so the sum of their times is determined, but not the difference.
    #[test]
    fn an_ill_conditioned_system_predicts_although_its_parts_are_open() {
        let mut random = Random::new(3);
        let first: Vec<f64> = (1..=60).map(f64::from).collect();
        let second: Vec<f64> = first
            .iter()
            .map(|n| n * (1.0 + 0.001 * random.unit()))
            .collect();
        let noisy = |n: &f64| 30.0 * n * (1.0 + 0.03 * (random.unit() - 0.5));
        let ns: Vec<f64> = first.iter().map(noisy).collect();
        let found = fit(&[first.clone(), second.clone()], &ns).unwrap();
        assert!(found.condition > 1000.0, "{}", found.condition);
        for (_, error) in &found.compared {
            assert!(*error < 0.03, "{:?}", found.compared);
        }
        let sum = found.times[0] + found.times[1];
        assert!((sum / 30.0 - 1.0).abs() < 0.03, "{:?}", found.times);
        assert!(found.times.iter().all(|t| *t >= 0.0));
        assert_eq!(found.rank, 2);
        assert!(found.residual < 0.03 && found.fitted_without(0).len() == 2);
    }

    #[test]
    fn too_few_runs_say_nothing() {
        assert!(fit(&[vec![1.0; 5]], &[10.0; 5]).is_none());
        assert!(fit(&[vec![1.0; 9]], &[0.0; 9]).is_none());
    }
}
