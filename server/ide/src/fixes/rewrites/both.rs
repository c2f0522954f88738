//! `member-of-both`: two lists are joined to look for an element.
//!
//! ```text
//! append(Xs, Ys, Zs), member(X, Zs)      →   ( member(X, Xs) ; member(X, Ys) )
//! append(Xs, Ys, Zs), memberchk(X, Zs)   →   ( memberchk(X, Xs) -> true ; memberchk(X, Ys) )
//! ```
//!
//! The elements come in the same order. The first list must be a proper one; the second one may be anything. Both predicates may be copies with the
//! clauses of `append/3` and `member/2`.

use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{for_neighbours, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    for_neighbours(site, |clause, first, second| {
        looked_for(site, clause, first, second)
    })
}

fn looked_for(site: &Site<'_>, clause: usize, first: TermId, second: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (&[front, back, whole], &[element, list]) = (terms.args(first), terms.args(second)) else {
        return None;
    };
    let v = variable(terms, whole)?;
    if variable(terms, list)? != v
        || site.occurrences(clause, v) != 2
        || site.known_goal(clause, first)? != Known::Append
    {
        return None;
    }
    let is_check = terms.matches(second, "memberchk", 2).is_some()
        && site.means_library(&Functor::new("memberchk", 2));
    if !is_check && site.known_goal(clause, second)? != Known::Member {
        return None;
    }
    let goal = site.source(clause, second)?;
    let name = goal.get(..goal.find('(')?)?;
    let of = |list: TermId| {
        let (element, list) = (
            site.argument(clause, element)?,
            site.argument(clause, list)?,
        );
        Some(format!("{name}({element}, {list})"))
    };
    let (yes, no) = (of(front)?, of(back)?);
    let text = match is_check {
        true => format!("( {yes} -> true ; {no} )"),
        false => format!("( {yes} ; {no} )"),
    };
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Look into both lists without joining them",
        short_runs: ShortRuns::Open,
        edits: site.replace_both(clause, (first, second), text)?,
        needs: vec![Condition::before(clause, first, front, Shape::List)],
    })
}
