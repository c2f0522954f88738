//! Tests of factorials and arrangements: proofs, signs, orders and verdicts.

#![allow(clippy::unwrap_used)]

use costlens_algebra::compare::{Approx, Bound, Piece, Verdict, judge};
use costlens_algebra::growth::{compare, growth};
use costlens_algebra::parse::parse;
use costlens_algebra::prove::{defined, nonnegative, zero};
use costlens_algebra::sign::{Sign, sign_intervals};
use costlens_algebra::{Constraint, Expr, Region, Var, rat};
use num_bigint::BigInt;
use num_traits::Zero;
use proptest::prelude::*;

const N: Var = Var(0);

fn read(text: &str) -> Expr {
    parse(text, &mut |name| match name {
        "n" => Some(N),
        "m" => Some(Var(1)),
        _ => None,
    })
    .unwrap()
}

fn at_least(least: i64) -> Region {
    Region::everything().and(Constraint::ge(&Expr::var(N), &Expr::int(least)).unwrap())
}

fn both_from(least: i64) -> Region {
    at_least(least).and(Constraint::ge(&Expr::var(Var(1)), &Expr::int(least)).unwrap())
}

const ARRANGEMENTS: &str = "sum(i,0,n,fact(n)/fact(i))";

#[test]
fn inequalities_with_factorials() {
    let a = ARRANGEMENTS;
    for (text, least, holds) in [
        ("fact(n)-1", 0, true),
        ("fact(n)-2^n", 4, true),
        ("fact(n)-2^n", 3, false),
        ("fact(n)-3^n", 7, true),
        ("fact(n)-n^3", 6, true),
        ("fact(n)-n^3", 5, false),
        ("n*fact(n)-5*fact(n)-2^n+40", 5, true),
        ("n*fact(n)-5*fact(n)-2^n+31", 5, false),
        ("n*fact(n)-5*fact(n)-2^n+7", 7, true),
        ("fact(n)^2-2^n*fact(n)", 4, true),
        ("fact(2*n)-fact(n)^2", 0, false), // true, but not of a supported kind
        (&format!("3*{a}-2"), 0, true),
        (&format!("3*{a}-8*fact(n)"), 3, true),
        (&format!("3*{a}-8*fact(n)"), 2, false),
        (&format!("2718282/1000000*fact(n)-{a}"), 12, true),
        (&format!("3*fact(n)-{a}"), 0, true),
        (&format!("2718281/1000000*fact(n)-{a}"), 12, false),
        ("8*fact(n)-sum(i,0,n,fact(n)/fact(i)*2^i)", 0, true),
        ("n*fact(n-1)-fact(n)", 0, true),
        ("fact(n-1)-fact(n-2)", 2, true),
        ("fact(n-1)-fact(n-2)", 1, false), // no value at 1
        ("fact(n)", -1, false),
    ] {
        assert_eq!(
            nonnegative(&read(text), &at_least(least)),
            holds,
            "{text} from {least}"
        );
    }
    assert!(zero(&read("fact(n+1)-n*fact(n)-fact(n)"), &at_least(0)));
    assert!(!zero(&read("fact(n)-1"), &at_least(0)));
    assert!(!defined(&read("fact(n-2)"), &at_least(1)));
    assert!(nonnegative(&read("m*fact(n)-m"), &both_from(0)));
    assert!(nonnegative(&read("m*fact(n)-n*m"), &both_from(0)));
    assert!(!nonnegative(&read("m*fact(n)-n-m"), &both_from(0)));
}

#[test]
fn signs_with_factorials() {
    let signs = |text: &str| {
        let all = sign_intervals(&read(text), N, Some(BigInt::zero()), None);
        let number = |n: &Option<BigInt>| n.as_ref().map(|n| i64::try_from(n).unwrap());
        all.iter()
            .map(|i| (number(&i.from).unwrap(), number(&i.to), i.sign))
            .collect::<Vec<_>>()
    };
    let (negative, zero, positive) = (Some(Sign::Negative), Some(Sign::Zero), Some(Sign::Positive));
    assert_eq!(
        signs("fact(n)-2^n"),
        [
            (0, Some(0), zero),
            (1, Some(3), negative),
            (4, None, positive)
        ]
    );
    assert_eq!(
        signs(&format!("9*fact(n)-3*{ARRANGEMENTS}+2")),
        [(0, None, positive)]
    );
    assert_eq!(
        signs("100*3^n-fact(n)"),
        [(0, Some(10), positive), (11, None, negative)]
    );
    assert_eq!(signs("fact(n)-fact(n-1)")[0], (0, Some(0), None));
}

#[test]
fn orders_with_factorials() {
    let order = |a: &str, b: &str| compare(&growth(&read(a)), &growth(&read(b)));
    use std::cmp::Ordering::{Equal, Greater, Less};
    assert_eq!(order("1000^n*n^9", "fact(n)"), Some(Less));
    assert_eq!(order("n*fact(n)", "fact(n)*2^n"), Some(Less));
    assert_eq!(order("fact(n)^2", "fact(2*n)"), Some(Less));
    assert_eq!(order("fact(n)^2*5^n", "fact(2*n)"), Some(Greater));
    assert_eq!(order("fact(n-1)", "fact(n)"), Some(Less));
    assert_eq!(order(ARRANGEMENTS, "7*fact(n)+2^n"), Some(Equal));
    assert_eq!(order("fact(n)", "fact(m)"), None);
}

#[test]
fn verdicts_with_factorials() {
    let steps = read(&format!("3*{ARRANGEMENTS}-2"));
    let piece = Piece {
        region: at_least(0),
        lower: Bound::Finite(steps.clone()),
        upper: Bound::Finite(steps),
    };
    for (kind, asserted, verdict) in [
        (Approx::Ub, "9*fact(n)", Verdict::Checked),
        (Approx::Ub, "8*fact(n)", Verdict::False),
        (Approx::Lb, "3*fact(n)-2", Verdict::Checked),
        (Approx::Lb, "2^n", Verdict::Checked),
        (Approx::Ub, "1000*2^n", Verdict::False),
        (Approx::O, "fact(n)", Verdict::Checked),
        (Approx::O, "n*fact(n)", Verdict::Checked),
        (Approx::O, "2^n", Verdict::False),
        (Approx::Olb, "5^n", Verdict::Checked),
        (Approx::Olb, "n*fact(n)", Verdict::False),
        (Approx::Olb, "fact(n)", Verdict::Checked),
    ] {
        let judged = judge(
            kind,
            &read(asserted),
            std::slice::from_ref(&piece),
            &at_least(0),
        );
        assert_eq!(judged.overall, verdict, "{kind:?} {asserted}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Proved inequalities hold at every sampled point.
    #[test]
    fn what_is_proved_holds(
        coefficients in prop::collection::vec(-6i64..=6, 6),
        least in 0i64..=4,
    ) {
        let parts = ["1", "n", "2^n", "fact(n)", "n*fact(n)", ARRANGEMENTS];
        let mut e = Expr::zero();
        for (part, &c) in parts.iter().zip(&coefficients) {
            e += &read(part).scale(&rat(c));
        }
        if nonnegative(&e, &at_least(least)) {
            for n in least..least + 60 {
                let value = e.eval(&|_| Some(n.into())).unwrap();
                prop_assert!(value >= rat(0), "{:?} at {}", e, n);
            }
        }
    }
}
