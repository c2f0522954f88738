//! Logarithms as variables, and bounds on their differences.

use num_bigint::BigInt;
use num_traits::One;

use crate::atom::Rounding;
use crate::expr::{Expr, Rat};
use crate::linear::{Constraint, Region};

/// The largest difference between two logarithms that the search considers.
const DIFFERENCE_LIMIT: i32 = 3;

/// A logarithm represented by a variable, with a variable for the power of its base.
#[derive(Clone)]
pub(super) struct Log {
    /// The index among the named atoms.
    pub(super) place: usize,
    pub(super) base: u32,
    pub(super) rounding: Rounding,
    pub(super) of: Expr,
    pub(super) log: Expr,
    pub(super) power: Expr,
}

impl Log {
    /// Returns whether both logarithms have the same base and rounding.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.base == other.base && self.rounding == other.rounding
    }

    /// Returns the base to the power `c`.
    pub(super) fn scale(&self, c: u32) -> Rat {
        Rat::from_integer(BigInt::from(self.base).pow(c))
    }

    /// Returns true only if this logarithm is proved to be at most the other logarithm plus c, for c >= 0.
    fn at_most(&self, other: &Self, c: u32, on: &Region) -> bool {
        let scale = self.scale(c);
        let most = match self.rounding {
            // ⌊e/b^c⌋ <= f
            Rounding::Down => &other.of.scale(&scale) + &Expr::constant(&scale - Rat::one()),
            Rounding::Up => other.of.scale(&scale),
        };
        Constraint::le(&self.of, &most).is_some_and(|c| on.implies(&c))
    }

    /// Returns true only if this logarithm is proved to be at least the other logarithm plus c, for c >= 0.
    fn at_least(&self, other: &Self, c: u32, on: &Region) -> bool {
        let scale = self.scale(c);
        let holds =
            |least: &Expr, e: &Expr| Constraint::ge(e, least).is_some_and(|c| on.implies(&c));
        match self.rounding {
            Rounding::Down => holds(&other.of.scale(&scale), &self.of),
            // ⌈e/b^c⌉ >= f; the smaller argument f must not be 1, because dividing 1 and rounding up gives 1 again.
            Rounding::Up => {
                let least = &(&other.of - &Expr::int(1)).scale(&scale) + &Expr::int(1);
                holds(&least, &self.of) && (c == 0 || holds(&Expr::int(2), &other.of))
            }
        }
    }

    /// Returns the least provable d with `self <= other + d`.
    pub(super) fn most_above(&self, other: &Self, on: &Region) -> Option<i32> {
        let below = (1..=DIFFERENCE_LIMIT)
            .rev()
            .find(|&c| other.at_least(self, c.unsigned_abs(), on))
            .map(|c| -c);
        below
            .or_else(|| (0..=DIFFERENCE_LIMIT).find(|&c| self.at_most(other, c.unsigned_abs(), on)))
    }
}

/// Returns the constraint `a = b + d`, and the equation that it implies for the powers.
pub(super) fn difference(a: &Log, b: &Log, d: i32) -> (Option<Constraint>, Option<Constraint>) {
    let scale = a.scale(d.unsigned_abs());
    let powers = if d >= 0 {
        Constraint::eq(&a.power, &b.power.scale(&scale))
    } else {
        Constraint::eq(&a.power.scale(&scale), &b.power)
    };
    let logs = Constraint::eq(&a.log, &(&b.log + &Expr::int(d.into())));
    (logs, powers)
}
