//! The reasons why SWI-Prolog does not compile a clause.

use costlens_syntax::term::TermId;

/// The reason why a clause has no code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A head that is not a callable term: `3 :- p.`
    #[error("the head is no callable term")]
    NoHead(TermId),
    /// A goal that is not a callable term, or a variable that occurs nowhere else: `p :- 3.`
    #[error("a goal is no callable term")]
    NotCallable(TermId),
    /// A module that is neither an atom nor a variable with a value: `p :- 3:q.`
    #[error("a module is neither an atom nor a variable that has a value")]
    NoModule(TermId),
    /// A part of an expression that cannot be evaluated, with the flag `optimise`: `p(X) :- X is foo(1).`
    #[error("part of an expression cannot be evaluated")]
    NotEvaluable(TermId),
    /// A dict, whose keys are ordered by the addresses of atoms, or another term that the reader rewrites: `Dict.key`, a quasi-quotation.
    #[error("what is made of a dict or a quasi-quotation is not known")]
    Dict(TermId),
    /// A part of the clause with a syntax error.
    #[error("a part of the clause could not be read")]
    Unreadable(TermId),
    /// Control constructs that are nested more deeply than the compiler supports, or too many control constructs.
    #[error("its control constructs are nested too deeply, or too many")]
    TooDeep(TermId),
}
