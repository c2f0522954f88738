//! The hooks that expand terms and goals.

use crate::language::Functor;

/// The names and arities of the hooks.
pub(crate) const EXPANSION_HOOKS: [(&str, usize); 4] = [
    ("term_expansion", 2),
    ("term_expansion", 4),
    ("goal_expansion", 2),
    ("goal_expansion", 4),
];

/// Returns whether a predicate is a hook that expands terms or goals.
#[must_use]
pub fn is_expansion_hook(of: &Functor) -> bool {
    EXPANSION_HOOKS.contains(&(of.name.as_str(), of.arity))
}
