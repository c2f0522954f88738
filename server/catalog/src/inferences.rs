//! The inferences of library predicates whose number depends on an argument that is written in the call, as `statistics(inferences, I)` of
//! SWI-Prolog 9.0 counts them. All other numbers are in the data file.

use crate::questions::inferences;

/// The inferences of `aggregate_all/3`, apart from those of its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AggregateInferences {
    /// The number of inferences of the call, without those for a last solution that leaves a choice point.
    pub call: u64,
    /// The least and the greatest number for each solution.
    pub each: (u64, u64),
    /// True if the solutions are not collected in a list: one more inference if no solution is left.
    pub is_loop: bool,
}

/// A row of a template's name and arity, and its inferences.
type Template = ((&'static str, usize), AggregateInferences);

const fn row(
    name: &'static str,
    arity: usize,
    call: u64,
    each: (u64, u64),
    is_loop: bool,
) -> Template {
    let inferences = AggregateInferences {
        call,
        each,
        is_loop,
    };
    ((name, arity), inferences)
}

/// The templates of `aggregate_all/3`.
const TEMPLATES: &[Template] = &[
    row("count", 0, 3, (2, 2), true),
    row("sum", 1, 2, (2, 2), true),
    row("max", 1, 2, (2, 2), true),
    row("min", 1, 2, (2, 2), true),
    row("max", 2, 1, (1, 3), true),
    row("min", 2, 1, (1, 3), true),
    row("bag", 1, 20, (1, 1), false),
    row("set", 1, 21, (1, 1), false),
];

/// The types of `must_be/2`, with the inferences of a call whose argument is of the type.
const TYPES: &[(&str, u64)] = &[
    ("any", 2),
    ("atom", 2),
    ("atomic", 2),
    ("boolean", 2),
    ("callable", 2),
    ("compound", 2),
    ("float", 2),
    ("ground", 3),
    ("integer", 2),
    ("list", 3),
    ("nonneg", 3),
    ("nonvar", 2),
    ("number", 2),
    ("positive_integer", 3),
    ("proper_list", 3),
    ("string", 2),
    ("var", 2),
];

/// The greatest number of inferences with which `must_be/2` finds out which exception to raise, for the types in this file.
pub const MOST_OF_TYPE_ERROR: u64 = 40;

/// Returns the inferences of `aggregate_all/3` for a template with this name and arity: `sum/1` for `sum(E)`.
#[must_use]
pub fn inferences_of_aggregate(name: &str, arity: usize) -> Option<AggregateInferences> {
    let of = TEMPLATES.iter().find(|t| t.0 == (name, arity));
    of.map(|template| template.1)
}

/// Returns the inferences of `must_be/2` for a type that is an atom, if its second argument is of the type.
#[must_use]
pub fn inferences_of_type_check(of: &str) -> Option<u64> {
    let found = TYPES.iter().find(|(name, _)| *name == of);
    found.map(|&(_, number)| number)
}

/// Returns the inferences with which `library(yall)` calls a lambda expression that is not compiled, apart from its body: an expression with
/// this number of parameters, or `{Free}/Closure`.
#[must_use]
pub fn inferences_of_lambda(parameters: Option<usize>, has_free: bool) -> u64 {
    match parameters {
        Some(number) => 9 + number as u64 + u64::from(has_free),
        None => 3,
    }
}

/// Returns the least and the greatest number of inferences of `phrase/2` or `phrase/3` with a nonterminal, apart from it. `None` means
/// either of them.
#[must_use]
pub fn inferences_of_phrase(arity: Option<usize>) -> Option<(u64, u64)> {
    let of = |arity| inferences("phrase", arity).as_range();
    match arity {
        Some(arity) => of(arity),
        None => Some((of(3)?.0, of(2)?.1)),
    }
}

/// The inferences of `call_dcg/3` with a nonterminal, apart from it.
pub const OF_CALL_DCG: u64 = 4;

/// The templates of `aggregate_all/3` with known inferences, for tests against SWI-Prolog.
#[must_use]
pub fn measured_templates() -> Vec<(&'static str, usize)> {
    TEMPLATES.iter().map(|t| t.0).collect()
}

/// The types of `must_be/2` with known inferences, for tests against SWI-Prolog.
#[must_use]
pub fn measured_types() -> Vec<&'static str> {
    TYPES.iter().map(|t| t.0).collect()
}
