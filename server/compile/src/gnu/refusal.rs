//! The reasons why GNU Prolog does not compile a clause.

use costlens_syntax::term::TermId;

/// The reason why a clause has no code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A head that is not a callable term: `3 :- p.`
    #[error("the head is no callable term")]
    NoHead(TermId),
    /// A goal that is not a callable term: `p :- 3.`
    #[error("a goal is no callable term")]
    NotCallable(TermId),
    /// A part of an expression that cannot be evaluated: `p(X) :- X is foo(1).`
    #[error("part of an expression cannot be evaluated")]
    NotEvaluable(TermId),
    /// A term that GNU Prolog does not support: a large integer, a rational number, `a()`, a dict.
    #[error("GNU Prolog has no such term")]
    NoSuchTerm(TermId),
    /// A rule with `=>`.
    #[error("GNU Prolog has no rules with `=>`")]
    SingleSided(TermId),
    /// A variable that qualifies a variable or a control construct: `p :- M:(q, r).`
    #[error("its module is not known")]
    Module(TermId),
    /// Terms or control constructs that are nested more deeply than the compiler supports.
    #[error("it is nested too deeply")]
    TooDeep(TermId),
    /// Too many intermediate results for register allocation.
    #[error("it is too large")]
    TooLarge(TermId),
}
