//! Rational bounds on real numbers that are not rational: roots, logarithms and powers of e.

use std::cmp::Ordering;

use crate::rational::{Rat, rat};

/// A number with a known lower and upper bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Enclosure {
    /// The lower bound.
    pub(crate) low: Rat,
    /// The upper bound.
    pub(crate) high: Rat,
}

impl Enclosure {
    /// Encloses a number that is known exactly.
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

    /// Returns the midpoint between the bounds.
    pub(crate) fn middle(&self) -> Rat {
        (&self.low + &self.high) / rat(2)
    }
}
