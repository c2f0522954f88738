//! Bounds as piecewise functions on regions of sizes.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat, Var};
use costlens_recurrences::{SolvedPiece, Value, Why};
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _};
use serde::{Deserialize, Serialize};

/// A function of sizes, defined by region.
pub type Pieces = Vec<SolvedPiece>;

/// A lower and an upper bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Returns whether calls with equal sizes may differ in cost. Otherwise the sizes determine the cost of each call, and amortising gains
    /// nothing. `sizes` are those that may grow where no upper bound is known.
    pub(crate) fn is_uneven(&self, sizes: &[Var]) -> bool {
        let growing: BTreeSet<Var> = (self.upper.iter())
            .flat_map(|p| match &p.value {
                Value::Known(e) => e.variables(),
                Value::Unknown(_) => sizes.to_vec(),
                Value::Diverges => Vec::new(),
            })
            .collect();
        may_be_constant(&self.lower, &growing)
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
            Value::Known(ref e) if !is_negative_far_out(e, &p.region) => p,
            Value::Diverges => p,
            Value::Known(_) | Value::Unknown(_) => SolvedPiece {
                region: p.region,
                value: Value::Known(Expr::zero()),
            },
        })
        .collect()
}

/// The size at which the sign of a polynomial is taken.
const FAR_OUT: i64 = 1_000_000;

/// Returns whether a lower bound is negative where the sizes of a region are large: `5 - n`, or -n³/3+2n².
fn is_negative_far_out(e: &Expr, region: &Region) -> bool {
    if let Some(constant) = e.as_constant() {
        return constant.is_negative();
    }
    if !e.is_polynomial() {
        return false;
    }
    let far_out: BTreeMap<Var, BigInt> = (e.variables().into_iter().chain(region.variables()))
        .map(|v| {
            let (least, most) = region.bounds(&Expr::var(v));
            let far = match (least, most) {
                (_, None) => FAR_OUT.into(),
                (None, Some(_)) => (-FAR_OUT).into(),
                (Some(_), Some(most)) => most.floor().to_integer(),
            };
            (v, far)
        })
        .collect();
    let value = |v: Var| far_out.get(&v).cloned();
    region.contains(&value) && e.eval(&value).is_some_and(|value| value.is_negative())
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

/// Returns whether a value stays constant in some region where one of these sizes grows.
pub(crate) fn may_be_constant(lower: &Pieces, growing: &BTreeSet<Var>) -> bool {
    (lower.iter()).any(|piece| {
        let is_constant = match &piece.value {
            Value::Known(e) => e.as_constant().is_some(),
            Value::Unknown(_) => true,
            Value::Diverges => false,
        };
        is_constant && (growing.iter()).any(|&v| piece.region.bounds(&Expr::var(v)).1.is_none())
    })
}
