//! The system predicates written in Prolog: the files in `library/`, and the library sources in `costlens_program` from which bounds are
//! inferred. A later source replaces predicates of earlier ones.

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

/// The source of a library.
pub(crate) struct LibraryText {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    /// True if its clauses count as steps, because bounds are inferred from them.
    pub(crate) counted: bool,
}

/// Returns the sources of all libraries.
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
