//! Inference: computes verified bounds from the clauses of a component and a call pattern.
//!
//! One component of the call graph is solved at a time, for one entry pattern. Callees in other components are already solved, and each is
//! represented by a [`Summary`]. The phases, in order:
//!
//! 1. types on success, as a fixpoint over the (predicate, pattern) nodes of the component;
//! 2. lower and upper bounds on output sizes, as recurrences;
//! 3. lower and upper bounds on the number of solutions, as recurrences; a goal with at least one solution cannot fail;
//! 4. lower and upper bounds on costs, up to the first solution and over all solutions.
//!
//! Each phase runs the clauses symbolically in all worlds, converts its quantity in the recorded runs to equations, and has
//! `costlens_recurrences` solve and verify them. The modules follow, each listed before the modules that it uses:
//!
//! | module | what it holds |
//! |---|---|
//! | `event_costs` | bounds on events other than resolution steps |
//! | `readers` | what is read from a solved component: summaries, reports, causes, explanations, values, certificates |
//! | `amortised` | better bounds for loops that accumulate potential |
//! | `component` | the nodes of a component, and the phases over them |
//! | `equations` | recorded runs as recurrence equations |
//! | `clause` | the run of a clause, one file for each kind of goal |
//! | `tree` | the contents of recorded runs, and which of them need not be repeated |
//! | `state` | bindings, unification and arithmetic at a point of a clause |
//! | `world` | what a run may assume about its arguments, and how it asks |
//! | `builtins`, `trusted`, `relative` | knowledge that does not come from clauses |
//! | `written` | properties of clauses that do not require running them |
//! | `program` | the interface: what inference may ask of the program |
//! | `summary` | what callers know of a call, and of a call that is being solved |
//! | `report` | what users are shown |
//! | `lattice` | types, sizes, weights |
//!
//! **Architecture invariant**: inference accesses the program only through [`Program`]. It is independent of salsa, source positions and
//! callers; a file ([`costlens_program::SourceFile`]) is an opaque name in causes and trust lines, which is passed on and never queried.
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
pub mod relative;
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
pub use lattice::{opaque, regular, types};
pub use program::{Program, WhyOpen};
pub use readers::certified::{Certified, certified};
pub use readers::followed::{Followed, FollowedCall, GoalCall};
pub use summary::RunsLater;
pub use summary::amortised_bounds::Amortised;
pub use summary::event_bounds::{EventBounds, EventSelection, EventSummary, MOST_TOLD, Timed};
pub use summary::integers::{Integers, are_words};
pub use summary::parameters::{is_parameter, least_value, next_parameter};
pub use summary::pieces::{Pieces, Sides};
pub use summary::relation::Relation;
pub use summary::work::{Work, WorkBounds};
pub use summary::{Added, Solved, Summary};
pub use trusted::events::{Otherwise, StatedEvents, event_of, stated_events, trusted_events};
pub use trusted::{TrustedAssertion, asserted, better::better, trusted, unforeseen, untrusted};
pub use written::membership;

use component::Component;
use report::{Breakdown, Evaluated, Functor, SizeVariable};
use types::Pattern;

/// Infers the bounds of a predicate for calls that match the pattern.
#[must_use]
pub fn infer(entry: &Functor, pattern: &Pattern, program: &dyn Program, fuel: u64) -> Summary {
    if let Some(solved) = program.solved(entry, pattern)
        && !solved.is_alone
    {
        return Summary::clone(&solved.summary);
    }
    Component::new(entry, pattern, program, fuel).solve()
}

/// Infers the bounds of a predicate for calls that match the pattern, and the bounds of all calls within its component to which these calls
/// lead.
#[must_use]
pub fn infer_together(
    entry: &Functor,
    pattern: &Pattern,
    program: &dyn Program,
    fuel: u64,
) -> Vec<Solved> {
    Component::new(entry, pattern, program, fuel).summaries()
}

/// Breaks the bound down by the calls in the clauses. `known` is the summary that [`infer`] returned for the same program and fuel. The
/// function runs the phases again, so it is meant for inspecting a single predicate.
#[must_use]
pub fn break_down(known: &Summary, program: &dyn Program, fuel: u64) -> Breakdown {
    let mut component = Component::again(known, program, fuel);
    let costs = component.phases_again(known);
    let summary = component.summary(&costs, 0);
    let mut found = readers::literals::breakdown(&component, &costs, &summary);
    found.evaluated = readers::tabulated::evaluated(&mut component, &costs, &summary);
    found
}

/// Computes upper bounds at given sizes. `known` is the summary that [`infer`] returned for the same program and fuel. The points are
/// chosen once the relevant sizes are known.
#[must_use]
pub fn infer_at(
    known: &Summary,
    program: &dyn Program,
    fuel: u64,
    choose: &dyn Fn(&[SizeVariable]) -> Vec<Vec<i64>>,
) -> Evaluated {
    let mut component = Component::again(known, program, fuel);
    let costs = component.phases_again(known);
    let summary = component.summary(&costs, 0);
    readers::tabulated::evaluated_at(&mut component, &costs, &summary, choose)
}

/// Returns the calls that a predicate's calls lead to; `pattern` contains the argument types. The function runs the phases before the costs
/// again.
#[must_use]
pub fn follow(entry: &Functor, pattern: &Pattern, program: &dyn Program, fuel: u64) -> Followed {
    let mut component = Component::new(entry, pattern, program, fuel);
    component.before_costs();
    readers::followed::followed(&component)
}

/// Infers the bounds on the requested events of a vocabulary, excluding resolution steps. `steps` is the summary that [`infer`] returned
/// for the same arguments.
#[must_use]
pub fn infer_events(
    steps: &Summary,
    vocabulary: Vocabulary,
    wanted: &EventSelection,
    program: &dyn Program,
    fuel: u64,
) -> EventSummary {
    let component = Component::again(steps, program, fuel);
    event_costs::solve(component, steps, vocabulary, wanted, fuel)
}

#[cfg(test)]
mod tests;
