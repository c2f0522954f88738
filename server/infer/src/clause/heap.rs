//! Counts of the heap cells that SWI-Prolog builds ([`costlens_compile::heap`]).
//!
//! ```prolog
//! app([H|T], L, [H|R]) :- app(T, L, R).        % a list cell where the clause is entered
//! dbl([X|Xs], [Y|Ys]) :- Y is 2*X, dbl(Xs, Ys).   % another one, and the expression 2*X unless it is compiled
//! ```
//!
//! Cells are freed immediately, and not counted, if the head does not match or a leading test fails.

use std::sync::Arc;

use costlens_body::{Goal, last_goals};
use costlens_catalog::{
    Cells, cells, is_control_construct, is_expanded_by_apply_macros, meta_arguments,
};
use costlens_compile::heap::{self, BOXED, Built, UNKNOWN};
use costlens_events::{Count, Event, Vocabulary};
use costlens_program::Clause;
use costlens_syntax::term::{TermId, Terms};
use num_traits::ToPrimitive as _;

use super::Runner;
use super::heap_of_calls::copied;
use super::instructions::is_made;
use super::point::{BuiltClause, ClauseScope, Point};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::report::Functor;
use crate::tree::Step;
use crate::world::questions::Truth;

impl Runner<'_> {
    /// Returns the variables of a clause if cells are counted.
    pub(super) fn built_clause(&self, clause: &Clause, index: usize) -> Option<BuiltClause> {
        if self.counting != Some(Vocabulary::Heap) {
            return None;
        }
        let written = self.written_terms(clause, index);
        let terms = written.as_ref().unwrap_or(&clause.terms);
        let goals: Vec<TermId> = clause.guard.into_iter().chain(clause.body).collect();
        Some(BuiltClause {
            variables: heap::Variables::of(terms, clause.head, &goals),
            is_copy: is_made(&self.nodes[self.node].name.name),
            last: (clause.body.into_iter())
                .flat_map(|body| last_goals(terms, body))
                .collect(),
            terms: written,
        })
    }

    /// Counts the cells that the head of an entered clause builds.
    pub(super) fn count_head_cells(&self, point: &mut Point, terms: &Terms, head: TermId) {
        if self.counting != Some(Vocabulary::Heap) {
            return;
        }
        let modes = self.head_modes(terms, head, false);
        for &argument in terms.args(head) {
            self.count_built(point, heap::unified(terms, argument, &modes));
        }
    }

    /// Counts the cells for a goal's arguments, built before the goal runs, and those that a built-in allocates internally.
    pub(super) fn count_cells(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        text: TermId,
    ) {
        let (Some(built), Some((name, arity))) = (&scope.built, functor(scope.terms, goal)) else {
            return;
        };
        // A goal in a called term finds its arguments already built.
        let is_called = text != goal || !built.variables.has_goal(text);
        if heap::is_in_place(name, arity) {
            return;
        }
        // The source text contains no counterpart to a goal that was made from a closure.
        let Some(terms) = built.terms.as_ref().filter(|terms| terms.holds(goal)) else {
            let reason = "which closures the clause builds is not known".to_owned();
            self.does_not_know(scope, point, goal, reason);
            return;
        };
        if !is_called {
            let mut written = goal;
            while let Goal::Qualified { goal, .. } = Goal::of(terms, written) {
                written = goal;
            }
            let modes = self.goal_modes(&point.state, scope.terms, goal);
            let of = heap::Goal {
                terms,
                goal: written,
                variables: &built.variables,
                is_last: built.last.contains(&goal),
            };
            let mut cells = heap::goal(of, &modes, &mut point.state.met);
            // A macro may replace the call and its closure by a specialised predicate.
            let is_macro = (terms.functor(goal))
                .is_some_and(|(name, arity)| is_expanded_by_apply_macros(name, arity));
            if built.is_copy || is_macro {
                cells = cells.perhaps();
            }
            self.count_built(point, cells);
        }
        let callee = Functor::new(name.to_owned(), arity);
        let is_known = match self.qualified(terms, (goal, &callee), is_called) {
            Some(count) => {
                self.count_built(point, Built::both(count));
                true
            }
            None => false,
        };
        let is_own = self.is_own(scope.terms, goal);
        let calls = !is_made(name)
            && (!meta_arguments(name, arity).is_empty()
                || !is_own && is_control_construct(name, arity));
        let is_known = is_known
            && match calls {
                true => self.inside_call(point, Goal::of(scope.terms, goal)),
                false => is_own || self.inside(scope, point, goal, (name, arity)),
            };
        if !is_known {
            let reason = format!("what `{name}/{arity}` builds is not known");
            self.does_not_know(scope, point, goal, reason);
        }
    }

    /// Counts the cells that a built-in allocates internally, either now or on success. Returns false if the number is unknown.
    fn inside(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        (name, arity): (&str, usize),
    ) -> bool {
        let terms = scope.terms;
        let args = terms.args(goal);
        let is_list = |argument: usize| {
            let datum = args.get(argument).map(|&t| point.state.datum(terms, t));
            datum.is_some_and(|d| matches!(d.ty, Type::List(_)))
        };
        let counted = match cells(name, arity) {
            Some(Cells::AndList(fixed, list)) => {
                let makes = (!is_list(list)).then_some(list);
                point.makes = makes;
                Count {
                    least: fixed,
                    most: fixed,
                }
            }
            Some(Cells::End(list)) => {
                let is_known = is_list(list);
                self.count_built(point, Built::both(Count { least: 0, most: 1 }));
                return is_known;
            }
            Some(Cells::Copy(argument)) => {
                let copied = (args.get(argument)).and_then(|&t| copied(&point.state, terms, t));
                let copied = copied.and_then(|e| e.as_constant()?.to_integer().to_u64());
                let Some(most) = copied.map(|cells| cells + 1) else {
                    return false;
                };
                Count { least: 0, most }
            }
            Some(Cells::NoneOfAtom(argument)) => {
                return args
                    .get(argument)
                    .is_some_and(|&t| terms.as_atom(t).is_some());
            }
            built => {
                point.makes = match built {
                    Some(Cells::List(argument)) => Some(argument),
                    _ => None,
                };
                return built.is_some() || builds_nothing(Goal::of(terms, goal));
            }
        };
        self.count_built(point, Built::both(counted));
        true
    }

    /// Counts the cells that a built-in has allocated on success.
    pub(super) fn count_result(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        truth: Truth,
    ) {
        if scope.built.is_none() || functor(scope.terms, goal).is_none() {
            return;
        }
        let makes = point.makes.take();
        if truth == Truth::False {
            return;
        }
        let datum = |t: TermId| point.state.datum(scope.terms, t);
        if let Goal::Is { result, .. } = Goal::of(scope.terms, goal) {
            // In this model, every integer fits into a cell.
            let most = if datum(result).ty == Type::Int {
                0
            } else {
                BOXED
            };
            let count = Count { least: 0, most };
            self.count_built(point, Built::both(count));
        } else if let Some(argument) = makes {
            let list = scope.terms.args(goal)[argument];
            let length = datum(list).measured(Metric::Length).upper;
            let size = Size::between_zero_and(&length.map(|n| n.scale(&costlens_algebra::rat(3))));
            for optimised in [false, true] {
                let event = Event::GlobalCells { optimised };
                let work = Step::Work(Box::new((event, size.clone())));
                point.steps.push(work);
            }
        }
    }

    pub(super) fn count_built(&self, point: &mut Point, built: Built) {
        let built = if point.state.met.is_lost {
            built.perhaps()
        } else {
            built
        };
        let counts = built.counts();
        if !counts.is_empty() {
            point.steps.push(Step::Count(Arc::new(counts)));
        }
    }

    pub(super) fn does_not_know(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        reason: String,
    ) {
        point.state.met.is_lost = true;
        self.count_built(point, Built::both(UNKNOWN));
        self.obstacle(scope, point, Some(goal), reason, "");
    }
}

/// Returns true for tests and unifications, which build only their arguments.
fn builds_nothing(goal: Goal<'_>) -> bool {
    matches!(
        goal,
        Goal::Compare(..)
            | Goal::CompareTerms(..)
            | Goal::Type(..)
            | Goal::Unify(..)
            | Goal::NotUnifiable(..)
            | Goal::Is { .. }
    )
}

fn functor(terms: &Terms, goal: TermId) -> Option<(&str, usize)> {
    let (name, arity) = terms.functor(goal)?;
    Some((name.as_str(), arity))
}
