//! Tests of random systems, including degenerate ones: every reported bound must hold.

use crate::support;

use costlens_algebra::{Expr, Rat, Region, rat};
use costlens_recurrences::{
    Alternative, CallResult, Cell, Direction, Function, SolvedPiece, System, Value, solve, verify,
};
use proptest::prelude::*;
use support::*;

/// The random choices for one alternative.
#[derive(Clone, Debug)]
struct Raw {
    constant: i64,
    by_n: i64,
    by_m: i64,
    calls: Vec<(usize, usize, usize, i64)>,
    local: u8,
    product: bool,
    unknown: bool,
}

fn raw() -> impl Strategy<Value = Raw> {
    (
        prop_oneof![3 => Just(1i64), 2 => -1i64..=3],
        prop_oneof![3 => Just(0i64), 1 => -1i64..=2],
        prop_oneof![4 => Just(0i64), 1 => 0i64..=1],
        proptest::collection::vec(
            (
                0..2usize,
                0..9usize,
                0..9usize,
                prop_oneof![4 => Just(1i64), 1 => 0i64..=2],
            ),
            0..=2,
        ),
        0..6u8,
        proptest::bool::weighted(0.1),
        proptest::bool::weighted(0.03),
    )
        .prop_map(
            |(constant, by_n, by_m, calls, local, product, unknown)| Raw {
                constant,
                by_n,
                by_m,
                calls,
                local,
                product,
                unknown,
            },
        )
}

const FIRST: [&str; 9] = ["n-1", "n-1", "n-2", "n", "n+1", "m", "k", "n-1-k", "r0"];
const SECOND: [&str; 9] = ["m", "m", "m-1", "m+1", "n", "0", "k", "2*m", "n-1"];

const CELLS1: [&[&[&str]]; 6] = [
    &[&["n<0"], &["n=0"], &["n>=1"]],
    &[&["n=0"], &["n>=1"]],
    &[&["n<=1"], &["n>=2"]],
    &[&["n>=0"]],
    &[&["n=0"], &["n=1"], &["n>=2"]],
    &[&["n<=5"], &["n>=6"]],
];

const CELLS2: [&[&[&str]]; 6] = [
    &[&["n=0", "m>=0"], &["n>=1", "m=0"], &["n>=1", "m>=1"]],
    &[&["n>m"], &["n<=m"]],
    &[&["n=0"], &["n>=1"]],
    &[&["n<=0", "m>=0"], &["n>=1", "m>=n"], &["n>=1", "m<n"]],
    &[&["n>=0", "m>=0"]],
    &[&["n>=0", "n<m"], &["n>=0", "n=m"], &["n>=0", "n>m"]],
];

fn build(raw: &Raw, arity: usize, functions: &[usize]) -> Alternative {
    let mut locals = Vec::new();
    let mut constraints = Region::everything();
    let mut results: Vec<CallResult> = Vec::new();
    let ranged: &[&str] = match raw.local {
        0 => &["k>=0", "k<=n-1"],
        1 => &["k>=0", "k<n", "k<=3"],
        2 => &["k>=1"],
        _ => &[],
    };
    let with_local = raw.local <= 2;
    if with_local {
        locals.push(K);
        constraints = region(ranged);
    }
    let usable = |text: &str, i: usize| {
        (with_local || !text.contains('k'))
            && (arity == 2 || !text.contains('m'))
            && (i > 0 || !text.contains('r'))
    };
    let mut value = &Expr::int(raw.constant) + &Expr::var(N).scale(&rat(raw.by_n));
    if arity == 2 {
        value += &Expr::var(M).scale(&rat(raw.by_m));
    }
    for (i, &(f, first, second, times)) in raw.calls.iter().enumerate() {
        let f = f % functions.len();
        let pick = |text: &str| expr(if usable(text, i) { text } else { "n-1" });
        let mut args = vec![pick(FIRST[first])];
        if functions[f] == 2 {
            args.push(pick(SECOND[second]));
        }
        results.push(CallResult {
            var: result_var(i),
            function: f,
            args,
        });
        if !(raw.product && i == 1) {
            value += &Expr::var(result_var(i)).scale(&rat(times));
        }
    }
    if raw.product && results.len() == 2 {
        value += &(&Expr::var(result_var(0)) * &Expr::var(result_var(1)));
    }
    Alternative {
        locals,
        constraints,
        results,
        value: (!raw.unknown).then_some(value),
    }
}

fn systems() -> impl Strategy<Value = System> {
    let function = (
        1..=2usize,
        0..6usize,
        proptest::collection::vec(proptest::collection::vec(raw(), 0..=2), 3),
    );
    proptest::collection::vec(function, 1..=2).prop_map(|raws| {
        let arities: Vec<usize> = raws.iter().map(|r| r.0).collect();
        System {
            functions: raws
                .iter()
                .map(|(arity, shape, alternatives)| {
                    let cells = if *arity == 1 {
                        CELLS1[*shape]
                    } else {
                        CELLS2[*shape]
                    };
                    Function {
                        params: [N, M][..*arity].to_vec(),
                        cells: cells
                            .iter()
                            .zip(alternatives)
                            .map(|(constraints, raws)| Cell {
                                region: region(constraints),
                                alternatives: raws
                                    .iter()
                                    .map(|r| build(r, *arity, &arities))
                                    .collect(),
                                exhaustive: false,
                            })
                            .collect(),
                    }
                })
                .collect(),
        }
    })
}

/// Adds a constant to the bound of one piece.
fn shifted(
    table: &[Vec<SolvedPiece>],
    f: usize,
    i: usize,
    by: &Expr,
) -> Option<Vec<Vec<SolvedPiece>>> {
    let mut table = table.to_vec();
    let piece = table.get_mut(f)?.get_mut(i)?;
    let Value::Known(e) = &piece.value else {
        return None;
    };
    piece.value = Value::Known(e + by);
    Some(table)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn bounds_of_random_systems_hold(s in systems()) {
        for direction in [Direction::Upper, Direction::Lower] {
            sound(&s, direction, 5);
        }
    }

    #[test]
    fn solving_is_repeatable(s in systems()) {
        for direction in [Direction::Upper, Direction::Lower] {
            prop_assert_eq!(solve(&s, direction, FUEL), solve(&s, direction, FUEL));
        }
    }

    #[test]
    fn what_verify_accepts_holds_even_if_nobody_found_it(
        s in systems(), a in -3i64..=3, b in -2i64..=2, f in 0..2usize, i in 0..3usize
    ) {
        for direction in [Direction::Upper, Direction::Lower] {
            let table = solve(&s, direction, FUEL).functions;
            let by = &Expr::int(a) + &Expr::var(N).scale(&rat(b));
            if let Some(table) = shifted(&table, f, i, &by)
                && verify(&s, &table, direction).is_ok()
            {
                sound_table(&s, &table, direction, 5);
            }
        }
    }

    /// T(0) = t0, T(n) = T(n-1) + polynomial: the sum is inferred exactly.
    #[test]
    fn sums_of_polynomials_are_exact(t0 in 0i64..9, c in proptest::collection::vec(0i64..6, 1..=4)) {
        let step: Expr = c.iter().enumerate().fold(Expr::zero(), |sum, (k, &c)| {
            &sum + &Expr::var(N).pow(k as u32).scale(&rat(c))
        });
        let mut recursive = alternative("r0", &[(0, &["n-1"])]);
        recursive.value = Some(&step + &Expr::var(result_var(0)));
        let s = system(vec![function(1, vec![
            cell(&["n=0"], vec![leaf(&t0.to_string())]),
            cell(&["n>=1"], vec![recursive]),
        ])]);
        for direction in [Direction::Upper, Direction::Lower] {
            let found = solve(&s, direction, FUEL).functions;
            let [piece] = &found[0][..] else { panic!("{found:?}") };
            let Value::Known(bound) = &piece.value else { panic!("{found:?}") };
            let mut value = Rat::from_integer(t0.into());
            for n in 0..40i64 {
                if n > 0 {
                    value += step.eval(&|_| Some(n.into())).unwrap();
                }
                prop_assert_eq!(bound.eval(&|_| Some(n.into())).unwrap(), value.clone());
            }
            // The changes that make an exact bound invalid.
            let less = if direction == Direction::Upper { -1 } else { 1 };
            let worse = shifted(&found, 0, 0, &Expr::int(less)).unwrap();
            prop_assert!(verify(&s, &worse, direction).is_err());
            let worse = shifted(&found, 0, 0, &Expr::var(N).scale(&rat(less))).unwrap();
            prop_assert!(verify(&s, &worse, direction).is_err());
        }
    }

    /// T(0) = t0, T(n) = a·T(n-1) + b + c·n, with one call for each T.
    #[test]
    fn linear_recurrences_with_a_factor_are_exact(t0 in 0i64..5, a in 2i64..5, b in 0i64..5, c in 0i64..3) {
        let recursive = alternative(&format!("{a}*r0+{b}+{c}*n"), &[(0, &["n-1"])]);
        let s = system(vec![function(1, vec![
            cell(&["n=0"], vec![leaf(&t0.to_string())]),
            cell(&["n>=1"], vec![recursive]),
        ])]);
        for direction in [Direction::Upper, Direction::Lower] {
            let found = solve(&s, direction, FUEL).functions;
            let [piece] = &found[0][..] else { panic!("{found:?}") };
            let Value::Known(bound) = &piece.value else { panic!("{found:?}") };
            let mut value = rat(t0);
            for n in 0..30i64 {
                if n > 0 {
                    value = value * rat(a) + rat(b + c * n);
                }
                prop_assert_eq!(bound.eval(&|_| Some(n.into())).unwrap(), value.clone());
            }
            let less = if direction == Direction::Upper { -1 } else { 1 };
            let worse = shifted(&found, 0, 0, &Expr::int(less)).unwrap();
            prop_assert!(verify(&s, &worse, direction).is_err());
        }
    }
}
