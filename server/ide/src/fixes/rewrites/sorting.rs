//! `sort-once`: a list that is sorted, or freed from duplicates, twice.
//!
//! ```text
//! msort(Xs, Sorted), sort(Sorted, Ys)    →   sort(Xs, Ys)
//! list_to_set(Xs, Set), msort(Set, Ys)   →   sort(Xs, Ys)
//! ```
//!
//! Both drop what is `==` to an element that stays, and terms that are compared as equal are `==`. `sort(0, @=<, Xs, Ys)` is `msort(Xs, Ys)`, and `sort(0, @<, Xs, Ys)` is
//! `sort(Xs, Ys)`.

use costlens_body::Comparison;
use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{for_neighbours, small, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    for_neighbours(site, |clause, first, second| {
        sorted(site, clause, first, second)
    })
}

fn sorted(site: &Site<'_>, clause: usize, first: TermId, second: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (of, list, between) = sorting(site, clause, first)?;
    let (behind, again, sorted) = sorting(site, clause, second)?;
    let together = match (of, behind) {
        (Known::ListToSet | Known::Msort | Known::Sort, Known::Sort) => "sort",
        (Known::ListToSet | Known::Sort, Known::Msort) => "sort",
        (Known::Msort, Known::Msort) => "msort",
        _ => return None,
    };
    let v = variable(terms, between)?;
    let (from, to) = site.places[clause].of(second)?;
    if variable(terms, again)? != v
        || site.occurrences(clause, v) != 2
        || !site.means_library(&Functor::new(together, 2))
        || !site.comments_between(from, to).is_empty()
    {
        return None;
    }
    let (list_text, sorted) = (site.argument(clause, list)?, site.argument(clause, sorted)?);
    let once = format!("{together}({list_text}, {sorted})");
    let edits = vec![
        site.remove(clause, first, second)?,
        site.replace(clause, second, once)?,
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

/// The order that a goal makes of a list: the predicate, the list, and the sorted one.
fn sorting(site: &Site<'_>, clause: usize, goal: TermId) -> Option<(Known, TermId, TermId)> {
    let terms = &site.clauses[clause].terms;
    if let Some(&[key, order, list, sorted]) = terms.matches(goal, "sort", 4) {
        let known = match Comparison::of_terms(terms.as_atom(order)?)? {
            Comparison::LessOrEqual => Known::Msort,
            Comparison::Less => Known::Sort,
            _ => return None,
        };
        let is_whole = small(terms, key) == Some(0);
        let is_library = site.means_library(&Functor::new("sort", 4));
        return (is_whole && is_library).then_some((known, list, sorted));
    }
    let known = site.known_goal(clause, goal)?;
    match terms.args(goal) {
        &[list, sorted] => Some((known, list, sorted)),
        _ => None,
    }
}
