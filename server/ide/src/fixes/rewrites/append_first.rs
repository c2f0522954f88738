//! `append-from-the-right`: three lists are joined without walking twice through the first one.
//!
//! ```text
//! append(Xs, Ys, Front), append(Front, Zs, All)   →   append(Ys, Zs, Front), append(Xs, Front, All)
//! ```
//!
//! With two proper lists in front each goal has one solution, whatever the third list is.

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{for_neighbours, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    for_neighbours(site, |clause, first, second| {
        joined(site, clause, first, second)
    })
}

fn joined(
    site: &Site<'_>,
    clause: usize,
    first: costlens_syntax::term::TermId,
    second: costlens_syntax::term::TermId,
) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (&[xs, ys, front], &[again, zs, _]) = (terms.args(first), terms.args(second)) else {
        return None;
    };
    let between = variable(terms, front)?;
    if variable(terms, again)? != between
        || terms.functor(first) != terms.functor(second)
        || site.known_goal(clause, first) != Some(Known::Append)
        || site.occurrences(clause, between) != 2
    {
        return None;
    }
    let text = |id| site.argument(clause, id);
    let edits = vec![
        site.replace(clause, xs, text(ys)?)?,
        site.replace(clause, ys, text(zs)?)?,
        site.replace(clause, again, text(xs)?)?,
        site.replace(clause, zs, text(front)?)?,
    ];
    let list = |term| Condition::before(clause, first, term, Shape::List);
    Some(Proposal {
        beside: String::new(),
        what: "Join the lists from the right",
        short_runs: ShortRuns::Open,
        edits,
        needs: vec![list(xs), list(ys)],
    })
}
