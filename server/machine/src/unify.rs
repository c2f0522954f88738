//! Unification.

use rustc_hash::FxHashMap;

use crate::cell::{Cell, Tag};
use crate::store::Store;

impl Store {
    /// Unifies two terms without occurs check, as Prolog does. Bindings made before a failure remain; the engine undoes them.
    ///
    /// Cyclic terms are unified as the rational trees that they represent. Trees of n cells have at most n pairs of subterms. If more pairs
    /// are compared, there must be a cycle or sharing; from then on, compared compounds are merged into equivalence classes (Huet's
    /// algorithm), which ends after at most as many steps as there are cells.
    #[inline]
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.deref(a), self.deref(b));
        if a == b {
            return true;
        }
        if a.is_reference() {
            if b.is_reference() {
                self.bind_variables(a.address(), b.address());
            } else {
                self.bind(a.address(), b);
            }
            return true;
        }
        if b.is_reference() {
            self.bind(b.address(), a);
            return true;
        }
        match a.tag() {
            tag if tag != b.tag() => false,
            Tag::List | Tag::Structure => self.unify_compounds(a, b),
            Tag::Boxed => self.same_box(a, b),
            _ => false,
        }
    }

    /// Returns whether two boxes are equal. Floats are compared by their bits, so that a NaN unifies with itself and `0.0` does not unify
    /// with `-0.0`.
    pub(crate) fn same_box(&self, a: Cell, b: Cell) -> bool {
        use crate::store::Boxed::{Big, Float, Rational, String};
        match (&self.boxes[a.address()], &self.boxes[b.address()]) {
            (Float(x), Float(y)) => x.to_bits() == y.to_bits(),
            (Big(x), Big(y)) => x == y,
            (Rational(x), Rational(y)) => x == y,
            (String(x), String(y)) => x == y,
            _ => false,
        }
    }

    fn unify_compounds(&mut self, a: Cell, b: Cell) -> bool {
        let (mut a, mut b) = (a, b);
        let mut budget = self.heap.len();
        self.pending.clear();
        loop {
            if budget == 0 {
                self.pending.push((a, b));
                return self.unify_remembering();
            }
            budget -= 1;
            if !self.unify_level(a, b) {
                return false;
            }
            match self.pending.pop() {
                Some(next) => (a, b) = next,
                None => return true,
            }
        }
    }

    /// Unifies two terms one level deep. Pairs of subterms of compounds are pushed on `pending`, the first on top.
    #[inline]
    fn unify_level(&mut self, a: Cell, b: Cell) -> bool {
        let (at, bt, arity) = if a.tag() != b.tag() {
            return self.unify(a, b);
        } else if a.tag() == Tag::Structure {
            let functor = self.heap[a.address()];
            if functor != self.heap[b.address()] {
                return false;
            }
            (a.address() + 1, b.address() + 1, functor.functor_arity())
        } else if a.tag() == Tag::List {
            (a.address(), b.address(), 2)
        } else {
            return self.unify(a, b);
        };
        // Constants are compared at once, since they fail soonest. Pairs of compounds are reversed, so that the first is on top.
        let first = self.pending.len();
        for i in 0..arity {
            let (x, y) = (self.heap[at + i], self.heap[bt + i]);
            if x == y {
                continue;
            }
            let (x, y) = (self.deref(x), self.deref(y));
            if x == y {
                continue;
            }
            if x.is_reference() {
                if y.is_reference() {
                    self.bind_variables(x.address(), y.address());
                } else {
                    self.bind(x.address(), y);
                }
                continue;
            }
            if y.is_reference() {
                self.bind(y.address(), x);
                continue;
            }
            match x.tag() {
                tag if tag != y.tag() => return false,
                Tag::List | Tag::Structure => self.pending.push((x, y)),
                Tag::Boxed if self.same_box(x, y) => {}
                _ => return false,
            }
        }
        if self.pending.len() > first + 1 {
            self.pending[first..].reverse();
        }
        true
    }

    #[cold]
    fn unify_remembering(&mut self) -> bool {
        let mut classes = Classes::default();
        while let Some((a, b)) = self.pending.pop() {
            let (a, b) = (classes.find(self.deref(a)), classes.find(self.deref(b)));
            if a == b {
                continue;
            }
            if !self.unify_level(a, b) {
                return false;
            }
            if self.arguments(a).is_some() {
                classes.parents.insert(a, b);
            }
        }
        true
    }
}

/// Classes of compounds assumed to be equal.
#[derive(Default)]
pub(crate) struct Classes {
    pub(crate) parents: FxHashMap<Cell, Cell>,
}

impl Classes {
    /// Returns the representative of a class, halving paths on the way.
    pub(crate) fn find(&mut self, mut cell: Cell) -> Cell {
        while let Some(&parent) = self.parents.get(&cell) {
            match self.parents.get(&parent) {
                Some(&above) => {
                    self.parents.insert(cell, above);
                    cell = above;
                }
                None => return parent,
            }
        }
        cell
    }
}
