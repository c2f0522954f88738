//! The output of `costlens check`.

use std::collections::BTreeMap;

use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::present::values::Value;
use costlens_ide::present::verdict_text;
use costlens_ide::reports::changes::{self as costs, Change as Difference};
use costlens_syntax::assertions::{Approximation, CostType};
use serde::Serialize;

use super::{Diagnostic, Integer, Number, SCHEMA, integer, lower, upper};

/// The verdicts on the assertions of files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    /// The platform that assertions on time are about.
    platform: Option<String>,
    pub(in crate::cli) assertions: Vec<Assertion>,
    /// With `--against` a lockfile: what changed since, dearer predicates first.
    pub(in crate::cli) changes: Vec<Change>,
    /// Problems that were found on reading.
    pub(in crate::cli) diagnostics: Vec<Diagnostic>,
}

impl Document {
    /// Returns a document without files.
    pub(in crate::cli) fn new(platform: Option<&str>) -> Self {
        Document {
            schema: SCHEMA,
            platform: platform.map(str::to_owned),
            assertions: Vec::new(),
            changes: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

/// One property of an assertion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Assertion {
    /// The file's name.
    file: String,
    /// From 1.
    line: usize,
    /// `nrev/2`.
    predicate: String,
    /// The property as it is written.
    property: String,
    /// The resource that is counted; null where the property is not about a cost.
    resource: Option<String>,
    /// `ub`, `lb`, `eq`, `o`, …
    approx: Option<String>,
    /// `call`, `allsols`, …
    #[serde(rename = "type")]
    cost_type: Option<String>,
    /// `checked`, `false` or `check`.
    verdict: &'static str,
    /// True where it rests on the estimates of a platform's constants.
    observed: bool,
    /// The verdict by size, where there is one size.
    intervals: Vec<SizeInterval>,
    /// The asserted function of the sizes.
    asserted: Option<String>,
    /// The inferred bounds.
    inferred: Inferred,
    /// Sizes that refute it.
    witness: Option<Witness>,
    /// The `trust` lines that the verdict rests on.
    rests_on: Vec<String>,
    /// The conditions under which it holds: `integers < 2^63`.
    assumes: Vec<&'static str>,
    /// The reason that it is not decided.
    reason: Option<String>,
    /// The verdict in a sentence.
    message: String,
    /// True where a comment asks not to be told.
    suppressed: bool,
}

/// The verdict for sizes from one to another; an open end is null.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SizeInterval {
    size: String,
    from: Option<Integer>,
    to: Option<Integer>,
    verdict: &'static str,
}

/// The inferred bounds: where a witness is, there, else those of the headline.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Inferred {
    lower: Option<String>,
    upper: Option<String>,
}

/// Sizes for which an assertion is false, and the values there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Witness {
    sizes: BTreeMap<String, Integer>,
    inferred: Option<Number>,
    asserted: Option<Number>,
}

/// A difference between a lockfile and now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Change {
    /// The file as the lockfile names it.
    file: String,
    /// From 1; null for a predicate that is gone.
    line: Option<usize>,
    /// `rank/2`.
    predicate: String,
    /// `class`, `bound-lost`, `dearer`, `exception`, `incomparable`, `new`, `gone`, `bound-found` or `cheaper`.
    change: &'static str,
    /// True for the first three.
    dearer: bool,
    /// True for the first five: what ends with exit code 1.
    regression: bool,
    /// The calls that it is about: `(+list(int), -)`; null for a predicate that is new or gone.
    calls: Option<String>,
    /// `all`: the exploration of all solutions; `first`: the run up to the first one.
    of: &'static str,
    before: Option<Cost>,
    after: Option<Cost>,
    /// The sizes for which it is dearer or cheaper, where those are not all.
    when: Option<String>,
    /// The reason, where it shows.
    because: Option<String>,
    /// The change in a sentence.
    message: String,
    /// True where a comment asks not to be told.
    suppressed: bool,
}

/// An upper bound on steps.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Cost {
    /// In the exact syntax; null where none is known.
    upper: Option<String>,
    /// As a person reads it.
    display: String,
}

/// Converts a difference from a lockfile; `line` is the line of the predicate.
pub(in crate::cli) fn change(change: &Difference, line: Option<usize>) -> Change {
    let cost = |cost: &costs::Cost| Cost {
        upper: cost.upper.clone(),
        display: cost.readable.clone(),
    };
    Change {
        file: change.file.clone(),
        line: change.offset.and(line),
        predicate: change.predicate.clone(),
        change: change.kind.name(),
        dearer: change.kind.is_dearer(),
        regression: change.kind.is_regression(),
        calls: change.calls.clone(),
        of: change.part.name(),
        before: change.before.as_ref().map(cost),
        after: change.after.as_ref().map(cost),
        when: change.when.clone(),
        because: change.because.as_ref().map(|(because, _)| because.clone()),
        message: change.sentence(),
        suppressed: change.is_suppressed,
    }
}

/// Converts a property of an assertion on a line of a file.
pub(in crate::cli) fn assertion(file: &str, line: usize, check: &AssertionCheck) -> Assertion {
    let judged = &check.judged;
    let intervals = judged.intervals.iter().map(|i| SizeInterval {
        size: i.size.clone(),
        from: i.from.as_ref().map(integer),
        to: i.to.as_ref().map(integer),
        verdict: verdict_text(i.verdict),
    });
    let witness = judged.witness.as_ref().map(|w| {
        let inferred = w.inferred.clone().map_or(Value::Infinite, Value::Exact);
        let asserted = w.asserted.clone().map_or(Value::Unknown, Value::Exact);
        Witness {
            sizes: (w.sizes.iter())
                .map(|(n, k)| (n.clone(), integer(k)))
                .collect(),
            inferred: lower(&inferred),
            asserted: upper(&asserted),
        }
    });
    Assertion {
        file: file.to_owned(),
        line,
        predicate: judged.predicate.to_string(),
        property: judged.text.clone(),
        resource: judged.resource.as_ref().map(ToString::to_string),
        approx: (judged.approximation).map(|a: Approximation| a.name().to_owned()),
        cost_type: judged.cost_type.map(|t: CostType| t.name()),
        verdict: verdict_text(judged.verdict),
        observed: judged.observed,
        intervals: intervals.collect(),
        asserted: judged.asserted.clone(),
        inferred: Inferred {
            lower: judged.lower.clone(),
            upper: judged.upper.clone(),
        },
        witness,
        rests_on: check.rests_on.clone(),
        assumes: judged.condition.iter().map(|c| c.name()).collect(),
        reason: judged.reason.clone(),
        message: check.message.clone(),
        suppressed: check.suppressed,
    }
}
