//! Predicates by which a program says what profiles and predictions are to measure. No Prolog system has them: who runs the program for a profile
//! defines them.

/// The predicates, by name and arity.
const MEASURING: [(&str, usize); 6] = [
    ("cost_center", 2),
    ("cost_depends", 2),
    ("cost_independent", 1),
    ("profile", 1),
    ("profile_reset", 0),
    ("profile_dump", 0),
];

/// True for a predicate that only says what is to be measured: `profile/1`, `cost_center/2`.
#[must_use]
pub fn is_measuring(name: &str, arity: usize) -> bool {
    MEASURING.contains(&(name, arity))
}
