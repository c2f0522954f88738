//! Observers: whoever wants to know of each call of certain centres what it was called with, and what it used by each port. Lookers: whoever looks
//! at the profile from time to time.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cell::Cell;
use crate::centres::{Amounts, Leave, Measured};
use crate::store::Store;

/// An observer. Amounts are what the whole run had used by then; differences are what a call used, with all that it called.
pub trait Observer: Send {
    /// A centre is called: its number in the plan's list, its arguments, and what writes a term. The number by which the call will be known, from 1; 0 for a call that
    /// is of no interest.
    fn called(
        &mut self,
        store: &Store,
        predicate: usize,
        arguments: &[Cell],
        text: &dyn Fn(Cell) -> String,
        so_far: &Amounts,
    ) -> u32;

    /// Backtracking comes back into a call that has exited.
    fn redone(&mut self, call: u32, so_far: &Amounts);

    /// A call is left, for the last time where no choice point is left in it.
    fn left(&mut self, call: u32, by: Leave, is_last: bool, so_far: &Amounts);
}

/// An observer that copies of a machine share.
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

    pub(crate) fn with<T>(&self, tell: impl FnOnce(&mut dyn Observer) -> T) -> T {
        // Nothing that an observer leaves half done concerns the machine.
        let mut observer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tell(&mut *observer)
    }
}

/// The pause between two looks at a profile that is being taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// A number of calls of centres of the plan.
    Calls(u64),
    /// A time by the clock of the profile, in nanoseconds.
    Nanoseconds(u64),
}

/// Somebody who looks at a profile while it is being taken.
pub trait Looker: Send {
    /// Looks at what was measured up to now.
    fn look(&mut self, measured: &Measured);
}

/// A looker, and when it was its turn last.
#[derive(Clone)]
pub(crate) struct Looks {
    looker: Arc<Mutex<dyn Looker>>,
    every: Every,
    /// The calls since then.
    calls: u64,
    at: u64,
}

impl fmt::Debug for Looks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a look every {:?}", self.every)
    }
}

impl Looks {
    /// Begins at a time.
    pub(crate) fn new(looker: Arc<Mutex<dyn Looker>>, every: Every, at: u64) -> Self {
        Looks {
            looker,
            every,
            calls: 0,
            at,
        }
    }

    /// A centre was called at a time: how to look, where it is the time for that.
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
            // Nothing that a looker leaves half done concerns the machine.
            let mut looker = looker.lock().unwrap_or_else(PoisonError::into_inner);
            looker.look(measured);
        })
    }
}
