//! `equal-predicate`: replaces a call by a call of a cheaper predicate with the same results.
//!
//! ```text
//! nrev(Xs, Ys)   →   reverse(Xs, Ys)
//! len(Xs, N)     →   length(Xs, N)
//! ```
//!
//! Both predicates are recognised by their clauses and the clauses of their helpers. The library predicate is used if it is visible in the
//! file; otherwise a predicate of the file itself, or of a user's file that it imports.

use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::equals::{Other, others, task_of};
use crate::fixes::goals::{rows, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::present::quoted;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for &goal in &row.goals {
                found.extend(of_goal(site, number, goal).into_iter().flatten());
            }
        }
    }
    found
}

fn of_goal(site: &Site<'_>, clause: usize, goal: TermId) -> Option<Vec<Proposal>> {
    let terms = &site.clauses[clause].terms;
    let &[list, result] = terms.args(goal) else {
        return None;
    };
    let (name, arity) = terms.functor(goal)?;
    let callee = Functor::new(name.clone(), arity);
    // A predicate must not be replaced inside its own definition.
    if callee == *site.functor
        || variable(terms, list).is_none()
        || variable(terms, result).is_none()
    {
        return None;
    }
    let task = task_of(site, &callee)?;
    let others = others(site, task, &callee).into_iter();
    let proposal = |other: Other| {
        let beside = other.elsewhere?;
        let other = other.functor;
        let arguments = [site.argument(clause, list)?, site.argument(clause, result)?];
        let text = format!("{}({})", quoted(&other.name), arguments.join(", "));
        let mut needs = vec![Condition::before_goal(clause, goal, list, Shape::List)];
        needs.push(Condition::before_goal(clause, goal, result, Shape::Unbound));
        Some(Proposal {
            seen_by: None,
            beside,
            what: "Call the cheaper of two equivalent predicates",
            // A predicate with a helper takes one step more for the empty list.
            short_runs: ShortRuns::Open,
            edits: vec![site.replace(clause, goal, text)?],
            needs,
        })
    };
    Some(others.filter_map(proposal).collect())
}
