//! Predicates with which a program specifies what profiles and predictions measure. No Prolog system defines them; the profiler does when
//! it runs the program.

/// The predicates, by name and arity.
const MEASURING: [(&str, usize); 6] = [
    ("cost_center", 2),
    ("cost_depends", 2),
    ("cost_independent", 1),
    ("profile", 1),
    ("profile_reset", 0),
    ("profile_dump", 0),
];

/// Returns true for a predicate that only specifies what to measure: `profile/1`, `cost_center/2`.
#[must_use]
pub fn is_measuring(name: &str, arity: usize) -> bool {
    MEASURING.contains(&(name, arity))
}
