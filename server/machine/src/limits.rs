//! The limits of a run, and their current use.

use crate::collection::Collection;
use crate::error::Limit;
use crate::machine::Machine;

/// The number of calls between checks of the limits that individual instructions do not check.
const LOOK_EVERY: u64 = 4096;

impl Machine {
    /// Refills the fuel until the next check, or returns the exceeded limit. Collects the heap if it is time; a predicate with this number
    /// of arguments is about to be called.
    #[cold]
    pub(crate) fn look_at_limits(&mut self, arity: usize) -> Result<(), Limit> {
        if self.interrupt.0.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Limit::Time);
        }
        let is_collected = self.collect_if_due(arity);
        if self.memory() > self.limits.cells {
            if !is_collected && self.collector.collection != Collection::Never {
                self.collect(arity);
            }
            if self.memory() > self.limits.cells {
                return Err(Limit::Memory);
            }
        }
        let most = match self.collector.collection {
            Collection::Eager => self.calls_between_eager_collections(),
            _ => LOOK_EVERY,
        };
        match &mut self.steps_left {
            None => self.fuel = most,
            Some(0) => return Err(Limit::Steps),
            Some(left) => {
                self.fuel = most.min(*left);
                *left -= self.fuel;
            }
        }
        Ok(())
    }

    /// Makes the next call check the limits if the heap has grown to the size at which it is collected. Instructions that build terms of
    /// any size call it; other instructions cannot build much before the next check.
    #[inline]
    pub(crate) fn hurry_if_grown(&mut self) {
        if self.store.collectable() >= self.collector.collect_at {
            self.hurry();
        }
    }

    #[cold]
    fn hurry(&mut self) {
        if let Some(left) = &mut self.steps_left {
            *left += self.fuel.saturating_sub(1);
        }
        self.fuel = self.fuel.min(1);
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
