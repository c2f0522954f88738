//! Terms that are called as goals. SWI-Prolog compiles the term to a clause before any of its goals runs, and raises an exception if a part
//! of its control constructs cannot be a goal.
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
use crate::lattice::types::{TextType, Type};
use crate::state::{Binding, State};
use crate::tree::Step;

impl Runner<'_> {
    /// Records that calling a term may raise an exception because the term is not a valid goal.
    pub(super) fn converted(&self, point: &mut Point, terms: &Terms, goal: TermId) {
        if may_be_no_goal(&point.state, terms, goal) {
            self.errors.set(true);
            point.steps.push(Step::Maybe);
            point.sure = false;
        }
    }

    /// Records the possible exceptions for the goal arguments of a goal, except for control constructs, which are compiled in place, and
    /// `catch/3`, which also catches them.
    pub(super) fn converted_arguments(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
        lowered: Goal<'_>,
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

/// Returns whether some part of a term's control constructs may not be a valid goal.
fn may_be_no_goal(state: &State, terms: &Terms, goal: TermId) -> bool {
    let goal = state.resolve(terms, goal);
    let mut stack = vec![goal];
    while let Some(t) = stack.pop() {
        let t = state.resolve(terms, t);
        let is_part = t != goal;
        let may_be_none = match Goal::lower(terms, t) {
            Goal::Not(inner) => {
                stack.push(inner);
                false
            }
            Goal::Qualified { module, goal } => {
                stack.push(goal);
                terms.as_atom(state.resolve(terms, module)).is_none()
            }
            Goal::Variable(v) => match &state.values[v as usize] {
                Binding::Known(d) => d.ty.text() != Some(TextType::Atom) && d.ty != Type::Free,
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
