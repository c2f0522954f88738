//! The output of `costlens explain`.

use std::collections::BTreeMap;

use costlens_analysis::report::PredicateReport;
use costlens_ide::reports::crossover::{Cheaper, SizeStretch};
use costlens_ide::reports::derivation::Explained;
use serde::Serialize;

use super::SCHEMA;
use super::derivation::derivation;
use super::predicate::{Predicate, predicate};
use crate::cli::crossover::Compared;
use crate::cli::resources::BoundsRow;

/// A predicate and the derivation of its bounds: each of its patterns has an `explanation`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    /// The platform for times.
    platform: Option<String>,
    predicate: Predicate,
    /// The comparison with another predicate, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    crossover: Option<Crossover>,
}

/// A comparison of two predicates for arbitrary calls in which sizes of the same metric are equal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Crossover {
    /// The other predicate.
    against: String,
    /// For each resource (`steps`, `time`): consecutive ranges of sizes, from 0 upwards.
    by: BTreeMap<String, Vec<Sizes>>,
}

/// A range of sizes with the same result.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Sizes {
    /// The smallest size.
    from: String,
    /// The largest size; null if the range is unbounded.
    to: Option<String>,
    /// The predicate that costs no more; null if both cost the same or if the bounds do not decide it.
    no_more: Option<String>,
    /// True if both cost the same.
    same: bool,
}

impl Document {
    /// Adds a comparison with another predicate.
    pub(in crate::cli) fn with_crossover(mut self, compared: Option<&Compared>) -> Self {
        self.crossover = compared.map(|compared| {
            let sizes = |s: &SizeStretch| Sizes {
                from: s.from.to_string(),
                to: s.to.as_ref().map(ToString::to_string),
                no_more: compared.no_more(s.cheaper).map(str::to_owned),
                same: s.cheaper == Cheaper::Same,
            };
            let by = compared.by.iter().filter_map(|(resource, stretches)| {
                let all = stretches.as_ref()?.iter().map(sizes).collect();
                Some(((*resource).to_owned(), all))
            });
            Crossover {
                against: compared.second.clone(),
                by: by.collect(),
            }
        });
        self
    }
}

/// Returns the document for a predicate of a file, with times if a platform was named.
pub(in crate::cli) fn document(
    file: &str,
    found: &Explained,
    times: Option<(&str, &PredicateReport)>,
    line_of: &dyn Fn(usize) -> usize,
) -> Document {
    let p = &found.bounds;
    let row = BoundsRow::of_steps(p.clone());
    let derivations = (0..p.report.patterns.len())
        .filter_map(|i| derivation(found, i, times.map(|(_, t)| t), line_of));
    let predicate = predicate(file, &found.module, line_of(p.offset), &row, None);
    Document {
        schema: SCHEMA,
        platform: times.map(|(name, _)| name.to_owned()),
        predicate: predicate.with_derivations(derivations.collect()),
        crossover: None,
    }
}
