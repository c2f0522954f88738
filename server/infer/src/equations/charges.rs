//! The cost of a successful clause run, if it is a sum along a single path.
//!
//! `inc([1|T], [0|R]) :- inc(T, R)` takes one step in addition to the steps of the call. The cost of a run is such a sum only if the run
//! explores nothing else: no other clause is tried, no earlier literal has a second solution, and no goal runs separately (such as a
//! condition that calls predicates). Later backtracking into the run explores only the literals' remaining solutions, which are included in
//! their cost.

use costlens_algebra::{Expr, rat};
use costlens_recurrences::Value;

use crate::summary::Summary;
use crate::tree::{CallStep, ClauseRun, End, Exit, Step, Tree};
use crate::world::World;
use crate::world::lookup::values_at;

/// A path through a clause.
#[derive(Default)]
pub(crate) struct Path<'t> {
    /// The number of clause entries on the path.
    pub(crate) entries: i64,
    pub(crate) calls: Vec<&'t CallStep>,
}

/// Returns the path to an exit, if the run explores nothing else.
pub(crate) fn path<'t>(clauses: &'t [ClauseRun], exit: &Exit) -> Option<Path<'t>> {
    let [only] = clauses else { return None };
    let mut path = Path::default();
    let mut tree = &*only.tree;
    loop {
        let mut steps: Vec<&Step> = tree.steps.iter().rev().collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter => path.entries += 1,
                Step::Call(call) if has_at_most_one_solution(call) => path.calls.push(call),
                Step::Maybe | Step::Count(_) | Step::Test(_) => {}
                Step::Once(inner, _) | Step::Failed(inner) if is_free(inner) => {}
                // The goals before a cut have succeeded.
                Step::Once(inner, _) if matches!(inner.end, End::Success(_)) => {
                    steps.extend(inner.steps.iter().rev());
                }
                _ => return None,
            }
        }
        match &tree.end {
            End::Success(own) => return std::ptr::eq(&raw const **own, exit).then_some(path),
            // Exactly one of the parts runs.
            End::Either(parts) => {
                let leads = |t: &&Tree| t.exits().iter().any(|e| std::ptr::eq(*e, exit));
                tree = parts.iter().find(leads)?;
            }
            End::Fail | End::Each(_) => return None,
        }
    }
}

fn has_at_most_one_solution(call: &CallStep) -> bool {
    (call.solutions.as_ref())
        .and_then(|s| s.upper.as_ref()?.as_constant())
        .is_some_and(|most| most <= rat(1))
}

/// Returns whether a goal takes no steps, because it consists only of tests and built-ins.
fn is_free(tree: &Tree) -> bool {
    let mut stack = vec![tree];
    while let Some(tree) = stack.pop() {
        for step in &tree.steps {
            match step {
                Step::Maybe | Step::Count(_) | Step::Test(_) => {}
                Step::Once(t, _) | Step::Failed(t) | Step::PartOf(t) => stack.push(t),
                _ => return false,
            }
        }
        match &tree.end {
            End::Success(_) | End::Fail => {}
            End::Either(parts) | End::Each(parts) => stack.extend(parts),
        }
    }
    true
}

/// Returns an upper bound on the cost of a call to a solved predicate, if the bound is a single linear expression.
pub(crate) fn solved_cost(call: &CallStep, summary: &Summary, world: &World) -> Option<Expr> {
    let here = world.region().and_all(&call.facts);
    let settled = world.restricted(here).unsplit();
    let values = values_at(
        &summary.all.upper,
        &summary.vars(),
        &call.args,
        &settled,
        &|_| false,
    )
    .ok()?;
    match &values[..] {
        [(Value::Known(_), Some(size))] => size.upper.clone().filter(Expr::is_linear),
        _ => None,
    }
}
