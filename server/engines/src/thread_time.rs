//! The clock of runs inside this process.

use std::time::Duration;

/// Returns the CPU time of this thread.
#[cfg(target_os = "linux")]
#[must_use]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the wall-clock time, since the system does not report the CPU time of a thread.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn thread_time() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}
