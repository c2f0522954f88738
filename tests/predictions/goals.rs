//! Calls of the programs by chance.

use crate::subject::Random;

/// Calls of the particle filter.
pub(crate) fn filters(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut goal = || {
        let (p, t, k) = (
            random.between(2, 40),
            random.between(1, 25),
            random.between(1, 30),
        );
        format!("filter({p}, {t}, {k}, S)")
    };
    (0..count).map(|_| goal()).collect()
}

/// Calls of the power of a matrix.
pub(crate) fn powers(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut goal = || {
        format!(
            "power({}, {}, M)",
            random.between(1, 12),
            random.between(1, 10)
        )
    };
    (0..count).map(|_| goal()).collect()
}
