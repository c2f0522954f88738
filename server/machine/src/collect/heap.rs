//! The heap's part of a collection: marks what roots reach, and moves it together.

use super::survivors::Survivors;
use crate::cell::{Cell, Tag};
use crate::store::{Boxed, Store, Undo};

/// The part of the heap and of the boxes that never moves: everything older than the query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Floor {
    pub(crate) heap: usize,
    pub(crate) boxes: usize,
}

/// The cells and the boxes that survive.
pub(super) struct Reached {
    pub(super) cells: Survivors,
    pub(super) boxes: Survivors,
    /// Addresses of marked cells whose contents are not followed yet.
    pending: Vec<usize>,
}

impl Reached {
    pub(super) fn new(store: &Store, floor: Floor) -> Self {
        Reached {
            cells: Survivors::new(floor.heap, store.heap.len()),
            boxes: Survivors::new(floor.boxes, store.boxes.len()),
            pending: Vec::new(),
        }
    }

    /// Computes the new addresses. All roots must be marked.
    pub(super) fn rank(&mut self) {
        self.cells.rank();
        self.boxes.rank();
    }

    /// Marks everything that a root reaches. A reference to an argument of a compound keeps only that cell.
    pub(super) fn mark(&mut self, store: &Store, root: Cell) {
        self.mark_level(store, root);
        while let Some(address) = self.pending.pop() {
            self.mark_level(store, store.heap[address]);
        }
    }

    #[inline]
    fn mark_level(&mut self, store: &Store, cell: Cell) {
        let at = cell.address();
        match cell.tag() {
            Tag::Reference => self.mark_cell(store, at),
            Tag::List => {
                // The head is followed first, so that a long list needs no long stack.
                self.mark_cell(store, at + 1);
                self.mark_cell(store, at);
            }
            Tag::Structure => {
                // The arguments are marked together with the functor cell, to which there are no other references.
                if self.cells.insert(at) {
                    let arity = store.heap[at].functor_arity();
                    for argument in (at + 1..=at + arity).rev() {
                        self.mark_cell(store, argument);
                    }
                }
            }
            Tag::Boxed => {
                self.boxes.insert(at);
            }
            Tag::Atom | Tag::Integer | Tag::Functor | Tag::Forward => {}
        }
    }

    #[inline]
    fn mark_cell(&mut self, store: &Store, address: usize) {
        if self.cells.insert(address) {
            let content = store.heap[address].tag();
            if !matches!(content, Tag::Atom | Tag::Integer | Tag::Functor) {
                self.pending.push(address);
            }
        }
    }

    /// Returns a marked root or heap cell with its new address.
    #[inline]
    pub(super) fn moved(&self, cell: Cell) -> Cell {
        let (old, new) = match cell.tag() {
            Tag::Reference | Tag::List | Tag::Structure => {
                (cell.address(), self.cells.moved(cell.address()))
            }
            Tag::Boxed => (cell.address(), self.boxes.moved(cell.address())),
            _ => return cell,
        };
        cell.moved(new.wrapping_sub(old))
    }
}

impl Store {
    /// Returns the size, in cells, of all that a collection may reduce.
    #[inline]
    pub(crate) fn collectable(&self) -> usize {
        self.heap.len() + self.boxed_cells() + self.trail.len()
    }

    /// Returns the roots, and the old values on the trail.
    pub(super) fn stored_roots(&self) -> impl Iterator<Item = Cell> {
        let old = self.undos.iter().map(|undo| match *undo {
            Undo::Cell(_, old) | Undo::Root(_, old) => old,
        });
        old.chain(self.roots.iter().copied())
    }

    /// Moves the survivors together and drops everything else.
    pub(super) fn slide(&mut self, reached: &Reached, floor: Floor) {
        for cell in &mut self.heap[..floor.heap] {
            *cell = reached.moved(*cell);
        }
        let mut to = floor.heap;
        for from in reached.cells.iter() {
            self.heap[to] = reached.moved(self.heap[from]);
            to += 1;
        }
        self.heap.truncate(to);
        if self.boxes.len() > floor.boxes {
            let mut boxes = std::mem::take(&mut self.boxes);
            self.truncate_boxes(0);
            let mut number = 0..;
            boxes.retain(|_| number.next().is_some_and(|n| reached.boxes.contains(n)));
            self.take_boxes(boxes);
        }
    }

    fn take_boxes(&mut self, boxes: Vec<Boxed>) {
        self.boxes.reserve(boxes.len());
        for value in boxes {
            self.boxes.push(value);
            self.note_size();
        }
    }
}
