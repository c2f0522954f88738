//! Summaries: all facts that callers use about a predicate with a call pattern.

pub(crate) mod amortised_bounds;
pub(crate) mod event_bounds;
pub(crate) mod integers;
pub(crate) mod names;
pub(crate) mod node;
pub(crate) mod pieces;
pub(crate) mod relation;

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::Var;
use costlens_algebra::linear::Region;
use costlens_recurrences::Value;

use crate::lattice::types::{Pattern, Type};
use crate::report::{Functor, SizeVariable, TrustLine, Unknown};
use crate::summary::amortised_bounds::Amortised;
use crate::summary::node::Output;
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::relation::Relation;

/// The result of inference for one predicate and call pattern. It contains no positions and does not depend on callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The predicate.
    pub predicate: Functor,
    /// The types of its arguments at the call.
    pub pattern: Pattern,
    /// The sizes on which the functions below depend.
    pub params: Vec<SizeVariable>,
    /// The sizes that the pattern admits.
    pub domain: Region,
    /// The types of the arguments on success; `None` if the call never succeeds.
    pub success: Option<Vec<Type>>,
    /// The success sizes of arguments that are unbound at the call and have a metric.
    pub outputs: BTreeMap<usize, Sides>,
    /// The sizes of the largest elements of these arguments, if they are lists whose elements have a metric.
    pub elements: BTreeMap<usize, Pieces>,
    /// Relations between output sizes.
    pub relation: Relation,
    /// The number of solutions.
    pub solutions: Sides,
    /// Resolution steps up to the first solution, failure or exception.
    pub first: Sides,
    /// Resolution steps over all solutions.
    pub all: Sides,
    /// The system in which amortised upper bounds were proved.
    pub amortised: Option<Arc<Amortised>>,
    /// True if an exception is possible.
    pub errors_possible: bool,
    /// True if an exception is possible when another solution is requested after a success.
    pub raises_later: bool,
    /// The reasons why bounds are missing.
    pub unknown: Vec<Unknown>,
    /// The trust lines on which the summary depends.
    pub rests_on: Vec<TrustLine>,
}

impl Summary {
    /// Returns the size of an argument on success, as callers use it.
    pub(crate) fn output(&self, argument: usize) -> Output {
        match self.outputs.get(&argument) {
            Some(sides) => Output::Solved(sides.clone()),
            None => Output::Unsized,
        }
    }

    /// Returns the size of an argument's largest element, as callers use it.
    pub(crate) fn element(&self, argument: usize) -> Output {
        match self.elements.get(&argument) {
            Some(upper) => Output::Solved(Sides {
                lower: Pieces::new(),
                upper: upper.clone(),
            }),
            None => Output::Unsized,
        }
    }

    /// Returns true if it is proved that no such call fails without a solution.
    #[must_use]
    pub fn never_fails(&self) -> bool {
        self.success.is_some() && self.solutions.at_least_one()
    }

    /// Returns the size variables.
    #[must_use]
    pub fn vars(&self) -> Vec<Var> {
        self.params.iter().map(|p| p.var).collect()
    }
}

/// Returns whether the lower bound is infinite on an entire region.
pub(crate) fn diverges_on(summary: &Summary, region: &Region) -> bool {
    let diverging: Vec<Region> = summary
        .all
        .lower
        .iter()
        .chain(&summary.first.lower)
        .filter(|p| matches!(p.value, Value::Diverges))
        .map(|p| p.region.clone())
        .collect();
    !diverging.is_empty() && region.covered_by(&diverging)
}

/// A summary obtained by solving a component.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The summary.
    pub summary: Arc<Summary>,
    /// True if the call is not mutually recursive with other calls and is not the requested call: a separate request may yield a better
    /// bound (`amortised`).
    pub is_alone: bool,
}
