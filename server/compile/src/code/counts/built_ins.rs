//! Counts the allocations of built-ins. Their instructions are never counted, regardless of their implementation language.

use costlens_events::{Counts, Event};

/// Returns the built-ins that are a single step of the machine: no environment, no choice point.
pub fn primitives() -> impl Iterator<Item = (&'static str, usize)> {
    let steps = costlens_catalog::system_predicates()
        .iter()
        .filter(|p| p.is_one_step);
    steps.map(|p| (p.name, p.arity))
}

/// Counts the internal allocations of a built-in that calls no goal.
#[must_use]
pub fn inside_built_in(name: &str, arity: usize) -> Counts {
    let known = costlens_catalog::find(name, arity);
    let bindings = known.and_then(|p| p.most_bindings);
    let primitive = known.is_some_and(|p| p.is_one_step);
    let mut counts = Counts::default();
    let mut at_most = |event: &str, most: u64| {
        counts.add_between(Event::Machine(event.into(), false), 0, most);
    };
    at_most("heap_cells", if bindings.is_some() { 0 } else { u64::MAX });
    at_most("trail_entries", bindings.unwrap_or(u64::MAX));
    for event in ["environments", "choice_points"] {
        at_most(event, if primitive { 0 } else { u64::MAX });
    }
    counts
}
