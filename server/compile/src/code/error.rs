//! The reasons why a clause cannot be compiled.

use costlens_syntax::term::TermId;

/// The reason why a clause cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A goal that is not a callable term: `p :- 3.`
    #[error("a goal is no callable term")]
    NotCallable(TermId),
    /// A head that is not a callable term: `3 :- p.`
    #[error("the head is no callable term")]
    NoHead(TermId),
    /// A part of the clause with a syntax error.
    #[error("a part of the clause could not be read")]
    Unreadable(TermId),
    /// Control constructs around a cut that are nested more deeply than the compiler supports.
    #[error("it is nested too deeply")]
    TooDeep(TermId),
}
