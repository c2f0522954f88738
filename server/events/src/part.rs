//! The parts of clauses that instructions of Prolog systems are code of.

use costlens_syntax::term::TermId;

/// The part of a clause that an instruction is code of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The environment, and what else stands around the arguments of the head.
    Neck,
    /// An argument of the head, from 0, and what of the body has moved into it.
    Argument(usize),
    /// A goal that is no control construct: its arguments and its call, or what is in place of it.
    Goal(TermId),
    /// Control constructs, and the return.
    Control,
}
