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
use costlens_events::{Count, Event};
use costlens_program::Clause;
use costlens_syntax::term::{TermId, Terms};
use num_traits::ToPrimitive as _;
use rustc_hash::FxHashSet;

use super::Runner;
use super::heap_of_calls::copied;
use super::instructions::is_made;
use super::point::model::{Aggregated, Copies, CostModel, Head, Literal, PointModel, unified};
use super::point::{ClauseScope, Point};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::report::Functor;
use crate::tree::Step;
use crate::world::questions::{Split, Truth};

/// The model of a clause whose cells are counted.
pub(super) struct HeapClause {
    variables: heap::Variables,
    /// The source terms, or `None` if they are unknown because closures replaced goals other than calls.
    terms: Option<Arc<Terms>>,
    /// True for a specialised copy of a predicate: its goals contain terms of the closure, which the copy does not build.
    is_copy: bool,
    /// The literals after which the clause has nothing left to run.
    last: FxHashSet<TermId>,
}

impl HeapClause {
    pub(super) fn new(runner: &Runner<'_>, clause: &Clause, index: usize) -> Self {
        let written = runner.written_terms(clause, index);
        let terms = written.as_ref().unwrap_or(&clause.terms);
        let goals: Vec<TermId> = clause.guard.into_iter().chain(clause.body).collect();
        HeapClause {
            variables: heap::Variables::collect(terms, clause.head, &goals),
            is_copy: is_made(&runner.nodes[runner.node].name.name),
            last: (clause.body.into_iter())
                .flat_map(|body| last_goals(terms, body))
                .collect(),
            terms: written,
        }
    }

    /// Counts the cells for the arguments of a goal that is written in the clause.
    fn count_arguments(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
    ) {
        let mut written = goal;
        while let Goal::Qualified { goal, .. } = Goal::lower(terms, written) {
            written = goal;
        }
        let modes = (scope.runner).goal_modes(&point.state, scope.terms, goal);
        let of = heap::HeapGoal {
            terms,
            goal: written,
            variables: &self.variables,
            is_last: self.last.contains(&goal),
        };
        let mut cells = heap::goal(of, &modes, &mut point.state.met);
        // A macro may replace the call and its closure with a specialised predicate.
        let is_macro = (terms.functor(goal))
            .is_some_and(|(name, arity)| is_expanded_by_apply_macros(name, arity));
        if self.is_copy || is_macro {
            cells = cells.perhaps();
        }
        point.count_built(cells);
    }
}

impl CostModel for HeapClause {
    fn start(&self) -> PointModel {
        PointModel::Heap(None)
    }

    fn head(
        &self,
        _: &ClauseScope<'_>,
        point: &mut Point,
        truths: &[Truth],
    ) -> Result<Head, Split> {
        point.state.met = self.variables.met();
        Ok(unified(point, truths))
    }

    /// Counts the cells that the head of the clause builds.
    fn enters(&self, scope: &ClauseScope<'_>, point: &mut Point, clause: &Clause) {
        let terms = scope.terms;
        let modes = scope.runner.head_modes(terms, clause.head, false);
        for &argument in terms.args(clause.head) {
            point.count_built(heap::unified(terms, argument, &modes));
        }
    }

    /// Counts the cells for a goal's arguments, built before the goal runs, and those that a built-in allocates internally.
    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let Literal { goal, text } = literal;
        point.builds(None);
        let runner = scope.runner;
        let Some((name, arity)) = functor(scope.terms, goal) else {
            return;
        };
        // A goal in a called term finds its arguments already built.
        let is_called = !literal.is_written() || !self.variables.has_goal(text);
        if heap::is_in_place(name, arity) {
            return;
        }
        // The source text contains no counterpart to a goal that was made from a closure.
        let Some(terms) = self.terms.as_ref().filter(|terms| terms.holds(goal)) else {
            let reason = "which closures the clause builds is not known".to_owned();
            runner.does_not_know(scope, point, goal, reason);
            return;
        };
        if !is_called {
            self.count_arguments(scope, point, terms, goal);
        }
        let callee = Functor::new(name.to_owned(), arity);
        let qualified = runner.qualified(terms, goal, &callee, is_called);
        if let Some(count) = qualified {
            point.count_built(Built::both(count));
        }
        let is_own = runner.is_own(scope.terms, goal);
        let calls = !is_made(name)
            && (!meta_arguments(name, arity).is_empty()
                || !is_own && is_control_construct(name, arity));
        let is_known = qualified.is_some()
            && match calls {
                true => runner.inside_call(point, Goal::lower(scope.terms, goal)),
                false => is_own || count_internal(scope.terms, point, goal, name, arity),
            };
        if !is_known {
            let reason = format!("what `{name}/{arity}` builds is not known");
            runner.does_not_know(scope, point, goal, reason);
        }
    }

    fn begins_control(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        self.begins(scope, point, literal);
    }

    fn ends(&self, scope: &ClauseScope<'_>, point: &mut Point, text: TermId, truth: Truth) {
        if truth != Truth::False {
            count_result(scope, point, text);
        }
        point.note(truth);
    }

    fn finds_all(&self, scope: &ClauseScope<'_>, point: &mut Point, copies: &Copies<'_>) {
        scope.runner.count_copies(scope, point, copies);
    }

    fn aggregates(&self, scope: &ClauseScope<'_>, point: &mut Point, aggregated: &Aggregated<'_>) {
        scope.runner.count_aggregated(scope, point, aggregated);
    }
}

impl Point {
    /// Records the list that the running built-in builds, if it builds one.
    fn builds(&mut self, list: Option<TermId>) {
        self.model = PointModel::Heap(list);
    }

    pub(super) fn count_built(&mut self, built: Built) {
        let built = match self.state.met.is_lost {
            true => built.perhaps(),
            false => built,
        };
        self.count(built.counts());
    }
}

impl Runner<'_> {
    pub(super) fn does_not_know(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        reason: String,
    ) {
        point.state.met.is_lost = true;
        point.count_built(Built::both(UNKNOWN));
        self.obstacle(scope, point, Some(goal), reason, "");
    }
}

/// Counts the cells that a built-in allocates internally, either now or on success. Returns false if the number is unknown.
fn count_internal(
    terms: &Terms,
    point: &mut Point,
    goal: TermId,
    name: &str,
    arity: usize,
) -> bool {
    let args = terms.args(goal);
    let is_list = |argument: usize| {
        let datum = args.get(argument).map(|&t| point.state.datum(terms, t));
        datum.is_some_and(|d| matches!(d.ty, Type::List(_)))
    };
    let counted = match cells(name, arity) {
        Some(Cells::AndList(fixed, list)) => {
            let makes = args.get(list).filter(|_| !is_list(list));
            point.builds(makes.copied());
            Count {
                least: fixed,
                most: fixed,
            }
        }
        Some(Cells::End(list)) => {
            let is_known = is_list(list);
            point.count_built(Built::both(Count { least: 0, most: 1 }));
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
            if let Some(Cells::List(argument)) = built {
                point.builds(args.get(argument).copied());
            }
            return built.is_some() || builds_nothing(Goal::lower(terms, goal));
        }
    };
    point.count_built(Built::both(counted));
    true
}

/// Counts the cells that a built-in has allocated on success.
fn count_result(scope: &ClauseScope<'_>, point: &mut Point, text: TermId) {
    let terms = scope.terms;
    let list = match std::mem::replace(&mut point.model, PointModel::Heap(None)) {
        PointModel::Heap(list) => list,
        _ => None,
    };
    let datum = |t: TermId| point.state.datum(terms, t);
    if let Goal::Is { result, .. } = Goal::lower(terms, point.state.resolve(terms, text)) {
        // In this model, every integer fits into a cell.
        let most = match datum(result).ty == Type::Int {
            true => 0,
            false => BOXED,
        };
        point.count_built(Built::both(Count { least: 0, most }));
    } else if let Some(list) = list {
        let length = datum(list).measured(Metric::Length).upper;
        let size = Size::between_zero_and(&length.map(|n| n.scale(&costlens_algebra::rat(3))));
        for optimised in [false, true] {
            let event = Event::GlobalCells { optimised };
            let work = Step::Work(Box::new((event, size.clone())));
            point.steps.push(work);
        }
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
