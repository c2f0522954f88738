//! Properties of predicates that a program does not define, taken from the catalogue.

use costlens_catalog::{Answers, answers, find, leaves_variables};

/// Returns whether the answers of a predicate depend on anything other than its arguments.
pub(super) fn is_of_the_world(name: &str, arity: usize) -> bool {
    answers(name, arity) == Some(Answers::World)
}

/// The usual mode of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentMode {
    Input,
    Output,
    Either,
}

/// Returns the usual modes of a predicate according to its description, or `None` if it has no description.
pub(super) fn modes(name: &str, arity: usize) -> Option<Vec<ArgumentMode>> {
    let predicate = find(name, arity)?;
    let of = |c: char| match c {
        '-' => ArgumentMode::Output,
        '?' => ArgumentMode::Either,
        _ => ArgumentMode::Input,
    };
    if let Some(usual) = predicate.usual_modes {
        return Some(usual.chars().map(of).collect());
    }
    // `atom_length(+Atom, -Length) is det`, `-Result is +Expression is semidet`
    let template = predicate.description.as_ref()?.template;
    let characters: Vec<char> = template.chars().collect();
    let modes = characters.windows(2).filter(|pair| {
        matches!(pair[0], '+' | '-' | '?' | '@' | ':') && pair[1].is_ascii_uppercase()
    });
    let modes: Vec<ArgumentMode> = modes.map(|pair| of(pair[0])).collect();
    (modes.len() == arity).then_some(modes)
}

/// Returns whether a call in the usual modes has exactly one solution for all inputs.
pub(super) fn succeeds_once(name: &str, arity: usize) -> bool {
    let described = find(name, arity).and_then(|p| p.description.as_ref());
    // `is/2` fails only if its left side is bound to a different value, so not for a fresh variable.
    (name, arity) == ("is", 2) || described.is_some_and(|d| d.template.ends_with(" is det"))
}

/// Returns whether a call with ground inputs makes its outputs ground.
pub(super) fn grounds(name: &str, arity: usize) -> bool {
    !leaves_variables(name, arity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_the_catalogue() {
        assert!(is_of_the_world("nb_getval", 2) && !is_of_the_world("append", 3));
        assert!(grounds("msort", 2) && !grounds("functor", 3));
    }

    #[test]
    fn modes_are_those_of_the_descriptions() {
        use ArgumentMode::{Input, Output};
        assert_eq!(modes("is", 2), Some(vec![Output, Input]));
        assert_eq!(modes("atom_length", 2), Some(vec![Input, Output]));
        assert!(succeeds_once("atom_length", 2) && !succeeds_once("append", 3));
    }
}
