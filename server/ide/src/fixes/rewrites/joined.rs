//! `join-all-at-once`: the lists of a list are joined by a fold, one after the other to the end of what is there.
//!
//! ```text
//! foldl([L, A, B]>>append(A, L, B), Ls, [], R)   →   append(Ls, R)
//! ```
//!
//! Both make one list of proper lists. `append/2` walks once through each. The closure may be a predicate with this one clause.

use costlens_program::{ClauseKind, Functor, Resolved, find, resolve};
use costlens_syntax::term::{NIL, TermId, Terms};

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{for_goals, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::{Site, is_closed};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let known = |name, arity| site.means_library(&Functor::new(name, arity));
    match known("foldl", 4) && known("append", 2) {
        true => for_goals(site, |clause, goal| folded(site, clause, goal)),
        false => Vec::new(),
    }
}

fn folded(site: &Site<'_>, clause: usize, goal: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[closure, lists, start, whole] = terms.matches(goal, "foldl", 4)? else {
        return None;
    };
    let is_nil = terms.as_atom(start).is_some_and(|name| name == NIL);
    if !is_nil || !(is_lambda(site, clause, closure) || is_predicate(site, terms, closure)) {
        return None;
    }
    let text = |id| site.argument(clause, id);
    let text = format!("append({}, {})", text(lists)?, text(whole)?);
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Join all lists at once",
        // The fold walks through each list once for each that follows, the variant once; so that the last one is walked through for the first time.
        short_runs: ShortRuns::NotDearerWhere {
            runs: "where no list is empty and the last one not longer than the first",
            least: 15,
        },
        edits: vec![site.replace(clause, goal, text)?],
        needs: vec![Condition::before(clause, goal, lists, Shape::Lists)],
    })
}

/// `[L, A, B]>>append(A, L, B)`, with variables of its own.
fn is_lambda(site: &Site<'_>, clause: usize, closure: TermId) -> bool {
    let terms = &site.clauses[clause].terms;
    let parts = || {
        let &[parameters, goal] = terms.matches(closure, ">>", 2)? else {
            return None;
        };
        let (parameters, end) = terms.list(parameters);
        let own =
            |&id: &TermId| variable(terms, id).is_some_and(|v| site.occurrences(clause, v) == 2);
        let fits = terms.as_atom(end).is_some_and(|name| name == NIL)
            && parameters.iter().all(own)
            && appends(terms, &parameters, goal)
            && site.known_goal(clause, goal)? == Known::Append;
        Some(fits)
    };
    parts() == Some(true)
}

/// The name of a predicate with the clause `p(L, A, B) :- append(A, L, B).`
fn is_predicate(site: &Site<'_>, terms: &Terms, closure: TermId) -> bool {
    let own = || {
        let functor = Functor::new(terms.as_atom(closure)?.clone(), 3);
        let Some(Resolved::Own(_)) = resolve(site.db, site.file, &functor) else {
            return None;
        };
        let predicate = find(site.db, site.file, &functor)?;
        let [clause] = &predicate.clauses(site.db)[..] else {
            return None;
        };
        let plain = clause.kind == ClauseKind::Rule && clause.guard.is_none();
        let goal = clause.body?;
        let (name, arity) = clause.terms.functor(goal)?;
        let fits = plain
            && is_closed(site.db, predicate)
            && appends(&clause.terms, clause.terms.args(clause.head), goal)
            && site.known(&Functor::new(name.clone(), arity))? == Known::Append;
        Some(fits)
    };
    own() == Some(true)
}

/// `append(A, L, B)` of the parameters `L`, `A`, `B`.
fn appends(terms: &Terms, parameters: &[TermId], goal: TermId) -> bool {
    let of = |ids: &[TermId]| -> Option<Vec<u32>> {
        ids.iter().map(|&id| variable(terms, id)).collect()
    };
    let (Some(parameters), Some(arguments)) = (of(parameters), of(terms.args(goal))) else {
        return false;
    };
    let [l, a, b] = parameters[..] else {
        return false;
    };
    l != a && l != b && a != b && arguments == [a, l, b]
}
