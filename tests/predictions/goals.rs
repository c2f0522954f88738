//! Random calls of the programs.

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

/// Calls of the particle filter that take milliseconds.
pub(crate) fn long_filters(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut goal = || {
        let (p, t, k) = (
            random.between(20, 150),
            random.between(10, 60),
            random.between(1, 60),
        );
        format!("filter({p}, {t}, {k}, S)")
    };
    (0..count).map(|_| goal()).collect()
}

/// The same for the power of a matrix.
pub(crate) fn long_powers(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut goal = || {
        format!(
            "power({}, {}, M)",
            random.between(5, 40),
            random.between(5, 14)
        )
    };
    (0..count).map(|_| goal()).collect()
}
