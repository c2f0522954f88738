//! Proposals of rewrites.

use costlens_program::Functor;

use super::conditions::Condition;
use crate::file::Edit;

/// A proposal of a rule, before its conditions are proved and its gain is known.
pub(super) struct Proposal {
    /// A description of the change.
    pub(super) what: &'static str,
    /// The edits, without overlaps.
    pub(super) edits: Vec<Edit>,
    /// The conditions under which the answers stay the same.
    pub(super) needs: Vec<Condition>,
    /// Clauses of other files that the variant calls. They are analysed and run together with the variant.
    pub(super) beside: String,
    /// The guarantee for individual runs.
    pub(super) short_runs: ShortRuns,
    /// The caller whose cost and answers are compared instead, if the edits remove the predicate.
    pub(super) seen_by: Option<Functor>,
}

/// A guarantee about individual runs, which upper bounds cannot express. It follows from comparing the original and the variant goal by goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShortRuns {
    /// No guarantee: lower bounds must prove the gain.
    Open,
    /// By construction, no run of the variant costs more than a run of the original for the same input, because goals are removed or
    /// replace more expensive goals.
    NotDearer,
    /// Like `NotDearer`, but only for runs that enter more than one clause of the original.
    NotDearerFromTwo,
    /// Like `NotDearerFromTwo`, but for the sum of all events: one event may increase while another decreases.
    SumNotDearerFromTwo,
    /// Like `NotDearerFromTwo`. If this is not proved to cover all runs of some size, the title mentions the restriction.
    NotDearerWhereRecursive,
    /// Like `NotDearer`, but only for runs described in the title, which cost at least `least` in the original.
    NotDearerWhere {
        /// A description of the runs, placed after the sizes.
        runs: &'static str,
        /// The minimum cost of these runs in the original.
        least: i64,
    },
    /// The new goals are cheaper than those that they replace wherever they appear, whatever the predicate costs. The gain in words: `leaves no
    /// choice point`.
    Local(&'static str),
}

impl ShortRuns {
    /// Returns the minimum costs, in the original, of the runs for which the variant costs no more. A minimum has a description if the
    /// sizes alone do not identify the runs.
    pub(super) fn dominated(self) -> Vec<(i64, Option<&'static str>)> {
        const RECURSIVE: &str = "if the predicate calls itself";
        match self {
            ShortRuns::Open => Vec::new(),
            ShortRuns::NotDearer | ShortRuns::Local(_) => vec![(0, None)],
            ShortRuns::NotDearerFromTwo | ShortRuns::SumNotDearerFromTwo => vec![(2, None)],
            ShortRuns::NotDearerWhereRecursive => vec![(2, None), (0, Some(RECURSIVE))],
            ShortRuns::NotDearerWhere { runs, least } => vec![(least, Some(runs))],
        }
    }

    /// Returns true if the guarantee holds for each kind of event separately.
    pub(super) fn is_of_each(self) -> bool {
        !matches!(self, ShortRuns::Open | ShortRuns::SumNotDearerFromTwo)
    }

    /// Returns the gain in words of goals that are cheaper wherever they appear.
    pub(super) fn local(self) -> Option<&'static str> {
        match self {
            ShortRuns::Local(gain) => Some(gain),
            _ => None,
        }
    }
}
