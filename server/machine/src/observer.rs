//! Observers: whoever wants to know of each call of certain centres what it was called with, and what it used by each port.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cell::Cell;
use crate::centres::{Amounts, Leave};
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
