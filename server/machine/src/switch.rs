//! Tables that select clauses.

use rustc_hash::FxHashMap;

use crate::cell::{Cell, Tag};
use crate::op::Address;
use crate::store::Store;

/// A table that maps a call's first argument to the clauses to try.
#[derive(Clone, Debug, Default)]
pub(crate) struct Switch {
    variable: Address,
    list: Address,
    other: Address,
    /// Atoms and small integers, and functors, if there are only a few. A linear search is then faster.
    few: Vec<(Cell, Address)>,
    many: FxHashMap<Cell, Address>,
    pub(crate) boxed: Vec<(Cell, Address)>,
}

/// The size up to which a table is searched linearly.
const FEW: usize = 4;

impl Switch {
    /// Creates a table without entries.
    pub(crate) fn new(variable: Address, list: Address, other: Address) -> Self {
        Self {
            variable,
            list,
            other,
            ..Self::default()
        }
    }

    #[inline]
    fn constant(&self, cell: Cell) -> Address {
        for &(key, address) in &self.few {
            if key == cell {
                return address;
            }
        }
        if self.many.is_empty() {
            return self.other;
        }
        self.many.get(&cell).copied().unwrap_or(self.other)
    }

    pub(crate) fn insert(&mut self, key: Cell, address: Address) {
        if self.few.len() < FEW && self.many.is_empty() {
            self.few.push((key, address));
        } else {
            self.many.extend(self.few.drain(..));
            self.many.insert(key, address);
        }
    }

    /// Returns the address for a call with this first argument.
    #[inline]
    pub(crate) fn choose(&self, cell: Cell, store: &Store) -> u32 {
        match cell.tag() {
            Tag::List => self.list,
            Tag::Reference => self.variable,
            Tag::Atom | Tag::Integer => self.constant(cell),
            Tag::Structure => self.constant(store.heap[cell.address()]),
            _ => self
                .boxed
                .iter()
                .find(|(key, _)| store.same_box(*key, cell))
                .map_or(self.other, |&(_, address)| address),
        }
    }
}
