//! The reasons why a clause has no code.

use costlens_syntax::term::TermId;

/// Reasons why a clause cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A goal that is no callable term: `p :- 3.`
    #[error("a goal is no callable term")]
    NotCallable(TermId),
    /// A head that is no callable term: `3 :- p.`
    #[error("the head is no callable term")]
    NoHead(TermId),
    /// A part of the clause could not be read.
    #[error("a part of the clause could not be read")]
    Unreadable(TermId),
    /// Something nested deeper than the compiler follows: control constructs around a cut.
    #[error("it is nested too deeply")]
    TooDeep(TermId),
}
