//! The reasons for which GNU Prolog does not compile a clause.

use costlens_syntax::term::TermId;

/// The reasons for which a clause has no code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A head that is not a callable term: `3 :- p.`
    #[error("the head is no callable term")]
    NoHead(TermId),
    /// A goal that is not a callable term: `p :- 3.`
    #[error("a goal is no callable term")]
    NotCallable(TermId),
    /// Part of an expression that cannot be evaluated: `p(X) :- X is foo(1).`
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
    /// Terms or control constructs nested deeper than the compiler follows.
    #[error("it is nested too deeply")]
    TooDeep(TermId),
    /// Too many intermediate results for register allocation.
    #[error("it is too large")]
    TooLarge(TermId),
}
