//! Exact signs of an expression in one variable, as maximal intervals of integers.
//!
//! No real root is ever isolated. On integers, a difference operator takes the role of the derivative: with bases `B_0 < B_1 < …`,
//! `f(n) = Σ B_i^n·q_i(n)` has the sign of `f(n)/B_0^n`, whose increment from `n` to `n+1` has the sign of `(Df)(n) = f(n+1) - B_0·f(n)`.
//! `D` lowers the degree of `q_0` and raises no other degree, so repeated application ends in a single exponential with a constant factor,
//! whose sign is obvious. Between two sign changes of `Df` the quotient is monotone, and one bisection locates its sign change on the
//! integers. Towards infinity the term with the greatest base decides the sign, and doubling steps locate the point at which this begins.
//! Multiple roots, roots between integers and mixtures with exponentials need no special case.
//!
//! For `1/2·n^2-17/2·n-4`, `D` is `n-8`: negative on 0..7, zero at 8, positive for n >= 9. The expression is therefore negative on 0..17
//! and positive for n >= 18.
//!
//! Values with large powers are enclosed between numbers with mantissas of bounded length, rounded outward, and computed exactly only if
//! the enclosure does not determine the sign. A point is undecided if its sign is still unknown and the number is too long to compute.
//!
//! Expressions with factorials allow no such chain: the head is checked point by point, and the sign of the tail is proved (`tail`).

mod scaled;
mod side;
mod tail;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::expr::{Expr, Var};
use side::{Direction, Side, SignPiece};

/// The sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below 0.
    Negative,
    /// 0.
    Zero,
    /// Above 0.
    Positive,
}

impl Sign {
    /// Returns the sign of an integer.
    #[must_use]
    pub fn from_integer(value: &BigInt) -> Self {
        if value.is_positive() {
            Self::Positive
        } else if value.is_zero() {
            Self::Zero
        } else {
            Self::Negative
        }
    }
}

/// A maximal interval of integers on which an expression has a constant sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInterval {
    /// The least integer; `None` if the interval has no lower end.
    pub from: Option<BigInt>,
    /// The greatest integer; `None` if the interval has no upper end.
    pub to: Option<BigInt>,
    /// The sign; `None` if undecided.
    pub sign: Option<Sign>,
}

/// Returns the signs of `e` at the integers in `from..=to` (`None`: unbounded on that side), in ascending order and without gaps. The
/// result for an empty range is empty. If `e` contains a variable other than `v`, or powers above 64, the result is one undecided interval.
#[must_use]
pub fn sign_intervals(
    e: &Expr,
    v: Var,
    from: Option<BigInt>,
    to: Option<BigInt>,
) -> Vec<SignInterval> {
    if let (Some(from), Some(to)) = (&from, &to)
        && from > to
    {
        return Vec::new();
    }
    let mut all = Joined {
        from,
        to,
        intervals: Vec::new(),
    };
    let minus_one = -BigInt::one();
    if all.from.as_ref().is_none_or(Signed::is_negative) {
        let pieces = pieces_of(e, v, Direction::Down);
        // Piece i covers the steps start..next, that is, the integers -(next-1)..=-start; 0 belongs to the other side.
        for (i, piece) in pieces.iter().enumerate().rev() {
            let low = pieces.get(i + 1).map(|next| BigInt::one() - &next.start);
            let high = (-&piece.start).min(minus_one.clone());
            all.push(low, Some(high), piece.sign);
        }
    }
    if all.to.as_ref().is_none_or(|to| !to.is_negative()) {
        let pieces = pieces_of(e, v, Direction::Up);
        for (i, piece) in pieces.iter().enumerate() {
            let high = pieces.get(i + 1).map(|next| &next.start - 1);
            all.push(Some(piece.start.clone()), high, piece.sign);
        }
    }
    all.intervals
}

/// Returns the pieces of one side, or a single undecided piece if the expression is not supported.
fn pieces_of(e: &Expr, v: Var, direction: Direction) -> Vec<SignPiece> {
    if direction == Direction::Up && tail::applies(e) {
        return tail::pieces(e, v);
    }
    match Side::new(e, v, direction) {
        Some(side) => side.pieces(),
        None => vec![SignPiece {
            start: BigInt::zero(),
            sign: None,
        }],
    }
}

/// Intervals clipped to a range; neighbours with equal signs are merged.
struct Joined {
    from: Option<BigInt>,
    to: Option<BigInt>,
    intervals: Vec<SignInterval>,
}

impl Joined {
    fn push(&mut self, low: Option<BigInt>, high: Option<BigInt>, sign: Option<Sign>) {
        let low = match (low, &self.from) {
            (Some(low), Some(from)) => Some(low.max(from.clone())),
            (low, from) => low.or_else(|| from.clone()),
        };
        let high = match (high, &self.to) {
            (Some(high), Some(to)) => Some(high.min(to.clone())),
            (high, to) => high.or_else(|| to.clone()),
        };
        if let (Some(low), Some(high)) = (&low, &high)
            && low > high
        {
            return;
        }
        match self.intervals.last_mut() {
            Some(last) if last.sign == sign => last.to = high,
            _ => self.intervals.push(SignInterval {
                from: low,
                to: high,
                sign,
            }),
        }
    }
}
