//! Bounds as piecewise functions on regions of sizes.

use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat};
use costlens_recurrences::{SolvedPiece, Value, Why};
use num_traits::{One as _, Signed as _};

/// A function of sizes, defined by region.
pub type Pieces = Vec<SolvedPiece>;

/// A lower and an upper bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// The lower bound.
    pub lower: Pieces,
    /// The upper bound.
    pub upper: Pieces,
}

impl Sides {
    /// Returns the bounds increased by 1 everywhere.
    #[must_use]
    pub fn one_more(&self) -> Self {
        let one_more = |pieces: &Pieces| -> Pieces {
            let more = |value: &Value| match value {
                Value::Known(e) => Value::Known(e + &Expr::constant(Rat::one())),
                // Adding 1 does not make an unproved form provable.
                Value::Unknown(Why::NotProved(_)) => Value::Unknown(Why::NoForm),
                Value::Diverges | Value::Unknown(_) => value.clone(),
            };
            (pieces.iter())
                .map(|p| SolvedPiece {
                    region: p.region.clone(),
                    value: more(&p.value),
                })
                .collect()
        };
        Self {
            lower: one_more(&self.lower),
            upper: one_more(&self.upper),
        }
    }

    /// Returns whether the number of solutions is at least one everywhere. Calls that run forever also satisfy this.
    pub(crate) fn at_least_one(&self) -> bool {
        let is_one = |p: &SolvedPiece| match &p.value {
            Value::Known(e) => nonnegative(&(e - &Expr::int(1)), &p.region),
            Value::Diverges => true,
            Value::Unknown(_) => false,
        };
        !self.lower.is_empty() && self.lower.iter().all(is_one)
    }
}

/// Removes divergence from the pieces: a run that may end in an exception is not proved to run forever.
pub(crate) fn may_raise(pieces: &mut Pieces) {
    for piece in pieces.iter_mut().filter(|p| p.value == Value::Diverges) {
        piece.value = Value::Known(Expr::zero());
    }
}

/// Returns the lower bound of a non-negative quantity, with 0 where no bound is proved.
pub(crate) fn at_least_zero(pieces: Pieces) -> Pieces {
    pieces
        .into_iter()
        .map(|p| match p.value {
            // A negative lower bound is useless.
            Value::Known(ref e) if !e.as_constant().is_some_and(|c| c.is_negative()) => p,
            Value::Diverges => p,
            Value::Known(_) | Value::Unknown(_) => SolvedPiece {
                region: p.region,
                value: Value::Known(Expr::zero()),
            },
        })
        .collect()
}

/// On pieces without a bound on the steps up to the first solution, uses the bound on the steps over all solutions.
pub(crate) fn at_most(pieces: Pieces, all: &Pieces) -> Pieces {
    let mut result = Vec::new();
    for piece in pieces {
        if !matches!(piece.value, Value::Unknown(_)) {
            result.push(piece);
            continue;
        }
        for other in all {
            let region = piece.region.and_all(&other.region);
            if !region.is_empty() {
                let value = match &other.value {
                    Value::Known(_) => other.value.clone(),
                    _ => piece.value.clone(),
                };
                result.push(SolvedPiece { region, value });
            }
        }
    }
    result
}

/// Returns whether a piece has no bound because fuel ran out.
pub(crate) fn is_fuel(value: &Value) -> bool {
    matches!(value, Value::Unknown(Why::Fuel))
}

/// Returns whether the number of solutions is at most one everywhere.
pub(crate) fn at_most_one(solutions: &Sides) -> bool {
    let is_one = |p: &SolvedPiece| match &p.value {
        Value::Known(e) => e
            .as_constant()
            .is_some_and(|c| c <= costlens_algebra::rat(1)),
        _ => false,
    };
    !solutions.upper.is_empty() && solutions.upper.iter().all(is_one)
}
