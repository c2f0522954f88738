//! `aggregate-without-list`: solutions are collected for their sum, or for the least or greatest one.
//!
//! ```text
//! findall(X, p(X), Xs), sum_list(Xs, S)     →   aggregate_all(sum(X), p(X), S)
//! findall(X, p(X), Xs), max_list(Xs, M)     →   aggregate_all(max(X), p(X), M)
//! ```
//!
//! The sum of integers does not depend on an order. `aggregate_all/3` begins with its template, which must be unbound, and without solutions with its result. It is no
//! faster for `count`, so that `length/2` of solutions stays. Neither is it for the first element of `sort/2`, which takes few comparisons where solutions are in order.

use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{collected, for_neighbours, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    if !site.means_library(&Functor::new("aggregate_all", 3)) {
        return Vec::new();
    }
    for_neighbours(site, |clause, first, second| {
        aggregated(site, clause, first, second)
    })
}

fn aggregated(site: &Site<'_>, clause: usize, all: TermId, use_: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let [template, goal, list] = collected(terms, all)?;
    let &[of, result] = terms.args(use_) else {
        return None;
    };
    // A goal that is a variable may hold a cut or anything else.
    terms.functor(goal)?;
    let (x, v) = (variable(terms, template)?, variable(terms, list)?);
    let kind = match site.known_goal(clause, use_)? {
        Known::SumList => "sum",
        Known::MaxList => "max",
        Known::MinList => "min",
        _ => return None,
    };
    let r = variable(terms, result)?;
    let inside = terms.variables_of(goal);
    let in_goal = inside.iter().filter(|&&w| w == x).count();
    let fits = variable(terms, of)? == v
        && site.occurrences(clause, v) == 2
        && in_goal > 0
        && site.occurrences(clause, x) == in_goal + 1
        && r != v;
    fits.then_some(())?;
    let place = &site.places[clause];
    let ((start, end), (next, last)) = (place.of(all)?, place.of(use_)?);
    (site.text.get(end..next)?.trim() == ",").then_some(())?;
    let name = start..start + site.source(clause, all)?.find('(')?;
    let edits = vec![
        Edit {
            range: name,
            text: "aggregate_all".to_owned(),
        },
        site.replace(
            clause,
            template,
            format!("{kind}({})", site.source(clause, template)?),
        )?,
        site.replace(clause, list, site.source(clause, result)?.to_owned())?,
        Edit {
            range: end..last,
            text: String::new(),
        },
    ];
    let mut needs = vec![Condition::before(clause, use_, of, Shape::Integers)];
    needs.extend(Condition::unbound(site, clause, use_, result));
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Aggregate the solutions without a list",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs,
    })
}
