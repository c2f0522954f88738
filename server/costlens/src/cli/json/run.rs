//! The output of `costlens run`.

use std::collections::BTreeMap;

use costlens_machine::{Limit, Ports};
use serde::Serialize;

use super::Integer;
use super::predicate::At;
use crate::cli::running::Ran;

/// The answers of a goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Run {
    /// The goal as it was given.
    goal: String,
    /// `success`, `failure`, `exception` or `limit`.
    result: &'static str,
    /// The number of solutions found.
    solutions: usize,
    /// For each solution, the variables of the goal and their values.
    bindings: Vec<BTreeMap<String, String>>,
    /// The text that the goal wrote.
    output: String,
    /// The exception that ended the run.
    exception: Option<String>,
    /// The time of the run, in nanoseconds.
    elapsed_ns: u64,
    /// The limit that ended the run: `time`, `memory`, `steps` or `output`.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    /// A line for each failed test, if the goal is `run_tests`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed_tests: Vec<String>,
}

/// A run of a goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    pub(in crate::cli) schema: u32,
    #[serde(flatten)]
    pub(in crate::cli) run: Run,
    /// The counted events, with `--count`, `--bounds` or `--platform`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) events: Option<BTreeMap<String, u64>>,
    /// The ports of predicates, with `--count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) predicates: Option<Vec<PredicatePorts>>,
    /// The bounds of the goal, with `--bounds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) estimates: Option<Estimates>,
    /// The time of the counted events on a platform, with `--platform`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) time: Option<PredictedTime>,
}

/// The counts at the ports of a predicate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PredicatePorts {
    name: String,
    arity: usize,
    /// Calls.
    call: u64,
    /// Solutions that calls returned.
    exit: u64,
    /// The number of times that backtracking re-entered a call that had exited.
    redo: u64,
    /// The number of failures: calls without a solution, or without a further solution.
    fail: u64,
    /// Its clauses, in order; empty if the predicate is dynamic.
    clauses: Vec<ClausePorts>,
}

/// The counts at the ports of a clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ClausePorts {
    /// The number of times that its head was tried.
    tried: u64,
    /// The number of times that it was entered, which is its number of steps.
    entered: u64,
    /// The number of times that it was run to its end.
    exit: u64,
}

/// The bounds of the goal's predicate at the sizes of its arguments, or the reason why there are no bounds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(in crate::cli) enum Estimates {
    /// Known bounds.
    Known(Box<KnownEstimates>),
    /// No bounds.
    Unknown {
        /// The reason.
        unknown: String,
    },
}

/// Bounds and counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct KnownEstimates {
    /// The call pattern that the goal matches, as the predicate's head with modes and types.
    pub(in crate::cli) pattern: String,
    /// The sizes of the arguments: `1:length`.
    pub(in crate::cli) sizes: BTreeMap<String, Integer>,
    /// The bounds on each event that was counted or that has a bound.
    pub(in crate::cli) events: BTreeMap<String, EventEstimate>,
    /// The bounds on time, in nanoseconds, if a platform was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) time: Option<At>,
    /// The conditions under which the upper bound on time holds: `integers < 2^63`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub(in crate::cli) time_assumes: Vec<&'static str>,
}

/// The bounds on an event, and its count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct EventEstimate {
    #[serde(flatten)]
    pub(in crate::cli) at: At,
    /// The count of the run.
    pub(in crate::cli) counted: u64,
    /// The upper bound divided by the count; null if either is missing or the count is zero.
    pub(in crate::cli) ratio: Option<f64>,
    /// False if the count is outside the bounds, which are then wrong.
    pub(in crate::cli) holds: bool,
}

/// The time of the counted events according to a platform's constants, in nanoseconds; null if the platform has constants for events that runs do not
/// count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PredictedTime {
    pub(in crate::cli) platform: String,
    /// Computed with the estimates of the constants.
    pub(in crate::cli) predicted_ns: Option<f64>,
    /// Computed with the lower ends of the constants' intervals.
    pub(in crate::cli) low_ns: Option<f64>,
    /// Computed with the upper ends of the constants' intervals.
    pub(in crate::cli) high_ns: Option<f64>,
    /// The events for which the platform has constants but that runs do not count.
    pub(in crate::cli) not_counted: Vec<String>,
}

impl Run {
    pub(in crate::cli) fn new(goal: &str, ran: &Ran) -> Self {
        let bindings = ran.bindings.iter();
        Run {
            goal: goal.to_owned(),
            result: ran.result,
            solutions: ran.bindings.len(),
            bindings: bindings
                .map(|solution| solution.iter().cloned().collect())
                .collect(),
            output: ran.output.clone(),
            exception: ran.exception.clone(),
            elapsed_ns: u64::try_from(ran.elapsed.as_nanos()).unwrap_or(u64::MAX),
            limit: ran.limit.map(limit_word),
            failed_tests: ran.failed_tests.clone(),
        }
    }
}

/// Returns the name of a limit.
pub(in crate::cli) fn limit_word(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "steps",
        Limit::Memory => "memory",
        Limit::Output => "output",
        Limit::Time => "time",
    }
}

/// Returns the port counts of a predicate.
pub(in crate::cli) fn ports(ports: &Ports) -> PredicatePorts {
    let clauses = ports.clauses.iter().map(|c| ClausePorts {
        tried: c.tried,
        entered: c.entered,
        exit: c.exit,
    });
    PredicatePorts {
        name: ports.name.to_string(),
        arity: ports.arity,
        call: ports.call,
        exit: ports.exit,
        redo: ports.redo,
        fail: ports.fail,
        clauses: clauses.collect(),
    }
}
