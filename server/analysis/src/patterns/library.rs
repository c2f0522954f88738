//! How built-ins and well-known library predicates use their arguments; only for guesses.

use costlens_catalog::usual_modes;
use costlens_infer::types::{Pattern, Type};
use costlens_program::Functor;

/// The pattern in which a well-known predicate is mostly called.
pub(super) fn usual_pattern(functor: &Functor) -> Option<Pattern> {
    let modes = usual_modes(&functor.name, functor.arity)?;
    Some(Pattern(
        modes
            .chars()
            .map(|c| match c {
                '-' => Type::Free,
                'l' => Type::list(Type::Any),
                'i' => Type::Int,
                'n' => Type::Number,
                'g' => Type::Nonvar,
                _ => Type::Any,
            })
            .collect(),
    ))
}
