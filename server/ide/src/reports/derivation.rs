//! The derivation of a predicate's bounds, for the command line.

use std::sync::Arc;

use costlens_analysis::report::{Evaluated, Explanation, Functor};
use costlens_program::SourceFile;
use costlens_program::positions::positions;

use super::bounds::{PredicateBounds, bounds_of_predicate};
use super::overview::{Link, chain};
use crate::attained::{self, Attained, Effort};
use crate::costs::calls::{CallCost, Portion, calls, evaluated, explanation, portions};
use crate::db::Db;
use crate::predicate::module;

/// A predicate's bounds with their derivation.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The module of the file.
    pub module: String,
    /// The bounds.
    pub bounds: PredicateBounds,
    /// The derivation of the bounds under each pattern.
    pub explanations: Vec<Explanation>,
    /// Upper bounds at small sizes under each pattern, if there is no closed form.
    pub evaluated: Vec<Option<Evaluated>>,
    /// The calls in the clauses under each pattern, with their contributions.
    pub calls: Vec<Vec<CallCost>>,
    /// For each pattern, upper bounds on the parts that together make up its steps: each call of another predicate in its clauses, the
    /// clause entries of the predicate and of the predicates mutually recursive with it, and the calls that these predicates make.
    pub portions: Vec<Vec<Portion>>,
    /// The predicates down the calls that contribute the largest part of the bound, starting with this one.
    pub chain: Vec<Link>,
    /// The evidence from runs on small inputs for each pattern.
    pub attained: Vec<Arc<Attained>>,
}

/// Returns the derivation of a predicate's bounds. Returns `None` if the file does not define the predicate.
pub fn explain(db: &dyn Db, file: SourceFile, predicate: &Functor) -> Option<Explained> {
    let functor = predicate.clone();
    let positions = positions(db, file);
    let places = positions.iter().find(|p| p.functor == functor)?;
    let bounds = bounds_of_predicate(db, file, &functor, places.clauses.first()?.head.0)?;
    let calls = (bounds.report.patterns.iter())
        .map(|pattern| calls(db, file, &functor, pattern))
        .collect();
    Some(Explained {
        module: module(db, file),
        explanations: (bounds.report.patterns.iter())
            .map(|pattern| explanation(db, file, &functor, pattern))
            .collect(),
        evaluated: (bounds.report.patterns.iter())
            .map(|pattern| evaluated(db, file, &functor, pattern))
            .collect(),
        portions: (bounds.report.patterns.iter())
            .map(|pattern| portions(db, file, &functor, pattern))
            .collect(),
        chain: chain(db, file, &functor),
        attained: attained::of_all(db, file, predicate, Effort::Thorough).unwrap_or_default(),
        bounds,
        calls,
    })
}
