//! Differences between the clauses of library predicates that ship with Costlens and the clauses in SWI-Prolog. Some of the predicates are
//! auxiliary predicates that only these clauses mention.

/// Library predicates whose clauses in SWI-Prolog 9.0 build different terms, although they take the same number of steps.
const OF_ANOTHER_TEXT: &[(&str, usize)] = &[
    ("append", 2),
    ("call_nth", 2),
    ("clump", 2),
    ("clump_", 5),
    ("intersection", 3),
    ("is_set", 1),
    ("limit", 2),
    ("list_to_set", 2),
    ("max_member", 2),
    ("max_member_", 3),
    ("min_member", 2),
    ("min_member_", 3),
    ("nth0", 3),
    ("nth1", 3),
    ("nth1", 4),
    ("nth_det", 2),
    ("offset", 2),
    ("partition_", 4),
    ("partition_", 7),
    ("perm_", 2),
    ("permutation", 2),
    ("predmerge", 4),
    ("predmerge_", 7),
    ("predsort", 3),
    ("predsort", 5),
    ("reverse", 2),
    ("select", 3),
    ("select3_", 4),
    ("selectchk", 3),
    ("set_elements", 2),
    ("subset", 2),
    ("subtract", 3),
    ("union", 3),
];

/// Library predicates that pass their closure on unchanged, and those that call it.
const PASSING: &[&str] = &[
    "exclude", "exclude_", "foldl", "foldl_", "include", "include_", "maplist", "maplist_",
];

/// Returns true for library predicates whose clauses in SWI-Prolog 9.0 build different terms from the shipped clauses, although they take
/// the same number of steps.
#[must_use]
pub fn is_of_another_text(name: &str, arity: usize) -> bool {
    OF_ANOTHER_TEXT.contains(&(name, arity))
}

/// Returns true for a library predicate with this name that builds no closures itself: `foldl_/5` is an auxiliary predicate of `foldl/4`.
#[must_use]
pub fn passes_closures_on(name: &str) -> bool {
    PASSING.contains(&name)
}
