//! The output of `costlens explain`.

use costlens_analysis::report::PredicateReport;
use costlens_ide::reports::derivation::Explained;
use serde::Serialize;

use super::SCHEMA;
use super::derivation::derivation;
use super::predicate::{Predicate, predicate};
use crate::cli::resources::Row;

/// A predicate, and how its bounds came about: each of its patterns has an `explanation`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    /// The platform that times are for.
    platform: Option<String>,
    predicate: Predicate,
}

/// The document of a predicate of a file, with times on a platform if one was named.
pub(in crate::cli) fn document(
    file: &str,
    found: &Explained,
    times: Option<(&str, &PredicateReport)>,
    line_of: &dyn Fn(usize) -> usize,
) -> Document {
    let p = &found.bounds;
    let row = Row::of_steps(p.clone());
    let derivations = (0..p.report.patterns.len())
        .filter_map(|i| derivation(found, i, times.map(|(_, t)| t), line_of));
    let predicate = predicate(file, &found.module, line_of(p.offset), &row, None);
    Document {
        schema: SCHEMA,
        platform: times.map(|(name, _)| name.to_owned()),
        predicate: predicate.with_derivations(derivations.collect()),
    }
}
