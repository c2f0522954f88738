//! Exceptions after a success: determines whether a goal that has succeeded may raise an exception on backtracking.
//!
//! ```prolog
//! ok(X) :- X > 0, !.
//! ok(X) :- throw(bad(X)).     % succeeds or raises
//! p(1).
//! p(_) :- throw(no_more).     % succeeds, and raises on backtracking
//! ```

use costlens_algebra::Expr;
use costlens_body::{Goal, conjuncts};
use costlens_program::{Clause, ClauseKind};

use super::{CallStep, Callee, ClauseRun, End, Step, Tree};
use crate::lattice::size::Size;
use crate::summary::pieces::at_most_one;

/// Returns whether no exception is possible after a run has succeeded: none of its goals has another solution or searches for one. `inside`
/// decides this for calls within the component.
pub(crate) fn is_over(tree: &Tree, inside: &dyn Fn(usize, &CallStep) -> bool) -> bool {
    let mut open = vec![tree];
    while let Some(tree) = open.pop() {
        for step in &tree.steps {
            match step {
                Step::Call(call) => {
                    let over = match &call.callee {
                        Callee::Outside(summary) => {
                            !summary.raises_later
                                && (at_most_one(&summary.solutions)
                                    || is_one(call.solutions.as_ref()))
                        }
                        Callee::Inside(index) => inside(*index, call),
                    };
                    if !over {
                        return false;
                    }
                }
                Step::Solutions(size, _) if !is_one(Some(size)) => return false,
                Step::Unknown(_) => return false,
                Step::Goal(inner, _) => open.push(inner),
                // A cleanup goal may still run.
                Step::PartOf(inner) if matches!(inner.end, End::Either(_)) => return false,
                // All other goals have at most one solution, or their choice points were cut.
                _ => {}
            }
        }
        match &tree.end {
            End::Success(_) | End::Fail => {}
            End::Either(parts) => open.extend(parts),
            // Branches that are not cut are tried next.
            End::Each(parts) if parts.len() > 1 => return false,
            End::Each(parts) => open.extend(parts),
        }
    }
    true
}

/// Returns whether there is at most one solution.
pub(crate) fn is_one(solutions: Option<&Size>) -> bool {
    let upper = solutions.and_then(|size| size.upper.as_ref());
    let most = upper.and_then(Expr::as_constant);
    most.is_some_and(|most| most <= costlens_algebra::rat(1))
}

/// Returns whether a call whose clauses have these runs, in order, may raise an exception after a success.
pub(crate) fn may_raise_later(
    runs: &[ClauseRun],
    clauses: &[Clause],
    inside: &dyn Fn(usize, &CallStep) -> bool,
) -> bool {
    runs.iter().enumerate().any(|(place, run)| {
        if run.tree.exits().is_empty() {
            return false;
        }
        let commits = clauses.get(run.clause).is_some_and(commits);
        let later = &runs[place + 1..];
        run.raises && !is_over(&run.tree, inside) || !commits && later.iter().any(|run| run.raises)
    })
}

/// Returns whether a clause has passed one of its own cuts when it succeeds, so that no later clause is tried.
fn commits(clause: &Clause) -> bool {
    let bodies = clause.guard.into_iter().chain(clause.body);
    clause.kind == ClauseKind::SingleSided
        || bodies
            .flat_map(|body| conjuncts(&clause.terms, body))
            .any(|goal| Goal::lower(&clause.terms, goal) == Goal::Cut)
}
