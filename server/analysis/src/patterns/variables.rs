//! Variables in terms, and goals that require a variable to be unbound.

use costlens_body::{Goal, Related, TypeTest};
use costlens_catalog::Relation;
use costlens_syntax::term::{Term, TermId, Terms};

/// The maximum size of a term; larger terms are assumed to have no variables.
const LARGEST_TERM: usize = 2_000;
/// Variable numbers, sorted.
pub(super) type Variables = Vec<u32>;

/// Returns the variables of a term, sorted and without duplicates.
pub(super) fn variables(terms: &Terms, id: TermId) -> Variables {
    let (mut found, mut stack, mut seen) = (Vec::new(), vec![id], 0_usize);
    while let Some(top) = stack.pop() {
        seen += 1;
        if seen > LARGEST_TERM {
            return Vec::new();
        }
        match terms.get(top) {
            Term::Var(v) => found.push(*v),
            _ => stack.extend(terms.args(top)),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the variable that a goal requires to be unbound: `assertion(var(X))`, `must_be(var, X)`.
pub(super) fn unbound(terms: &Terms, goal: TermId) -> Option<u32> {
    let value = match Goal::lower(terms, goal) {
        Goal::Assertion(test) => match Goal::lower(terms, test) {
            Goal::Type(TypeTest::Var, value) => value,
            _ => return None,
        },
        _ => match Related::arguments(terms, goal, Relation::OfType)? {
            [kind, value] if terms.matches(kind, "var", 0).is_some() => value,
            _ => return None,
        },
    };
    match terms.get(value) {
        Term::Var(v) => Some(*v),
        _ => None,
    }
}
