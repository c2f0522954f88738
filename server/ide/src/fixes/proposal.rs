//! Proposals of rewrites.

use costlens_program::Functor;

use super::conditions::Condition;
use crate::file::Edit;

/// A proposal of a rule, before its conditions are proved and its gain is known.
pub(super) struct Proposal {
    /// The change, in words.
    pub(super) what: &'static str,
    /// The edits, without overlap.
    pub(super) edits: Vec<Edit>,
    /// The conditions under which the answers stay the same.
    pub(super) needs: Vec<Condition>,
    /// Clauses of other files that the variant calls, which are analysed and run with it.
    pub(super) beside: String,
    /// The promise about short runs.
    pub(super) short_runs: ShortRuns,
    /// The caller whose cost and answers are compared, if the edits remove the predicate of this name.
    pub(super) seen_by: Option<Functor>,
}

/// A promise about single runs, which upper bounds cannot express: the variant and the original run in lockstep, goal by goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShortRuns {
    /// Nothing: lower bounds have to prove the gain.
    Open,
    /// By construction, no run of the variant takes more than that of the original for the same input: goals are removed, or replace more expensive
    /// ones.
    NotDearer,
    /// The same for runs that enter more than one clause of the original.
    NotDearerFromTwo,
    /// The same for all events together, though one event may increase while another decreases.
    SumNotDearerFromTwo,
    /// The same; if that is not proved for all runs of some size, the title says so.
    NotDearerWhereRecursive,
    /// The same for runs named in the title, which take at least this number in the original.
    NotDearerWhere {
        /// The runs in words, placed after the sizes.
        runs: &'static str,
        /// The minimum that the original takes.
        least: i64,
    },
}

impl ShortRuns {
    /// Returns the minima that the original takes in runs where the variant takes no more, with words for runs that the sizes do not identify.
    pub(super) fn dominated(self) -> Vec<(i64, Option<&'static str>)> {
        const RECURSIVE: &str = "where it calls itself";
        match self {
            ShortRuns::Open => Vec::new(),
            ShortRuns::NotDearer => vec![(0, None)],
            ShortRuns::NotDearerFromTwo | ShortRuns::SumNotDearerFromTwo => vec![(2, None)],
            ShortRuns::NotDearerWhereRecursive => vec![(2, None), (0, Some(RECURSIVE))],
            ShortRuns::NotDearerWhere { runs, least } => vec![(least, Some(runs))],
        }
    }

    /// Returns true if the variant has no more of each event.
    pub(super) fn is_of_each(self) -> bool {
        !matches!(self, ShortRuns::Open | ShortRuns::SumNotDearerFromTwo)
    }
}
