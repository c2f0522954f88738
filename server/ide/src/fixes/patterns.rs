//! Rewrites of goals as data. Each file in `server/ide/rewrites` lists the old goals, the new goals, and the conditions.
//!
//! ```text
//! what("Use the list itself").
//! short_runs(local("no reversal")).
//! conditions("The list is proper, and its reversal is used for nothing else.").
//!
//! rewrite((reverse(Xs, Ys), reverse(Ys, Zs)), Zs = Xs) :-
//!     private(Ys),
//!     list(Xs).
//! ```
//!
//! A variable represents a term of the clause, and `_` a variable that occurs nowhere else. A goal for a library predicate also matches a
//! user's copy of that predicate; with `any_order`, the copy may have its arguments in another order. Unifications and equalities match in
//! both directions, and comparisons with an integer match in all equivalent forms. The old goals must be consecutive, and the last goal may
//! begin a condition. `goals` represents intermediate goals, and `generator(G)` a goal at the start of a conjunction inside the next goal.
//! A condition `at(2, list(Xs))` must hold before the second goal instead of the first.
//!
//! The new goals replace the last of the old goals, and the other old goals are removed; [`Layout`] changes that. A predicate that occurs
//! in the old goals keeps the name that it has in the clause.

mod checks;
mod edits;
mod matching;
mod read;
mod texts;

use std::sync::Arc;

use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use super::goals::rows;
use super::proposal::{Proposal, ShortRuns};
use super::site::Site;
use checks::ConditionCheck;
use matching::MatchSearch;

/// A rewrite of goals.
pub(super) struct Rewriting {
    /// The change in words.
    what: &'static str,
    /// The conditions in words.
    pub(super) conditions: &'static str,
    short_runs: ShortRuns,
    layout: Layout,
    /// True if the new goals have at most one solution, so that `once/1` around them is removed.
    is_det: bool,
    /// True if a copy of the library predicate may have its arguments in another order.
    any_order: bool,
    alternatives: Vec<GoalRewrite>,
}

/// The parts of the text that the edits preserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Terms: the new goals replace the last old goal, and the other old goals are removed.
    Terms,
    /// Terms, provided that only a comma and comments separate the goals.
    Neighbours,
    /// Arguments: only names and arguments that change are rewritten.
    Arguments,
}

/// Old goals, new goals, and conditions.
struct GoalRewrite {
    terms: Arc<Terms>,
    /// The names of the variables.
    names: Vec<SmolStr>,
    before: Vec<OldGoal>,
    after: Vec<TermId>,
    conditions: Vec<Requirement>,
}

/// One of the old goals.
#[derive(Clone, Copy)]
struct OldGoal {
    place: RelativePlace,
    goal: TermId,
}

/// The place of a goal, relative to the preceding goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelativePlace {
    /// The next goal: the following goal in the conjunction, or the first goal in a condition that follows.
    Next,
    /// Any later goal.
    Later,
    /// The first goal of a conjunction inside the next goal.
    Inside,
}

/// A condition of an alternative.
struct Requirement {
    check: ConditionCheck,
    /// The index of the goal before which the condition must hold.
    goal: usize,
    arguments: Vec<TermId>,
}

impl Rewriting {
    /// Returns the proposals for a predicate.
    pub(super) fn propose(&'static self, site: &Site<'_>) -> Vec<Proposal> {
        let search = MatchSearch::new(site, self.any_order);
        let mut proposals = Vec::new();
        for (number, clause) in site.rules() {
            let rows = rows(clause);
            for row in &rows {
                for first in 0..row.goals.len() {
                    proposals.extend(self.alternatives.iter().filter_map(|alternative| {
                        let mut matches = search.matches(alternative, number, &rows, row, first);
                        matches.find_map(|matched| self.proposal(matched))
                    }));
                }
            }
        }
        proposals
    }
}

impl GoalRewrite {
    /// Returns true for the variable `_`.
    fn is_anonymous(&self, variable: u32) -> bool {
        let name = self.names.get(variable as usize);
        name.is_some_and(|name| name == "_")
    }
}
