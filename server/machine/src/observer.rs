//! Observers receive the arguments of each call to certain centres, and the resource use up to each port. Lookers receive the profile at
//! intervals.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cell::Cell;
use crate::centres::{Amounts, Leave, Measured};
use crate::store::Store;

/// An observer of calls. Amounts are totals of the whole run; their differences are the use of a call, including its callees.
pub trait Observer: Send {
    /// Handles a call to a cost centre. `predicate` is the centre's index in the plan, and `text` prints a term. Returns a positive number
    /// that identifies the call in later events, or 0 to ignore the call.
    fn called(
        &mut self,
        store: &Store,
        predicate: usize,
        arguments: &[Cell],
        text: &dyn Fn(Cell) -> String,
        so_far: &Amounts,
    ) -> u32;

    /// Handles backtracking into a call that has exited.
    fn redone(&mut self, call: u32, so_far: &Amounts);

    /// Handles leaving a call. `is_last` is true if the call has left no choice point.
    fn left(&mut self, call: u32, by: Leave, is_last: bool, so_far: &Amounts);
}

/// An observer shared by copies of a machine.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<dyn Observer>>);

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an observer")
    }
}

impl Shared {
    pub(crate) fn new(observer: Arc<Mutex<dyn Observer>>) -> Self {
        Shared(observer)
    }

    pub(crate) fn with_observer<T>(&self, tell: impl FnOnce(&mut dyn Observer) -> T) -> T {
        // An observer that panicked halfway does not affect the machine.
        let mut observer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tell(&mut *observer)
    }
}

/// The interval between snapshots of a profile that is being taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// A number of calls to centres in the plan.
    Calls(u64),
    /// A time in nanoseconds on the profile's clock.
    Nanoseconds(u64),
}

/// A receiver of profiles while they are being taken.
pub trait Looker: Send {
    /// Receives the measurements so far.
    fn look(&mut self, measured: &Measured);
}

/// A looker, and the time of its last look.
#[derive(Clone)]
pub(crate) struct Looks {
    looker: Arc<Mutex<dyn Looker>>,
    every: Every,
    /// The number of calls since the last look.
    calls: u64,
    at: u64,
}

impl fmt::Debug for Looks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a look every {:?}", self.every)
    }
}

impl Looks {
    /// Creates a looker with a starting time.
    pub(crate) fn new(looker: Arc<Mutex<dyn Looker>>, every: Every, at: u64) -> Self {
        Looks {
            looker,
            every,
            calls: 0,
            at,
        }
    }

    /// Records a call to a centre at the time `now`. Returns a function that shows the profile to the looker, if a look is due.
    pub(crate) fn called(&mut self, now: u64) -> Option<impl Fn(&Measured) + use<>> {
        self.calls += 1;
        let is_time = match self.every {
            Every::Calls(calls) => self.calls >= calls,
            Every::Nanoseconds(time) => now.saturating_sub(self.at) >= time,
        };
        if !is_time {
            return None;
        }
        (self.calls, self.at) = (0, now);
        let looker = Arc::clone(&self.looker);
        Some(move |measured: &Measured| {
            // A looker that panicked halfway does not affect the machine.
            let mut looker = looker.lock().unwrap_or_else(PoisonError::into_inner);
            looker.look(measured);
        })
    }
}
