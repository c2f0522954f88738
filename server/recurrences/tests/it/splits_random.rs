//! Tests of random systems of the kinds in `splits.rs`: bounds hold at every small point, every system of these kinds has bounds, and
//! VERIFY rejects bounds that are off by one.

use crate::support;

use costlens_algebra::{Expr, rat};
use costlens_recurrences::{Alternative, Direction, SolvedPiece, System, Value, solve, verify};
use num_bigint::BigInt;
use proptest::prelude::*;
use support::*;

/// Returns an eighth of the usual number of cases, since each case is solved four times and verified often; `PROPTEST_CASES=1600` gives
/// 200.
fn cases() -> u32 {
    ProptestConfig::default().cases.div_ceil(8)
}

fn with_locals(alternative: Alternative, constraints: &[&str]) -> Alternative {
    Alternative {
        locals: vec![K, L],
        constraints: region(constraints),
        ..alternative
    }
}

/// Generates `T(n) = own + by·n + left·k + T(k) + T(l)` with `k + l = n - gone` (or at most that), and parts of at least `least`.
fn splits() -> impl Strategy<Value = System> {
    (
        1..=3i64,
        0..=2i64,
        0..=1i64,
        1..=3i64,
        0..=1i64,
        1..=3i64,
        any::<bool>(),
    )
        .prop_map(|(own, by, left, gone, least, base, exactly)| {
            let from = 2 * least + gone;
            let sum = format!("n{}k+l+{gone}", if exactly { "=" } else { ">=" });
            let (k, l) = (format!("k>={least}"), format!("l>={least}"));
            let value = format!("{own}+{by}*n+{left}*k+r0+r1");
            let calls: &[(usize, &[&str])] = &[(0, &["k"]), (0, &["l"])];
            let step = with_locals(alternative(&value, calls), &[&sum, &k, &l]);
            let small = format!("n<={}", from - 1);
            system(vec![function(
                1,
                vec![
                    cell(&["n>=0", &small], vec![leaf(&base.to_string())]),
                    cell(&[&format!("n>={from}")], vec![step]),
                ],
            )])
        })
}

/// Generates halves: `k + l = n - gone`, where k and l differ by at most one.
fn halves() -> impl Strategy<Value = System> {
    (1..=4i64, 0..=2i64, 0..=1i64, 1..=3i64).prop_map(|(own, by, gone, base)| {
        let value = format!("{own}+{by}*n+r0+r1");
        let calls: &[(usize, &[&str])] = &[(0, &["k"]), (0, &["l"])];
        let sum = format!("n=k+l+{gone}");
        let step = with_locals(alternative(&value, calls), &[&sum, "k>=l", "k<=l+1"]);
        system(vec![function(
            1,
            vec![
                cell(&["n>=0", "n<=1"], vec![leaf(&base.to_string())]),
                cell(&["n>=2"], vec![step]),
            ],
        )])
    })
}

/// Generates lists that are traversed together, with a separate cost for the end of each.
fn together() -> impl Strategy<Value = System> {
    (1..=3i64, 0..=2i64, 0..=2i64, 0..=2i64, any::<bool>()).prop_map(
        |(step, first, second, both, three)| {
            let leaf = |c: i64| vec![leaf(&c.to_string())];
            let value = format!("{step}+r0");
            let function = if three {
                let args: &[&str] = &["n-1", "m-1", "p-1"];
                function(
                    3,
                    vec![
                        cell(&["n=0", "m>=0", "p>=0"], leaf(first)),
                        cell(&["n>=1", "m=0", "p>=0"], leaf(second)),
                        cell(&["n>=1", "m>=1", "p=0"], leaf(both)),
                        cell(
                            &["n>=1", "m>=1", "p>=1"],
                            vec![alternative(&value, &[(0, args)])],
                        ),
                    ],
                )
            } else {
                let args: &[&str] = &["n-1", "m-1"];
                function(
                    2,
                    vec![
                        cell(&["n=0", "m=0"], leaf(both)),
                        cell(&["n=0", "m>=1"], leaf(first)),
                        cell(&["n>=1", "m=0"], leaf(second)),
                        cell(&["n>=1", "m>=1"], vec![alternative(&value, &[(0, args)])]),
                    ],
                )
            };
            system(vec![function])
        },
    )
}

/// Generates an inner loop that restarts from the third size in each iteration of the outer loop.
fn nested() -> impl Strategy<Value = System> {
    (1..=3i64, 1..=3i64, 0..=2i64, 0..=1i64).prop_map(|(outer, inner, end, more)| {
        let reset = format!("p+{more}");
        let (outer, inner) = (format!("{outer}+r0"), format!("{inner}+r0"));
        let outer_args: &[&str] = &["n-1", &reset, "p"];
        let inner_args: &[&str] = &["n", "m-1", "p"];
        system(vec![function(
            3,
            vec![
                cell(&["n=0", "m>=0", "p>=0"], vec![leaf(&end.to_string())]),
                cell(
                    &["n>=1", "m=0", "p>=0"],
                    vec![alternative(&outer, &[(0, outer_args)])],
                ),
                cell(
                    &["n>=1", "m>=1", "p>=0"],
                    vec![alternative(&inner, &[(0, inner_args)])],
                ),
            ],
        )])
    })
}

/// Decreases functions that are exact at small points by one (upper bounds) or increases them by one (lower bounds), and checks that VERIFY
/// rejects the result on every piece.
fn refuses_by_one(s: &System, direction: Direction) {
    let table = solve(s, direction, FUEL).functions;
    let by = match direction {
        Direction::Upper => rat(-1),
        Direction::Lower => rat(1),
    };
    let mut oracle = Oracle::new(s, direction);
    for (i, piece) in table[0].iter().enumerate() {
        let Value::Known(e) = &piece.value else {
            continue;
        };
        let params = &s.functions[0].params;
        let exact = points(params.len(), 4).into_iter().any(|p| {
            let at = |v| Some(BigInt::from(p[params.iter().position(|&w| w == v)?]));
            oracle.steps = 0;
            piece.region.contains(&at) && oracle.iterate(0, &p, 24) == e.eval(&at)
        });
        if exact {
            let mut wrong = table.clone();
            wrong[0][i] = SolvedPiece {
                region: piece.region.clone(),
                value: Value::Known(e + &Expr::constant(by.clone())),
            };
            assert!(
                verify(s, &wrong, direction).is_err(),
                "{} off by one in\n{}",
                show_piece(piece),
                show_system(s)
            );
        }
    }
}

fn judged(s: &System, complete: bool) {
    for direction in [Direction::Upper, Direction::Lower] {
        sound(
            s,
            direction,
            if s.functions[0].params.len() > 1 {
                5
            } else {
                9
            },
        );
        refuses_by_one(s, direction);
    }
    if complete {
        let solution = solve(s, Direction::Upper, FUEL);
        let unknown = |p: &&SolvedPiece| matches!(p.value, Value::Unknown(_));
        assert_eq!(
            solution.functions[0].iter().find(unknown).map(show_piece),
            None,
            "in\n{}",
            show_system(s)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn sums_over_splits(s in splits()) {
        judged(&s, true);
    }

    #[test]
    fn sums_over_halves(s in halves()) {
        judged(&s, true);
    }

    #[test]
    fn lists_walked_together(s in together()) {
        judged(&s, true);
    }

    #[test]
    fn loops_that_start_again(s in nested()) {
        judged(&s, true);
    }
}
