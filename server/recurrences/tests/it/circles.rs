//! Tests of values that depend on themselves: they have no bound, and detecting this takes little work.

use crate::support;

use costlens_recurrences::{Alternative, Direction, SolvedPiece, System, Value, solve};
use support::*;

use Direction::Upper;

/// Much less work than trying forms without success.
const LITTLE: u64 = 100;

/// Returns `1 + T(k)` for any `k` from `least` on.
fn goes_anywhere(function: usize, least: &str) -> Alternative {
    let mut call = alternative("1+r0", &[(function, &["k"])]);
    call.locals = vec![K];
    call.constraints = region(&[least]);
    call
}

fn is_unknown(s: &System, f: usize) -> bool {
    let solution = solve(s, Upper, FUEL);
    assert!(solution.fuel_used < LITTLE, "{}", solution.fuel_used);
    let mut pieces = solution.functions[f].iter();
    pieces.all(|p| matches!(p.value, Value::Unknown(_)))
}

#[test]
fn a_call_for_any_size_has_no_bound() {
    // p(X) :- q(X, Y), p(Y).
    let s = system(vec![function(
        1,
        vec![cell(&["n>=0"], vec![leaf("1"), goes_anywhere(0, "k>=0")])],
    )]);
    assert!(is_unknown(&s, 0));
}

#[test]
fn two_that_call_each_other_for_the_same_size_have_no_bound() {
    let by_turns = |other| {
        let calls = alternative("1+r0", &[(other, &["n"])]);
        function(1, vec![cell(&["n>=0"], vec![leaf("1"), calls])])
    };
    let s = system(vec![by_turns(1), by_turns(0)]);
    assert!(is_unknown(&s, 0) && is_unknown(&s, 1));
}

#[test]
fn a_cost_that_is_no_number_counts_too() {
    // p(N, X) :- N >= 1, repeat_n(N), q(X, Y), p(N, Y).
    let mut again = alternative("n+r0", &[(0, &["n", "k"])]);
    again.locals = vec![K];
    let s = system(vec![function(
        2,
        vec![cell(&["n>=1", "m>=0"], vec![leaf("1"), again])],
    )]);
    assert!(is_unknown(&s, 0));
}

#[test]
fn what_goes_up_for_ever_has_no_bound() {
    let next = alternative("1+r0", &[(0, &["n+1"])]);
    let s = system(vec![function(
        1,
        vec![cell(&["n>=3"], vec![leaf("1"), next])],
    )]);
    assert!(is_unknown(&s, 0));
}

#[test]
fn what_goes_up_to_an_end_is_bounded() {
    let mut next = alternative("1+r0", &[(0, &["n+1", "m"])]);
    next.constraints = region(&["n<=m-1"]);
    let s = system(vec![function(
        2,
        vec![cell(&["n>=0", "m>=n"], vec![leaf("1"), next])],
    )]);
    assert_eq!(shown(&s, Upper, 0), ["n>=0, n<=m: -n+m+1"]);
}

#[test]
fn what_goes_up_by_a_step_is_bounded_for_some_steps() {
    // up(N, M, K) :- N < M, N1 is N+K, up(N1, M, K).
    let next = alternative("1+r0", &[(0, &["n+p", "m", "p"])]);
    let s = system(vec![function(
        3,
        vec![
            cell(&["n>=m"], vec![leaf("1")]),
            cell(&["n<=m-1"], vec![leaf("1"), next]),
        ],
    )]);
    let solution = solve(&s, Upper, FUEL);
    let is_bounded = |p: &SolvedPiece| {
        matches!(&p.value, Value::Known(_)) && p.region.implies(&constraint("p>=1"))
    };
    assert!(solution.functions[0].iter().any(is_bounded));
}

#[test]
fn a_value_that_nothing_ends_has_no_bound() {
    // One length is known to equal another one, whose value is unknown.
    let mut any = leaf("k+n");
    any.locals = vec![K, L];
    any.constraints = region(&["k=l", "l>=0"]);
    let s = system(vec![function(1, vec![cell(&["n>=0"], vec![any.clone()])])]);
    assert!(is_unknown(&s, 0));
    any.constraints = region(&["k=l", "l>=0", "k+l<=n"]);
    let s = system(vec![function(1, vec![cell(&["n>=0"], vec![any])])]);
    assert!(!is_unknown_at_all(&s, 0));
}

fn is_unknown_at_all(s: &System, f: usize) -> bool {
    let solution = solve(s, Upper, FUEL);
    let mut pieces = solution.functions[f].iter();
    pieces.any(|p| matches!(p.value, Value::Unknown(_)))
}

#[test]
fn a_call_for_other_sizes_alone_is_bounded() {
    // The only constraint on `k` is that it is less than `n`.
    let mut less = goes_anywhere(0, "k>=0");
    less.constraints = region(&["k>=0", "k<=n-1"]);
    let s = system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![leaf("1"), less]),
        ],
    )]);
    assert_eq!(shown(&s, Upper, 0), ["n>=0: n+1"]);
}

#[test]
fn a_call_for_the_same_size_where_no_integer_is_hurts_nobody() {
    // Twice `k` is never an odd number.
    let mut odd = goes_anywhere(0, "k>=0");
    odd.results[0].args = vec![expr("2*k")];
    odd.constraints = region(&["k>=0", "2*k=n-1"]);
    let s = system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![leaf("1"), odd]),
        ],
    )]);
    assert_eq!(shown(&s, Upper, 0), ["n>=0: n+1"]);
}

#[test]
fn what_needs_itself_and_no_more_is_bounded() {
    // The least solution of f = max(1, f) is 1: in p(X) :- p(X). p(_). the sizes are those of the facts.
    let same = |other| alternative("r0", &[(other, &["n"])]);
    let s = system(vec![
        function(1, vec![cell(&["n>=0"], vec![leaf("1"), same(0)])]),
        function(1, vec![cell(&["n>=0"], vec![leaf("n+1"), same(2)])]),
        function(1, vec![cell(&["n>=0"], vec![leaf("1"), same(1)])]),
    ]);
    assert_eq!(shown(&s, Upper, 0), ["n>=0: 1"]);
    for f in [1, 2] {
        assert_eq!(shown(&s, Upper, f), ["n>=0: n+1"]);
    }
}
