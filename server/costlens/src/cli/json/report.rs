//! The output of `costlens report`. The rows of files are also the cached results of a run.

use serde::{Deserialize, Serialize};

use super::fix::Fix;

/// A workspace at a glance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    pub(in crate::cli) schema: u32,
    /// The platform of times; null where none was named.
    pub(in crate::cli) platform: Option<String>,
    /// The value of all sizes for the times of predicates.
    pub(in crate::cli) size: i64,
    /// The number of files.
    pub(in crate::cli) files: usize,
    /// The number of predicates of each class, the cheapest first.
    pub(in crate::cli) classes: Vec<ClassCount>,
    /// Predicates in the order of files, and of first clauses in them.
    pub(in crate::cli) predicates: Vec<Predicate>,
    /// The properties of assertions, with their verdicts.
    pub(in crate::cli) assertions: Vec<Assertion>,
    /// Chains of calls on which most of a bound is spent, the costliest first.
    pub(in crate::cli) chains: Vec<Chain>,
    /// Root causes of missing upper bounds, those first that most predicates have.
    pub(in crate::cli) unknown: Vec<Cause>,
    /// The stored platforms, but for those of papers.
    pub(in crate::cli) platforms: Vec<Platform>,
    pub(in crate::cli) fixes: Fixes,
    /// Problems of files.
    pub(in crate::cli) diagnostics: Vec<Problem>,
}

/// The predicates of a class.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ClassCount {
    /// `constant`, `logarithmic`, `linear`, `linearithmic`, `quadratic`, `cubic`, `polynomial`, `exponential`, `diverges` or `unknown`.
    pub(in crate::cli) class: &'static str,
    /// The text that a person reads.
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
    /// Its cost, as its hint says it.
    pub(in crate::cli) cost: String,
    /// True where the call pattern was guessed.
    pub(in crate::cli) guessed: bool,
    /// True where the bound is exponential and may be loose.
    pub(in crate::cli) loose: bool,
    /// The trusted lines that its bounds rest on.
    pub(in crate::cli) rests_on: Vec<String>,
    /// The upper bound on time on the platform, where all sizes are `size`.
    pub(in crate::cli) time: Option<String>,
    /// The condition under which it holds: `integers < 2^63`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default))]
    pub(in crate::cli) time_assumes: Option<String>,
    /// The cause that keeps it from an upper bound; null where it has one.
    pub(in crate::cli) unknown: Option<Missing>,
}

/// A missing upper bound.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Missing {
    /// The reason without what is particular to one predicate.
    pub(in crate::cli) kind: String,
    /// The predicate where it arises; empty where that is not known.
    pub(in crate::cli) cause: String,
    /// The file of the goal that is to blame.
    pub(in crate::cli) file: Option<String>,
    /// Its line, from 1.
    pub(in crate::cli) line: Option<usize>,
    /// The reason.
    pub(in crate::cli) reason: String,
    /// Advice; may be empty.
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
    /// The property as it is written.
    pub(in crate::cli) property: String,
    /// `checked`, `false` or `check`.
    pub(in crate::cli) verdict: String,
    /// The verdict in a sentence.
    pub(in crate::cli) message: String,
    /// The `trust` lines that the verdict rests on.
    pub(in crate::cli) rests_on: Vec<String>,
    /// True where a comment asks not to be told.
    pub(in crate::cli) suppressed: bool,
}

/// A problem of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Problem {
    /// The file's name.
    pub(in crate::cli) file: String,
    /// The line, from 1.
    pub(in crate::cli) line: usize,
    /// `error` or `warning`.
    pub(in crate::cli) severity: String,
    /// The id of the rule; docs/rules.md has them all.
    pub(in crate::cli) code: String,
    pub(in crate::cli) message: String,
}

/// A chain of calls.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Chain {
    /// The class of the first predicate.
    pub(in crate::cli) class: &'static str,
    /// The predicates, each called by the one before it.
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
    /// The call that takes the largest part of that; null where none takes more than the own clauses, or no bound is known.
    pub(in crate::cli) call: Option<Call>,
    /// The goal that comes back to the predicate and takes most, where no other call does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default))]
    pub(in crate::cli) recursion: Option<String>,
    /// True where it is not known how the cost is divided among the calls.
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
    /// Its line in the file of the caller; null for a goal that is not written there.
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
    /// The number of predicates that have no upper bound for it.
    pub(in crate::cli) predicates: usize,
    /// Some of them.
    pub(in crate::cli) examples: Vec<String>,
}

/// A stored platform.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Platform {
    /// The name that `--platform` takes.
    pub(in crate::cli) name: String,
    /// The Prolog system.
    pub(in crate::cli) engine: String,
    /// `shipped` or `user`.
    pub(in crate::cli) source: String,
    /// The time of measurement or publication.
    pub(in crate::cli) date: String,
    /// True where it was measured on this machine.
    pub(in crate::cli) here: bool,
}

/// Cheaper variants, and how far they were looked for.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Fixes {
    pub(in crate::cli) found: Vec<Fix>,
    /// The number of predicates that were looked at, the costliest first.
    pub(in crate::cli) looked_at: usize,
    /// The number of all predicates.
    pub(in crate::cli) of: usize,
}
