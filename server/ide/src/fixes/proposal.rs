//! Proposals of rewrites.

use costlens_program::Functor;

use super::conditions::Condition;
use crate::file::Edit;

/// A proposal of a rule, before its conditions are proved and its gain is known.
pub(super) struct Proposal {
    /// The change in words.
    pub(super) what: &'static str,
    /// The edits, without overlap.
    pub(super) edits: Vec<Edit>,
    /// The conditions under which answers stay the same.
    pub(super) needs: Vec<Condition>,
    /// Clauses of other files that the variant calls, to be analysed and run with it.
    pub(super) beside: String,
    /// The promise about short runs.
    pub(super) short_runs: ShortRuns,
    /// The caller whose cost and answers are compared, where the edits leave no predicate of the name.
    pub(super) seen_by: Option<Functor>,
}

/// A promise about runs that end early, which upper bounds do not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShortRuns {
    /// Nothing: lower bounds have to tell.
    Open,
    /// By its construction no run of the variant takes more than a step more: goals are left out, or stand for dearer ones.
    NotDearer,
    /// The same of runs that enter more than one clause of the original.
    NotDearerFromTwo,
}
