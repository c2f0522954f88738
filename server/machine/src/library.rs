//! The predicates of the system that are written in Prolog: the texts in `library/`, and those of `costlens_program` that bounds
//! are inferred from. A later text takes the place of a predicate of an earlier one.

use costlens_program::library::TEXTS as SHARED;

/// What a program may not define itself.
pub(crate) const SYSTEM: &[(&str, &str)] = &[("system", include_str!("../library/system.pl"))];

/// The libraries, whose predicates a program's own come before.
pub(crate) const OWN: &[(&str, &str)] = &[
    ("lists", include_str!("../library/lists.pl")),
    ("apply", include_str!("../library/apply.pl")),
    ("aggregate", include_str!("../library/aggregate.pl")),
    ("assoc", include_str!("../library/assoc.pl")),
    ("solutions", include_str!("../library/solutions.pl")),
    ("basics", include_str!("../library/basics.pl")),
];

/// Checks of arguments, which the other libraries call.
static ERROR: (&str, &str) = ("error", include_str!("../library/error.pl"));

/// A text of the library.
pub(crate) struct LibraryText {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    /// Whether a program may not define its predicates itself.
    pub(crate) protected: bool,
    /// Whether its clauses count as steps: bounds are inferred from them.
    pub(crate) counted: bool,
}

/// All texts.
pub(crate) fn texts() -> impl Iterator<Item = LibraryText> {
    let of = |texts: &'static [(&'static str, &'static str)], protected, counted| {
        texts.iter().map(move |&(name, text)| LibraryText {
            name,
            text,
            protected,
            counted,
        })
    };
    of(SYSTEM, true, false)
        .chain(of(std::slice::from_ref(&ERROR), false, false))
        .chain(of(SHARED, false, true))
        .chain(of(OWN, false, false))
}
