//! How built-ins and well-known library predicates use their arguments; only for guesses.

use costlens_infer::types::{Pattern, Type};
use costlens_program::Functor;

/// `-` computed, `l` a list, `i` an integer, `n` a number, `g` bound, `?` either.
const MODES: &[(&str, &str)] = &[
    ("append", "l?-"),
    ("append", "l-"),
    ("arg", "?g-"),
    ("atom_chars", "g-"),
    ("atom_codes", "g-"),
    ("atom_concat", "gg-"),
    ("atom_length", "g-"),
    ("atom_number", "g-"),
    ("atom_string", "g-"),
    ("atomic_list_concat", "l-"),
    ("atomic_list_concat", "lg-"),
    ("bagof", "??-"),
    ("setof", "??-"),
    ("findall", "??-"),
    ("findall", "??-?"),
    ("aggregate_all", "??-"),
    ("aggregate_all", "???-"),
    ("between", "ii-"),
    ("char_code", "g-"),
    ("copy_term", "?-"),
    ("delete", "l?-"),
    ("empty_assoc", "-"),
    ("exclude", "?l-"),
    ("flatten", "g-"),
    ("foldl", "?l?-"),
    ("foldl", "?ll?-"),
    ("functor", "g--"),
    ("get_assoc", "gg-"),
    ("include", "?l-"),
    ("intersection", "ll-"),
    ("last", "l-"),
    ("length", "l-"),
    ("list_to_assoc", "l-"),
    ("list_to_ord_set", "l-"),
    ("list_to_set", "l-"),
    ("maplist", "?l"),
    ("maplist", "?l-"),
    ("maplist", "?ll-"),
    ("max_list", "l-"),
    ("max_member", "-l"),
    ("member", "?l"),
    ("memberchk", "?l"),
    ("min_list", "l-"),
    ("min_member", "-l"),
    ("msort", "l-"),
    ("nb_getval", "g-"),
    ("b_getval", "g-"),
    ("nth0", "?l-"),
    ("nth1", "?l-"),
    ("number_codes", "g-"),
    ("number_vars", "??-"),
    ("numlist", "ii-"),
    ("partition", "?l--"),
    ("permutation", "l-"),
    ("phrase", "?l"),
    ("phrase", "?l-"),
    ("plus", "ii-"),
    ("predsort", "?l-"),
    ("put_assoc", "ggg-"),
    ("random", "-"),
    ("random_between", "ii-"),
    ("read", "-"),
    ("reverse", "l-"),
    ("select", "?l-"),
    ("sort", "l-"),
    ("sort", "ggl-"),
    ("split_string", "ggg-"),
    ("string_chars", "g-"),
    ("string_codes", "g-"),
    ("string_concat", "gg-"),
    ("string_length", "g-"),
    ("sub_atom", "g????"),
    ("subtract", "ll-"),
    ("succ", "i-"),
    ("sum_list", "l-"),
    ("sumlist", "l-"),
    ("tab", "i"),
    ("term_to_atom", "g-"),
    ("union", "ll-"),
    ("upcase_atom", "g-"),
    ("=..", "g-"),
];

/// Those that also run with their outputs known and their inputs unknown.
const REVERSIBLE: &[(&str, usize)] = &[
    ("append", 3),
    ("append", 2),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("atom_concat", 3),
    ("atom_number", 2),
    ("atom_string", 2),
    ("char_code", 2),
    ("functor", 3),
    ("length", 2),
    ("maplist", 3),
    ("maplist", 4),
    ("number_codes", 2),
    ("plus", 3),
    ("select", 3),
    ("string_chars", 2),
    ("string_codes", 2),
    ("string_concat", 3),
    ("succ", 2),
    ("term_to_atom", 2),
    ("=..", 2),
    ("atomic_list_concat", 3),
];

/// The pattern in which a well-known predicate is mostly called.
pub(super) fn usual_pattern(functor: &Functor) -> Option<Pattern> {
    let (_, modes) = MODES
        .iter()
        .find(|(name, modes)| *name == functor.name && modes.len() == functor.arity)?;
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

pub(super) fn is_reversible(functor: &Functor) -> bool {
    REVERSIBLE.contains(&(functor.name.as_str(), functor.arity))
}
