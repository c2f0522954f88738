//! The cost of a successful call, as a sum along the path to the exit of a clause.
//!
//! `inc([1|T], [0|R]) :- inc(T, R)` takes one step in addition to the steps of the call. The cost of a call is such a sum if each literal on
//! the path has at most one solution. Everything else that the call may run counts in full: the clauses before and after the one that
//! succeeds, and conditions that do not hold. Later backtracking into the run explores only the literals' remaining solutions, which are
//! included in their cost.

use std::borrow::Cow;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, rat};
use costlens_recurrences::Value;

use super::quantity::CostColumn;
use crate::lattice::size::Size;
use crate::tree::{CallStep, Callee, ClauseRun, End, Exit, Quantity, Step, Tree};
use crate::world::World;
use crate::world::lookup::values_at;

/// A path through the clauses of a predicate.
#[derive(Default)]
pub(crate) struct Path<'t> {
    /// An upper bound on the number of clause entries.
    pub(crate) entries: i64,
    /// The built-ins and arithmetic functions that may run.
    pub(crate) built_ins: i64,
    /// The work of built-ins that may run, where it depends on their arguments.
    pub(crate) works: Vec<&'t Size>,
    /// The calls on the path. They succeed, and run over all solutions or to their first solution.
    pub(crate) calls: Vec<(&'t CallStep, Quantity)>,
    /// Other calls that may run.
    pub(crate) others: Vec<&'t CallStep>,
    /// True if the exit is never the first solution: an earlier clause has one.
    pub(crate) is_later: bool,
}

/// Returns the path to an exit, or `None` if its cost is no sum. If only the cost to the first solution is wanted, nothing runs after the
/// exit.
pub(crate) fn path<'t>(
    clauses: &'t [ClauseRun],
    exit: &Exit,
    quantity: Quantity,
) -> Option<Path<'t>> {
    let own = clauses.iter().position(|run| leads(&run.tree, exit))?;
    let mut path = Path::default();
    for run in &clauses[..own] {
        // If the clause reached its cut, the later clause would not succeed.
        let tree = run.tree.cut_first().unwrap_or(&run.tree);
        match quantity {
            Quantity::First => path.fails(tree)?,
            _ => path.may_run(tree)?,
        }
    }
    path.succeeds(&clauses[own].tree, exit, quantity)?;
    if quantity == Quantity::All && clauses[own].tree.cut_first().is_none() {
        for run in &clauses[own + 1..] {
            path.may_run(&run.tree)?;
        }
    }
    Some(path)
}

/// Returns whether an exit belongs to a tree.
fn leads(tree: &Tree, exit: &Exit) -> bool {
    tree.exits().iter().any(|e| std::ptr::eq(*e, exit))
}

impl<'t> Path<'t> {
    /// Adds the run of a clause up to its exit, and what it may run besides.
    fn succeeds(&mut self, tree: &'t Tree, exit: &Exit, quantity: Quantity) -> Option<()> {
        let mut tree = tree;
        loop {
            self.passes(tree, quantity)?;
            match &tree.end {
                End::Success(own) => return std::ptr::eq(&raw const **own, exit).then_some(()),
                // Exactly one of the parts runs.
                End::Either(parts) => tree = parts.iter().find(|t| leads(t, exit))?,
                End::Fail | End::Each(_) => return None,
            }
        }
    }

    /// Adds the steps of a tree; all its steps succeed.
    fn passes(&mut self, tree: &'t Tree, quantity: Quantity) -> Option<()> {
        // The goals before cuts nest as deep as a clause has cuts.
        let mut open = vec![(tree, quantity)];
        while let Some((tree, quantity)) = open.pop() {
            for (i, step) in tree.steps.iter().enumerate() {
                match step {
                    Step::Enter => self.entries += 1,
                    Step::Call(call) => {
                        let last = quantity == Quantity::First && tree.is_last_to_fail(i);
                        match last {
                            true => self.calls.push((call, Quantity::First)),
                            false if has_at_most_one_solution(call) => {
                                self.calls.push((call, Quantity::All));
                            }
                            false => return None,
                        }
                    }
                    // The goals before a cut have succeeded.
                    Step::Once(inner, _) if matches!(inner.end, End::Success(_)) => {
                        open.push((inner, Quantity::First));
                    }
                    Step::Once(inner, _) | Step::Failed(inner) => self.may_run(inner)?,
                    step => self.other(step)?,
                }
            }
        }
        Some(())
    }

    /// Adds the steps that a failing tree may run: those up to the last step that may fail.
    fn fails(&mut self, tree: &'t Tree) -> Option<()> {
        let last = tree.steps.iter().rposition(|step| !step.cannot_fail());
        match last {
            _ if !tree.end_cannot_fail() => self.may_run(tree),
            Some(last) => self.may_run_all(vec![&tree.steps[..=last]], Vec::new()),
            None => {
                self.is_later = true;
                Some(())
            }
        }
    }

    /// Adds everything that a tree may run.
    fn may_run(&mut self, tree: &'t Tree) -> Option<()> {
        self.may_run_all(Vec::new(), vec![tree])
    }

    fn may_run_all(&mut self, mut steps: Vec<&'t [Step]>, mut trees: Vec<&'t Tree>) -> Option<()> {
        loop {
            while let Some(steps) = steps.pop() {
                for step in steps {
                    match step {
                        Step::Enter => self.entries += 1,
                        Step::Call(call) if has_at_most_one_solution(call) => {
                            self.others.push(call);
                        }
                        Step::Once(inner, _) | Step::Failed(inner) | Step::PartOf(inner) => {
                            trees.push(inner);
                        }
                        step => self.other(step)?,
                    }
                }
            }
            let Some(tree) = trees.pop() else {
                return Some(());
            };
            steps.push(&tree.steps);
            if let End::Either(parts) | End::Each(parts) = &tree.end {
                trees.extend(parts);
            }
        }
    }

    /// Adds a step that must enter no clause and have at most one solution.
    fn other(&mut self, step: &'t Step) -> Option<()> {
        match step {
            Step::BuiltIn(calls) => self.built_ins += i64::from(*calls),
            Step::Work(work) => self.works.push(&work.1),
            Step::Maybe
            | Step::Count(_)
            | Step::Test(_)
            | Step::Tested(_)
            | Step::Sizes(..)
            | Step::Integers(_) => {}
            _ => return None,
        }
        Some(())
    }
}

fn has_at_most_one_solution(call: &CallStep) -> bool {
    (call.solutions.as_ref())
        .and_then(|s| s.upper.as_ref()?.as_constant())
        .is_some_and(|most| most <= rat(1))
}

/// Returns an upper bound on the cost of a call to a solved predicate, steps or work, if the bound is a single linear expression. `facts` are
/// those that hold when it is called, or after its success if it succeeds.
pub(crate) fn solved_cost(
    call: &CallStep,
    (column, quantity): (&CostColumn, Quantity),
    world: &World,
    facts: &Region,
) -> Option<Expr> {
    let Callee::Outside(summary) = &call.callee else {
        return None;
    };
    let here = world.region().and_all(facts);
    let settled = world.restricted(here).unsplit();
    let steps = match quantity {
        Quantity::First => &summary.first,
        _ => &summary.all,
    };
    let sides = match (column, quantity) {
        (CostColumn::Work, Quantity::First) => Cow::Owned(summary.work.sides(steps, |w| &w.first)),
        (CostColumn::Work, _) => Cow::Owned(summary.work.sides(steps, |w| &w.all)),
        _ => Cow::Borrowed(steps),
    };
    let values = values_at(&sides.upper, &summary.vars(), &call.args, &settled, &|_| {
        false
    })
    .ok()?;
    match &values[..] {
        [(Value::Known(_), Some(size))] => size.upper.clone().filter(Expr::is_linear),
        _ => None,
    }
}
