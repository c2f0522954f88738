//! The built-ins that change terms in place.

/// Returns whether a term shares with its new value after an assignment; none for other built-ins.
pub(crate) fn assignment(name: &str, arity: usize) -> Option<bool> {
    Some(match (name, arity) {
        ("setarg", 3 | 4) | ("nb_linkarg" | "b_set_dict" | "nb_link_dict", 3) => true,
        ("nb_setarg" | "nb_set_dict", 3) => false,
        _ => return None,
    })
}

/// Returns whether a built-in of this name changes terms in place.
pub(crate) fn is_assignment(name: &str) -> bool {
    assignment(name, 3).is_some()
}
