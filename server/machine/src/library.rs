//! The system predicates written in Prolog: the texts in `library/`, and the texts of `costlens_program` from which bounds are inferred. A
//! later text replaces predicates of earlier texts.

use costlens_program::workspace::TEXTS as SHARED;

/// The predicates that SWI-Prolog implements in C or in its system module.
pub(crate) const SYSTEM: &[(&str, &str)] = &[("system", include_str!("../library/system.pl"))];

/// The libraries.
pub(crate) const OWN: &[(&str, &str)] = &[
    ("yall", include_str!("../library/yall.pl")),
    ("aggregate", include_str!("../library/aggregate.pl")),
    ("assoc", include_str!("../library/assoc.pl")),
    ("basics", include_str!("../library/basics.pl")),
];

/// Argument checks, which other libraries call.
static ERROR: (&str, &str) = ("error", include_str!("../library/error.pl"));

/// A text of the library.
pub(crate) struct LibraryText {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    /// True if its clauses count as steps, because bounds are inferred from them.
    pub(crate) counted: bool,
}

/// Returns all texts.
pub(crate) fn texts() -> impl Iterator<Item = LibraryText> {
    let of = |texts: &'static [(&'static str, &'static str)], counted| {
        texts.iter().map(move |&(name, text)| LibraryText {
            name,
            text,
            counted,
        })
    };
    of(SYSTEM, false)
        .chain(of(std::slice::from_ref(&ERROR), false))
        .chain(of(SHARED, true))
        .chain(of(OWN, false))
}
