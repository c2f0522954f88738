//! Terms that are called. Before the first goal in it runs, SWI-Prolog makes a clause of the term, and raises an exception where something in its control
//! constructs can be no goal.
//!
//! ```prolog
//! q(A) :- catch((fail, A), _, true).     % q(1) succeeds: `fail, 1` is no goal, and nothing of it runs
//! r :- catch((fail, lists:1), _, true).  % so does r
//! ```

use costlens_catalog::goal_arguments;
use costlens_syntax::term::{NIL, Term, TermId, Terms};

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
    pub(super) fn converted_arguments(&self, point: &mut Point, terms: &Terms, goal: TermId) {
        let Some((name, arity)) = terms.functor(goal) else {
            return;
        };
        let is_elsewhere = matches!(
            name.as_str(),
            "," | ";"
                | "|"
                | "->"
                | "*->"
                | "\\+"
                | "call"
                | "catch"
                | "catch_with_backtrace"
                | "time"
                | "setup_call_cleanup"
                | "call_cleanup"
        );
        if is_elsewhere {
            return;
        }
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
        let may_be_none = match terms.get(t) {
            Term::Compound(name, _) => {
                let args = terms.args(t);
                match (name.as_str(), args) {
                    ("," | ";" | "|" | "->" | "*->", [_, _]) | ("\\+", [_]) => {
                        stack.extend(args);
                        false
                    }
                    (":", &[module, inner]) => {
                        stack.push(inner);
                        terms.as_atom(state.resolve(terms, module)).is_none()
                    }
                    _ => false,
                }
            }
            Term::Var(v) => match &state.values[*v as usize] {
                Value::Known(d) => d.ty.text() != Some(Text::Atom) && d.ty != Type::Free,
                _ => false,
            },
            Term::Atom(name) => name == NIL,
            _ => true,
        };
        if is_part && may_be_none {
            return true;
        }
    }
    false
}
