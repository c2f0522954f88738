//! What callers know of a predicate under a call pattern.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::linear::Region;
use costlens_algebra::system::{SolvedPiece, Value, Why};
use costlens_algebra::{Expr, Rat, Var};
use num_traits::One as _;

use super::amortised::Amortised;
use crate::report::{PredicateName, SizeVariable, TrustLine, Unknown};
use crate::types::{Pattern, Type};

/// A function of sizes, by regions.
pub type Pieces = Vec<SolvedPiece>;

/// A lower and an upper bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Never more than the value.
    pub lower: Pieces,
    /// Never less than the value.
    pub upper: Pieces,
}

impl Sides {
    /// The same plus 1 everywhere.
    #[must_use]
    pub fn one_more(&self) -> Self {
        let one_more = |pieces: &Pieces| -> Pieces {
            let more = |value: &Value| match value {
                Value::Known(e) => Value::Known(e + &Expr::constant(Rat::one())),
                // A form that was not proved is no better plus 1.
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
}

/// Linear constraints between sizes at the call and sizes of outputs, on every success: `part(L, _, L1, L2)` has
/// `l1 + l2 = n`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// The variable that stands for an output's size, by argument (from 0).
    pub outputs: BTreeMap<usize, Var>,
    /// Inside an analysis that amortises, the variables of the weights of outputs, by argument, and one that all the steps of a call
    /// that succeeds do not exceed.
    pub weights: BTreeMap<usize, Var>,
    /// See [`Relation::weights`].
    pub cost: Option<Var>,
    /// Over the size variables of the call and these.
    pub constraints: Region,
}

/// The result of inference for one predicate and call pattern. It mentions no position and reads no caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The predicate.
    pub predicate: PredicateName,
    /// The types of its arguments at the call.
    pub pattern: Pattern,
    /// The sizes that the functions below depend on.
    pub params: Vec<SizeVariable>,
    /// The sizes that the pattern admits.
    pub domain: Region,
    /// Types of the arguments on success; none if the call never succeeds.
    pub success: Option<Vec<Type>>,
    /// Sizes on success of arguments that were unbound before and have a metric.
    pub outputs: BTreeMap<usize, Sides>,
    /// How sizes of outputs depend on each other.
    pub relation: Relation,
    /// The number of solutions.
    pub solutions: Sides,
    /// Resolution steps up to the first solution, the failure or the exception.
    pub first: Sides,
    /// Resolution steps of the exploration of all solutions.
    pub all: Sides,
    /// What upper bounds that are amortised were proved of.
    pub amortised: Option<Arc<Amortised>>,
    /// Whether an exception is possible.
    pub errors_possible: bool,
    /// Why bounds are missing.
    pub unknown: Vec<Unknown>,
    /// What is trusted that any of this rests on.
    pub rests_on: Vec<TrustLine>,
}

impl Summary {
    /// The size variables.
    #[must_use]
    pub fn vars(&self) -> Vec<Var> {
        self.params.iter().map(|p| p.var).collect()
    }
}
