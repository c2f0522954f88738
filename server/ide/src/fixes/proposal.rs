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

/// A promise about single runs, which upper bounds do not tell: the variant and the original take the same way, goal by goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShortRuns {
    /// Nothing: lower bounds have to tell.
    Open,
    /// By its construction no run of the variant takes more than that of the original for the same input: goals are left out, or stand for dearer ones.
    NotDearer,
    /// The same of runs that enter more than one clause of the original.
    NotDearerFromTwo,
    /// The same of all events together, though there may be more of one and less of another one.
    SumNotDearerFromTwo,
    /// The same; where that is not proved of all runs of some size, the title says so.
    NotDearerWhereRecursive,
    /// The same of runs that the title names, of which the original takes no less than a number.
    NotDearerWhere {
        /// The runs in words, behind the sizes.
        runs: &'static str,
        /// The least that the original takes.
        least: i64,
    },
}

impl ShortRuns {
    /// The least that the original takes in runs of which the variant takes no more, with words for runs that the sizes do not name.
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

    /// True where the variant has no more of each event.
    pub(super) fn is_of_each(self) -> bool {
        !matches!(self, ShortRuns::Open | ShortRuns::SumNotDearerFromTwo)
    }
}
