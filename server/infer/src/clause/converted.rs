//! Terms that are called. Before the first goal in it runs, SWI-Prolog makes a clause of the term, and raises an exception where something in its control
//! constructs can be no goal.
//!
//! ```prolog
//! q(A) :- catch((fail, A), _, true).     % q(1) succeeds: `fail, 1` is no goal, and nothing of it runs
//! r :- catch((fail, lists:1), _, true).  % so does r
//! ```

use costlens_body::Goal;
use costlens_catalog::goal_arguments;
use costlens_syntax::term::{NIL, TermId, Terms};

use super::Runner;
use super::point::Point;
use crate::lattice::types::{Text, Type};
use crate::state::{State, Value};
use crate::tree::Step;

impl Runner<'_> {
    /// Takes into account that a term may not be called at all.
    pub(super) fn converted(&self, point: &mut Point, terms: &Terms, goal: TermId) {
        if may_be_no_goal(&point.state, terms, goal) {
            self.errors.set(true);
            point.steps.push(Step::Maybe);
            point.sure = false;
        }
    }

    /// The same for what a goal calls, but for control constructs, which are compiled where they stand, and `catch/3`, which catches that, too.
    pub(super) fn converted_arguments(
        &self,
        point: &mut Point,
        terms: &Terms,
        (goal, lowered): (TermId, Goal<'_>),
    ) {
        let is_elsewhere = matches!(
            lowered,
            Goal::Conjunction(..)
                | Goal::Disjunction(..)
                | Goal::Bar(..)
                | Goal::IfThen { .. }
                | Goal::IfThenElse { .. }
                | Goal::Not(_)
                | Goal::CallN { .. }
                | Goal::Catch { .. }
                | Goal::Timed(_)
                | Goal::Cleanup { .. }
        );
        let Some((name, arity)) = terms.functor(goal).filter(|_| !is_elsewhere) else {
            return;
        };
        for argument in goal_arguments(name, arity) {
            self.converted(point, terms, terms.args(goal)[argument]);
        }
    }
}

/// Tells whether something in the control constructs of a term may be no goal.
fn may_be_no_goal(state: &State, terms: &Terms, goal: TermId) -> bool {
    let goal = state.resolve(terms, goal);
    let mut stack = vec![goal];
    while let Some(t) = stack.pop() {
        let t = state.resolve(terms, t);
        let is_part = t != goal;
        let may_be_none = match Goal::of(terms, t) {
            Goal::Not(inner) => {
                stack.push(inner);
                false
            }
            Goal::Qualified { module, goal } => {
                stack.push(goal);
                terms.as_atom(state.resolve(terms, module)).is_none()
            }
            Goal::Variable(v) => match &state.values[v as usize] {
                Value::Known(d) => d.ty.text() != Some(Text::Atom) && d.ty != Type::Free,
                _ => false,
            },
            Goal::NotCallable | Goal::Unreadable => true,
            lowered => {
                stack.extend(lowered.branches());
                terms.as_atom(t).is_some_and(|name| name == NIL)
            }
        };
        if is_part && may_be_none {
            return true;
        }
    }
    false
}
