//! The output of `costlens report`. The rows of files are also the cached results of a run.

use serde::{Deserialize, Serialize};

use super::fix::Fix;

/// An overview of a workspace.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    pub(in crate::cli) schema: u32,
    /// The platform for times; null if none was chosen.
    pub(in crate::cli) platform: Option<String>,
    /// The value used for all sizes when times are computed.
    pub(in crate::cli) size: i64,
    /// The number of files.
    pub(in crate::cli) files: usize,
    /// The number of predicates in each class, with the cheapest class first.
    pub(in crate::cli) classes: Vec<ClassCount>,
    /// Predicates, ordered by file and by the position of their first clause.
    pub(in crate::cli) predicates: Vec<Predicate>,
    /// The properties of assertions, with their verdicts.
    pub(in crate::cli) assertions: Vec<Assertion>,
    /// Call chains that contribute most to a bound, the most expensive first.
    pub(in crate::cli) chains: Vec<Chain>,
    /// Root causes of missing upper bounds, the most frequent first.
    pub(in crate::cli) unknown: Vec<Cause>,
    /// The stored platforms, except those from papers.
    pub(in crate::cli) platforms: Vec<Platform>,
    pub(in crate::cli) fixes: Fixes,
    /// Problems in files.
    pub(in crate::cli) diagnostics: Vec<Problem>,
}

/// The predicates in a class.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ClassCount {
    /// `constant`, `logarithmic`, `linear`, `linearithmic`, `quadratic`, `cubic`, `polynomial`, `exponential`, `diverges` or `unknown`.
    pub(in crate::cli) class: &'static str,
    /// The display text.
    pub(in crate::cli) label: &'static str,
    pub(in crate::cli) predicates: usize,
}

/// A predicate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Predicate {
    /// The file's name.
    pub(in crate::cli) file: String,
    /// The line of its first clause, from 1.
    pub(in crate::cli) line: usize,
    /// The name without quotes.
    pub(in crate::cli) name: String,
    pub(in crate::cli) arity: usize,
    /// Its head with modes and types.
    pub(in crate::cli) pattern: String,
    /// The class of its upper bound, as in `classes`.
    pub(in crate::cli) class: String,
    /// Its cost, as in its hint.
    pub(in crate::cli) cost: String,
    /// True if the call pattern was guessed.
    pub(in crate::cli) guessed: bool,
    /// True if the bound is exponential and may be loose.
    pub(in crate::cli) loose: bool,
    /// The trusted assertions on which its bounds depend.
    pub(in crate::cli) rests_on: Vec<String>,
    /// The upper bound on time on the platform if all sizes are `size`.
    pub(in crate::cli) time: Option<String>,
    /// The condition under which the bound on time holds: `integers < 2^63`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default))]
    pub(in crate::cli) time_assumes: Option<String>,
    /// The cause of its missing upper bound; null if it has an upper bound.
    pub(in crate::cli) unknown: Option<Missing>,
    /// True if its upper bound is missing for no other reason.
    pub(in crate::cli) has_one_cause: bool,
}

/// A missing upper bound.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Missing {
    /// The reason, without details that are specific to one predicate.
    pub(in crate::cli) kind: String,
    /// The predicate in which the cause arises; empty if this is unknown.
    pub(in crate::cli) cause: String,
    /// The file of the goal that causes the missing bound.
    pub(in crate::cli) file: Option<String>,
    /// Its line, from 1.
    pub(in crate::cli) line: Option<usize>,
    /// The reason.
    pub(in crate::cli) reason: String,
    /// Advice for the user; may be empty.
    pub(in crate::cli) help: String,
}

/// A property of an assertion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Assertion {
    /// The file's name.
    pub(in crate::cli) file: String,
    /// The line, from 1.
    pub(in crate::cli) line: usize,
    /// `nrev/2`.
    pub(in crate::cli) predicate: String,
    /// The source text of the property.
    pub(in crate::cli) property: String,
    /// `checked`, `false` or `check`.
    pub(in crate::cli) verdict: String,
    /// The verdict in a sentence.
    pub(in crate::cli) message: String,
    /// The `trust` lines on which the verdict depends.
    pub(in crate::cli) rests_on: Vec<String>,
    /// True if a comment suppresses the report.
    pub(in crate::cli) suppressed: bool,
}

/// A problem in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Problem {
    /// The file's name.
    pub(in crate::cli) file: String,
    /// The line, from 1.
    pub(in crate::cli) line: usize,
    /// `error` or `warning`.
    pub(in crate::cli) severity: String,
    /// The id of the rule; docs/rules.md lists all rules.
    pub(in crate::cli) code: String,
    pub(in crate::cli) message: String,
}

/// A chain of calls.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Chain {
    /// The class of the first predicate.
    pub(in crate::cli) class: &'static str,
    /// The predicates; each is called by the previous predicate.
    pub(in crate::cli) links: Vec<Link>,
}

/// A predicate of a chain.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Link {
    /// `nrev/2`.
    pub(in crate::cli) predicate: String,
    /// The file of its clauses.
    pub(in crate::cli) file: String,
    /// The line of its first clause, from 1.
    pub(in crate::cli) line: usize,
    /// Its upper bound on steps.
    pub(in crate::cli) cost: String,
    /// The call with the largest share of the bound; null if no call costs more than the predicate's own clauses, or if no bound is known.
    pub(in crate::cli) call: Option<Call>,
    /// The most expensive recursive goal, if no other call costs more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default))]
    pub(in crate::cli) recursion: Option<String>,
    /// True if the distribution of the cost among the calls is unknown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(default))]
    pub(in crate::cli) undivided: bool,
}

/// A call in a clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Call {
    /// The goal, in one line.
    pub(in crate::cli) goal: String,
    /// Its line in the caller's file; null if the goal does not appear there.
    pub(in crate::cli) line: Option<usize>,
    /// Its share of the bound: `83% at n = 10`.
    pub(in crate::cli) share: Option<String>,
}

/// A root cause of missing upper bounds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Cause {
    #[serde(flatten)]
    pub(in crate::cli) missing: Missing,
    /// The number of predicates without an upper bound for this cause.
    pub(in crate::cli) predicates: usize,
    /// The number of these predicates whose upper bound is missing for no other reason.
    pub(in crate::cli) alone: usize,
    /// Examples of these predicates.
    pub(in crate::cli) examples: Vec<String>,
}

/// A stored platform.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Platform {
    /// The name for `--platform`.
    pub(in crate::cli) name: String,
    /// The Prolog system.
    pub(in crate::cli) engine: String,
    /// `shipped` or `user`.
    pub(in crate::cli) source: String,
    /// The time of measurement or publication.
    pub(in crate::cli) date: String,
    /// True if the platform was measured on this machine.
    pub(in crate::cli) here: bool,
}

/// Cheaper variants, and the extent of the search.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Fixes {
    pub(in crate::cli) found: Vec<Fix>,
    /// The number of examined predicates; the most expensive ones are examined first.
    pub(in crate::cli) looked_at: usize,
    /// The number of all predicates.
    pub(in crate::cli) of: usize,
}
