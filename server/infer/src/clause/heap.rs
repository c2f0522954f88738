//! Counting the cells that SWI-Prolog builds ([`costlens_compile::heap`]).
//!
//! ```prolog
//! app([H|T], L, [H|R]) :- app(T, L, R).        % a list cell where the clause is entered
//! dbl([X|Xs], [Y|Ys]) :- Y is 2*X, dbl(Xs, Ys).   % another one, and the expression 2*X unless it is compiled
//! ```
//!
//! Cells of a head that does not match, or whose leading tests fail, are freed at once and do not count.

use std::sync::Arc;

use costlens_body::{Goal, last_goals};
use costlens_catalog::{find, is_control_construct, is_expanded_by_apply_macros, meta_arguments};
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

/// Built-ins that build a list and nothing else, three cells for each element, and the argument that is as long: the list that is made, or
/// the one that is sorted, whether or not elements are dropped later.
const LISTS: &[(&str, usize, usize)] = &[
    ("atom_chars", 2, 1),
    ("atom_codes", 2, 1),
    ("msort", 2, 0),
    ("sort", 2, 0),
    ("sort", 4, 2),
    // A term of an unbound one has fewer.
    ("=..", 2, 1),
];

/// Built-ins that build nothing, other than tests and unification.
const NOTHING: &[(&str, usize)] = &[
    ("arg", 3),
    ("atom_concat", 3),
    ("atom_length", 2),
    ("between", 3),
    ("char_code", 2),
    ("compare", 3),
    ("nb_getval", 2),
    ("nl", 0),
    ("plus", 3),
    ("string_length", 2),
    ("succ", 2),
    ("tab", 1),
    ("upcase_atom", 2),
];

/// The cells of `length/2`, which is written in Prolog, beside the list that it makes.
const LENGTH: u64 = 2;

impl Runner<'_> {
    /// The variables of a clause whose cells are counted.
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

    /// Counts what the head of a clause that is entered has built.
    pub(super) fn count_head_cells(&self, point: &mut Point, terms: &Terms, head: TermId) {
        if self.counting != Some(Vocabulary::Heap) {
            return;
        }
        let modes = self.head_modes(terms, head, false);
        for &argument in terms.args(head) {
            self.count_built(point, heap::unified(terms, argument, &modes));
        }
    }

    /// Counts what a goal builds before it runs, and what a built-in builds inside.
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
        // A goal in a term that is called finds all its arguments built.
        let is_called = text != goal || !built.variables.has_goal(text);
        if heap::is_in_place(name, arity) {
            return;
        }
        // A goal that a closure was made into is written nowhere.
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
            // Macros may have a predicate of its own in the place of the call and the closure.
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

    /// Counts what a built-in builds inside, now or when it has succeeded; false where that is not known.
    fn inside(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        (name, arity): (&str, usize),
    ) -> bool {
        let first = scope.terms.args(goal).first();
        let ty = first.map(|&t| point.state.datum(scope.terms, t).ty);
        match (name, arity) {
            ("length", 2) => {
                let cells = Count {
                    least: LENGTH,
                    most: LENGTH,
                };
                self.count_built(point, Built::both(cells));
                let is_list = matches!(ty, Some(Type::List(_)));
                point.makes = (!is_list).then_some(0);
                true
            }
            // It passes an unbound end, and makes a partial list longer.
            ("memberchk", 2) => {
                let list = scope.terms.args(goal)[1];
                let ty = point.state.datum(scope.terms, list).ty;
                self.count_built(point, Built::both(Count { least: 0, most: 1 }));
                matches!(ty, Type::List(_))
            }
            ("throw" | "copy_term", _) => {
                let copied = first.and_then(|&t| copied(&point.state, scope.terms, t));
                let copied = copied.and_then(|e| e.as_constant()?.to_integer().to_u64());
                let Some(cells) = copied else { return false };
                let most = cells + 1;
                self.count_built(point, Built::both(Count { least: 0, most }));
                true
            }
            // A type that is a word is tested in place.
            ("must_be", 2) => first.is_some_and(|&t| scope.terms.as_atom(t).is_some()),
            _ => {
                point.makes = list_made(name, arity);
                point.makes.is_some() || builds_nothing(scope.terms, goal)
            }
        }
    }

    /// Counts what a built-in has built that has succeeded.
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
            // Integers that do not fit a cell are none of the model.
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

/// Built-ins that build nothing but their arguments.
fn builds_nothing(terms: &Terms, goal: TermId) -> bool {
    match Goal::of(terms, goal) {
        Goal::Compare(..) | Goal::CompareTerms(..) | Goal::Type(..) => true,
        Goal::Unify(..) | Goal::NotUnifiable(..) | Goal::Is { .. } => true,
        _ => functor(terms, goal).is_some_and(|(name, arity)| {
            NOTHING.contains(&(name, arity))
                || find(name, arity).is_some_and(|p| p.most_bindings == Some(0))
        }),
    }
}

/// The argument that is as long as the list that a built-in makes.
fn list_made(name: &str, arity: usize) -> Option<usize> {
    let mut lists = LISTS.iter();
    lists
        .find(|(n, a, _)| (*n, *a) == (name, arity))
        .map(|(_, _, argument)| *argument)
}

fn functor(terms: &Terms, goal: TermId) -> Option<(&str, usize)> {
    let (name, arity) = terms.functor(goal)?;
    Some((name.as_str(), arity))
}
