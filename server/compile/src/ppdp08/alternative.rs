//! The alternatives of control constructs.

use costlens_syntax::term::TermId;

use super::Operation;

/// The code of one alternative, except its goals, which are in [`goals`](super::Code::goals).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternative {
    /// The code for the choice point, the environment and the arguments.
    pub entry: Vec<Operation>,
    /// The code after the condition, if any.
    pub taken: Vec<Operation>,
    /// The code after the last goal.
    pub end: Vec<Operation>,
    /// All code of the alternative, including goals.
    pub text: Vec<Operation>,
}

/// The construct that identifies an alternative: the condition before `->`, or the disjunction on whose left side it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlternativeKey {
    /// The goal before `->`, or in `\+`, `once/1`, `ignore/1`.
    Condition(TermId),
    /// The left alternative of this `;`.
    Left(TermId),
    /// The alternative without a condition that runs if this one fails.
    Otherwise(TermId),
}
