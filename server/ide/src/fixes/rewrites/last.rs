//! `last-element`: the last element of a list is asked for directly.
//!
//! ```text
//! reverse(Xs, [X|_])                   →   last(Xs, X)
//! reverse(Xs, Ys), Ys = [X|_]          →   last(Xs, X)
//! append(_, [X], Xs)                   →   last(Xs, X)
//! ```
//!
//! All of them fail for the empty list. A proper list has one last element.

use costlens_body::Goal;
use costlens_program::Functor;
use costlens_syntax::Dialect;
use costlens_syntax::term::{CONS, NIL, TermId, Terms};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{rows, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    if !site.means_library(&Functor::new("last", 2)) {
        return found;
    }
    // GNU Prolog reverses a list faster than its last/2 walks through one.
    let is_worth = site.file.parsed(site.db).dialect() != Dialect::Gnu;
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for (i, &goal) in row.goals.iter().enumerate() {
                let next = row.goals.get(i + 1).copied();
                found.extend(match site.known_goal(number, goal) {
                    Some(Known::Reverse) if is_worth => of_reverse(site, number, goal, next),
                    Some(Known::Append) => of_append(site, number, goal),
                    _ => None,
                });
            }
        }
    }
    found
}

/// `reverse(Xs, [X|_])`, or `reverse(Xs, Ys), Ys = [X|_]`.
fn of_reverse(
    site: &Site<'_>,
    clause: usize,
    goal: TermId,
    next: Option<TermId>,
) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[list, reversed] = terms.args(goal) else {
        return None;
    };
    let Some(v) = variable(terms, reversed) else {
        let element = first_element(site, clause, reversed)?;
        let edit = site.replace(clause, goal, last(site, clause, list, element)?)?;
        return Some(proposal(vec![edit], (clause, goal, list)));
    };
    let next = next?;
    let Goal::Unify(left, right) = Goal::of(terms, next) else {
        return None;
    };
    if variable(terms, left) != Some(v) || site.occurrences(clause, v) != 2 {
        return None;
    }
    let element = first_element(site, clause, right)?;
    let edits = site.replace_both(clause, (goal, next), last(site, clause, list, element)?)?;
    Some(proposal(edits, (clause, goal, list)))
}

/// `append(_, [X], Xs)`.
fn of_append(site: &Site<'_>, clause: usize, goal: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[front, back, list] = terms.args(goal) else {
        return None;
    };
    let &[element, end] = terms.matches(back, CONS, 2)? else {
        return None;
    };
    if !is_nil(terms, end) || site.occurrences(clause, variable(terms, front)?) != 1 {
        return None;
    }
    let edit = site.replace(clause, goal, last(site, clause, list, element)?)?;
    Some(proposal(vec![edit], (clause, goal, list)))
}

fn is_nil(terms: &Terms, id: TermId) -> bool {
    terms.as_atom(id).is_some_and(|name| name == NIL)
}

/// The `X` of `[X|_]`.
fn first_element(site: &Site<'_>, clause: usize, list: TermId) -> Option<TermId> {
    let terms = &site.clauses[clause].terms;
    let &[element, rest] = terms.matches(list, CONS, 2)? else {
        return None;
    };
    (site.occurrences(clause, variable(terms, rest)?) == 1).then_some(element)
}

fn last(site: &Site<'_>, clause: usize, list: TermId, element: TermId) -> Option<String> {
    let (list, element) = (
        site.argument(clause, list)?,
        site.argument(clause, element)?,
    );
    Some(format!("last({list}, {element})"))
}

fn proposal(edits: Vec<Edit>, (clause, goal, term): (usize, TermId, TermId)) -> Proposal {
    let is = Shape::List;
    Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Ask for the last element",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs: vec![Condition::before(clause, goal, term, is)],
    }
}
