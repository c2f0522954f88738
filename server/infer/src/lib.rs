//! Inference: from the clauses of one component and a call pattern to verified bounds.
//!
//! One component of the call graph is solved at a time, for one entry pattern; callees in other components are solved already
//! and enter as [`Summary`]. The phases, in order:
//!
//! 1. types on success, by a fixpoint over the (predicate, pattern) nodes of the component;
//! 2. sizes of outputs, as recurrences, lower and upper;
//! 3. numbers of solutions, likewise; what has at least one cannot fail;
//! 4. costs: to the first solution and over all, lower and upper.
//!
//! Each phase runs the clauses symbolically in all worlds, reads its quantity from the recorded runs as equations, and lets
//! `costlens_recurrences` solve and verify them. The floors, each above those that it uses:
//!
//! | module | what it holds |
//! |---|---|
//! | `event_costs` | bounds on other events than resolution steps |
//! | `readers` | what is read off a solved component: summaries, reports, causes, explanations, values, certificates |
//! | `amortised` | better bounds of loops that put something aside |
//! | `component` | the nodes of a component, and the phases over them |
//! | `equations` | recorded runs as recurrence equations |
//! | `clause` | the run of a clause, one file for each kind of goal |
//! | `tree` | what runs record, and which of them need not be repeated |
//! | `state` | bindings, unification and arithmetic at a point of a clause |
//! | `world` | what a run may assume of its arguments, and how it asks |
//! | `builtins`, `trusted` | what is known without clauses |
//! | `written` | what is known of clauses without running them |
//! | `program` | the seam: what inference may ask |
//! | `summary` | what callers know of a call, and of a call that is being solved |
//! | `report` | what users are told |
//! | `lattice` | types, sizes, weights |
//!
//! **Architecture invariant**: inference learns of the program through [`Program`] alone. It knows no salsa, no position and no caller;
//! a file ([`costlens_program::SourceFile`]) is an opaque name in causes and trust lines, which it hands on and never asks anything.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod amortised;
mod builtins;
mod clause;
mod component;
mod equations;
mod event_costs;
mod lattice;
mod program;
mod readers;
pub mod report;
mod state;
mod summary;
mod tree;
mod trusted;
mod world;
mod written;

use costlens_events::Vocabulary;

pub use builtins::shipped::{never_succeeds, stated_built_ins};
pub use builtins::{has_rules, time_shapes};
pub use clause::guards::type_test;
pub use component::DEFAULT_FUEL;
pub use lattice::{regular, types};
pub use program::{Program, WhyOpen};
pub use readers::certified::{Certified, certified};
pub use readers::followed::{Followed, FollowedCall, GoalCall};
pub use summary::amortised_bounds::Amortised;
pub use summary::event_bounds::{EventBounds, EventSummary, MOST_TOLD, Timed};
pub use summary::integers::{Integers, are_words};
pub use summary::pieces::{Pieces, Sides};
pub use summary::relation::Relation;
pub use summary::{Solved, Summary};
pub use trusted::events::{Otherwise, StatedEvents, event_of, stated_events, trusted_events};
pub use trusted::{Line, asserted, better::better, trusted, unforeseen, untrusted};
pub use written::membership;

use component::Component;
use report::{Breakdown, Evaluated, Functor, SizeVariable};
use types::Pattern;

/// Infers the bounds of a predicate for calls that fit the pattern.
#[must_use]
pub fn infer(entry: &Functor, pattern: &Pattern, program: &dyn Program, fuel: u64) -> Summary {
    if let Some(solved) = program.solved(entry, pattern)
        && !solved.is_alone
    {
        return Summary::clone(&solved.summary);
    }
    Component::new(entry, pattern, program, fuel).solve()
}

/// Infers the bounds of a predicate for calls that fit the pattern, and with them those of all calls of its component that they lead to.
#[must_use]
pub fn infer_together(
    entry: &Functor,
    pattern: &Pattern,
    program: &dyn Program,
    fuel: u64,
) -> Vec<Solved> {
    Component::new(entry, pattern, program, fuel).summaries()
}

/// Breaks the bound down to the calls in the clauses; `known` is the summary that [`infer`] gave for the same program and fuel. It runs
/// the phases again, so it is for those who look at one predicate.
#[must_use]
pub fn break_down(known: &Summary, program: &dyn Program, fuel: u64) -> Breakdown {
    let mut component = Component::new(&known.predicate, &known.pattern, program, fuel);
    let costs = component.phases_again(known);
    let summary = component.summary(&costs, 0);
    let mut found = readers::literals::breakdown(&component, &costs, &summary);
    found.evaluated = readers::tabulated::evaluated(&mut component, &costs, &summary);
    found
}

/// Upper bounds at given sizes, of which `known` is what [`infer`] gave for the same program and fuel. The points are chosen when it is
/// known which sizes matter.
#[must_use]
pub fn infer_at(
    known: &Summary,
    program: &dyn Program,
    fuel: u64,
    choose: &dyn Fn(&[SizeVariable]) -> Vec<Vec<i64>>,
) -> Evaluated {
    let mut component = Component::new(&known.predicate, &known.pattern, program, fuel);
    let costs = component.phases_again(known);
    let summary = component.summary(&costs, 0);
    readers::tabulated::evaluated_at(&mut component, &costs, &summary, choose)
}

/// Finds the calls that the calls of a predicate lead to, where `pattern` says of what types their arguments are. It runs the phases before the
/// costs again.
#[must_use]
pub fn follow(entry: &Functor, pattern: &Pattern, program: &dyn Program, fuel: u64) -> Followed {
    let mut component = Component::new(entry, pattern, program, fuel);
    component.before_costs();
    readers::followed::followed(&component)
}

/// Infers the bounds on all other events of a vocabulary than resolution steps, of which `steps` is what [`infer`] gave for the
/// same arguments.
#[must_use]
pub fn infer_events(
    steps: &Summary,
    vocabulary: Vocabulary,
    program: &dyn Program,
    fuel: u64,
) -> EventSummary {
    let component = Component::new(&steps.predicate, &steps.pattern, program, fuel);
    event_costs::solve(component, steps, vocabulary, fuel)
}

#[cfg(test)]
mod tests;
