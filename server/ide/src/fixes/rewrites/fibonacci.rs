//! `two-values-carried`: the last two values of a sequence are carried along instead of being computed anew.
//!
//! ```text
//! fib(0, 0).                                         fib(0, 0).
//! fib(1, 1).                                         fib(1, 1).
//! fib(N, F) :-                                       fib(N, F) :- N > 1, fib(N, 0, 1, F).
//!     N > 1, N1 is N-1, N2 is N-2,             →
//!     fib(N1, F1), fib(N2, F2),                      fib(1, _, F, F).
//!     F is F1+F2.                                    fib(N, A, B, F) :- N > 1, M is N-1, C is A+B, fib(M, B, C, F).
//! ```
//!
//! For an integer and an unbound second argument both have the same single answer, or fail below 0 alike.

use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};
use num_bigint::BigInt;

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{at_least, decrement, small, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    proposal(site).into_iter().collect()
}

fn proposal(site: &Site<'_>) -> Option<Proposal> {
    if site.functor.arity != 2 {
        return None;
    }
    let [first, second, step] = site.clauses else {
        return None;
    };
    let (zero, one) = (base(first)?, base(second)?);
    let (a, b) = match (zero.0, one.0) {
        (0, 1) => (zero.1, one.1),
        (1, 0) => (one.1, zero.1),
        _ => return None,
    };
    let goals = step_goals(step, site)?;
    if site.has_comments(2) {
        return None;
    }
    let terms = &step.terms;
    let &[n, f] = terms.args(step.head) else {
        return None;
    };
    let (_, rest) = goals.split_first()?;
    let (&after, &last) = (rest.first()?, rest.last()?);
    let place = &site.places[2];
    let (start, end) = (place.of(after)?.0, place.of(last)?.1);
    let helper = site.helper_name(4, "_acc")?;
    let (n, f) = (site.source(2, n)?, site.source(2, f)?);
    let line = site.line_end();
    let clauses = format!(
        "{line}{line}{helper}(1, _, F, F).{line}{helper}(N, A, B, F) :-{line}    N > 1,{line}    M is N-1,{line}    C is A+B,{line}    {helper}(M, B, C, F)."
    );
    Some(Proposal {
        beside: String::new(),
        what: "Carry the last two values along",
        short_runs: ShortRuns::Open,
        edits: vec![
            Edit {
                range: start..end,
                text: format!("{helper}({n}, {a}, {b}, {f})"),
            },
            Edit {
                range: place.range.1..place.range.1,
                text: clauses,
            },
        ],
        needs: vec![
            Condition::Argument {
                argument: 0,
                is: Shape::Integer,
            },
            Condition::Argument {
                argument: 1,
                is: Shape::Unbound,
            },
        ],
    })
}

/// The number and the value of `fib(1, 1).`
fn base(clause: &Clause) -> Option<(i64, BigInt)> {
    let &[n, value] = clause.terms.args(clause.head) else {
        return None;
    };
    match clause.terms.get(value) {
        Term::Integer(value) if clause.kind == ClauseKind::Fact => {
            Some((small(&clause.terms, n)?, value.clone()))
        }
        _ => None,
    }
}

/// The goals of the step, its guard in front, if they are those of a sum of the last two values.
fn step_goals(step: &Clause, site: &Site<'_>) -> Option<Vec<TermId>> {
    if step.kind != ClauseKind::Rule || step.grammar_rule {
        return None;
    }
    let terms = &step.terms;
    let &[n, f] = terms.args(step.head) else {
        return None;
    };
    let (n, f) = (variable(terms, n)?, variable(terms, f)?);
    let goals = terms.chain(step.body?, ",");
    let [guard, rest @ ..] = goals.as_slice() else {
        return None;
    };
    if n == f || at_least(terms, *guard)? != (n, 2) || rest.len() != 5 {
        return None;
    }
    // N1 and N2, then F1 and F2: each is known where it is used.
    let (mut smaller, mut values) = (Vec::<(u32, i64)>::new(), Vec::<(u32, i64)>::new());
    for &goal in &rest[..4] {
        if let Some((v, of, by)) = decrement(terms, goal) {
            let new = of == n && (1..=2).contains(&by) && !smaller.iter().any(|s| s.1 == by);
            new.then(|| smaller.push((v, by)))?;
        } else {
            let &[m, value] = terms.matches(goal, &site.functor.name, 2)? else {
                return None;
            };
            let m = variable(terms, m)?;
            let by = smaller.iter().find(|s| s.0 == m)?.1;
            values.push((variable(terms, value)?, by));
        }
    }
    let [(x, by_x), (y, by_y)] = values[..] else {
        return None;
    };
    let mut all = [n, f, x, y, smaller.first()?.0, smaller.get(1)?.0];
    all.sort_unstable();
    let distinct = all.windows(2).all(|pair| pair[0] != pair[1]);
    let sum = sum_of(terms, rest[4], f)?;
    (distinct && by_x != by_y && (sum == (x, y) || sum == (y, x))).then_some(goals)
}

/// `F is X+Y`.
fn sum_of(terms: &Terms, goal: TermId, f: u32) -> Option<(u32, u32)> {
    let &[result, sum] = terms.matches(goal, "is", 2)? else {
        return None;
    };
    let &[x, y] = terms.matches(sum, "+", 2)? else {
        return None;
    };
    let sum = (variable(terms, x)?, variable(terms, y)?);
    (variable(terms, result)? == f).then_some(sum)
}
