//! Tests of recurrences with a polynomial factor, which are solved by factorials and numbers of arrangements.

use costlens_algebra::parse::parse;
use costlens_algebra::{Constraint, Expr, Rat, Region, Var, rat};
use costlens_recurrences::{
    Alternative, CallResult, Cell, Direction, Function, SolvedPiece, System, Value, solve, verify,
};
use proptest::prelude::*;

const N: Var = Var(0);
const RESULT: Var = Var(5);

fn read(text: &str) -> Expr {
    parse(text, &mut |name| (name == "n").then_some(N)).unwrap()
}

fn at_least(least: i64) -> Region {
    Region::everything().and(Constraint::ge(&Expr::var(N), &Expr::int(least)).unwrap())
}

/// Returns the system `T(n) = factor·T(n-1) + added` for n >= `least`, `T(least-1) = first`.
fn recurrence(factor: &Expr, added: &Expr, least: i64, first: i64) -> System {
    let call = CallResult {
        var: RESULT,
        function: 0,
        args: vec![&Expr::var(N) - &Expr::int(1)],
    };
    let value = &(factor * &Expr::var(RESULT)) + added;
    let start = Constraint::eq(&Expr::var(N), &Expr::int(least - 1)).unwrap();
    let cell = |region: Region, results: Vec<CallResult>, value: Expr| Cell {
        region: region.clone(),
        alternatives: vec![Alternative {
            results,
            value: Some(value),
            ..Alternative::default()
        }],
        exhaustive: false,
    };
    System {
        functions: vec![Function {
            params: vec![N],
            cells: vec![
                cell(
                    Region::everything().and(start),
                    Vec::new(),
                    Expr::int(first),
                ),
                cell(at_least(least), vec![call], value),
            ],
        }],
    }
}

/// Returns the first values.
fn iterated(factor: &Expr, added: &Expr, least: i64, first: i64, count: i64) -> Vec<Rat> {
    let mut values = vec![rat(first)];
    for n in least..least + count {
        let at = |e: &Expr| e.eval(&|_| Some(n.into())).unwrap();
        let next = at(factor) * &values[values.len() - 1] + at(added);
        values.push(next);
    }
    values
}

fn shifted_by(pieces: &[SolvedPiece], by: &Expr) -> Vec<SolvedPiece> {
    pieces
        .iter()
        .map(|p| SolvedPiece {
            region: p.region.clone(),
            value: match &p.value {
                Value::Known(e) => Value::Known(e + by),
                other => other.clone(),
            },
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// T(n) = a·(n+s)·T(n-1) + p(n) + c·b^n is solved exactly in both directions; VERIFY rejects bounds that are better by 1.
    #[test]
    fn products_are_solved_exactly(
        a in 1i64..=3,
        s in 0i64..=2,
        p in prop::collection::vec(0i64..=4, 3),
        c in 0i64..=2,
        b in 2i64..=3,
        first in 0i64..=3,
    ) {
        let n = Expr::var(N);
        let factor = (&n + &Expr::int(s)).scale(&rat(a));
        let mut added = Expr::exponential(&rat(b), N).unwrap().scale(&rat(c));
        // With a shift there are more unknowns than the points of a sample can determine.
        let terms = if s > 0 || a > 1 { 2 } else { 3 };
        for (k, &coefficient) in (0u32..).zip(&p[..terms]) {
            added += &n.pow(k).scale(&rat(coefficient));
        }
        let system = recurrence(&factor, &added, 1, first);
        let values = iterated(&factor, &added, 1, first, 25);
        for direction in [Direction::Upper, Direction::Lower] {
            let solution = solve(&system, direction, 20_000);
            for (at, expected) in (0i64..).zip(&values) {
                let value = solution.value_at(0, &|_| Some(at.into()));
                let Some(Value::Known(e)) = value else {
                    return Err(TestCaseError::fail(format!("{direction:?}: {value:?}")));
                };
                let found = e.eval(&|_| Some(at.into()));
                prop_assert_eq!(found.as_ref(), Some(expected), "{:?} at {}: {:?}", direction, at, e);
            }
            prop_assert!(verify(&system, &solution.functions, direction).is_ok());
            let by = Expr::int(if direction == Direction::Upper { -1 } else { 1 });
            let wrong = vec![shifted_by(&solution.functions[0], &by)];
            prop_assert!(verify(&system, &wrong, direction).is_err());
        }
    }

}

#[test]
fn what_is_no_sum_of_factorials_has_bounds_of_them() {
    for (factor, added) in [
        ("1", "2*fact(n)-fact(n-1)+1"),
        ("2", "fact(n)"),
        ("n^2", "n+1"),
        ("n^2-n", "1"),
    ] {
        // The factor n·(n-1) is 0 at n = 1, where the initial value would be lost.
        let least = if factor == "n^2-n" { 2 } else { 1 };
        let (factor, added) = (read(factor), read(added));
        let system = recurrence(&factor, &added, least, 1);
        let values = iterated(&factor, &added, least, 1, 15);
        for direction in [Direction::Upper, Direction::Lower] {
            let solution = solve(&system, direction, 20_000);
            for (at, expected) in (least - 1..).zip(&values) {
                let value = solution.value_at(0, &|_| Some(at.into()));
                let Some(Value::Known(e)) = value else {
                    panic!("{factor:?}, {added:?}, {direction:?} at {at}: {value:?}");
                };
                let found = e.eval(&|_| Some(at.into())).unwrap();
                let holds = match direction {
                    Direction::Upper => found >= *expected && found <= expected * rat(6),
                    // For lower bounds the exact growth is not always inferred.
                    Direction::Lower => found <= *expected,
                };
                assert!(
                    holds,
                    "{direction:?} at {at}: {found} for {expected}: {e:?}"
                );
            }
            assert!(verify(&system, &solution.functions, direction).is_ok());
        }
    }
}
