//! Classifies clauses and their texts.

use costlens_body::{Goal, conjuncts};
use costlens_infer::types::{Pattern, Type};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId};

/// Returns whether a pattern is that of a nonterminal that writes, so that its text is unknown.
pub(super) fn is_writer(pattern: &Pattern) -> bool {
    matches!(pattern.0[..], [.., Type::Free, Type::Free])
}

/// Returns whether a goal of a grammar rule continues the rule's text, from its beginning or from where another goal stopped.
pub(super) fn is_text(clause: &Clause, goal: TermId) -> bool {
    let terms = &*clause.terms;
    let variable = |t: Option<&TermId>| match t.map(|&t| terms.get(t)) {
        Some(Term::Var(v)) => Some(*v),
        _ => None,
    };
    let text = |t: TermId| {
        let args = terms.args(t);
        variable(args.len().checked_sub(2).and_then(|i| args.get(i)))
    };
    let Some(own) = text(goal).filter(|_| clause.grammar_rule) else {
        return false;
    };
    let goals = clause
        .body
        .map(|body| terms.subterms(body))
        .unwrap_or_default();
    text(clause.head) == Some(own)
        || (goals.into_iter()).any(|t| {
            t != goal && terms.args(t).len() > 1 && variable(terms.args(t).last()) == Some(own)
        })
}

/// Returns whether the first argument of every clause is a constant, and some clause has a body. If a cut follows other goals, the constant
/// may also be a result: `ok(yes) :- test, !. ok(no).` An order is also a result: `shorter(<, Xs, Ys) :- …`.
pub(super) fn is_dispatch(clauses: &[Clause]) -> bool {
    let begins = |clause: &Clause| {
        let terms = &*clause.terms;
        let first = terms.args(clause.head).first();
        first.is_some_and(|&first| match terms.get(first) {
            Term::Atom(name) => !matches!(name.as_str(), "<" | "=" | ">"),
            Term::Integer(_) | Term::String(_) => true,
            _ => false,
        })
    };
    let cuts_late = |clause: &Clause| {
        let goals = clause.body.map(|body| conjuncts(&clause.terms, body));
        let mut late = goals.into_iter().flatten().skip(1);
        late.any(|goal| matches!(Goal::lower(&clause.terms, goal), Goal::Cut))
    };
    // `order(less, X, Y) :- X < Y.` computes the constant.
    let is_told = |clause: &Clause| {
        let goals = clause.body.map(|body| conjuncts(&clause.terms, body));
        let first = goals.and_then(|goals| Some(Goal::lower(&clause.terms, *goals.first()?)));
        matches!(first, Some(Goal::Compare(..)))
    };
    !clauses.iter().all(is_told)
        && clauses.iter().all(begins)
        && clauses.iter().any(|clause| clause.kind == ClauseKind::Rule)
        && !clauses.iter().any(cuts_late)
}

/// Returns, for each argument, whether every clause is a single-sided rule whose head has a structure or constant in this position.
pub(super) fn matched(arity: usize, clauses: &[Clause]) -> Vec<bool> {
    let matches = |clause: &Clause, argument: usize| {
        let terms = &*clause.terms;
        let term = terms.args(clause.head).get(argument);
        clause.kind == ClauseKind::SingleSided
            && term.is_some_and(|&t| !matches!(terms.get(t), Term::Var(_)))
    };
    (0..arity)
        .map(|i| !clauses.is_empty() && clauses.iter().all(|clause| matches(clause, i)))
        .collect()
}
