//! Counts of computations, taken where they are done.
//!
//! A step of fuel corresponds to some ten microseconds. Most steps are that short, but one over a region of twenty constraints or a form of
//! hundreds of terms takes a hundred times as long. So the expensive parts are counted as well (entries of rows, terms of products, choices
//! of locals), and if more work was done than the steps account for, the difference is charged. Only these counts enter, so the same system
//! and fuel give the same answer on every machine.

use std::cell::Cell;

thread_local! {
    /// Units since the thread began. Only differences within one computation are used.
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Units per step of fuel: twice the units of a short step, so that only long ones are charged more.
const UNITS: u64 = 2_000;

/// Counts units, of some ten nanoseconds each.
#[inline]
pub fn add(units: usize) {
    DONE.with(|done| done.set(done.get().wrapping_add(units as u64)));
}

/// Counts units of work that was done once and is charged again.
pub fn add_units(units: u64) {
    DONE.with(|done| done.set(done.get().wrapping_add(units)));
}

/// Returns all units counted on this thread.
#[must_use]
pub fn done() -> u64 {
    DONE.with(Cell::get)
}

/// Computes a value whose work is not charged to the caller. A result that may already have been computed for others is not charged to
/// any user of it; otherwise fuel would depend on the order of questions.
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

/// A comparison of the charged steps with the work done.
pub struct Meter {
    done: u64,
    fuel: u64,
}

impl Meter {
    /// Begins a comparison, with the given number of steps left.
    #[must_use]
    pub fn start(fuel: u64) -> Self {
        Self { done: done(), fuel }
    }

    /// Charges the work since the last call, as far as it exceeds the steps charged since.
    pub fn settle(&mut self, fuel: &mut u64) {
        let worked = done().wrapping_sub(self.done) / UNITS;
        let charged = self.fuel.saturating_sub(*fuel);
        if worked > charged {
            *fuel = self.fuel.saturating_sub(worked);
        }
        // Work of less than a step is carried over to the next call.
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
