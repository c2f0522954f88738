//! Terms of opaque types: balanced trees, as deep as their number of keys admits.

use costlens_syntax::assertions::OpaqueName;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::format_smolstr;

use super::{Generator, Type};

/// The maximum height of a generated tree.
const TALLEST: usize = 24;

impl Generator<'_> {
    /// Generates a term of an opaque type with a random number of keys.
    pub(super) fn opaque(&mut self, name: OpaqueName, contents: &(Type, Type)) -> TermId {
        let keys = match contents.0 {
            Type::Nil => 0,
            _ => self.random.below(self.scale + 2),
        };
        self.opaque_of_size(name, contents, keys)
    }

    /// Generates a term of an opaque type with a number of keys.
    pub(super) fn opaque_of_size(
        &mut self,
        name: OpaqueName,
        contents: &(Type, Type),
        keys: usize,
    ) -> TermId {
        let from = self.random.below(4);
        let mut pairs = Vec::with_capacity(keys);
        for i in 0..keys {
            let key = self.key(&contents.0, from + i);
            if self.random.chance(30) {
                self.remember(key);
            }
            pairs.push((key, self.term(&contents.1, 1)));
        }
        match name {
            OpaqueName::Assoc => {
                let tallest = (0..=TALLEST).rev().find(|&h| least(h) <= keys);
                let shortest = (0..=TALLEST).find(|&h| most(h) >= keys);
                let (low, high) = (shortest.unwrap_or(0), tallest.unwrap_or(0));
                let height = match self.random.chance(50) {
                    true => high,
                    false => low + self.random.below(high + 1 - low),
                };
                self.avl(&pairs, height)
            }
            OpaqueName::RedBlack => {
                let (key, value) = (self.variable(), self.variable());
                let empty = self.terms.atom("");
                let leaf = (self.terms).compound_or_atom("black", &[empty, key, value, empty]);
                let deepest = usize::BITS as usize - keys.leading_zeros() as usize;
                let is_full = (keys + 1).is_power_of_two();
                let tree = self.red_black(&pairs, leaf, deepest, is_full);
                self.terms.compound_or_atom("t", &[leaf, tree])
            }
        }
    }

    /// Generates the key with a number: later keys are greater in the standard order.
    fn key(&mut self, ty: &Type, number: usize) -> TermId {
        let number_term = |of: &mut Terms| of.push(Term::Integer(number.into()));
        match ty {
            Type::Atom | Type::AtomOrString => self.terms.atom(format_smolstr!("k{number:08}")),
            Type::String => (self.terms).push(Term::String(format_smolstr!("k{number:08}"))),
            Type::List(element) => {
                let element = self.key(element, number);
                let nil = self.terms.atom(NIL);
                self.terms.compound_or_atom(CONS, &[element, nil])
            }
            Type::Nonvar | Type::Any if number % 3 == 2 => {
                let number = number_term(&mut self.terms);
                let other = self.variable();
                self.terms.compound_or_atom("f", &[number, other])
            }
            _ => number_term(&mut self.terms),
        }
    }

    /// Builds an AVL tree of a height; recursive to a bounded depth.
    fn avl(&mut self, pairs: &[(TermId, TermId)], height: usize) -> TermId {
        if pairs.is_empty() || height == 0 {
            return self.terms.atom("t");
        }
        let rest = pairs.len() - 1;
        let splits = |left: usize, right: usize| {
            let from = least(left).max(rest.saturating_sub(most(right)));
            let to = most(left).min(rest.checked_sub(least(right))?);
            (from <= to).then_some((left, right, from, to))
        };
        let lower = height.saturating_sub(2);
        let all: Vec<_> = [
            (height - 1, lower),
            (lower, height - 1),
            (height - 1, height - 1),
        ]
        .into_iter()
        .filter_map(|(left, right)| splits(left, right))
        .collect();
        if all.is_empty() {
            return self.terms.atom("t");
        }
        let &(left, right, from, to) = self.random.pick(&all);
        let at = from + self.random.below(to + 1 - from);
        let (before, after) = (
            self.avl(&pairs[..at], left),
            self.avl(&pairs[at + 1..], right),
        );
        let balance = match left.cmp(&right) {
            std::cmp::Ordering::Less => ">",
            std::cmp::Ordering::Equal => "-",
            std::cmp::Ordering::Greater => "<",
        };
        let balance = self.terms.atom(balance);
        let (key, value) = pairs[at];
        (self.terms).compound_or_atom("t", &[key, value, balance, before, after])
    }

    /// Builds a red-black tree in which only nodes at the greatest depth are red; recursive to a bounded depth.
    fn red_black(
        &mut self,
        pairs: &[(TermId, TermId)],
        leaf: TermId,
        deepest: usize,
        is_full: bool,
    ) -> TermId {
        let at = pairs.len() / 2;
        let Some(&(key, value)) = pairs.get(at) else {
            return leaf;
        };
        let before = self.red_black(&pairs[..at], leaf, deepest - 1, is_full);
        let after = self.red_black(&pairs[at + 1..], leaf, deepest - 1, is_full);
        let color = match deepest == 1 && !is_full {
            true => "red",
            false => "black",
        };
        (self.terms).compound_or_atom(color, &[before, key, value, after])
    }
}

/// Returns the smallest number of keys in an AVL tree of a height.
fn least(height: usize) -> usize {
    let (mut this, mut next) = (0, 1);
    for _ in 0..height {
        (this, next) = (next, this + next + 1);
    }
    this
}

/// Returns the greatest number of keys in a tree of a height.
fn most(height: usize) -> usize {
    (1 << height.min(TALLEST)) - 1
}
