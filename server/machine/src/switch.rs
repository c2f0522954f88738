//! Tables that select clauses.

use crate::cell::{Cell, Tag};
use crate::op::Address;
use crate::store::Store;

/// A table that maps a call's first argument to the clauses to try.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    variable: Address,
    list: Address,
    other: Address,
    /// Atoms and small integers, and functors: open addressing with linear probing, at most half full. The number of places is a power
    /// of two.
    places: Box<[(Cell, Address)]>,
    used: usize,
    pub(crate) boxed: Vec<(Cell, Address)>,
}

/// The key of an empty place. Never an argument.
const EMPTY: Cell = Cell::forward(0);

impl Switch {
    /// Creates a table without entries.
    pub(crate) fn new(variable: Address, list: Address, other: Address) -> Self {
        Self {
            variable,
            list,
            other,
            places: Box::new([(EMPTY, other); 2]),
            used: 0,
            boxed: Vec::new(),
        }
    }

    /// Returns the place of a key, or the empty place where it belongs.
    #[inline]
    fn place(&self, key: Cell) -> usize {
        // Fibonacci hashing (Knuth, vol. 3, 6.4): the top bits of the product. Its number of bits fits 32 bits.
        let bits = self.places.len().trailing_zeros();
        let mut place = (key.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize;
        loop {
            place &= self.places.len() - 1;
            let found = self.places[place].0;
            if found == key || found == EMPTY {
                return place;
            }
            place += 1;
        }
    }

    #[inline(always)]
    fn constant(&self, cell: Cell) -> Address {
        // An empty place leads to the clauses for all other arguments.
        self.places[self.place(cell)].1
    }

    pub(crate) fn insert(&mut self, key: Cell, address: Address) {
        let place = self.place(key);
        self.used += usize::from(self.places[place].0 == EMPTY);
        self.places[place] = (key, address);
        if self.used * 2 > self.places.len() {
            let empty = vec![(EMPTY, self.other); self.places.len() * 2].into();
            for entry in std::mem::replace(&mut self.places, empty) {
                if entry.0 != EMPTY {
                    let place = self.place(entry.0);
                    self.places[place] = entry;
                }
            }
        }
    }

    /// Returns the address for a call with this first argument.
    #[inline(always)]
    pub(crate) fn choose(&self, cell: Cell, store: &Store) -> u32 {
        if cell.tag() == Tag::List {
            self.list
        } else if cell.is_reference() {
            self.variable
        } else if cell.tag() == Tag::Structure {
            self.constant(store.heap[cell.address()])
        } else if cell.tag() == Tag::Boxed {
            self.choose_by_box(cell, store)
        } else {
            self.constant(cell)
        }
    }

    #[cold]
    fn choose_by_box(&self, cell: Cell, store: &Store) -> u32 {
        (self.boxed.iter())
            .find(|(key, _)| store.same_box(*key, cell))
            .map_or(self.other, |&(_, address)| address)
    }
}
