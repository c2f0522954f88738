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
const ERROR: (&str, &str) = ("error", include_str!("../library/error.pl"));

/// All texts: name, text, and whether a program may not define its predicates itself.
pub(crate) fn texts() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let system = SYSTEM.iter().map(|&(name, text)| (name, text, true));
    let libraries = std::iter::once(&ERROR)
        .chain(SHARED)
        .chain(OWN)
        .map(|&(name, text)| (name, text, false));
    system.chain(libraries)
}
