//! `reversed-twice`: a list is reversed, and reversed again.
//!
//! ```text
//! reverse(Xs, Ys), reverse(Ys, Zs)   →   Zs = Xs
//! ```
//!
//! A proper list has one reversal, whose reversal is the list.

use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{for_neighbours, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    for_neighbours(site, |clause, first, second| {
        reversed(site, clause, first, second)
    })
}

fn reversed(site: &Site<'_>, clause: usize, first: TermId, second: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (&[list, back], &[again, whole]) = (terms.args(first), terms.args(second)) else {
        return None;
    };
    let between = variable(terms, back)?;
    let reverses = |goal| site.known_goal(clause, goal) == Some(Known::Reverse);
    if variable(terms, again)? != between
        || site.occurrences(clause, between) != 2
        || !reverses(first)
        || !reverses(second)
    {
        return None;
    }
    let text = format!(
        "{} = {}",
        site.operand(clause, whole)?,
        site.operand(clause, list)?
    );
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Use the list itself",
        short_runs: ShortRuns::NotDearer,
        edits: site.replace_both(clause, (first, second), text)?,
        needs: vec![Condition::before(clause, first, list, Shape::List)],
    })
}
