//! Tests of exact signs over integers.

use std::time::Instant;

use costlens_algebra::parse::parse;
use costlens_algebra::sign::{Sign, SignInterval, sign_intervals};
use costlens_algebra::{Expr, Rat, Var, rat};
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
    .unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Displays intervals: `[..0 -, 1..2 0, 3.. +]`.
fn shown(intervals: &[SignInterval]) -> String {
    let parts: Vec<String> = intervals
        .iter()
        .map(|i| {
            let end = |e: &Option<BigInt>| e.as_ref().map_or(String::new(), ToString::to_string);
            let sign = match i.sign {
                Some(Sign::Negative) => "-",
                Some(Sign::Zero) => "0",
                Some(Sign::Positive) => "+",
                None => "?",
            };
            format!("{}..{} {sign}", end(&i.from), end(&i.to))
        })
        .collect();
    parts.join(", ")
}

fn big(text: &str) -> Option<BigInt> {
    (!text.is_empty()).then(|| text.parse().unwrap())
}

#[test]
fn signs_come_as_maximal_intervals() {
    let table = [
        ("10*n+5-(1/2*n^2+3/2*n+1)", "0", "", "0..17 +, 18.. -"),
        ("n+1-(1/2*n^2+3/2*n+1)", "0", "", "0..0 0, 1.. -"),
        ("0", "", "", ".. 0"),
        ("5", "", "", ".. +"),
        ("-1/3", "2", "9", "2..9 -"),
        ("n", "", "", "..-1 -, 0..0 0, 1.. +"),
        ("n", "3", "2", ""),
        ("2*n-1", "", "", "..0 -, 1.. +"),
        ("(n-3)^2", "", "", "..2 +, 3..3 0, 4.. +"),
        ("(2*n-7)^2", "", "", ".. +"),
        ("(2*n-7)^2*(n-5)", "", "", "..4 -, 5..5 0, 6.. +"),
        // two roots between 3 and 4
        ("(10*n-33)*(10*n-36)", "", "", ".. +"),
        ("n*(n-1)*(n-2)*(n-3)", "", "", "..-1 +, 0..3 0, 4.. +"),
        (
            "n^3-3*n",
            "-5",
            "5",
            "-5..-2 -, -1..-1 +, 0..0 0, 1..1 -, 2..5 +",
        ),
        (
            "n^2-10^40",
            "0",
            "",
            "0..99999999999999999999 -, 100000000000000000000..100000000000000000000 0, 100000000000000000001.. +",
        ),
        ("n-10^30", "5", "7", "5..7 -"),
        (
            "2^n-n^2",
            "",
            "",
            "..-1 -, 0..1 +, 2..2 0, 3..3 -, 4..4 0, 5.. +",
        ),
        ("2^n-1", "", "", "..-1 -, 0..0 0, 1.. +"),
        ("3*2^n-2-(2*2^n-1)", "0", "", "0..0 0, 1.. +"),
        ("(3/2)^n-100*n", "0", "", "0..0 +, 1..18 -, 19.. +"),
        ("(1/2)^n-1/1000", "", "", "..9 +, 10.. -"),
        ("3^n-2^n-5^n", "", "", ".. -"),
        ("2^n-10^1000", "0", "", "0..3321 -, 3322.. +"),
        ("(1000001/1000000)^n-2", "0", "", "0..693147 -, 693148.. +"),
        (
            "(1000001/1000000)^n-10^100*n^3",
            "0",
            "",
            "0..0 +, 1..288701363 -, 288701364.. +",
        ),
        ("2^n-10^8000", "0", "", "0..26575 -, 26576.. +"),
        (
            "2^n-2^16000",
            "0",
            "",
            "0..15999 -, 16000..16000 0, 16001.. +",
        ),
        // the numbers are equal, but too long to compute
        (
            "3^n-3^16001",
            "0",
            "",
            "0..16000 -, 16001..16001 ?, 16002.. +",
        ),
        (
            "4^n-2^n*2^1000-2^n",
            "900",
            "1100",
            "900..1000 -, 1001..1100 +",
        ),
        ("n+m", "0", "", "0.. ?"),
        ("n^65", "0", "", "0.. ?"),
        ("n^64-2^64", "0", "", "0..1 -, 2..2 0, 3.. +"),
    ];
    for (text, from, to, expected) in table {
        let found = sign_intervals(&read(text), N, big(from), big(to));
        assert_eq!(shown(&found), expected, "{text} on {from}..{to}");
    }
}

#[test]
fn a_tail_is_decided_even_where_its_values_are_too_large() {
    let far = Some(BigInt::from(10).pow(12));
    for (text, sign) in [("2^n-n^5-7", Sign::Positive), ("n^9-3^n", Sign::Negative)] {
        let found = sign_intervals(&read(text), N, far.clone(), None);
        assert_eq!(
            found,
            [SignInterval {
                from: far.clone(),
                to: None,
                sign: Some(sign)
            }]
        );
    }
}

/// Computes the expected intervals by evaluation at every point.
fn brute_force(e: &Expr, from: i64, to: i64) -> Vec<SignInterval> {
    let mut intervals: Vec<SignInterval> = Vec::new();
    for n in from..=to {
        let value = e.eval(&|_| Some(BigInt::from(n))).unwrap();
        let sign = Some(Sign::from_integer(value.numer()));
        match intervals.last_mut() {
            Some(last) if last.sign == sign => last.to = Some(n.into()),
            _ => intervals.push(SignInterval {
                from: Some(n.into()),
                to: Some(n.into()),
                sign,
            }),
        }
    }
    intervals
}

fn intervals(e: &Expr, from: i64, to: i64) -> Vec<SignInterval> {
    sign_intervals(e, N, Some(from.into()), Some(to.into()))
}

/// Clips unbounded intervals to a range; a sign that holds everywhere must also hold within the range.
fn clipped(all: Vec<SignInterval>, from: i64, to: i64) -> Vec<SignInterval> {
    let (from, to) = (BigInt::from(from), BigInt::from(to));
    all.into_iter()
        .filter_map(|i| {
            let low = i.from.map_or(from.clone(), |x| x.max(from.clone()));
            let high = i.to.map_or(to.clone(), |x| x.min(to.clone()));
            (low <= high).then_some(SignInterval {
                from: Some(low),
                to: Some(high),
                sign: i.sign,
            })
        })
        .collect()
}

/// Generates products of linear factors `a·n - b`: roots at integers and between them, simple and multiple.
fn factored() -> impl Strategy<Value = Expr> {
    let factor = (1i64..6, -120i64..120, 1u32..4)
        .prop_map(|(a, b, k)| (&Expr::var(N).scale(&rat(a)) - &Expr::int(b)).pow(k));
    (proptest::collection::vec(factor, 0..5), -3i64..4)
        .prop_map(|(factors, c)| factors.iter().fold(Expr::int(c), |product, f| &product * f))
}

fn polynomials() -> impl Strategy<Value = Expr> {
    let coefficient = prop_oneof![
        3 => (-20i64..20).prop_map(BigInt::from),
        1 => (any::<i128>(), 0u32..30).prop_map(|(c, k)| BigInt::from(c) * BigInt::from(10).pow(k)),
        1 => Just(BigInt::zero()),
    ];
    proptest::collection::vec((coefficient, 1i64..50), 0..7).prop_map(|coefficients| {
        coefficients
            .into_iter()
            .rev()
            .fold(Expr::zero(), |e, (c, d)| {
                &(&e * &Expr::var(N)) + &Expr::constant(Rat::new(c, d.into()))
            })
    })
}

fn mixtures() -> impl Strategy<Value = Expr> {
    let small = proptest::collection::vec(-30i64..30, 1..4).prop_map(|coefficients| {
        coefficients
            .into_iter()
            .rev()
            .fold(Expr::zero(), |e, c| &(&e * &Expr::var(N)) + &Expr::int(c))
    });
    let term = (small, 1i64..7, 1i64..4).prop_map(|(polynomial, p, q)| {
        let base = Rat::new(p.into(), q.into());
        &polynomial * &Expr::exponential(&base, N).unwrap()
    });
    proptest::collection::vec(term, 1..4)
        .prop_map(|terms| terms.iter().fold(Expr::zero(), |sum, t| &sum + t))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn products_of_linear_factors_have_the_signs_of_their_values(e in factored()) {
        prop_assert_eq!(intervals(&e, -130, 130), brute_force(&e, -130, 130));
        prop_assert_eq!(clipped(sign_intervals(&e, N, None, None), -130, 130), brute_force(&e, -130, 130));
    }

    #[test]
    fn polynomials_have_the_signs_of_their_values(e in polynomials()) {
        prop_assert_eq!(intervals(&e, -90, 90), brute_force(&e, -90, 90));
    }

    #[test]
    fn polynomials_have_the_claimed_signs_around_every_change(e in polynomials()) {
        let all = sign_intervals(&e, N, None, None);
        prop_assert!(all.first().is_some_and(|i| i.from.is_none()));
        prop_assert!(all.last().is_some_and(|i| i.to.is_none()));
        for pair in all.windows(2) {
            let (to, from) = (pair[0].to.clone().unwrap(), pair[1].from.clone().unwrap());
            prop_assert_eq!(&to + 1, from);
            prop_assert!(pair[0].sign != pair[1].sign);
        }
        for interval in &all {
            for end in [&interval.from, &interval.to].into_iter().flatten() {
                let value = e.eval(&|_| Some(end.clone())).unwrap();
                prop_assert_eq!(interval.sign, Some(Sign::from_integer(value.numer())));
            }
        }
    }

    #[test]
    fn mixtures_with_exponentials_have_the_signs_of_their_values(e in mixtures()) {
        prop_assert_eq!(intervals(&e, -40, 80), brute_force(&e, -40, 80));
        let all = sign_intervals(&e, N, None, None);
        prop_assert!(all.iter().all(|i| i.sign.is_some()));
        prop_assert_eq!(clipped(all, -40, 80), brute_force(&e, -40, 80));
    }

    #[test]
    fn a_range_from_infinity_agrees_with_its_clip(e in mixtures(), to in -40i64..40) {
        let below = sign_intervals(&e, N, None, Some(to.into()));
        prop_assert_eq!(clipped(below, -60, 60), brute_force(&e, -60, to));
    }
}

#[test]
fn a_cubic_takes_microseconds() {
    let e = read("n^3/3-17/2*n^2-40*n+1000");
    let rounds = 200;
    let start = Instant::now();
    for _ in 0..rounds {
        assert_eq!(sign_intervals(&e, N, Some(BigInt::zero()), None).len(), 3);
    }
    let each = start.elapsed() / rounds;
    // The target is 50 µs in release; debug builds on a busy machine get slack.
    assert!(
        each.as_micros() < if cfg!(debug_assertions) { 5_000 } else { 500 },
        "{each:?}"
    );
}
