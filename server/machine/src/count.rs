//! What a run counts.

use crate::cell::Cell;
use crate::machine::Machine;

/// Counters of a run. Those of instructions are kept by address and added up by name when they are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) executed: Vec<u64>,
    pub(crate) failed: Vec<u64>,
    /// Calls by predicate.
    pub(crate) calls: Vec<u64>,
    /// Successful heads by clause.
    pub(crate) entered: Vec<u64>,
    /// Successful heads with successful leading tests, by clause.
    pub(crate) steps: Vec<u64>,
    /// Entered clauses of predicates that run as terms, by predicate.
    pub(crate) dynamic: Vec<u64>,
    pub(crate) switch_failures: u64,
    /// Heap cells and trail entries that backtracking took back.
    pub(crate) heap_reclaimed: u64,
    pub(crate) trail_reclaimed: u64,
    /// References followed by instructions that look at an argument.
    pub(crate) references: u64,
}

impl Counts {
    #[inline]
    pub(crate) fn bump(counters: &mut Vec<u64>, at: usize) {
        if let Some(counter) = counters.get_mut(at) {
            *counter += 1;
        } else {
            counters.resize(at + 1, 0);
            counters[at] = 1;
        }
    }
}

impl Machine {
    pub(crate) fn count_backtracking(&mut self) {
        if let Some(choice) = self.choices.last() {
            let heap = self.store.heap.len().saturating_sub(choice.heap as usize);
            let trail = self.store.trail.len().saturating_sub(choice.trail as usize);
            self.counts.heap_reclaimed += heap as u64;
            self.counts.trail_reclaimed += trail as u64;
        }
    }

    /// A clause that runs as a term was entered.
    pub(crate) fn count_dynamic(&mut self, predicate: u32) {
        Counts::bump(&mut self.counts.dynamic, predicate as usize);
    }

    pub(crate) fn deref_counting(&mut self, mut cell: Cell) -> Cell {
        while cell.is_reference() {
            let next = self.store.heap[cell.address()];
            if next == cell {
                break;
            }
            self.counts.references += 1;
            cell = next;
        }
        cell
    }
}
