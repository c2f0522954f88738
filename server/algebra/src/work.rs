//! Counts computations where they are done.
//!
//! A step of fuel stands for some ten microseconds. Most steps are that short, but one over a region of twenty constraints or a form of
//! hundreds of terms is a hundred times as long. So what takes the time is counted as well (entries of rows, terms of
//! products, choices of locals), and where more was done than the steps say, the difference is charged. Nothing but the counts enters, so
//! the same system and fuel have the same answer on every machine.

use std::cell::Cell;

thread_local! {
    /// Units since the thread began. Only differences within one computation are looked at.
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Units that a step of fuel stands for: twice what a short one takes, so that only long ones are charged for more.
const UNITS: u64 = 2_000;

/// Counts units, of some ten nanoseconds.
#[inline]
pub fn add(units: usize) {
    DONE.with(|done| done.set(done.get().wrapping_add(units as u64)));
}

/// The same, of work that was done once and is charged again.
pub fn add_units(units: u64) {
    DONE.with(|done| done.set(done.get().wrapping_add(units)));
}

/// All that was counted on this thread.
#[must_use]
pub fn done() -> u64 {
    DONE.with(Cell::get)
}

/// Computes something of which the work is not the caller's. What others may have computed before is charged to nobody who finds it: else
/// fuel would depend on what was asked first.
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

/// Compares the steps that are charged with the work that is done.
pub struct Meter {
    done: u64,
    fuel: u64,
}

impl Meter {
    /// Begins to compare, with so many steps left.
    #[must_use]
    pub fn start(fuel: u64) -> Self {
        Self { done: done(), fuel }
    }

    /// Charges the work since the last time, as far as it is more than what was charged since.
    pub fn settle(&mut self, fuel: &mut u64) {
        let worked = done().wrapping_sub(self.done) / UNITS;
        let charged = self.fuel.saturating_sub(*fuel);
        if worked > charged {
            *fuel = self.fuel.saturating_sub(worked);
        }
        // What is less than a step is kept for the next time.
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
