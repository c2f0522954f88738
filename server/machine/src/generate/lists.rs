//! Lists: their length, elements and order.

use costlens_syntax::Integer;
use costlens_syntax::term::{CONS, NIL, Term, TermId};
use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _};

use super::family::Family;
use super::order::compare;
use super::types::Type;
use super::{Generator, MOST_NODES};

impl Generator<'_> {
    /// Generates a list of any length.
    pub(super) fn list(&mut self, element: &Type, depth: usize) -> TermId {
        let ragged = self.family == Family::Ragged && depth > 0;
        let most = match depth {
            0 => self.scale + 1,
            _ if ragged => 3 * self.scale.min(12) + 1,
            _ => self.scale.min(4) + 1,
        };
        let length = if self.random.chance(if ragged { 40 } else { 8 }) {
            0
        } else if ragged && self.random.chance(40) {
            most
        } else {
            self.random.below(most + 1)
        };
        self.list_of_length(element, depth, length)
    }

    pub(super) fn list_of_length(&mut self, element: &Type, depth: usize, length: usize) -> TermId {
        let elements = self.elements(element, depth, length);
        self.list_of(&elements)
    }

    /// Builds `[E1, E2, …]`.
    pub(super) fn list_of(&mut self, elements: &[TermId]) -> TermId {
        let end = self.terms.atom(NIL);
        (elements.iter().rev()).fold(end, |tail, &e| self.terms.compound(CONS, &[e, tail]))
    }

    fn elements(&mut self, element: &Type, depth: usize, length: usize) -> Vec<TermId> {
        if self.family.orders() {
            let mut elements = self.distinct(element, depth, length);
            self.arrange(&mut elements);
            return elements;
        }
        let mut elements: Vec<TermId> = Vec::new();
        let equal = self.random.chance(15);
        let few = self.random.chance(30);
        for i in 0..length {
            let again = (equal && i > 0) || (few && i > 1 && self.random.chance(70));
            let next = if again {
                elements[self.random.below(i)]
            } else {
                self.term(element, depth + 1)
            };
            elements.push(next);
        }
        if self.random.chance(30) {
            elements.sort_by(|&a, &b| compare(&self.terms, a, b));
            if self.random.chance(50) {
                elements.reverse();
            }
        }
        elements
    }

    /// Generates elements that are as distinct as the type allows: numbers, if the type allows numbers.
    fn distinct(&mut self, element: &Type, depth: usize, length: usize) -> Vec<TermId> {
        let numbers = match element {
            Type::Int | Type::Number => true,
            Type::Any | Type::Ground | Type::Nonvar => self.random.chance(85),
            _ => false,
        };
        if !numbers {
            return (0..length).map(|_| self.term(element, depth + 1)).collect();
        }
        let dense = self.random.chance(60);
        let mut next = self.random.below(2);
        (0..length)
            .map(|_| {
                let number = self.push_integer(next);
                next += if dense { 1 } else { 1 + self.random.below(3) };
                number
            })
            .collect()
    }

    /// Arranges elements in the family's order.
    fn arrange(&mut self, elements: &mut [TermId]) {
        let terms = &self.terms;
        match self.family {
            Family::Sorted => elements.sort_by(|&a, &b| compare(terms, a, b)),
            Family::Reversed => elements.sort_by(|&a, &b| compare(terms, b, a)),
            Family::Equal => {
                if let Some((first, rest)) = elements.split_first_mut() {
                    rest.fill(*first);
                }
            }
            Family::Alternating => {
                elements.sort_by(|&a, &b| compare(terms, a, b));
                let sorted = elements.to_vec();
                let (mut low, mut high) = (0, sorted.len());
                for (i, element) in elements.iter_mut().enumerate() {
                    if i % 2 == 0 {
                        *element = sorted[low];
                        low += 1;
                    } else {
                        high -= 1;
                        *element = sorted[high];
                    }
                }
            }
            _ => self.random.shuffle(elements),
        }
    }

    /// Generates a list of this length whose largest element has this size: the value of an integer, the length of a list, the number of
    /// nodes of another term. Returns `None` if no element of the type has the size.
    pub(super) fn list_of_sizes(
        &mut self,
        element: &Type,
        length: usize,
        largest: &BigInt,
    ) -> Option<TermId> {
        if length == 0 {
            return Some(self.list_of(&[]));
        }
        let mut elements = match element {
            Type::Int | Type::Number => self.integers_up_to(element, length, largest),
            _ => {
                let largest = largest.to_usize().filter(|&l| l <= MOST_NODES)?;
                let mut elements = Vec::with_capacity(length);
                let mut nodes = 0;
                for i in 0..length {
                    let size = match self.family {
                        _ if i == 0 => largest,
                        Family::Equal => largest,
                        Family::Ragged if self.random.chance(60) => {
                            *self.random.pick(&[0, 1, largest])
                        }
                        _ => self.random.below(largest + 1),
                    };
                    nodes += size;
                    if nodes > MOST_NODES {
                        return None;
                    }
                    let next = self.element_of_size(element, size.min(largest), i == 0);
                    // If no element is that small, the largest element is used.
                    elements.push(match next {
                        Some(next) => next,
                        None => self.element_of_size(element, largest, true)?,
                    });
                }
                elements
            }
        };
        self.arrange(&mut elements);
        Some(self.list_of(&elements))
    }

    /// Generates an element of this size or, unless the size must be exact, of the next smaller possible size.
    fn element_of_size(&mut self, element: &Type, size: usize, exactly: bool) -> Option<TermId> {
        if let Type::List(inner) = element {
            return Some(self.list_of_length(inner, 1, size));
        }
        let least = if exactly { size } else { 1 };
        (least..=size)
            .rev()
            .find_map(|s| self.term_of_size(element, s))
    }

    fn integers_up_to(&mut self, element: &Type, length: usize, largest: &BigInt) -> Vec<TermId> {
        let mut elements = self.elements(element, 0, length);
        let most = Integer::from(largest);
        let above = |t: &Term| match t {
            Term::Integer(n) => *n > most,
            Term::Float(bits) => largest.to_f64().is_none_or(|l| f64::from_bits(*bits) >= l),
            _ => true,
        };
        let many = largest.to_usize().map_or(1, |l| l.saturating_add(1));
        for e in &mut elements {
            if above(self.terms.get(*e)) {
                // Choose any value from 0 to the largest, or a smaller value if the largest is negative.
                let value = if largest.is_negative() {
                    largest - self.random.below(3)
                } else {
                    BigInt::from(self.random.below(many))
                };
                *e = self.terms.push(Term::Integer(value.into()));
            }
        }
        let is_there = |&e: &TermId| matches!(self.terms.get(e), Term::Integer(n) if *n == most);
        if !elements.iter().any(is_there) || self.family == Family::Equal {
            elements[0] = self.push_integer(largest.clone());
        }
        elements
    }
}
