//! The projected Landweber method: gradient steps, projected to nonnegative values.

use nalgebra::{DMatrix, DVector};

use super::Solution;

const MOST_STEPS: usize = 20_000;
/// The method ends if a step moves the solution by less than this relative amount.
const MOVED: f64 = 1e-6;
/// The number of steps between two checks of convergence.
const STRETCH: usize = 50;

/// Iterates x ← max(0, x + ω Aᵀ(b - A x)), with ω = 1.8/σ₁².
pub(super) fn solve(a: &DMatrix<f64>, b: &DVector<f64>) -> Solution {
    let normal = a.tr_mul(a);
    let wanted = a.tr_mul(b);
    let largest = normal.clone().symmetric_eigenvalues().max();
    let mut x = DVector::zeros(a.ncols());
    if largest <= 0.0 {
        return Solution {
            values: x,
            iterations: 0,
            converged: true,
        };
    }
    let step = 1.8 / largest;
    let mut iterations = 0;
    while iterations < MOST_STEPS {
        let before = x.clone();
        for _ in 0..STRETCH {
            let gradient = &wanted - &normal * &x;
            x += gradient * step;
            x.apply(|v| *v = v.max(0.0));
        }
        iterations += STRETCH;
        if (&x - &before).norm() <= MOVED * x.norm().max(f64::MIN_POSITIVE) {
            return Solution {
                values: x,
                iterations,
                converged: true,
            };
        }
    }
    Solution {
        values: x,
        iterations,
        converged: false,
    }
}
