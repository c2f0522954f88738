//! The use of arguments by built-ins and well-known library predicates, only for guesses.

use costlens_catalog::{described, usual_modes};
use costlens_infer::types::{Pattern, Type};
use costlens_program::Functor;

/// Returns whether the usual modes of a predicate are known independently of its text.
pub(crate) fn is_well_known(functor: &Functor) -> bool {
    usual_pattern(functor).is_some()
}

/// Returns the usual call pattern of a well-known predicate.
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

/// Returns the modes in a predicate's description, if they make some argument an input: `map_list_to_pairs(:Key, +List, -Pairs)`.
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
