//! The alternatives of control constructs.

use costlens_syntax::term::TermId;

use super::Operation;

/// The code of one alternative, except its goals, which are in [`goals`](super::Code::goals).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternative {
    /// Its choice point, environment and arguments.
    pub entry: Vec<Operation>,
    /// The code after its condition, if it has one.
    pub taken: Vec<Operation>,
    /// The code after its last goal.
    pub end: Vec<Operation>,
    /// All of its code, including goals.
    pub text: Vec<Operation>,
}

/// The construct that identifies an alternative: the condition before `->`, or the disjunction whose left side it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The goal before `->`, or in `\+`, `once/1`, `ignore/1`.
    Condition(TermId),
    /// `;`: the alternative on its left.
    Left(TermId),
    /// The alternative that remains when this one has failed, if it has no condition of its own.
    Otherwise(TermId),
}
