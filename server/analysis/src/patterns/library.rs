//! How built-ins and well-known library predicates use their arguments; only for guesses.

use costlens_catalog::{described, usual_modes};
use costlens_infer::types::{Pattern, Type};
use costlens_program::Functor;

/// Tells whether it is known how a predicate is mostly called, whatever its text.
pub(crate) fn is_well_known(functor: &Functor) -> bool {
    usual_pattern(functor).is_some()
}

/// The pattern in which a well-known predicate is mostly called.
pub(super) fn usual_pattern(functor: &Functor) -> Option<Pattern> {
    let Some(modes) = usual_modes(&functor.name, functor.arity) else {
        return described_pattern(functor);
    };
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

/// The modes that a predicate is described with, where they say of some argument that it is an input: `map_list_to_pairs(:Key, +List, -Pairs)`.
fn described_pattern(functor: &Functor) -> Option<Pattern> {
    let modes = described(&functor.name, functor.arity)?.template;
    let arguments = modes.split_once('(')?.1.split_once(')')?.0;
    let types: Vec<Type> = arguments
        .split(',')
        .map(|argument| match argument.trim().chars().next() {
            Some('-') => Type::Free,
            Some('+' | ':') => Type::Nonvar,
            _ => Type::Any,
        })
        .collect();
    let says = types.contains(&Type::Nonvar);
    (says && types.len() == functor.arity).then_some(Pattern(types))
}
