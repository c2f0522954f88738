//! `unused-rest`: more than an element is asked for, and not used.
//!
//! ```text
//! nth1(_, Xs, X)         →   member(X, Xs)
//! selectchk(X, Xs, _)    →   memberchk(X, Xs)
//! ```
//!
//! With an unbound index `nth0/3` and `nth1/3` have the elements in the order in which `member/2` has them, also of partial lists. A term that ends in no list is an error
//! of `memberchk/2`, where `selectchk/3` fails.

use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::Condition;
use crate::fixes::goals::{for_goals, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    for_goals(site, |clause, goal| element(site, clause, goal))
}

fn element(site: &Site<'_>, clause: usize, goal: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (name, 3) = terms.functor(goal)? else {
        return None;
    };
    let &[a, b, c] = terms.args(goal) else {
        return None;
    };
    let (unused, element, list, becomes) = match name.as_str() {
        "nth0" | "nth1" => (a, c, b, "member"),
        "selectchk" => (c, a, b, "memberchk"),
        _ => return None,
    };
    let is_unused = site.occurrences(clause, variable(terms, unused)?) == 1;
    let known = site.means_library(&Functor::new(name.clone(), 3))
        && site.means_library(&Functor::new(becomes, 2));
    if !is_unused || !known {
        return None;
    }
    let needs = match becomes {
        "memberchk" => Condition::list(site, clause, goal, list),
        _ => None,
    };
    let (element, list) = (
        site.argument(clause, element)?,
        site.argument(clause, list)?,
    );
    let text = format!("{becomes}({element}, {list})");
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Ask for the element alone",
        short_runs: ShortRuns::NotDearer,
        edits: vec![site.replace(clause, goal, text)?],
        needs: needs.into_iter().collect(),
    })
}
