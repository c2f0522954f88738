//! The reasons why GNU Prolog has no code for a clause.

use costlens_syntax::term::TermId;

/// Reasons why a clause has no code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A head that is no callable term: `3 :- p.`
    #[error("the head is no callable term")]
    NoHead(TermId),
    /// A goal that is no callable term: `p :- 3.`
    #[error("a goal is no callable term")]
    NotCallable(TermId),
    /// Part of an expression that cannot be evaluated: `p(X) :- X is foo(1).`
    #[error("part of an expression cannot be evaluated")]
    NotEvaluable(TermId),
    /// A term that GNU Prolog does not have: a large integer, a rational number, `a()`, a dict.
    #[error("GNU Prolog has no such term")]
    NoSuchTerm(TermId),
    /// A rule with `=>`.
    #[error("GNU Prolog has no rules with `=>`")]
    SingleSided(TermId),
    /// A variable in front of a variable or a control construct: `p :- M:(q, r).`
    #[error("its module is not known")]
    Module(TermId),
    /// Terms or control constructs nested deeper than the compiler follows.
    #[error("it is nested too deeply")]
    TooDeep(TermId),
    /// More intermediate results than are worth the registers that they need.
    #[error("it is too large")]
    TooLarge(TermId),
}
