//! Test units: `:- begin_tests(lists).` to `:- end_tests(lists).` Each is a separate module.

use costlens_syntax::term::{TermId, Terms};

/// The start or end of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitMark {
    /// `begin_tests/1,2`.
    Begin,
    /// `end_tests/1`.
    End,
}

/// Classifies the goal of a directive. Returns `None` if it neither starts nor ends a unit.
#[must_use]
pub fn unit_mark(terms: &Terms, goal: TermId) -> Option<UnitMark> {
    match terms.functor(goal).map(|(n, a)| (n.as_str(), a))? {
        ("begin_tests", 1 | 2) => Some(UnitMark::Begin),
        ("end_tests", 1) => Some(UnitMark::End),
        _ => None,
    }
}
