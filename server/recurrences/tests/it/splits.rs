//! Tests of sums over splits, of several sizes, and of cells that must be cut first.

use crate::support;

use costlens_recurrences::{Alternative, Direction, System};
use support::*;

fn split(value: &str, calls: &[(usize, &[&str])], constraints: &[&str]) -> Alternative {
    Alternative {
        locals: vec![K, L],
        constraints: region(constraints),
        ..alternative(value, calls)
    }
}

/// Returns the system of `qs([X|L], R) :- part(L, X, L1, L2), qs(L1, …), qs(L2, …), app(…)`.
fn quick_sort() -> System {
    let calls: &[(usize, &[&str])] = &[(0, &["k"]), (0, &["l"])];
    system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(
                &["n=1"],
                vec![alternative("n+r0+r1+2", &[(0, &["0"]), (0, &["0"])])],
            ),
            cell(
                &["n>=2"],
                vec![split("n+k+r0+r1+2", calls, &["n=k+l+1", "k>=0", "l>=0"])],
            ),
        ],
    )])
}

#[test]
fn quick_sort_is_exact_above() {
    assert_eq!(
        shown(&quick_sort(), Direction::Upper, 0),
        ["n>=0: n^2+3*n+1"]
    );
}

/// Returns the system of a traversal of a tree of size n: leaves have size 1, nodes 1 + left + element + right.
fn tree(cost: &str) -> System {
    let calls: &[(usize, &[&str])] = &[(0, &["k"]), (0, &["l"])];
    system(vec![function(
        1,
        vec![
            cell(&["n=1"], vec![leaf("1")]),
            cell(
                &["n>=2"],
                vec![split(cost, calls, &["n>=k+l+2", "k>=1", "l>=1"])],
            ),
        ],
    )])
}

#[test]
fn trees_are_linear() {
    assert_eq!(
        shown(&tree("1+r0+r1"), Direction::Upper, 0),
        ["n>=1: 2/3*n+1/3"]
    );
}

#[test]
fn trees_with_work_at_nodes_are_quadratic() {
    let pieces = shown(&tree("1+k+r0+r1"), Direction::Upper, 0);
    assert!(pieces.iter().all(|p| !p.contains("unknown")), "{pieces:?}");
}

/// Returns the system of `ms`: split a list into halves, then merge.
fn merge_sort() -> System {
    let calls: &[(usize, &[&str])] = &[(0, &["k"]), (0, &["l"])];
    system(vec![function(
        1,
        vec![
            cell(&["n>=0", "n<=1"], vec![leaf("1")]),
            cell(
                &["n>=2"],
                vec![split("3/2*n+r0+r1+2", calls, &["n=k+l", "k>=l", "k<=l+1"])],
            ),
        ],
    )])
}

#[test]
fn halves_have_a_quadratic_bound() {
    let pieces = shown(&merge_sort(), Direction::Upper, 0);
    assert!(
        pieces
            .iter()
            .all(|p| !p.contains("unknown") && !p.contains("2^n")),
        "{pieces:?}"
    );
}

/// Returns the system of `zip3`, which fails if one list ends before the others.
fn zip3() -> System {
    system(vec![function(
        3,
        vec![
            cell(&["n=0", "m=0", "p=0"], vec![leaf("1")]),
            cell(
                &["n>=1", "m>=1", "p>=1"],
                vec![alternative("1+r0", &[(0, &["n-1", "m-1", "p-1"])])],
            ),
            cell(&["n=0", "m=0", "p>=1"], vec![]),
            cell(&["n=0", "m>=1", "p>=0"], vec![]),
            cell(&["n>=1", "m=0", "p>=0"], vec![]),
            cell(&["n>=1", "m>=1", "p=0"], vec![]),
        ],
    )])
}

#[test]
fn the_shortest_list_counts() {
    for direction in [Direction::Upper, Direction::Lower] {
        let pieces = shown(&zip3(), direction, 0);
        assert!(pieces.iter().all(|p| !p.contains("unknown")), "{pieces:?}");
    }
}

/// Returns the system of `lex(X, 0, K) :- lex(X - 1, K, K)`, `lex(X, Y, K) :- lex(X, Y - 1, K)`.
fn lexicographic() -> System {
    system(vec![function(
        3,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n<=-1"], vec![]),
            cell(&["n>=1", "m<=-1"], vec![]),
            cell(
                &["n>=1", "m=0"],
                vec![alternative("1+r0", &[(0, &["n-1", "p", "p"])])],
            ),
            cell(
                &["n>=1", "m>=1"],
                vec![alternative("1+r0", &[(0, &["n", "m-1", "p"])])],
            ),
        ],
    )])
}

/// Returns the system of [`lexicographic`] as the analysis produces it: the start of the inner loop is tested in some clause.
fn lexicographic_with_test() -> System {
    let mut s = lexicographic();
    let last = s.functions[0].cells.remove(3);
    for test in ["p>=0", "p<=-1"] {
        let mut cell = last.clone();
        cell.region = cell.region.and(constraint(test));
        s.functions[0].cells.push(cell);
    }
    s
}

#[test]
fn a_loop_that_starts_again_is_a_product() {
    for s in [lexicographic_with_test(), lexicographic()] {
        let pieces = shown(&s, Direction::Upper, 0);
        assert!(
            pieces.iter().any(|p| p.ends_with("n*p+n+m-p+1")),
            "{pieces:?}"
        );
    }
}

/// Returns the system of `divi(A, B, Q)`: division by subtraction.
fn division() -> System {
    system(vec![function(
        2,
        vec![
            cell(&["n<=m-1"], vec![leaf("1")]),
            cell(&["n>=m"], vec![alternative("1+r0", &[(0, &["n-m", "m"])])]),
        ],
    )])
}

#[test]
fn division_by_subtraction_ends_for_positive_numbers() {
    let pieces = shown(&division(), Direction::Upper, 0);
    assert!(
        pieces.iter().any(|p| p.starts_with("m>=1, n>=m: n-m+2")),
        "{pieces:?}"
    );
}

/// Returns the system of `gcds(A, B, G)`: Euclid's algorithm by subtraction.
fn euclid() -> System {
    system(vec![function(
        2,
        vec![
            cell(&["n=m"], vec![leaf("1")]),
            cell(
                &["n>=m+1"],
                vec![alternative("1+r0", &[(0, &["n-m", "m"])])],
            ),
            cell(
                &["n<=m-1"],
                vec![alternative("1+r0", &[(0, &["n", "m-n"])])],
            ),
        ],
    )])
}

#[test]
fn euclid_by_subtraction() {
    let pieces = shown(&euclid(), Direction::Upper, 0);
    assert!(
        pieces.iter().filter(|p| !p.contains("unknown")).count() >= 2,
        "{pieces:?}"
    );
}

/// `app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).` with a list of length n and a ground term of size m: either one ends the recursion, and
/// only some points of a square reveal that the term's size does.
#[test]
fn a_list_and_a_term_are_walked_together() {
    let s = system(vec![function(
        2,
        vec![
            cell(&["n=0", "m>=1"], vec![leaf("1")]),
            cell(
                &["n>=1", "m>=1"],
                vec![
                    split("r0+1", &[(0, &["n-1", "k"])], &["m=k+l+1", "k>=1", "l>=1"]),
                    leaf("0"),
                ],
            ),
        ],
    )]);
    let pieces = shown(&s, Direction::Upper, 0);
    assert!(pieces.iter().all(|p| !p.contains("unknown")), "{pieces:?}");
    sound(&s, Direction::Upper, 8);
}

/// `appall([L|Ls], A, R) :- app(A, L, A1), appall(Ls, A1, R).` with lists of up to m elements: the accumulator grows by up to m in each
/// iteration.
#[test]
fn what_grows_in_each_round_is_summed_up() {
    let s = system(vec![function(
        3,
        vec![
            cell(&["n=0", "m>=0", "p>=0"], vec![leaf("1")]),
            cell(
                &["n>=1", "m>=0", "p>=0"],
                vec![split(
                    "r0+p+2",
                    &[(0, &["n-1", "m", "p+k"])],
                    &["k>=0", "k<=m", "l=0"],
                )],
            ),
        ],
    )]);
    assert_eq!(
        shown(&s, Direction::Upper, 0),
        ["n>=0, m>=0, p>=0: 1/2*n^2*m-1/2*n*m+n*p+2*n+1"]
    );
}
