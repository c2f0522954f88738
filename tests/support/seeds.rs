//! Cases by chance, one for each seed: how many, from which on, and on all cores.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number that an environment variable has, or the default.
pub(crate) fn number(variable: &str, default: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Tries `many` seeds, the first of which is `from`, in as many threads as there are cores.
pub(crate) fn each(many: u64, from: u64, attempt: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= many {
                        return;
                    }
                    attempt(from + at);
                }
            });
        }
    });
}
