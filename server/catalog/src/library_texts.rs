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

/// The inferences of a goal in the shipped clauses of a library predicate, if the clauses of SWI-Prolog 9.0 have other goals in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryInferences {
    /// The number if the last argument of the goal is unbound. For `length/2`, the numbers are those for a list.
    pub of_unbound: u64,
    /// The number if the last argument is bound.
    pub of_bound: u64,
    /// True if the failure of the goal is that of a call.
    pub is_call: bool,
}

/// Rows of a predicate, a goal, and its [`LibraryInferences`].
type LibraryGoal = ((&'static str, usize), (&'static str, usize), u64, u64, bool);

/// The goals in whose place the clauses of SWI-Prolog 9.0 have others.
const OF_OTHER_INFERENCES: &[LibraryGoal] = &[
    (("is_set", 1), ("is_list", 1), 0, 0, false),
    (("is_set", 1), ("length", 2), 1, 2, true),
    (("nth0", 3), ("=:=", 2), 0, 0, false),
    (("nth0", 3), (">", 2), 0, 0, true),
    (("nth1", 3), ("=:=", 2), 0, 0, false),
    (("nth1", 3), (">", 2), 0, 0, true),
    (("nth1", 4), ("must_be", 2), 4, 4, true),
    (("permutation", 2), ("is_list", 1), 0, 0, false),
    (("permutation", 2), ("length", 2), 2, 0, true),
    (("predsort", 3), ("is_list", 1), 0, 0, false),
    (("predsort", 3), ("length", 2), 1, 1, true),
    (("predsort", 5), (">", 2), 0, 0, false),
    (("reverse", 2), ("is_list", 1), 0, 0, false),
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

/// Returns the inferences of a goal in the shipped clauses of a library predicate, if the clauses of SWI-Prolog 9.0 have other goals in its
/// place.
#[must_use]
pub fn inferences_in_library(
    predicate: (&str, usize),
    goal: (&str, usize),
) -> Option<LibraryInferences> {
    let mut rows = OF_OTHER_INFERENCES.iter();
    let row = rows.find(|row| row.0 == predicate && row.1 == goal)?;
    Some(LibraryInferences {
        of_unbound: row.2,
        of_bound: row.3,
        is_call: row.4,
    })
}

/// Returns true for a library predicate with this name that builds no closures itself: `foldl_/5` is an auxiliary predicate of `foldl/4`.
#[must_use]
pub fn passes_closures_on(name: &str) -> bool {
    PASSING.contains(&name)
}
