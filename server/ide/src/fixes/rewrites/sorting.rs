//! `sort-once`: a list that is sorted, or freed from duplicates, twice.
//!
//! ```text
//! msort(Xs, Sorted), sort(Sorted, Ys)    →   sort(Xs, Ys)
//! list_to_set(Xs, Set), msort(Set, Ys)   →   sort(Xs, Ys)
//! ```
//!
//! Both drop what is `==` to an element that stays, and terms that are compared as equal are `==`.

use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{for_neighbours, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    for_neighbours(site, |clause, first, second| {
        sorted(site, clause, first, second)
    })
}

fn sorted(site: &Site<'_>, clause: usize, first: TermId, second: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let together = match (
        site.known_goal(clause, first)?,
        site.known_goal(clause, second)?,
    ) {
        (Known::ListToSet | Known::Msort | Known::Sort, Known::Sort) => "sort",
        (Known::ListToSet | Known::Sort, Known::Msort) => "sort",
        (Known::Msort, Known::Msort) => "msort",
        _ => return None,
    };
    let (&[list, between], &[again, _]) = (terms.args(first), terms.args(second)) else {
        return None;
    };
    let v = variable(terms, between)?;
    if variable(terms, again)? != v || site.occurrences(clause, v) != 2 {
        return None;
    }
    let list_text = site.argument(clause, list)?;
    let (from, _) = site.places[clause].of(second)?;
    let name_end = from + site.source(clause, second)?.find('(')?;
    let edits = vec![
        site.remove(clause, first, second)?,
        crate::file::Edit {
            range: from..name_end,
            text: together.to_owned(),
        },
        site.replace(clause, again, list_text)?,
    ];
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Sort once",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs: vec![Condition::before(clause, first, list, Shape::List)],
    })
}
