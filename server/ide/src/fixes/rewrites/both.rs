//! `member-of-both`: two lists are joined to look for an element.
//!
//! ```text
//! append(Xs, Ys, Zs), member(X, Zs)      →   ( member(X, Xs) ; member(X, Ys) )
//! append(Xs, Ys, Zs), memberchk(X, Zs)   →   ( memberchk(X, Xs) -> true ; memberchk(X, Ys) )
//! ```
//!
//! The elements come in the same order. Where the second list is empty, `member/2` would leave a choice point that it does not leave in the original: so it has to stand
//! where choice points are cut or all solutions are looked for. The first list must be a proper one; the second one may be anything. Both predicates may be copies with the
//! clauses of `append/3` and `member/2`.

use costlens_body::Goal;
use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{collected, for_neighbours, rows, variable};
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
    if !is_check
        && (site.known_goal(clause, second)? != Known::Member || !is_settled(site, clause, second))
    {
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
        // No list is joined; each element is looked at as before.
        short_runs: ShortRuns::NotDearer,
        edits: site.replace_both(clause, (first, second), text)?,
        needs: vec![Condition::before(clause, first, front, Shape::List)],
    })
}

/// True for a goal whose choice points nobody sees behind what calls it: they are cut, or all solutions are looked for.
fn is_settled(site: &Site<'_>, clause: usize, goal: TermId) -> bool {
    let of = &site.clauses[clause];
    let terms = &of.terms;
    let is_cut = rows(of).iter().any(|row| {
        let place = row.goals.iter().position(|&g| g == goal);
        let cuts = |&g: &TermId| Goal::of(terms, g) == Goal::Cut;
        place.is_some_and(|at| row.once || row.goals[at..].iter().any(cuts))
    });
    let body = of.body.map_or(Vec::new(), |body| terms.subterms(body));
    let looks_for_all = |&id: &TermId| match Goal::of(terms, id) {
        Goal::Forall { condition, .. } => Some(condition),
        _ => collected(terms, id).map(|[_, inner, _]| inner),
    };
    let mut all = body.iter().filter_map(looks_for_all);
    is_cut || all.any(|inner| terms.subterms(inner).contains(&goal))
}
