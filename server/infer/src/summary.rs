//! Summaries: all facts that callers use about a predicate with a call pattern.

pub(crate) mod amortised_bounds;
pub(crate) mod evaluated;
pub(crate) mod event_bounds;
pub(crate) mod integers;
pub(crate) mod names;
pub(crate) mod node;
pub(crate) mod parameters;
pub(crate) mod pieces;
pub(crate) mod relation;
pub(crate) mod work;

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{SolvedPiece, Value, Why};
use serde::{Deserialize, Serialize};

use crate::lattice::types::{Pattern, Type};
use crate::report::{
    Functor, ParameterAssumption, ParameterKind, ParameterVariable, SizeVariable, TrustLine,
    Unknown,
};
use crate::summary::amortised_bounds::Amortised;
use crate::summary::node::Output;
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::relation::Relation;
use crate::summary::work::Work;

/// The clauses that a call adds to predicates, by the name of the predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Added {
    /// Upper bounds on the number of clauses, over all solutions; under `None`, of those whose predicate is not known.
    pub of: BTreeMap<Option<Functor>, Pieces>,
    /// True if clauses may also be added to other predicates.
    pub others: bool,
}

impl Added {
    /// Returns the bounds on the number of clauses that are added to a predicate.
    pub(crate) fn sides(&self, functor: &Option<Functor>) -> Sides {
        let everywhere = |value| {
            vec![SolvedPiece {
                region: Region::default(),
                value,
            }]
        };
        let upper = match self.of.get(functor) {
            Some(pieces) => pieces.clone(),
            None if self.others => everywhere(Value::Unknown(Why::Unbounded)),
            None => everywhere(Value::Known(Expr::zero())),
        };
        Sides {
            lower: everywhere(Value::Known(Expr::zero())),
            upper,
        }
    }
}

/// Goals that run after the call that makes them run: `freeze(X, G)`, an attributed variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RunsLater {
    /// No goal runs later.
    #[default]
    No,
    /// A goal that is not followed may do so.
    Maybe,
    /// A goal does so.
    Yes,
}

/// The result of inference for one predicate and call pattern. It contains no positions and does not depend on callers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The predicate.
    pub predicate: Functor,
    /// The types of its arguments at the call.
    pub pattern: Pattern,
    /// The sizes on which the functions below depend.
    pub params: Vec<SizeVariable>,
    /// The parameters on which they depend in addition.
    pub parameters: Vec<ParameterVariable>,
    /// The assumptions on which they rest.
    pub assumes: Vec<ParameterAssumption>,
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
    /// All work, steps included.
    pub work: Work,
    /// The clauses that the call adds.
    pub added: Added,
    /// The system in which amortised upper bounds were proved.
    pub amortised: Option<Arc<Amortised>>,
    /// True if an exception is possible.
    pub errors_possible: bool,
    /// True if an exception is possible when another solution is requested after a success.
    pub raises_later: bool,
    /// The goals that run after the call, when a variable is bound.
    pub later: RunsLater,
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

    /// Adds the step of a clause that calls the predicate and nothing else.
    pub fn add_entry(&mut self) {
        (self.first, self.all) = (self.first.one_more(), self.all.one_more());
        for sides in self.work.sides_mut() {
            *sides = sides.one_more();
        }
    }

    /// Returns true if it is proved that no such call fails without a solution.
    #[must_use]
    pub fn never_fails(&self) -> bool {
        self.success.is_some() && self.solutions.at_least_one()
    }

    /// Returns whether the call is one of a table of facts that may change: each step is a solution.
    pub(crate) fn is_table(&self) -> bool {
        let is_number = |p: &SolvedPiece| match &p.value {
            Value::Known(e) => (self.parameters.iter()).any(|parameter| {
                parameter.parameter.kind == ParameterKind::Facts && *e == Expr::var(parameter.var)
            }),
            _ => false,
        };
        self.all.upper == self.solutions.upper
            && !self.all.upper.is_empty()
            && self.all.upper.iter().all(is_number)
    }

    /// Returns whether nothing is known about the calls except that they have a cost ([`crate::relative::of_unknown`]).
    pub(crate) fn is_unknown(&self) -> bool {
        let cost = (self.parameters.iter()).find(|p| p.parameter.kind == ParameterKind::Cost);
        let is_cost = |p: &SolvedPiece| match &p.value {
            Value::Known(e) => cost.is_some_and(|cost| *e == Expr::var(cost.var)),
            _ => false,
        };
        let both = self.first.upper.iter().chain(&self.all.upper);
        !self.all.upper.is_empty() && both.clone().all(is_cost) && self.pattern.0.is_empty()
    }

    /// Returns the size variables, then the variables of parameters.
    #[must_use]
    pub fn vars(&self) -> Vec<Var> {
        let sizes = self.params.iter().map(|p| p.var);
        sizes.chain(self.parameters.iter().map(|p| p.var)).collect()
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// The summary.
    pub summary: Arc<Summary>,
    /// True if the call is not mutually recursive with other calls and is not the requested call: a separate request may yield a better
    /// bound (`amortised`).
    pub is_alone: bool,
}
