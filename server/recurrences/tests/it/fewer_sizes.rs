//! Tests of equations that are solved in fewer sizes: the maximum over one of them, or the difference of two.

use crate::support;

use costlens_algebra::Var;
use costlens_recurrences::{Alternative, Direction, System, Value, solve, verify};
use support::*;

use Direction::Upper;

/// Returns the first function's bound at a point, after VERIFY has accepted all bounds.
fn bound(s: &System, n: i64, m: i64) -> Option<costlens_algebra::Rat> {
    let found = solve(s, Upper, 4 * FUEL).functions;
    assert!(verify(s, &found, Upper).is_ok(), "{}", show_system(s));
    let at = |v: Var| Some(if v == N { n } else { m }.into());
    let piece = found[0].iter().find(|p| p.region.contains(&at))?;
    match &piece.value {
        Value::Known(bound) => bound.eval(&at),
        _ => None,
    }
}

/// `comb(K, [X|T], [X|C]) :- K > 0, …  comb(K, [_|T], C) :- …`: choosing K of m elements.
#[test]
fn choices_are_at_most_subsets() {
    let s = system(vec![function(
        2,
        vec![
            cell(&["n=0", "m>=0"], vec![leaf("1")]),
            cell(&["n>=1", "m=0"], vec![leaf("0")]),
            cell(
                &["n>=1", "m>=1"],
                vec![alternative(
                    "r0+r1+2",
                    &[(0, &["n-1", "m-1"]), (0, &["n", "m-1"])],
                )],
            ),
        ],
    )]);
    fn value(n: u32, m: u32) -> i64 {
        match (n, m) {
            (0, _) => 1,
            (_, 0) => 0,
            _ => value(n - 1, m - 1) + value(n, m - 1) + 2,
        }
    }
    for (n, m) in [(5, 5), (6, 12), (11, 12), (12, 12)] {
        let found = bound(&s, i64::from(n), i64::from(m)).expect("a bound");
        assert!(found >= costlens_algebra::rat(value(n, m)), "{n} {m}");
        assert!(found <= costlens_algebra::rat(3 << m), "{n} {m}: {found}");
    }
}

/// Returns the system of a search that continues in either half of the range between n and m.
fn half_between(above: &str) -> System {
    let half = |call: &[&str]| Alternative {
        locals: vec![K],
        constraints: region(&["2*k>=n+m-1", "2*k<=n+m"]),
        ..alternative("r0+1", &[(0, call)])
    };
    let halves = vec![half(&["n", "k-1"]), half(&[above, "m"])];
    system(vec![function(
        2,
        vec![cell(&["n>=m+1"], vec![leaf("0")]), cell(&["m>=n"], halves)],
    )])
}

#[test]
fn a_search_between_two_ends_is_logarithmic_in_their_difference() {
    let s = half_between("k+1");
    for (n, m, most) in [(0, 1022, 10), (-500, 500, 10), (-2000, -978, 10), (7, 7, 1)] {
        assert_eq!(
            bound(&s, n, m),
            Some(costlens_algebra::rat(most)),
            "{n} {m}"
        );
    }
}

#[test]
fn a_search_that_may_stay_where_it_is_has_no_bound() {
    // The middle between n and n+1 is n.
    assert_eq!(bound(&half_between("k"), 0, 10), None);
}
