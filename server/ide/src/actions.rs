//! Cheaper variants, offered as edits.

use std::ops::Range;

use costlens_program::{Db, SourceFile};

/// A change of the text that makes a predicate cheaper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, and what is gained.
    pub title: String,
    /// The rule: `reverse-with-accumulator`.
    pub rule: &'static str,
    /// The edits, in order and without overlap.
    pub edits: Vec<Edit>,
}

/// A replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
}

/// The cheaper variants of the predicates that a range touches.
pub fn code_actions(_: &dyn Db, _: SourceFile, _: Range<usize>) -> Vec<Action> {
    Vec::new()
}
