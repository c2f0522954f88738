//! The store: heap, trail and atoms; operations that inspect, build and bind terms.
//!
//! No operation recurses over a term. The heap is reclaimed when the engine backtracks (`Store::undo_to`) and by the garbage collector
//! (`collect`).

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::atoms::{Atom, Atoms, CONS, NIL};
use crate::cell::{Cell, Tag};
use crate::error::{Limit, Throw};

/// A value that does not fit in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Boxed {
    /// A float.
    Float(f64),
    /// An integer of more than 61 bits.
    Big(Arc<BigInt>),
    /// A rational that is not an integer.
    Rational(Arc<BigRational>),
    /// A string.
    String(Arc<str>),
}

impl Boxed {
    /// Returns the number of cells that the value takes in addition to its box.
    #[must_use]
    pub fn cells(&self) -> usize {
        let bits = |n: &BigInt| usize::try_from(n.bits() / 64).unwrap_or(usize::MAX) + 1;
        match self {
            Self::Float(_) => 0,
            Self::Big(n) => bits(n),
            Self::Rational(q) => bits(q.numer()) + bits(q.denom()),
            Self::String(text) => text.len() / 8 + 1,
        }
    }
}

/// A dereferenced term, one level deep.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// An unbound variable, identified by its address.
    Variable(usize),
    /// An atom.
    Atom(Atom),
    /// An integer without a box.
    Integer(i64),
    /// An integer of more than 61 bits.
    Big(&'a BigInt),
    /// A rational that is not an integer.
    Rational(&'a BigRational),
    /// A float.
    Float(f64),
    /// A string.
    String(&'a str),
    /// A compound, including lists: its name, its arity, and the address of its first argument; the other arguments follow.
    Compound(Atom, usize, usize),
}

/// A state to which the store can return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    pub(crate) heap: usize,
    pub(crate) trail: usize,
    pub(crate) boxes: usize,
}

/// An action to undo.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo {
    /// A heap cell was overwritten.
    Cell(usize, Cell),
    /// A root was overwritten.
    Root(usize, Cell),
}

/// The heap, the trail and the tables.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// The atoms.
    pub atoms: Atoms,
    pub(crate) heap: Vec<Cell>,
    pub(crate) boxes: Vec<Boxed>,
    /// Boxes whose value takes more than a few words: the index, and the total number of cells up to and including the box.
    large: Vec<(usize, usize)>,
    /// Addresses of bound variables; with the high bit set, an index into `undos`.
    pub(crate) trail: Vec<usize>,
    /// The undo actions other than unbinding, in the order of the trail.
    pub(crate) undos: Vec<Undo>,
    /// Cells outside the heap in which built-ins store terms. Assignments by [`Store::assign_root`] are undone on backtracking.
    pub(crate) roots: Vec<Cell>,
    /// Variables below this address must be trailed, because a choice point may refer to them.
    pub(crate) trail_below: usize,
    /// The total number of heap cells used for error terms of standard errors.
    pub(crate) error_cells: u64,
    /// The maximum number of heap cells.
    pub(crate) max_cells: usize,
    /// Pairs pending in unification and comparison, kept for reuse.
    pub(crate) pending: Vec<(Cell, Cell)>,
}

/// The bit of trail entries that are indices into `undos`.
pub(crate) const OTHER: usize = 1 << (usize::BITS - 1);

impl Store {
    /// Creates an empty store for up to this number of cells.
    #[must_use]
    pub fn new(max_cells: usize) -> Self {
        Self {
            max_cells,
            ..Self::default()
        }
    }

    // --- inspecting -----------------------------------------------------------------------------------------------------

    /// Follows a chain of references to its end: an unbound variable, or a cell that is not a reference.
    #[inline]
    #[must_use]
    pub fn deref(&self, mut cell: Cell) -> Cell {
        while cell.is_reference() {
            let next = self.heap[cell.address()];
            if next == cell {
                break;
            }
            cell = next;
        }
        cell
    }

    /// Returns the heap cell at an address, not dereferenced.
    #[inline]
    #[must_use]
    pub fn cell(&self, address: usize) -> Cell {
        self.heap[address]
    }

    /// Returns a view of a term, one level deep.
    #[must_use]
    pub fn view(&self, cell: Cell) -> View<'_> {
        let cell = self.deref(cell);
        match cell.tag() {
            Tag::Atom => View::Atom(cell.as_atom()),
            Tag::Integer => View::Integer(cell.as_small()),
            Tag::Structure => {
                let functor = self.heap[cell.address()];
                View::Compound(
                    functor.functor_name(),
                    functor.functor_arity(),
                    cell.address() + 1,
                )
            }
            Tag::List => View::Compound(CONS, 2, cell.address()),
            Tag::Boxed => match &self.boxes[cell.address()] {
                Boxed::Float(f) => View::Float(*f),
                Boxed::Big(n) => View::Big(n),
                Boxed::Rational(q) => View::Rational(q),
                Boxed::String(s) => View::String(s),
            },
            Tag::Reference | Tag::Functor | Tag::Forward => View::Variable(cell.address()),
        }
    }

    /// Returns the value of a boxed cell.
    #[must_use]
    pub fn boxed(&self, cell: Cell) -> Option<&Boxed> {
        let cell = self.deref(cell);
        (cell.tag() == Tag::Boxed).then(|| &self.boxes[cell.address()])
    }

    /// Returns the address of the first argument and the arity of a compound, including lists, or `None` for anything else.
    #[inline]
    #[must_use]
    pub fn arguments(&self, cell: Cell) -> Option<(usize, usize)> {
        match cell.tag() {
            Tag::Structure => Some((
                cell.address() + 1,
                self.heap[cell.address()].functor_arity(),
            )),
            Tag::List => Some((cell.address(), 2)),
            _ => None,
        }
    }

    /// Returns true for an unbound variable.
    #[must_use]
    pub fn is_variable(&self, cell: Cell) -> bool {
        self.deref(cell).is_reference()
    }

    /// Returns true for an atom or a compound.
    #[must_use]
    pub fn is_callable(&self, cell: Cell) -> bool {
        matches!(
            self.deref(cell).tag(),
            Tag::Atom | Tag::Structure | Tag::List
        )
    }

    /// Returns the elements of a list, and its tail: `[]` for a proper list, a variable for a partial list, any other term for an improper
    /// list. The tail of a cyclic list is the cell at which the list repeats.
    #[must_use]
    pub fn list(&self, cell: Cell) -> (Vec<Cell>, Cell) {
        let mut elements = Vec::new();
        let mut rest = self.deref(cell);
        // Brent's method: `seen` is an earlier cell; reaching it again reveals a cycle.
        let (mut seen, mut power, mut steps) = (rest, 1_usize, 0_usize);
        while rest.tag() == Tag::List {
            elements.push(self.heap[rest.address()]);
            rest = self.deref(self.heap[rest.address() + 1]);
            if rest == seen && rest.tag() == Tag::List {
                break;
            }
            steps += 1;
            if steps == power {
                (seen, power, steps) = (rest, power * 2, 0);
            }
        }
        (elements, rest)
    }

    /// Returns true for a proper list.
    #[must_use]
    pub fn is_proper_list(&self, cell: Cell) -> bool {
        let mut rest = self.deref(cell);
        let (mut seen, mut power, mut steps) = (rest, 1_usize, 0_usize);
        while rest.tag() == Tag::List {
            rest = self.deref(self.heap[rest.address() + 1]);
            if rest == seen {
                return false;
            }
            steps += 1;
            if steps == power {
                (seen, power, steps) = (rest, power * 2, 0);
            }
        }
        rest == Cell::atom(NIL)
    }

    // --- building ----------------------------------------------------------------------------------------------------

    /// Returns the number of cells in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.heap.len()
    }

    /// Checks that this number of additional cells is within the memory limit. Built-ins check before they build a potentially large term.
    ///
    /// # Errors
    /// Returns an error if the memory limit is reached.
    #[inline]
    pub fn room(&self, cells: usize) -> Result<(), Throw> {
        if self
            .heap
            .len()
            .saturating_add(cells)
            .saturating_add(self.boxed_cells())
            > self.max_cells
        {
            Err(Throw::Limit(Limit::Memory))
        } else {
            Ok(())
        }
    }

    /// Pushes a cell on the heap and returns its address.
    #[inline]
    pub fn push(&mut self, cell: Cell) -> usize {
        let address = self.heap.len();
        self.heap.push(cell);
        address
    }

    /// Creates a new unbound variable.
    #[inline]
    pub fn variable(&mut self) -> Cell {
        let cell = Cell::reference(self.heap.len());
        self.heap.push(cell);
        cell
    }

    /// Returns the cell of the atom with this text.
    pub fn atom(&mut self, text: &str) -> Cell {
        Cell::atom(self.atoms.intern(text))
    }

    /// Builds a compound, or an atom if there are no arguments. `'[|]'(H,T)` becomes a list cell.
    pub fn compound_or_atom(&mut self, name: Atom, arguments: &[Cell]) -> Cell {
        if arguments.is_empty() {
            Cell::atom(name)
        } else {
            self.compound(name, arguments)
        }
    }

    /// Builds a compound; without arguments it is `name()`, which is not an atom. `'[|]'(H,T)` becomes a list cell.
    pub fn compound(&mut self, name: Atom, arguments: &[Cell]) -> Cell {
        if name == CONS
            && let &[head, tail] = arguments
        {
            return self.cons(head, tail);
        }
        let address = self.push(Cell::functor(name, arguments.len()));
        self.heap.extend_from_slice(arguments);
        Cell::structure(address)
    }

    /// Builds a compound whose arguments are new variables. Also returns the address of the first argument.
    pub fn compound_of_variables(&mut self, name: Atom, arity: usize) -> (Cell, usize) {
        let cell = if name == CONS && arity == 2 {
            Cell::list(self.heap.len())
        } else {
            Cell::structure(self.push(Cell::functor(name, arity)))
        };
        let first = self.heap.len();
        for _ in 0..arity {
            self.variable();
        }
        (cell, first)
    }

    /// Builds a list cell.
    #[inline]
    pub fn cons(&mut self, head: Cell, tail: Cell) -> Cell {
        let address = self.push(head);
        self.heap.push(tail);
        Cell::list(address)
    }

    /// Builds a proper list.
    pub fn list_of(&mut self, elements: &[Cell]) -> Cell {
        self.partial_list_of(elements, Cell::atom(NIL))
    }

    /// Builds a list with this tail.
    pub fn partial_list_of(&mut self, elements: &[Cell], tail: Cell) -> Cell {
        let mut list = tail;
        for &element in elements.iter().rev() {
            list = self.cons(element, list);
        }
        list
    }

    /// Returns the number of cells of all boxes and their values.
    pub(crate) fn boxed_cells(&self) -> usize {
        4 * self.boxes.len() + self.large.last().map_or(0, |&(_, cells)| cells)
    }

    /// Records the size of the most recently added box.
    pub(crate) fn note_size(&mut self) {
        let cells = self.boxes.last().map_or(0, Boxed::cells);
        if cells > 8 {
            let before = self.large.last().map_or(0, |&(_, cells)| cells);
            self.large.push((self.boxes.len() - 1, before + cells));
        }
    }

    /// Drops all boxes at or after an index.
    #[inline]
    pub(crate) fn truncate_boxes(&mut self, len: usize) {
        if self.boxes.len() <= len {
            return;
        }
        self.boxes.truncate(len);
        while self.large.last().is_some_and(|&(place, _)| place >= len) {
            self.large.pop();
        }
    }

    fn push_box(&mut self, value: Boxed) -> Cell {
        self.boxes.push(value);
        self.note_size();
        Cell::boxed(self.boxes.len() - 1)
    }

    /// Returns the cell of a 64-bit integer.
    pub fn integer(&mut self, value: i64) -> Cell {
        match Cell::integer(value) {
            Some(cell) => cell,
            None => self.push_box(Boxed::Big(Arc::new(value.into()))),
        }
    }

    /// Returns the cell of an integer of any size.
    pub fn big(&mut self, value: BigInt) -> Cell {
        match value.to_i64().and_then(Cell::integer) {
            Some(cell) => cell,
            None => self.push_box(Boxed::Big(Arc::new(value))),
        }
    }

    /// Returns the cell of a rational, or of an integer if the value is an integer.
    pub fn rational(&mut self, value: BigRational) -> Cell {
        if value.is_integer() {
            self.big(value.to_integer())
        } else {
            self.push_box(Boxed::Rational(Arc::new(value)))
        }
    }

    /// Returns the cell of a float.
    pub fn float(&mut self, value: f64) -> Cell {
        self.push_box(Boxed::Float(value))
    }

    /// Returns the cell of a string.
    pub fn string(&mut self, text: &str) -> Cell {
        self.push_box(Boxed::String(text.into()))
    }

    pub(crate) fn keep(&mut self, value: &Boxed) -> Cell {
        self.push_box(value.clone())
    }

    // --- binding -----------------------------------------------------------------------------------------------------

    /// Binds an unbound variable to a term other than itself.
    #[inline]
    pub fn bind(&mut self, variable: usize, to: Cell) {
        self.heap[variable] = to;
        if variable < self.trail_below {
            self.trail.push(variable);
        }
    }

    /// Binds two different unbound variables. The younger is bound to the older, so that no reference points to a cell that may be
    /// reclaimed earlier.
    #[inline]
    pub(crate) fn bind_variables(&mut self, a: usize, b: usize) {
        if a < b {
            self.bind(b, Cell::reference(a));
        } else {
            self.bind(a, Cell::reference(b));
        }
    }

    /// Overwrites a heap cell. Backtracking to an earlier state undoes the assignment (`setarg/3`).
    pub fn assign(&mut self, address: usize, cell: Cell) {
        self.trail.push(OTHER | self.undos.len());
        self.undos.push(Undo::Cell(address, self.heap[address]));
        self.heap[address] = cell;
    }

    /// Creates a root, a cell outside the heap.
    pub fn new_root(&mut self, cell: Cell) -> usize {
        self.roots.push(cell);
        self.roots.len() - 1
    }

    /// Returns the term that a root holds.
    #[must_use]
    pub fn root(&self, root: usize) -> Cell {
        self.roots[root]
    }

    /// Overwrites a root. Backtracking to an earlier state undoes the assignment (`b_setval/2`).
    pub fn assign_root(&mut self, root: usize, cell: Cell) {
        self.trail.push(OTHER | self.undos.len());
        self.undos.push(Undo::Root(root, self.roots[root]));
        self.roots[root] = cell;
    }

    /// Overwrites a root permanently. Only for values without heap addresses (atoms and small integers).
    pub fn set_root(&mut self, root: usize, cell: Cell) {
        self.roots[root] = cell;
    }

    /// Marks the current state, so that it can be restored. Subsequent bindings of existing variables are trailed.
    pub fn mark(&mut self) -> Mark {
        self.trail_below = self.heap.len();
        Mark {
            heap: self.heap.len(),
            trail: self.trail.len(),
            boxes: self.boxes.len(),
        }
    }

    /// Undoes bindings and assignments since a mark. Terms built since then are kept.
    #[inline]
    pub(crate) fn unbind_to(&mut self, trail: usize) {
        while self.trail.len() > trail {
            let Some(entry) = self.trail.pop() else {
                return;
            };
            if entry & OTHER == 0 {
                self.heap[entry] = Cell::reference(entry);
            } else {
                self.undo_assignment();
            }
        }
    }

    /// Undoes the most recent assignment on the trail.
    #[cold]
    fn undo_assignment(&mut self) {
        match self.undos.pop() {
            Some(Undo::Cell(address, cell)) => {
                // Cells above the current top were cut off by a later mark.
                if let Some(slot) = self.heap.get_mut(address) {
                    *slot = cell;
                }
            }
            Some(Undo::Root(root, cell)) => self.roots[root] = cell,
            None => {}
        }
    }

    /// Restores a mark: bindings, heap and boxes.
    #[inline]
    pub(crate) fn undo_to(&mut self, mark: Mark) {
        self.unbind_to(mark.trail);
        self.heap.truncate(mark.heap);
        self.truncate_boxes(mark.boxes);
    }

    /// Runs `attempt`, undoes all its effects, and returns its result; for `\=` and similar tests in built-ins.
    pub fn tentatively<T>(&mut self, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.trail_below;
        let mark = self.mark();
        let answer = attempt(self);
        self.undo_to(mark);
        self.trail_below = before;
        answer
    }
}
