//! Tests of costs that are divided among parts: upper and lower bounds for n·log n and similar functions.

use crate::support;

use costlens_recurrences::{Direction, System};
use support::*;

use Direction::{Lower, Upper};

/// Returns `T(n) = T(⌈n/2⌉) + T(⌊n/2⌋) + cost` for n >= 2, otherwise 1.
fn halves(cost: &str) -> System {
    system(vec![function(
        1,
        vec![
            cell(&["n>=0", "n<=1"], vec![leaf("1")]),
            cell(
                &["n>=2"],
                vec![alternative(
                    &format!("r0+r1+{cost}"),
                    &[(0, &["n-h"]), (0, &["h"])],
                )],
            ),
        ],
    )])
}

#[test]
fn merge_sort_with_a_linear_pass() {
    let s = halves("n+2");
    for direction in [Upper, Lower] {
        sound(&s, direction, 40);
        assert_eq!(
            shown(&s, direction, 0),
            ["n<=1, n>=0: 1", "n>=2: n*flog(2,n)+5*n-2*2^flog(2,n)-2"]
        );
    }
}

#[test]
fn merge_sort_with_a_rounded_pass_is_bounded_from_both_sides() {
    let s = halves("n+h+2");
    sound(&s, Upper, 40);
    sound(&s, Lower, 40);
    assert_eq!(
        shown(&s, Upper, 0)[1],
        "n>=2: 3/2*n*flog(2,n)+6*n-3*2^flog(2,n)-2"
    );
    let below = &shown(&s, Lower, 0)[1];
    assert!(below.starts_with("n>=2: 3/2*n*flog(2,n)+11/2*n"), "{below}");
}

/// Returns a system in which `T(n)` is the minimum of `T(k) + T(l) + cost` over `k + l = n-1`, and `T(0) = 1`.
fn all_splits(cost: &str) -> System {
    let mut split = alternative(&format!("r0+r1+{cost}"), &[(0, &["k"]), (0, &["l"])]);
    split.locals = vec![K, L];
    split.constraints = region(&["k>=0", "l>=0", "k+l=n-1"]);
    system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![split]),
        ],
    )])
}

#[test]
fn the_most_even_splits_are_the_cheapest() {
    let s = all_splits("n+2");
    sound(&s, Lower, 12);
    assert_eq!(
        shown(&s, Lower, 0),
        ["n>=0: n*flog(2,n+1)+4*n-2*2^flog(2,n+1)+flog(2,n+1)+3"]
    );
}

#[test]
fn where_smaller_left_parts_are_cheaper_the_best_split_is_not_even() {
    // The optimal factor would be 1/log₂ φ = 1.44 instead of 5/4.
    let s = all_splits("n+k+2");
    sound(&s, Lower, 12);
    let below = &shown(&s, Lower, 0)[1];
    assert!(below.starts_with("n>=1: 5/4*n*flog(2,n+1)"), "{below}");
}

/// Returns `T(n) = parts·T(⌈n/2⌉) + n + 2` for n >= 2, otherwise 1.
fn parts_of_a_half(parts: usize) -> System {
    let calls: Vec<(usize, &[&str])> = vec![(0, &["k"]); parts];
    let sum: Vec<String> = (0..parts).map(|i| format!("r{i}")).collect();
    let mut half = alternative(&format!("{}+n+2", sum.join("+")), &calls);
    half.locals = vec![K];
    half.constraints = region(&["2*k>=n", "2*k<=n+1"]);
    system(vec![function(
        1,
        vec![
            cell(&["n<=1"], vec![leaf("1")]),
            cell(&["n>=2"], vec![half]),
        ],
    )])
}

#[test]
fn three_halves_take_a_power_of_the_logarithm() {
    let s = parts_of_a_half(3);
    for direction in [Upper, Lower] {
        // The oracle tries only small values of locals.
        sound(&s, direction, 12);
        let bound = &shown(&s, direction, 0)[1];
        assert!(bound.contains("3^clog(2,n)"), "{bound}");
    }
}

/// `T(n) = 3·T(⌊n/3⌋) + n + 2` for n >= 3, otherwise 1.
#[test]
fn thirds_that_are_rounded_down() {
    let mut third = alternative("r0+r1+r2+n+2", &[(0, &["k"]), (0, &["k"]), (0, &["k"])]);
    third.locals = vec![K];
    third.constraints = region(&["3*k<=n", "3*k>=n-2"]);
    let s = system(vec![function(
        1,
        vec![
            cell(&["n<=2"], vec![leaf("1")]),
            cell(&["n>=3"], vec![third]),
        ],
    )]);
    for direction in [Upper, Lower] {
        // The oracle tries only small values of locals.
        sound(&s, direction, 12);
        let bound = &shown(&s, direction, 0)[1];
        assert!(bound.contains("n*flog(3,"), "{bound}");
    }
}

/// Euclid's algorithm: the remainder may be as large as the divisor minus 1, but the next one is then small.
#[test]
fn remainders_are_halved_in_two_turns() {
    let mut any = alternative("1+r0", &[(0, &["m", "k"])]);
    any.locals = vec![K];
    any.constraints = region(&["k>=0", "k<=m-1"]);
    let s = system(vec![function(
        2,
        vec![
            cell(&["n>=0", "m=0"], vec![leaf("1")]),
            cell(&["m>=1", "n>=2*m"], vec![any]),
            cell(
                &["m>=1", "n>=m", "n<=2*m-1"],
                vec![alternative("1+r0", &[(0, &["m", "n-m"])])],
            ),
            cell(
                &["n>=0", "m>=n+1"],
                vec![alternative("1+r0", &[(0, &["m", "n"])])],
            ),
        ],
    )]);
    let upper = shown(&s, Upper, 0);
    assert!(
        upper
            .iter()
            .all(|piece| !piece.ends_with('n') && !piece.ends_with('m')),
        "{upper:?}"
    );
    assert!(
        upper.contains(&"m>=1, n>=m: 2*flog(2,m)+2".to_owned()),
        "{upper:?}"
    );
}

/// Euclid's algorithm, in the cells that the analysis produces.
#[test]
fn finer_cells_do_not_hide_the_halving() {
    let remainder = |least: &[&str]| {
        let mut any = alternative("1+r0", &[(0, &["m", "k"])]);
        any.locals = vec![K];
        any.constraints = region(&["k>=0", "k<=m-1"]);
        cell(least, vec![any])
    };
    let once = |on: &[&str]| cell(on, vec![alternative("1+r0", &[(0, &["m", "n-m"])])]);
    let turned = |on: &[&str]| cell(on, vec![alternative("1+r0", &[(0, &["m", "n"])])]);
    let s = system(vec![function(
        2,
        vec![
            turned(&["m>=2*n", "n>=1"]),
            once(&["3*m>=2*n", "n>=m+1"]),
            remainder(&["n<=-1", "m>=1"]),
            turned(&["n=0", "m>=1"]),
            turned(&["m>=n+1", "2*n>=m+1"]),
            once(&["n=m", "m>=1"]),
            once(&["2*m>=n+1", "2*n>=3*m+1"]),
            remainder(&["n>=2*m", "m>=1"]),
            cell(&["m<=-1"], vec![]),
            cell(&["m=0"], vec![leaf("1")]),
        ],
    )]);
    let upper = shown(&s, Upper, 0);
    assert!(
        upper.iter().all(|piece| !piece.contains("+n")
            && !piece.contains(": n")
            && !piece.contains("unknown")),
        "{upper:?}"
    );
}
