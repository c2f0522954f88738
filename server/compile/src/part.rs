//! The parts of clauses to which instructions of Prolog systems belong.

use costlens_syntax::term::TermId;

/// The part of a clause to which an instruction belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodePart {
    /// The environment, and other code before, between and after the head arguments.
    Neck,
    /// A head argument, from 0, including terms moved into it from the body.
    Argument(usize),
    /// A goal that is not a control construct: its arguments and its call, or its inline code.
    Goal(TermId),
    /// Control constructs, and the return from the clause.
    Control,
}
