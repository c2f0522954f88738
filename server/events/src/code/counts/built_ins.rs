//! What built-ins allocate. They run no instructions, whatever they are written in.

use crate::{Counts, Event};

/// Built-ins that are one step of the machine: no environment, no choice point.
const PRIMITIVE: [(&str, usize); 48] = [
    ("=..", 2),
    ("assert", 1),
    ("asserta", 1),
    ("assertz", 1),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("atom_length", 2),
    ("atom_number", 2),
    ("atom_string", 2),
    ("atomic_list_concat", 2),
    ("atomic_list_concat", 3),
    ("b_getval", 2),
    ("b_setval", 2),
    ("char_code", 2),
    ("compare", 3),
    ("copy_term", 2),
    ("downcase_atom", 2),
    ("functor", 3),
    ("keysort", 2),
    ("memberchk", 2),
    ("msort", 2),
    ("nb_getval", 2),
    ("nb_setval", 2),
    ("nl", 0),
    ("number_chars", 2),
    ("number_codes", 2),
    ("number_string", 2),
    ("plus", 3),
    ("put_char", 1),
    ("setarg", 3),
    ("sort", 2),
    ("sort", 4),
    ("split_string", 4),
    ("string_chars", 2),
    ("string_codes", 2),
    ("string_length", 2),
    ("string_lower", 2),
    ("string_upper", 2),
    ("succ", 2),
    ("tab", 1),
    ("term_to_atom", 2),
    ("term_variables", 2),
    ("unify_with_occurs_check", 2),
    ("upcase_atom", 2),
    ("write", 1),
    ("write_canonical", 1),
    ("writeln", 1),
    ("writeq", 1),
];

/// Those of them that build nothing, and how many variables they bind at most.
const BUILDING_NOTHING: [(&str, usize, u64); 12] = [
    ("atom_length", 2, 1),
    ("char_code", 2, 1),
    ("compare", 3, 1),
    ("nl", 0, 0),
    ("plus", 3, 1),
    ("put_char", 1, 0),
    ("string_length", 2, 1),
    ("succ", 2, 1),
    ("tab", 1, 0),
    ("write", 1, 0),
    ("writeln", 1, 0),
    ("writeq", 1, 0),
];

/// The built-ins that are one step of the machine.
pub fn primitives() -> impl Iterator<Item = (&'static str, usize)> {
    PRIMITIVE.into_iter()
}

/// What a built-in that calls no goal counts beside itself.
#[must_use]
pub fn inside_built_in(name: &str, arity: usize) -> Counts {
    let builds_nothing = |&&(n, a, _): &&(&str, usize, u64)| n == name && a == arity;
    let bindings = BUILDING_NOTHING.iter().find(builds_nothing).map(|b| b.2);
    let primitive = PRIMITIVE.contains(&(name, arity));
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
