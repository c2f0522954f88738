//! Clauses that unify a term with one element of a list after another, like `member/2`, under any name.
//!
//! ```prolog
//! mem(X, [X|_]).                    member(X, [Y|Ys]) :- member_(Ys, X, Y).
//! mem(X, [_|T]) :- mem(X, T).       member_(_, X, X).
//!                                   member_([Y|Ys], X, _) :- member_(Ys, X, Y).
//! ```
//!
//! A call has one solution per element that unifies with the term. A bound term unifies with at most one of several different constants.

use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use crate::report::Functor;

/// The evidence that clauses are equivalent to `member/2`.
pub enum Membership {
    /// The clauses alone.
    Shown,
    /// The clauses, provided that another predicate has the clauses of `member_/3`.
    Through(Functor),
}

/// Returns the evidence that a predicate has the clauses of `member/2`, if it does.
#[must_use]
pub fn membership(name: &Functor, clauses: &[Clause]) -> Option<Membership> {
    match clauses {
        [only] => helper(only).map(Membership::Through),
        [one, other] => {
            let in_order = |a, b| is_found(a) && is_further(name, b);
            (name.arity == 2 && (in_order(one, other) || in_order(other, one)))
                .then_some(Membership::Shown)
        }
        _ => None,
    }
}

/// Returns whether a predicate has the clauses of `member_/3`.
#[must_use]
pub fn is_member_with_element(name: &Functor, clauses: &[Clause]) -> bool {
    let [one, other] = clauses else {
        return false;
    };
    let in_order = |a, b| is_this_one(a) && is_next_one(name, b);
    name.arity == 3 && (in_order(one, other) || in_order(other, one))
}

/// Matches `member(X, [Y|Ys]) :- member_(Ys, X, Y).`
fn helper(clause: &Clause) -> Option<Functor> {
    let terms = &*clause.terms;
    let (&[x, list], goal) = (terms.args(clause.head), rule(clause)?) else {
        return None;
    };
    let (name, 3) = terms.functor(goal)? else {
        return None;
    };
    let (x, [y, ys]) = (variable(terms, x)?, cell(terms, list)?);
    let passed = variables(terms, terms.args(goal))?;
    (are_different(&[x, y, ys]) && passed == [ys, x, y]).then(|| Functor::new(name.clone(), 3))
}

/// Matches `mem(X, [X|_]).`
fn is_found(clause: &Clause) -> bool {
    let terms = &*clause.terms;
    let is_it = |x, list| {
        let (x, [first, rest]) = (variable(terms, x)?, cell(terms, list)?);
        Some(x == first && x != rest)
    };
    match terms.args(clause.head) {
        &[x, list] => clause.kind == ClauseKind::Fact && is_it(x, list) == Some(true),
        _ => false,
    }
}

/// Matches `mem(X, [_|T]) :- mem(X, T).`
fn is_further(name: &Functor, clause: &Clause) -> bool {
    let terms = &*clause.terms;
    let is_it = |x, list| {
        let (x, [first, rest]) = (variable(terms, x)?, cell(terms, list)?);
        let passed = recursion(name, clause)?;
        Some(are_different(&[x, first, rest]) && passed == [x, rest])
    };
    matches!(terms.args(clause.head), &[x, list] if is_it(x, list) == Some(true))
}

/// Matches `member_(_, X, X).`
fn is_this_one(clause: &Clause) -> bool {
    let arguments = variables(&clause.terms, clause.terms.args(clause.head));
    clause.kind == ClauseKind::Fact
        && matches!(arguments.as_deref(), Some([list, x, y]) if x == y && list != x)
}

/// Matches `member_([Y|Ys], X, _) :- member_(Ys, X, Y).`
fn is_next_one(name: &Functor, clause: &Clause) -> bool {
    let terms = &*clause.terms;
    let is_it = |list, x, last| {
        let [first, rest] = cell(terms, list)?;
        let (x, last) = (variable(terms, x)?, variable(terms, last)?);
        let passed = recursion(name, clause)?;
        Some(are_different(&[first, rest, x, last]) && passed == [rest, x, first])
    };
    matches!(terms.args(clause.head), &[list, x, last] if is_it(list, x, last) == Some(true))
}

/// Returns the variables that the single goal of a rule passes to the rule's own predicate.
fn recursion(name: &Functor, clause: &Clause) -> Option<Vec<u32>> {
    let (terms, goal) = (&*clause.terms, rule(clause)?);
    let (called, arity) = terms.functor(goal)?;
    (*called == name.name && arity == name.arity).then(|| variables(terms, terms.args(goal)))?
}

/// Returns the body of a plain rule.
fn rule(clause: &Clause) -> Option<TermId> {
    (clause.kind == ClauseKind::Rule && clause.guard.is_none()).then_some(clause.body)?
}

/// Returns the variables in `[X|Xs]`.
fn cell(terms: &Terms, t: TermId) -> Option<[u32; 2]> {
    let &[first, rest] = terms.matches(t, CONS, 2)? else {
        return None;
    };
    Some([variable(terms, first)?, variable(terms, rest)?])
}

fn variables(terms: &Terms, all: &[TermId]) -> Option<Vec<u32>> {
    all.iter().map(|&t| variable(terms, t)).collect()
}

fn variable(terms: &Terms, t: TermId) -> Option<u32> {
    match terms.get(t) {
        Term::Var(v) => Some(*v),
        _ => None,
    }
}

fn are_different(all: &[u32]) -> bool {
    let mut places = all.iter().enumerate();
    places.all(|(i, v)| !all[..i].contains(v))
}
