//! Random cases, one for each seed: their number, the first seed, and a run on all cores.

use std::sync::atomic::{AtomicU64, Ordering};

/// Returns the number in an environment variable, or the default.
pub(crate) fn number(variable: &str, default: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Tries `many` seeds, starting with `from`, in as many threads as there are cores.
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
