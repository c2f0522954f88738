//! The output of `costlens check`.

use std::collections::BTreeMap;

use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::present::values::BoundValue;
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
    /// The platform for assertions on time.
    platform: Option<String>,
    pub(in crate::cli) assertions: Vec<Assertion>,
    /// With `--against`: the changes since the lockfile was written, with the predicates that became more expensive first.
    pub(in crate::cli) changes: Vec<Change>,
    /// Problems found while reading the files.
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
    /// The source text of the property.
    property: String,
    /// The counted resource; null if the property does not state a cost.
    resource: Option<String>,
    /// `ub`, `lb`, `eq`, `o`, …
    approx: Option<String>,
    /// `call`, `allsols`, …
    #[serde(rename = "type")]
    cost_type: Option<String>,
    /// `checked`, `false` or `check`.
    verdict: &'static str,
    /// True if the verdict depends on the estimates of a platform's constants.
    observed: bool,
    /// The verdict for each range of sizes, if there is only one size.
    intervals: Vec<SizeInterval>,
    /// The asserted function of the sizes.
    asserted: Option<String>,
    /// The inferred bounds.
    inferred: Inferred,
    /// Sizes that refute the property.
    witness: Option<Witness>,
    /// The `trust` lines on which the verdict depends.
    rests_on: Vec<String>,
    /// The conditions under which the verdict holds: `integers < 2^63`.
    assumes: Vec<&'static str>,
    /// The reason why the property is not decided.
    reason: Option<String>,
    /// The verdict in a sentence.
    message: String,
    /// True if a comment suppresses the report.
    suppressed: bool,
}

/// The verdict for a range of sizes; an open end is null.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SizeInterval {
    size: String,
    from: Option<Integer>,
    to: Option<Integer>,
    verdict: &'static str,
}

/// The inferred bounds at the sizes of the witness, or else the bounds of the headline.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Inferred {
    lower: Option<String>,
    upper: Option<String>,
}

/// Sizes for which an assertion is false, with the values at these sizes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Witness {
    sizes: BTreeMap<String, Integer>,
    inferred: Option<Number>,
    asserted: Option<Number>,
}

/// A difference between a lockfile and the current program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Change {
    /// The file as the lockfile names it.
    file: String,
    /// The line, from 1; null if the predicate no longer exists.
    line: Option<usize>,
    /// `rank/2`.
    predicate: String,
    /// `class`, `bound-lost`, `dearer`, `exception`, `incomparable`, `new`, `gone`, `bound-found` or `cheaper`.
    change: &'static str,
    /// True if `change` is `class`, `bound-lost` or `dearer`.
    dearer: bool,
    /// True if the change makes the exit code 1: `class`, `bound-lost`, `dearer`, `exception` or `incomparable`.
    regression: bool,
    /// The call pattern: `(+list(int), -)`; null for a new or removed predicate.
    calls: Option<String>,
    /// `all`: the search for all solutions; `first`: the run up to the first solution.
    of: &'static str,
    before: Option<Cost>,
    after: Option<Cost>,
    /// The sizes for which the cost changed; null if it changed for all sizes.
    when: Option<String>,
    /// The reason, if it is known.
    because: Option<String>,
    /// The change in a sentence.
    message: String,
    /// True if a comment suppresses the report.
    suppressed: bool,
}

/// An upper bound on steps.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Cost {
    /// In the exact syntax; null if no bound is known.
    upper: Option<String>,
    /// In the display syntax.
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
        let inferred = w
            .inferred
            .clone()
            .map_or(BoundValue::Infinite, BoundValue::Exact);
        let asserted = w
            .asserted
            .clone()
            .map_or(BoundValue::Unknown, BoundValue::Exact);
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
