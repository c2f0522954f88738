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
//! For an integer and an unbound second argument both have the same single answer, or fail below 0 alike. The first two values may come from facts or from branches, as
//! in `( N < 2 -> F = N ; … )`, with tests of which just one way passes for 0, and just one for 1. The step runs from 2 on, and nothing else does.

use costlens_syntax::term::{Term, TermId, Terms};
use num_bigint::BigInt;

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{decrement, rows, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::ways::{Numbers, Way, all_ways, are_all_calls};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    if site.functor.arity != 2 || site.clauses.len() > 8 {
        return Vec::new();
    }
    let Some(ways) = all_ways(site) else {
        return Vec::new();
    };
    let roles = [(0, 1), (1, 0)].map(|(number, value)| Roles { number, value });
    let found = roles
        .into_iter()
        .find_map(|roles| proposal(site, &ways, roles));
    found.into_iter().collect()
}

/// The arguments.
#[derive(Clone, Copy)]
struct Roles {
    number: usize,
    value: usize,
}

fn proposal(site: &Site<'_>, ways: &[Way<'_>], roles: Roles) -> Option<Proposal> {
    let is_own = |way: &Way<'_>, goal: TermId| {
        let terms = &way.clause.terms;
        terms.matches(goal, &site.functor.name, 2).is_some()
    };
    let recursive = |way: &&Way<'_>| way.goals().any(|goal| is_own(way, goal));
    let (steps, others): (Vec<&Way<'_>>, Vec<&Way<'_>>) = ways.iter().partition(recursive);
    let [step] = steps[..] else {
        return None;
    };
    let number = step.number;
    let complete = (0..site.clauses.len()).all(|n| are_all_calls(site, n, ways));
    (complete && !site.has_comments(number)).then_some(())?;
    let goals = step_goals(step, site, roles)?;
    // The step from 2 on, the others below.
    let from = Numbers::of(step, roles.number, &goals)?;
    (from.are_from(2) && from.are_all_from(2)).then_some(())?;
    let mut values = [None, None];
    for way in others {
        let numbers = Numbers::of(way, roles.number, &[])?;
        numbers.are_below(2).then_some(())?;
        for (k, value) in (0..).zip(&mut values) {
            if numbers.has(k) {
                let old = value.replace(value_of(way, (roles.number, roles.value), k)?);
                old.is_none().then_some(())?;
            }
        }
    }
    let [Some(a), Some(b)] = values else {
        return None;
    };
    let terms = &step.clause.terms;
    let head = terms.args(step.clause.head);
    let place = &site.places[number];
    let (start, end) = (place.of(*goals.first()?)?.0, place.of(*goals.last()?)?.1);
    let helper = site.helper_name(4, "_acc")?;
    let (n, f) = (
        site.source(number, head[roles.number])?,
        site.source(number, head[roles.value])?,
    );
    let line = site.line_end();
    let last = site.places.last()?.range.1;
    let clauses = format!(
        "{line}{line}{helper}(1, _, F, F).{line}{helper}(N, A, B, F) :-{line}    N > 1,{line}    M is N-1,{line}    C is A+B,{line}    {helper}(M, B, C, F)."
    );
    let argument = |argument, is| Condition::Argument { argument, is };
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Carry the last two values along",
        short_runs: ShortRuns::Open,
        edits: vec![
            Edit {
                range: start..end,
                text: format!("{helper}({n}, {a}, {b}, {f})"),
            },
            Edit {
                range: last..last,
                text: clauses,
            },
        ],
        needs: vec![
            argument(roles.number, Shape::Integer),
            argument(roles.value, Shape::Unbound),
        ],
    })
}

/// The value that a way gives for a number. None where it does more than that.
pub(super) fn value_of(
    way: &Way<'_>,
    (number, value_at): (usize, usize),
    k: i64,
) -> Option<BigInt> {
    let terms = &way.clause.terms;
    let head = terms.args(way.clause.head);
    let n = variable(terms, head[number]);
    let value = |id: TermId| match terms.get(id) {
        Term::Integer(value) => Some(value.clone()),
        Term::Var(v) if n == Some(*v) => Some(k.into()),
        _ => None,
    };
    let direct = value(head[value_at]);
    let mut found = direct.clone();
    for goal in way.goals() {
        if terms.matches(goal, "!", 0).is_some()
            || terms.matches(goal, "true", 0).is_some()
            || n.is_some_and(|n| Numbers::tests(terms, goal, n))
        {
            continue;
        }
        // `F = 1`, `F is N`.
        let (name, 2) = terms.functor(goal)? else {
            return None;
        };
        let &[left, right] = terms.args(goal) else {
            return None;
        };
        let f = variable(terms, head[value_at])?;
        let is_of = variable(terms, left)? == f && matches!(name.as_str(), "=" | "is");
        (is_of && found.is_none()).then_some(())?;
        found = Some(value(right)?);
    }
    found
}

/// The goals of the step behind its tests, in a row, if they are those of a sum of the last two values.
fn step_goals(step: &Way<'_>, site: &Site<'_>, roles: Roles) -> Option<Vec<TermId>> {
    let terms = &step.clause.terms;
    let head = terms.args(step.clause.head);
    let (n, f) = (
        variable(terms, head[roles.number])?,
        variable(terms, head[roles.value])?,
    );
    let all: Vec<TermId> = step.goals().collect();
    let goals = all.get(all.len().checked_sub(5)?..)?.to_vec();
    let before = &all[..all.len() - 5];
    let are_tests = before
        .iter()
        .all(|&goal| Numbers::tests(terms, goal, n) || terms.matches(goal, "!", 0).is_some());
    let rows = rows(step.clause);
    let is_row = rows.iter().any(|row| row.goals.ends_with(&goals));
    // Conditions come first.
    let conditions = step.reached.iter().rev().take(5);
    let are_last = conditions
        .zip(goals.iter().rev())
        .all(|(r, &goal)| r.goal == goal);
    (n != f && are_tests && is_row && are_last).then_some(())?;
    // N1 and N2, then F1 and F2: each is known where it is used.
    let (mut smaller, mut values) = (Vec::<(u32, i64)>::new(), Vec::<(u32, i64)>::new());
    for &goal in &goals[..4] {
        if let Some((v, of, by)) = decrement(terms, goal) {
            let new = of == n && (1..=2).contains(&by) && !smaller.iter().any(|s| s.1 == by);
            new.then(|| smaller.push((v, by)))?;
        } else {
            let args = terms.matches(goal, &site.functor.name, 2)?;
            let m = variable(terms, args[roles.number])?;
            let by = smaller.iter().find(|s| s.0 == m)?.1;
            values.push((variable(terms, args[roles.value])?, by));
        }
    }
    let [(x, by_x), (y, by_y)] = values[..] else {
        return None;
    };
    let mut all = [n, f, x, y, smaller.first()?.0, smaller.get(1)?.0];
    all.sort_unstable();
    let distinct = all.windows(2).all(|pair| pair[0] != pair[1]);
    // Nothing of them is known before.
    let new = [x, y, smaller.first()?.0, smaller.get(1)?.0];
    let fresh = new.iter().all(|&v| site.is_fresh(step.number, v, goals[0]));
    let sum = sum_of(terms, goals[4], f)?;
    (distinct && fresh && by_x != by_y && (sum == (x, y) || sum == (y, x))).then_some(goals)
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
