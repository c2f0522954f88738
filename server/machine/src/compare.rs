//! The standard order of terms (ISO/IEC 13211-1 7.2, with SWI-Prolog's extensions): variables, numbers, atoms, strings, compounds.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::atoms::NIL;
use crate::cell::{Cell, Tag};
use crate::store::{Store, View};
use crate::unify::Classes;

impl Store {
    /// Compares two terms. Variables are ordered by age; numbers by value, where a float comes before an equal integer; atoms and strings
    /// by their characters; compounds by arity, name, arguments.
    ///
    /// In cyclic terms, pairs that were compared before count as equal, as in [`Store::unify`].
    #[must_use]
    pub fn compare(&self, a: Cell, b: Cell) -> Ordering {
        let (a, b) = (self.deref(a), self.deref(b));
        let Some(order) = self.compare_level(a, b, None) else {
            return self.compare_compounds(a, b);
        };
        order
    }

    /// Returns whether two terms are identical (`==/2`).
    #[must_use]
    pub fn identical(&self, a: Cell, b: Cell) -> bool {
        self.compare(a, b) == Ordering::Equal
    }

    fn compare_compounds(&self, a: Cell, b: Cell) -> Ordering {
        let mut pending = vec![(a, b)];
        let mut budget = self.heap.len();
        let mut classes: Option<Classes> = None;
        while let Some((a, b)) = pending.pop() {
            let (mut a, mut b) = (self.deref(a), self.deref(b));
            if budget == 0 {
                let classes = classes.get_or_insert_default();
                (a, b) = (classes.find(a), classes.find(b));
                if a != b && self.arguments(a).is_some() {
                    classes.parents.insert(a, b);
                }
            } else {
                budget -= 1;
            }
            match self.compare_level(a, b, Some(&mut pending)) {
                Some(Ordering::Equal) | None => {}
                Some(order) => return order,
            }
        }
        Ordering::Equal
    }

    /// Compares one level deep. Returns `None` for two compounds with the same name and arity, whose arguments are pushed on the stack.
    fn compare_level(
        &self,
        a: Cell,
        b: Cell,
        pending: Option<&mut Vec<(Cell, Cell)>>,
    ) -> Option<Ordering> {
        if a == b {
            return Some(Ordering::Equal);
        }
        let (x, y) = (self.view(a), self.view(b));
        let by_class = class(&x).cmp(&class(&y));
        if by_class != Ordering::Equal {
            return Some(by_class);
        }
        Some(match (x, y) {
            (View::Variable(x), View::Variable(y)) => x.cmp(&y),
            // The empty list comes before all atoms.
            (View::Atom(x), View::Atom(y)) if x == NIL || y == NIL => (x != NIL).cmp(&(y != NIL)),
            (View::Atom(x), View::Atom(y)) => {
                compare_text(self.atoms.characters(x), self.atoms.characters(y)).then(x.cmp(&y))
            }
            (View::String(x), View::String(y)) => compare_text(x, y),
            (View::Compound(f, n, at), View::Compound(g, m, bt)) => {
                let order = n
                    .cmp(&m)
                    .then_with(|| compare_text(self.atoms.text(f), self.atoms.text(g)));
                if order != Ordering::Equal {
                    return Some(order);
                }
                if let Some(pending) = pending {
                    for i in (0..n).rev() {
                        pending.push((self.heap[at + i], self.heap[bt + i]));
                    }
                }
                return None;
            }
            (x, y) => compare_numbers(&x, &y),
        })
    }

    /// Returns whether two terms are variants: equal up to variable renaming (`=@=/2`).
    #[must_use]
    pub fn variant(&self, a: Cell, b: Cell) -> bool {
        let (mut there, mut back) = (
            rustc_hash::FxHashMap::default(),
            rustc_hash::FxHashMap::default(),
        );
        let mut pending = vec![(a, b)];
        let mut budget = self.heap.len();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.deref(a), self.deref(b));
            if a.is_reference() || b.is_reference() {
                if a.tag() != b.tag()
                    || *there.entry(a).or_insert(b) != b
                    || *back.entry(b).or_insert(a) != a
                {
                    return false;
                }
                continue;
            }
            if budget == 0 && self.arguments(a).is_some() && !seen.insert((a, b)) {
                continue;
            }
            budget = budget.saturating_sub(1);
            match (self.arguments(a), self.arguments(b)) {
                (Some((at, n)), Some((bt, m))) => {
                    if n != m
                        || a.tag() != b.tag()
                        || a.tag() == Tag::Structure
                            && self.heap[a.address()] != self.heap[b.address()]
                    {
                        return false;
                    }
                    pending.extend((0..n).rev().map(|i| (self.heap[at + i], self.heap[bt + i])));
                }
                (None, None) => {
                    if self.compare(a, b) != Ordering::Equal {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

/// Returns the rank of a term's kind in the standard order.
fn class(view: &View<'_>) -> u8 {
    match view {
        View::Variable(_) => 0,
        View::Integer(_) | View::Big(_) | View::Rational(_) | View::Float(_) => 1,
        View::String(_) => 3,
        View::Atom(_) => 4,
        View::Compound(..) => 5,
    }
}

fn compare_text(a: &str, b: &str) -> Ordering {
    // UTF-8 preserves the order of code points.
    a.as_bytes().cmp(b.as_bytes())
}

/// Compares two numbers by value. If a float and another number are equal, the float comes first. NaN comes before all numbers.
fn compare_numbers(a: &View<'_>, b: &View<'_>) -> Ordering {
    match (a, b) {
        (View::Integer(x), View::Integer(y)) => x.cmp(y),
        (View::Float(x), View::Float(y)) => x
            .partial_cmp(y)
            .unwrap_or_else(|| y.is_nan().cmp(&x.is_nan()))
            // Order -0.0 before 0.0, so that the order agrees with unification.
            .then_with(|| {
                y.is_sign_negative()
                    .cmp(&x.is_sign_negative())
                    .then(x.to_bits().cmp(&y.to_bits()))
            }),
        (View::Float(x), y) => compare_float(*x, y).then(Ordering::Less),
        (x, View::Float(y)) => compare_float(*y, x).reverse().then(Ordering::Greater),
        (x, y) => exact(x).cmp(&exact(y)),
    }
}

/// Compares a float with an exact number by value.
fn compare_float(x: f64, y: &View<'_>) -> Ordering {
    if x.is_nan() {
        return Ordering::Less;
    }
    if x.is_infinite() {
        return if x > 0.0 {
            Ordering::Greater
        } else {
            Ordering::Less
        };
    }
    match BigRational::from_float(x) {
        Some(exactly) => exactly.cmp(&exact(y)),
        None => Ordering::Less,
    }
}

fn exact(number: &View<'_>) -> BigRational {
    match number {
        View::Integer(n) => BigRational::from_integer(BigInt::from(*n)),
        View::Big(n) => BigRational::from_integer((*n).clone()),
        View::Rational(q) => (*q).clone(),
        View::Float(f) => BigRational::from_float(f.to_f64().unwrap_or(0.0)).unwrap_or_default(),
        _ => BigRational::default(),
    }
}
