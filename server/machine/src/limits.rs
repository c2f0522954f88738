//! The limits of a run, and their current use.

use crate::error::Limit;
use crate::machine::Machine;

/// The number of calls between checks of the limits that individual instructions do not check.
const LOOK_EVERY: u64 = 4096;

impl Machine {
    /// Refills the fuel until the next check, or returns the exceeded limit.
    #[cold]
    pub(crate) fn look_at_limits(&mut self) -> Result<(), Limit> {
        if self.interrupt.0.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Limit::Time);
        }
        if self.memory() > self.limits.cells {
            return Err(Limit::Memory);
        }
        match &mut self.steps_left {
            None => self.fuel = LOOK_EVERY,
            Some(0) => return Err(Limit::Steps),
            Some(left) => {
                self.fuel = LOOK_EVERY.min(*left);
                *left -= self.fuel;
            }
        }
        Ok(())
    }

    /// Returns the number of cells in use: heap, stacks and stored terms.
    #[must_use]
    pub fn memory(&self) -> usize {
        let environments = self.env_top();
        self.store.heap.len()
            + self.store.boxed_cells()
            + self.store.atoms.cells()
            + self.store.trail.len()
            + environments
            + self.choices.len() * 5
            + self.saved.len()
            + self.stored_cells
    }
}
