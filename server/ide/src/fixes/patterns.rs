//! Rewrites of goals as data: a file of `server/ide/rewrites` has the goals before, the goals after, and the conditions.
//!
//! ```text
//! what("Use the list itself").
//! short_runs(not_dearer).
//! conditions("The list is a proper one, and its reversal is used for nothing else.").
//!
//! rewrite((reverse(Xs, Ys), reverse(Ys, Zs)), Zs = Xs) :-
//!     private(Ys),
//!     list(Xs).
//! ```
//!
//! A variable represents a term of the clause, and `_` a variable that occurs nowhere else. A goal that the library defines also matches a copy
//! of it; `any_order` allows other orders of its arguments. Unifications and equalities match in both directions, comparisons with an integer in
//! all equivalent forms. Goals before follow each other, and the last one may begin a condition; `goals` represents other goals between two of
//! them, and `generator(G)` a goal that begins a row inside the next goal. `at(2, list(Xs))` is a condition that holds before the second goal
//! instead of the first one.
//!
//! The goals after replace the last goal before, and the others are removed; [`Layout`] changes that. A predicate of the goals before keeps the
//! name that it has in the clause.

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
use checks::Check;
use matching::Search;

/// A rewrite of goals.
pub(super) struct Rewriting {
    /// The change in words.
    what: &'static str,
    /// The conditions in words.
    pub(super) conditions: &'static str,
    short_runs: ShortRuns,
    layout: Layout,
    /// True if arguments may come in an order other than that of the library.
    any_order: bool,
    alternatives: Vec<Alternative>,
}

/// The text that the edits keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// That of terms: the goals after replace the last goal before, and the others are removed.
    Terms,
    /// The same, unless there is anything other than a comma and comments between the goals.
    Neighbours,
    /// That of arguments: only names and arguments that change are written.
    Arguments,
}

/// Goals before and after, and their conditions.
struct Alternative {
    terms: Arc<Terms>,
    /// The names of the variables.
    names: Vec<SmolStr>,
    before: Vec<Step>,
    after: Vec<TermId>,
    conditions: Vec<Requirement>,
}

/// A goal before in a row.
#[derive(Clone, Copy)]
struct Step {
    place: Place,
    goal: TermId,
}

/// The place of a goal of a row, relative to the goal before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The goal that runs next: the next one of the row, or the first one of a condition there.
    Next,
    /// Some later goal.
    Later,
    /// The first goal of a row inside the next goal.
    Inside,
}

/// A condition of an alternative.
struct Requirement {
    check: Check,
    /// The number of the goal that it is about.
    goal: usize,
    arguments: Vec<TermId>,
}

impl Rewriting {
    /// Returns the proposals for a predicate.
    pub(super) fn propose(&'static self, site: &Site<'_>) -> Vec<Proposal> {
        let search = Search::new(site, self.any_order);
        let mut proposals = Vec::new();
        for (number, clause) in site.rules() {
            let rows = rows(clause);
            for row in &rows {
                for first in 0..row.goals.len() {
                    proposals.extend(self.alternatives.iter().filter_map(|alternative| {
                        let mut matches = search.matches(alternative, (number, &rows), row, first);
                        matches.find_map(|matched| self.proposal(matched))
                    }));
                }
            }
        }
        proposals
    }
}

impl Alternative {
    /// Returns true for `_`.
    fn is_anonymous(&self, variable: u32) -> bool {
        let name = self.names.get(variable as usize);
        name.is_some_and(|name| name == "_")
    }
}
