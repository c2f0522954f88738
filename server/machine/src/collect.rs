//! The garbage collector of the heap and of the boxes.
//!
//! A collection keeps the terms that the rest of the run may reach, moves them together towards the start of the heap, and drops the rest.
//! Survivors keep their order (sliding compaction), so the order of variables by age, the heap's tops in choice points, and the
//! direction in which variables are bound stay valid. New addresses are ranks in a bitmap of the marked cells.
//!
//! A collection runs only when a predicate is called. Then all terms are reachable from *roots*:
//!
//! - the argument registers of the call, and the registers saved in choice points;
//! - the slots of environments that the code at their return addresses still needs ([`slots`]);
//! - the old values on the trail, and the values of global variables;
//! - all terms older than the query, to which the caller may refer: they never move ([`heap::Floor`]).
//!
//! Other terms (clauses, results of `findall/3`, balls, values of `nb_setval/2`) are stored outside the heap. Built-ins keep cells in
//! variables of Rust, but call no predicates.
//!
//! Counts do not change: they count the cells that were built, not those in use.

pub(crate) mod heap;
pub(crate) mod slots;
mod survivors;
mod trail;

use rustc_hash::FxHashSet;

use self::heap::{Floor, Reached};
use self::slots::{Environment, needs_at};
use self::survivors::Survivors;
use crate::cell::Cell;
use crate::collection::Collection;
use crate::control;
use crate::frames::HEADER;
use crate::machine::Machine;

/// The number of cells by which the heap grows at least between two collections.
const MIN_GROWTH: usize = 1 << 19;

/// The square of the number of cells up to which [`Collection::Eager`] collects at every call.
const EAGER_AREA: u64 = 1 << 18;

/// The live slots of the stack.
struct LiveSlots {
    slots: Survivors,
    /// The visited environments, with their return addresses.
    visited: FxHashSet<(usize, usize)>,
}

impl Machine {
    /// Sets when the heap is collected. Answers, errors and counts do not depend on it, except for the memory limit and the names of
    /// unnamed variables.
    pub fn set_collection(&mut self, collection: Collection) {
        self.collector.collection = collection;
    }

    /// Returns the number of collections since the machine was created.
    #[must_use]
    pub fn collections(&self) -> u64 {
        self.collector.collections
    }

    /// Begins a query: terms that exist now never move.
    pub(crate) fn set_floor(&mut self) {
        self.collector.floor = Floor {
            heap: self.store.heap.len(),
            boxes: self.store.boxes.len(),
        };
        self.plan_collection();
    }

    /// Collects if it is time, just before the call of a predicate with arguments in this number of registers. Returns true if it has.
    pub(crate) fn collect_if_due(&mut self, arity: usize) -> bool {
        let is_due = match self.collector.collection {
            Collection::WhenGrown => self.store.collectable() >= self.collector.collect_at,
            Collection::Eager => true,
            Collection::Never => false,
        };
        if is_due {
            self.collect(arity);
        }
        is_due
    }

    /// Chooses the size at which the next collection runs: when the heap has grown by as much as a collection visits now, unless this is
    /// too near to the memory limit.
    fn plan_collection(&mut self) {
        let size = self.store.collectable();
        let visited = size + self.env_top() + self.saved.len();
        let free = self.limits.cells.saturating_sub(self.memory());
        let most = (free / 2).max(self.limits.cells / 64);
        self.collector.collect_at = size + visited.max(MIN_GROWTH).min(most);
    }

    /// Returns the number of calls until the next collection in tests. It grows with the square of the memory in use, so that the time of
    /// long runs stays bounded.
    pub(crate) fn calls_between_eager_collections(&self) -> u64 {
        let size = self.store.collectable() - self.collector.floor.heap + self.env_top();
        1 + (size as u64).pow(2) / EAGER_AREA
    }

    /// Collects just before the call of a predicate with arguments in this number of registers.
    pub(crate) fn collect(&mut self, arity: usize) {
        self.drop_needless_entries();
        let live = self.live_slots();
        let floor = self.collector.floor;
        let mut reached = Reached::new(&self.store, floor);
        self.mark_roots(&mut reached, &live, arity);
        reached.rank();
        self.move_trail(&reached);
        self.move_roots(&reached, &live, arity);
        let heap = self.store.heap.len();
        let counted_from = self.counts.heap_before.min(heap);
        let counted_from_now = reached.cells.moved(counted_from);
        self.store.slide(&reached, floor);
        let dropped = (heap - counted_from) - (self.store.heap.len() - counted_from_now);
        self.counts.heap_reclaimed += dropped as u64;
        self.counts.heap_before = counted_from_now;
        self.collector.collections += 1;
        self.plan_collection();
    }

    /// Finds the slots that the continuations of the call and of the choice points need.
    fn live_slots(&mut self) -> LiveSlots {
        let mut live = LiveSlots {
            slots: Survivors::new(0, self.stack.len()),
            visited: FxHashSet::default(),
        };
        let mut needs = std::mem::take(&mut self.collector.needs);
        self.visit_environments(&mut live, &mut needs, self.e, self.cp);
        for choice in self.choices.iter().rev() {
            let (e, cp, next) = (choice.e as usize, choice.cp as usize, choice.next as usize);
            if next == control::CATCH {
                // An exception continues where its catch/3 returns to.
                self.visit_outer(&mut live, &mut needs, e);
                continue;
            }
            let alternative = (needs.entry(next)).or_insert_with(|| needs_at(&self.code, next));
            for &slot in &alternative.slots {
                live.slots.insert(e + HEADER + usize::from(slot));
            }
            match alternative.environment {
                Some(Environment::Own) => self.visit_outer(&mut live, &mut needs, e),
                Some(Environment::Continuation) => {
                    self.visit_environments(&mut live, &mut needs, e, cp);
                }
                None => {}
            }
        }
        self.collector.needs = needs;
        live
    }

    /// Visits the environments outside an environment.
    fn visit_outer(&self, live: &mut LiveSlots, needs: &mut slots::NeedsByAddress, e: usize) {
        let word = |at: usize| usize::try_from(self.stack[at]).unwrap_or(0);
        self.visit_environments(live, needs, word(e), word(e + 1));
    }

    /// Visits an environment to which control returns at an address, and the environments outside it.
    fn visit_environments(
        &self,
        live: &mut LiveSlots,
        needs: &mut slots::NeedsByAddress,
        mut e: usize,
        mut cp: usize,
    ) {
        let word = |at: usize| usize::try_from(self.stack[at]).unwrap_or(0);
        // Address 0 is outside all environments.
        while e > 0 && live.visited.insert((e, cp)) {
            let after = (needs.entry(cp)).or_insert_with(|| needs_at(&self.code, cp));
            for &slot in &after.slots {
                live.slots.insert(e + HEADER + usize::from(slot));
            }
            (e, cp) = (word(e), word(e + 1));
        }
    }

    fn mark_roots(&self, reached: &mut Reached, live: &LiveSlots, arity: usize) {
        let store = &self.store;
        for address in 0..self.collector.floor.heap {
            reached.mark(store, store.heap[address]);
        }
        for &cell in self.x[..arity].iter().chain(&self.saved) {
            reached.mark(store, cell);
        }
        for slot in live.slots.iter() {
            reached.mark(store, Cell::from_bits(self.stack[slot]));
        }
        for cell in store.stored_roots() {
            reached.mark(store, cell);
        }
    }

    /// Updates the roots, and the heap's tops in choice points.
    fn move_roots(&mut self, reached: &Reached, live: &LiveSlots, arity: usize) {
        for cell in self.x[..arity].iter_mut().chain(&mut self.saved) {
            *cell = reached.moved(*cell);
        }
        for slot in live.slots.iter() {
            self.stack[slot] = reached.moved(Cell::from_bits(self.stack[slot])).bits();
        }
        // Limits keep addresses below 2^32.
        let short = |address: usize| u32::try_from(address).unwrap_or(u32::MAX);
        for choice in &mut self.choices {
            choice.heap = short(reached.cells.moved(choice.heap as usize));
            choice.boxes = short(reached.boxes.moved(choice.boxes as usize));
        }
        let top = self.store.trail_below.min(self.store.heap.len());
        self.store.trail_below = reached.cells.moved(top);
        for root in &mut self.store.roots {
            *root = reached.moved(*root);
        }
    }
}
