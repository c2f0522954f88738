//! Terms stored outside the heap: results of `findall/3`, clauses of dynamic predicates, global variables, exception balls.

use rustc_hash::FxHashMap;

use crate::cell::{Cell, Tag};
use crate::store::{Boxed, Store};

/// A copy of a term that survives backtracking. Addresses are relative to the copy's first cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    cells: Vec<Cell>,
    boxes: Vec<Boxed>,
    root: Cell,
}

impl Default for Stored {
    fn default() -> Self {
        Self {
            cells: Vec::new(),
            boxes: Vec::new(),
            root: Cell::small(0),
        }
    }
}

impl Stored {
    /// Returns the memory of the copy, in cells.
    #[must_use]
    pub fn size(&self) -> usize {
        let values: usize = self.boxes.iter().map(Boxed::cells).sum();
        self.cells.len() + 4 * self.boxes.len() + values + 4
    }

    /// Returns true if the copy contains boxed numbers or strings.
    pub(crate) fn has_boxes(&self) -> bool {
        !self.boxes.is_empty()
    }

    /// Returns the stored term if it is an atom or a small integer, which needs no heap.
    #[must_use]
    pub fn constant(&self) -> Option<Cell> {
        matches!(self.root.tag(), Tag::Atom | Tag::Integer).then_some(self.root)
    }
}

impl Store {
    /// Copies a term to memory outside the heap. Variables are renamed and shared variables stay shared; cyclic terms stay cyclic.
    ///
    /// The copy is breadth first, as in Cheney's collector, with variables forwarded in place. A term without sharing has at most as many
    /// cells as the heap. If the copy exceeds that number, compounds are also forwarded, using a table, so that sharing is preserved.
    #[must_use]
    pub fn store(&mut self, term: Cell) -> Stored {
        let budget = self.heap.len() + 1;
        match self.store_within(term, budget, None) {
            Some(stored) => stored,
            None => self
                .store_within(term, usize::MAX, Some(FxHashMap::default()))
                .unwrap_or(Stored {
                    cells: Vec::new(),
                    boxes: Vec::new(),
                    root: term,
                }),
        }
    }

    fn store_within(
        &mut self,
        term: Cell,
        budget: usize,
        mut moved: Option<FxHashMap<Cell, Cell>>,
    ) -> Option<Stored> {
        let root = self.deref(term);
        if matches!(root.tag(), Tag::Atom | Tag::Integer) {
            return Some(Stored {
                cells: Vec::new(),
                boxes: Vec::new(),
                root,
            });
        }
        // The root has its own cell, so that a variable at the root has a place.
        let mut cells = vec![root];
        let mut boxes = Vec::new();
        let mut forwarded = Vec::new();
        let mut next = 0;
        while next < cells.len() && cells.len() <= budget {
            let cell = self.deref(cells[next]);
            match cell.tag() {
                Tag::Reference => {
                    self.heap[cell.address()] = Cell::forward(next);
                    forwarded.push(cell.address());
                    cells[next] = Cell::reference(next);
                }
                Tag::Forward => cells[next] = Cell::reference(cell.address()),
                Tag::Atom | Tag::Integer | Tag::Functor => cells[next] = cell,
                Tag::Boxed => {
                    cells[next] = Cell::boxed(boxes.len());
                    boxes.push(self.boxes[cell.address()].clone());
                }
                Tag::List | Tag::Structure => {
                    if let Some(there) = moved.as_ref().and_then(|m| m.get(&cell)) {
                        cells[next] = *there;
                    } else {
                        let (from, len, copy) = if cell.tag() == Tag::List {
                            (cell.address(), 2, Cell::list(cells.len()))
                        } else {
                            let from = cell.address();
                            let len = self.heap[from].functor_arity() + 1;
                            (from, len, Cell::structure(cells.len()))
                        };
                        cells.reserve(len);
                        for i in from..from + len {
                            cells.push(match self.heap[i] {
                                // An unbound variable inside the copy refers to its own new address.
                                c if c.tag() == Tag::Forward => Cell::reference(i),
                                c => c,
                            });
                        }
                        cells[next] = copy;
                        if let Some(moved) = &mut moved {
                            moved.insert(cell, copy);
                        }
                    }
                }
            }
            next += 1;
        }
        for address in forwarded {
            self.heap[address] = Cell::reference(address);
        }
        (next == cells.len()).then(|| {
            cells.shrink_to_fit();
            Stored {
                root: cells[0],
                cells,
                boxes,
            }
        })
    }

    /// Copies a stored term to the heap, with new variables.
    pub fn fetch(&mut self, stored: &Stored) -> Cell {
        let (base, boxes) = (self.heap.len(), self.boxes.len());
        self.heap
            .extend(stored.cells.iter().map(|&c| relocated(c, base, boxes)));
        for value in &stored.boxes {
            self.boxes.push(value.clone());
            self.note_size();
        }
        relocated(stored.root, base, boxes)
    }

    /// Copies a term on the heap, with new variables.
    pub fn copy(&mut self, term: Cell) -> Cell {
        let stored = self.store(term);
        self.fetch(&stored)
    }
}

#[inline]
fn relocated(cell: Cell, base: usize, boxes: usize) -> Cell {
    match cell.tag() {
        Tag::Reference | Tag::Structure | Tag::List => cell.moved(base),
        Tag::Boxed => cell.moved(boxes),
        _ => cell,
    }
}
