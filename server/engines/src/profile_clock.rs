//! The clock of profiles, which is read twice for each activation of a cost centre.

use std::sync::OnceLock;

use quanta::Clock;

/// Returns the nanoseconds since the first call. Uses the processor's counter if it is synchronous on all cores, and otherwise the system's
/// monotonic clock.
#[must_use]
pub fn profile_clock() -> u64 {
    static CLOCK: OnceLock<(Clock, u64)> = OnceLock::new();
    let (clock, begun) = CLOCK.get_or_init(|| {
        let clock = Clock::new();
        let begun = clock.raw();
        (clock, begun)
    });
    clock.delta_as_nanos(*begun, clock.raw())
}
