//! Counters of work, incremented where the work is done.
//!
//! A step of fuel corresponds to about ten microseconds. Most steps are that short, but a step over a region with twenty constraints or a
//! form with hundreds of terms takes a hundred times as long. The expensive operations are therefore also counted (entries of rows, terms
//! of products, choices of locals), and work in excess of the steps is charged as additional fuel. Only these counts matter, so the same
//! system and fuel give the same result on every machine.

use std::cell::Cell;

thread_local! {
    /// The units counted since the thread started. Only differences within one computation are used.
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Units per step of fuel: twice the work of a short step, so that only long steps are charged extra.
const UNITS: u64 = 2_000;

/// Counts units of about ten nanoseconds each.
#[inline]
pub fn add(units: usize) {
    DONE.with(|done| done.set(done.get().wrapping_add(units as u64)));
}

/// Counts units of work that was done earlier and is charged again.
pub fn add_units(units: u64) {
    DONE.with(|done| done.set(done.get().wrapping_add(units)));
}

/// Returns the number of units counted on this thread.
#[must_use]
pub fn done() -> u64 {
    DONE.with(Cell::get)
}

/// Computes a value without charging the work to the caller. A result that other callers may already have computed is charged to none of
/// them; otherwise, fuel would depend on the order of queries.
pub fn apart<T>(compute: impl FnOnce() -> T) -> T {
    struct Before(u64);
    impl Drop for Before {
        fn drop(&mut self) {
            DONE.with(|done| done.set(self.0));
        }
    }
    let _before = Before(done());
    compute()
}

/// Compares the charged steps with the work done.
pub struct Meter {
    done: u64,
    fuel: u64,
}

impl Meter {
    /// Starts a comparison, with the given number of steps left.
    #[must_use]
    pub fn start(fuel: u64) -> Self {
        Self { done: done(), fuel }
    }

    /// Charges the work since the last call, as far as it exceeds the steps charged since then.
    pub fn settle(&mut self, fuel: &mut u64) {
        let worked = done().wrapping_sub(self.done) / UNITS;
        let charged = self.fuel.saturating_sub(*fuel);
        if worked > charged {
            *fuel = self.fuel.saturating_sub(worked);
        }
        // Work of less than one step is carried over to the next call.
        self.done = self.done.wrapping_add(worked * UNITS);
        self.fuel = *fuel;
    }
}

#[cfg(test)]
mod tests {
    use super::{Meter, UNITS, add, apart, done};

    #[test]
    fn what_is_computed_apart_is_not_the_callers_work() {
        add(3);
        let before = done();
        let found = apart(|| {
            add(5);
            apart(|| add(7));
            done()
        });
        assert_eq!((found, done()), (before + 5, before));
        let unwound = std::panic::catch_unwind(|| {
            apart(|| {
                add(1);
                std::panic::resume_unwind(Box::new("as a query unwinds"));
            })
        });
        assert!(unwound.is_err());
        assert_eq!(done(), before);
    }

    #[test]
    fn work_is_charged_where_steps_say_less() {
        let units = |steps: u64| usize::try_from(steps * UNITS).unwrap();
        let mut fuel = 100;
        let mut meter = Meter::start(fuel);
        add(units(5));
        meter.settle(&mut fuel);
        assert_eq!(fuel, 95, "five steps' worth of work and no step");
        fuel -= 7;
        add(units(6));
        meter.settle(&mut fuel);
        assert_eq!(fuel, 88, "seven steps with less work");
        add(units(1) - 1);
        meter.settle(&mut fuel);
        add(1);
        meter.settle(&mut fuel);
        assert_eq!(fuel, 87, "parts of a step add up");
        add(units(1_000));
        meter.settle(&mut fuel);
        assert_eq!(fuel, 0);
    }
}
