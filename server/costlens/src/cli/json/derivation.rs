//! The derivation of a pattern's bounds.

use std::collections::BTreeMap;

use costlens_algebra::text::{Names, lower_f64, to_text};
use costlens_analysis::report::{PatternReport, PredicateReport, Side};
use costlens_ide::attained::{Attained, AttainedRun, BoundViolation, Phase};
use costlens_ide::costs::calls::{CallCost, case_sizes};
use costlens_ide::present::reach::steps_reached;
use costlens_ide::present::regions::region_text;
use costlens_ide::present::times::time_words;
use costlens_ide::present::{exact_text, names_in};
use costlens_ide::reports::derivation::Explained;
use num_bigint::BigInt;
use serde::Serialize;

use super::evaluated::{EvaluatedAt, evaluated};
use super::{Infinity, Integer, Number, integer};

/// The derivation of a pattern's bounds: text lines, and the contributions of the calls in the clauses.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Derivation {
    pattern: Vec<String>,
    cases: Vec<String>,
    sizes: Vec<String>,
    equations: Vec<String>,
    lower_equations: Vec<String>,
    solution: Vec<String>,
    method: Vec<String>,
    verification: Vec<String>,
    /// The calls in the clauses.
    calls: Vec<Call>,
    /// Upper bounds at small sizes, if there is no closed form.
    evaluated: Option<Vec<EvaluatedAt>>,
    /// The sizes up to which some budgets of steps suffice.
    reach: Vec<String>,
    /// Evidence from runs on small inputs.
    attained: Option<Showed>,
    /// The time on the chosen platform, in words.
    time: Option<String>,
}

/// A call in a clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Call {
    /// From 1.
    clause: usize,
    /// From 1; null if the goal does not appear in the file.
    line: Option<usize>,
    /// The source text of the goal.
    goal: String,
    callee: Callee,
    /// True if the call is recursive.
    recursive: bool,
    /// The cost of one call.
    cases: Vec<Case>,
    /// An upper bound on the cost of all executions of this call, at all levels of the recursion.
    total: Option<String>,
    /// The share of the predicate's bound.
    share: Option<CallShare>,
    /// True if this call contributes more to the bound than any other call.
    dominating: bool,
}

/// The callee of a call.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Callee {
    name: String,
    arity: usize,
}

/// The cost of a call in a region of the caller's sizes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Case {
    when: String,
    /// The sizes of the call's arguments.
    sizes: Vec<String>,
    lower: Option<String>,
    upper: Option<String>,
}

/// A part of a bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CallShare {
    at: Vec<CallShareAt>,
    /// The limit of the percentage.
    limit: Option<f64>,
}

/// A part of a bound at a size.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CallShareAt {
    size: i64,
    percent: f64,
}

/// Evidence from runs on small inputs, or the reason why there were no runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Showed {
    /// Nothing was run.
    Nothing {
        /// The reason.
        not_tried: String,
    },
    /// The runs.
    Runs {
        /// The number of runs.
        runs: usize,
        /// The evidence for each bound.
        bounds: Vec<BoundEvidence>,
        /// Runs that contradict a bound: defects of Costlens.
        violations: Vec<Contradiction>,
    },
}

/// The evidence for a bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BoundEvidence {
    /// `first` or `all`.
    phase: &'static str,
    /// `lower` or `upper`.
    side: &'static str,
    sizes_tried: usize,
    sizes_reached: usize,
    /// A run that took exactly as many steps as the bound.
    reached: Option<Counted>,
    /// The run closest to the bound, if no run reached it.
    nearest: Option<Counted>,
}

/// A run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Counted {
    goal: String,
    sizes: BTreeMap<String, Integer>,
    steps: u64,
    bound: f64,
}

/// A run that contradicts a bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Contradiction {
    phase: &'static str,
    side: &'static str,
    goal: String,
    sizes: BTreeMap<String, Integer>,
    steps: u64,
    bound: Number,
}

/// Returns the derivation of a pattern's bounds. Returns `None` if there is no such pattern.
pub(super) fn derivation(
    found: &Explained,
    index: usize,
    times: Option<&PredicateReport>,
    line_of: &dyn Fn(usize) -> usize,
) -> Option<Derivation> {
    let report = found.bounds.report.patterns.get(index)?;
    let lines = found.explanations.get(index).cloned().unwrap_or_default();
    let calls = found.calls.get(index).map(Vec::as_slice);
    let time = times.and_then(|t| t.patterns.get(index));
    Some(Derivation {
        pattern: lines.pattern,
        cases: lines.cases,
        sizes: lines.sizes,
        equations: lines.equations,
        lower_equations: lines.lower_equations,
        solution: lines.solution,
        method: lines.method,
        verification: lines.verification,
        calls: (calls.unwrap_or_default().iter())
            .map(|c| call(c, report, line_of))
            .collect(),
        evaluated: (found.evaluated.get(index))
            .and_then(Option::as_ref)
            .map(evaluated),
        reach: steps_reached(report),
        attained: found.attained.get(index).map(|a| showed(a)),
        time: time.map(time_words),
    })
}

fn call(call: &CallCost, report: &PatternReport, line_of: &dyn Fn(usize) -> usize) -> Call {
    let names: &Names<'_> = &names_in(report);
    let cases = call.cases.iter().map(|case| Case {
        when: region_text(&case.when, names),
        sizes: case_sizes(call, case, report),
        lower: exact_text(&case.steps.lower, names),
        upper: exact_text(&case.steps.upper, names),
    });
    let share = call.share.as_ref().map(|share| CallShare {
        at: (share.at.iter())
            .map(|(size, p)| CallShareAt {
                size: *size,
                percent: lower_f64(p),
            })
            .collect(),
        limit: share.limit.as_ref().map(lower_f64),
    });
    Call {
        clause: call.clause,
        line: call.offset.map(line_of),
        goal: call.goal.clone(),
        callee: Callee {
            name: call.callee.name.to_string(),
            arity: call.callee.arity,
        },
        recursive: call.recursive,
        cases: cases.collect(),
        total: call.total.as_ref().map(|e| to_text(e, names)),
        share,
        dominating: call.dominating,
    }
}

fn showed(attained: &Attained) -> Showed {
    let trial = match attained {
        Attained::NotTried(why) => {
            return Showed::Nothing {
                not_tried: why.clone(),
            };
        }
        Attained::Tried(trial) => trial,
    };
    let bounds = trial.evidence.iter().map(|e| BoundEvidence {
        phase: phase(e.phase),
        side: side(e.side),
        sizes_tried: e.tried,
        sizes_reached: e.reached,
        reached: e.witness.as_ref().map(counted),
        nearest: e.nearest.as_ref().map(counted),
    });
    Showed::Runs {
        runs: trial.runs,
        bounds: bounds.collect(),
        violations: trial.violations.iter().map(contradiction).collect(),
    }
}

fn contradiction(v: &BoundViolation) -> Contradiction {
    let infinite = Number::Infinite(Infinity::Inf);
    Contradiction {
        phase: phase(v.phase),
        side: side(v.side),
        goal: v.goal.clone(),
        sizes: sizes(&v.sizes),
        steps: v.steps,
        bound: (v.bound.as_ref()).map_or(infinite, |b| Number::Finite(lower_f64(b))),
    }
}

fn counted(run: &AttainedRun) -> Counted {
    Counted {
        goal: run.goal.clone(),
        sizes: sizes(&run.sizes),
        steps: run.steps,
        bound: lower_f64(&run.bound),
    }
}

fn sizes(all: &[(String, BigInt)]) -> BTreeMap<String, Integer> {
    all.iter().map(|(n, v)| (n.clone(), integer(v))).collect()
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::First => "first",
        Phase::All => "all",
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Lower => "lower",
        Side::Upper => "upper",
    }
}
