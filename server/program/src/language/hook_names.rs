//! The hooks that expand terms and goals.

/// The names and arities of the hooks.
pub(crate) const EXPANSION_HOOKS: [(&str, usize); 4] = [
    ("term_expansion", 2),
    ("term_expansion", 4),
    ("goal_expansion", 2),
    ("goal_expansion", 4),
];
