//! Rational bounds on irrational numbers: roots, logarithms and powers of e.

use std::cmp::Ordering;

use crate::rational::{Rat, rat};

/// A number with known lower and upper bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Enclosure {
    /// The lower bound.
    pub(crate) low: Rat,
    /// The upper bound.
    pub(crate) high: Rat,
}

impl Enclosure {
    /// Encloses an exactly known number.
    pub(crate) fn exact(value: Rat) -> Self {
        Self {
            low: value.clone(),
            high: value,
        }
    }

    /// Compares two numbers. Returns `None` if the bounds overlap.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        if self.high < other.low {
            Some(Ordering::Less)
        } else if self.low > other.high {
            Some(Ordering::Greater)
        } else if self.low == self.high && other.low == other.high {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// Multiplies two positive numbers.
    pub(crate) fn times(&self, other: &Self) -> Self {
        Self {
            low: &self.low * &other.low,
            high: &self.high * &other.high,
        }
    }

    /// Returns the midpoint of the bounds.
    pub(crate) fn middle(&self) -> Rat {
        (&self.low + &self.high) / rat(2)
    }
}
