//! The alternatives of control constructs.

use costlens_syntax::term::TermId;

use super::Operation;

/// The code of one alternative, but for its goals, which stand in [`goals`](super::Code::goals).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternative {
    /// Its choice point, environment and arguments.
    pub entry: Vec<Operation>,
    /// Behind its condition, if it has one.
    pub taken: Vec<Operation>,
    /// Behind its last goal.
    pub end: Vec<Operation>,
    /// All of it, goals included.
    pub text: Vec<Operation>,
}

/// The construct that an alternative is known by: the condition in front of `->`, or the disjunction that it stands left of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The goal in front of `->`, or in `\+`, `once/1`, `ignore/1`.
    Condition(TermId),
    /// `;`: the alternative on its left.
    Left(TermId),
    /// The alternative that is left when that one has failed, where it has no condition of its own.
    Otherwise(TermId),
}
