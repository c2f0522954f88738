//! Global variables: `b_setval/2` is undone on backtracking, `nb_setval/2` is permanent.

use rustc_hash::FxHashMap;

use crate::atoms::Atom;
use crate::cell::{Cell, Tag};
use crate::copy::Stored;
use crate::machine::Machine;

/// A variable: a root that is restored on backtracking, and a copy outside the heap.
#[derive(Clone, Debug)]
struct Global {
    root: usize,
    stored: Option<Stored>,
}

/// All variables, by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globals {
    variables: FxHashMap<Atom, Global>,
}

/// The root's content while only the copy is valid. Never a term.
const NOTHING: Cell = Cell::functor(crate::atoms::NIL, 0);

impl Machine {
    /// Makes the current heap survive backtracking to the current choice points. Bindings of older variables are trailed as before;
    /// bindings of younger variables, up to the current top, are now also trailed.
    pub(crate) fn keep_heap(&mut self) {
        let (heap, boxes) = (self.store.heap.len(), self.store.boxes.len());
        let below = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        for choice in &mut self.choices {
            choice.heap = below(heap);
            choice.boxes = below(boxes);
        }
        self.store.trail_below = heap;
    }

    fn global(&mut self, key: Atom) -> &mut Global {
        let store = &mut self.store;
        self.globals.variables.entry(key).or_insert_with(|| Global {
            root: store.new_root(NOTHING),
            stored: None,
        })
    }

    /// Implements `b_setval(Key, Value)`.
    pub(crate) fn set_until_backtracking(&mut self, key: Atom, value: Cell) {
        let root = self.global(key).root;
        let value = self.store.deref(value);
        self.store.assign_root(root, value);
    }

    /// Implements `nb_setval(Key, Value)`: stores a copy.
    pub(crate) fn set_for_good(&mut self, key: Atom, value: Cell) {
        let stored = self.store.store(value);
        self.stored_cells += stored.size();
        let before = self.global(key).stored.replace(stored);
        if let Some(before) = before {
            self.stored_cells = self.stored_cells.saturating_sub(before.size());
        }
        let root = self.global(key).root;
        self.store.set_root(root, NOTHING);
    }

    /// Returns the value of a global variable, if it has one. A value stored by `nb_setval/2` is copied to the heap again.
    pub(crate) fn global_value(&mut self, key: Atom) -> Option<Cell> {
        let global = self.globals.variables.get(&key)?;
        let value = self.store.root(global.root);
        if value.tag() != Tag::Functor {
            return Some(value);
        }
        global
            .stored
            .as_ref()
            .map(|stored| self.store.fetch(stored))
    }
}
