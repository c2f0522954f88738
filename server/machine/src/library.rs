//! The predicates of the system that are written in Prolog: the texts in `library/`.

/// Name, text, and whether a program may not define its predicates itself.
pub(crate) const TEXTS: &[(&str, &str, bool)] = &[];
