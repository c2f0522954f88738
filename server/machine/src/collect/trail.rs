//! The trail's part of a collection: drops the entries that no choice point needs.

use rustc_hash::FxHashSet;

use super::heap::Reached;
use crate::frames::Choice;
use crate::machine::Machine;
use crate::store::{OTHER, Undo};

/// An entry of the trail.
#[derive(Clone, Copy)]
enum Entry {
    /// A variable that was bound.
    Variable(usize),
    Undo(Undo),
}

impl Machine {
    /// Drops the entries that have no effect after backtracking to the newest choice point before them: those for cells that are then
    /// no longer on the heap, and all but the oldest assignment to the same place.
    pub(super) fn drop_needless_entries(&mut self) {
        let mut assigned: FxHashSet<(bool, usize)> = FxHashSet::default();
        let mut before = 0;
        self.rewrite_trail(|entry, number, choice| {
            // No choice point before the entry: nothing will undo it.
            let heap = choice?.heap as usize;
            if number != before {
                before = number;
                assigned.clear();
            }
            let is_needed = match entry {
                Entry::Variable(address) => address < heap,
                Entry::Undo(Undo::Cell(address, _)) => {
                    address < heap && assigned.insert((true, address))
                }
                Entry::Undo(Undo::Root(root, _)) => assigned.insert((false, root)),
            };
            is_needed.then_some(entry)
        });
    }

    /// Drops the entries of cells that do not survive, and moves the others.
    pub(super) fn move_trail(&mut self, reached: &Reached) {
        self.rewrite_trail(|entry, _, _| match entry {
            Entry::Variable(address) => (reached.cells.contains(address))
                .then(|| Entry::Variable(reached.cells.moved(address))),
            Entry::Undo(Undo::Cell(address, old)) => (reached.cells.contains(address)).then(|| {
                let (address, old) = (reached.cells.moved(address), reached.moved(old));
                Entry::Undo(Undo::Cell(address, old))
            }),
            Entry::Undo(Undo::Root(root, old)) => {
                Some(Entry::Undo(Undo::Root(root, reached.moved(old))))
            }
        });
    }

    /// Replaces or drops each entry, given the newest choice point before it and the number of choice points before it. Counts of trail
    /// entries do not change.
    fn rewrite_trail(
        &mut self,
        mut rewrite: impl FnMut(Entry, usize, Option<&Choice>) -> Option<Entry>,
    ) {
        let store = &mut self.store;
        let mut undos = std::mem::take(&mut store.undos).into_iter();
        let counted_from = self.counts.trail_before.min(store.trail.len());
        let (len, mut kept, mut kept_before, mut choice) = (store.trail.len(), 0, 0, 0);
        for at in 0..len {
            while let Some(next) = self.choices.get_mut(choice)
                && next.trail as usize <= at
            {
                next.trail = short(kept);
                choice += 1;
            }
            if at == counted_from {
                kept_before = kept;
            }
            let word = store.trail[at];
            let entry = match word & OTHER {
                0 => Some(Entry::Variable(word)),
                _ => undos.next().map(Entry::Undo),
            };
            let newest = choice.checked_sub(1).and_then(|n| self.choices.get(n));
            let word = match entry.and_then(|entry| rewrite(entry, choice, newest)) {
                Some(Entry::Variable(address)) => address,
                Some(Entry::Undo(undo)) => {
                    store.undos.push(undo);
                    OTHER | (store.undos.len() - 1)
                }
                None => continue,
            };
            store.trail[kept] = word;
            kept += 1;
        }
        for choice in self.choices.iter_mut().skip(choice) {
            choice.trail = short(kept);
        }
        if counted_from == len {
            kept_before = kept;
        }
        store.trail.truncate(kept);
        let counts = &mut self.counts;
        let dropped = (len - counted_from) - (kept - kept_before);
        counts.trail_reclaimed += dropped as u64;
        counts.trail_before = kept_before;
    }
}

/// Returns an index of the trail, which has fewer than 2^32 entries.
fn short(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
