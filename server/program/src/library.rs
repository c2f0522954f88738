//! The library predicates that are written in Prolog, clause by clause as SWI-Prolog counts them. Bounds are inferred from these
//! texts, and the machine runs them: what is counted is what is bounded.

/// The files that ship with Costlens: name and text.
pub const TEXTS: &[(&str, &str)] = &[
    ("lists", include_str!("../library/lists.pl")),
    ("apply", include_str!("../library/apply.pl")),
    ("pairs", include_str!("../library/pairs.pl")),
    ("sort", include_str!("../library/sort.pl")),
    (
        "solution_sequences",
        include_str!("../library/solution_sequences.pl"),
    ),
];
