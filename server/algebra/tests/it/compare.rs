//! Tests of the verdicts on assertions, given inferred bounds.

use costlens_algebra::compare::{Approx, Bound, Judged, Piece, Verdict, judge};
use costlens_algebra::parse::parse;
use costlens_algebra::{Constraint, Expr, Rat, Region, Relation, Var, rat};
use num_bigint::BigInt;
use proptest::prelude::*;

const NAMES: [&str; 3] = ["n", "m", "k"];

fn read(text: &str) -> Expr {
    parse(text, &mut |name| {
        NAMES
            .iter()
            .position(|n| *n == name)
            .map(|i| Var(u32::try_from(i).unwrap()))
    })
    .unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Parses a region: `n >= 0, m = n`.
fn region(text: &str) -> Region {
    let mut region = Region::everything();
    for part in text.split(',').filter(|p| !p.trim().is_empty()) {
        let (a, b, relation, is_swapped) = if let Some((a, b)) = part.split_once(">=") {
            (a, b, Relation::NonNegative, false)
        } else if let Some((a, b)) = part.split_once("<=") {
            (a, b, Relation::NonNegative, true)
        } else {
            let (a, b) = part.split_once('=').unwrap();
            (a, b, Relation::Zero, false)
        };
        let (a, b) = if is_swapped { (b, a) } else { (a, b) };
        region = region.and(Constraint::new(&(&read(a) - &read(b)), relation).unwrap());
    }
    region
}

fn bound(text: &str) -> Bound {
    match text {
        "?" => Bound::Unknown,
        "inf" => Bound::Infinite,
        text => Bound::Finite(read(text)),
    }
}

/// Parses pieces: `n >= 0: 1 .. n+1 | n <= -1: inf .. inf`; a single bound is both the lower and the upper bound.
fn pieces(text: &str) -> Vec<Piece> {
    text.split('|')
        .map(|piece| {
            let (on, bounds) = piece.split_once(':').unwrap();
            let (lower, upper) = bounds.split_once("..").unwrap_or((bounds, bounds));
            Piece {
                region: region(on),
                lower: bound(lower.trim()),
                upper: bound(upper.trim()),
            }
        })
        .collect()
}

fn kind(text: &str) -> Approx {
    match text {
        "ub" => Approx::Ub,
        "lb" => Approx::Lb,
        "eq" => Approx::Eq,
        "o" => Approx::O,
        "oub" => Approx::Oub,
        _ => Approx::Olb,
    }
}

/// Displays a judgement: `0..17 checked, 18.. false => false at n=18: 190 vs 185`.
fn shown(judged: &Judged) -> String {
    let word = |v: Verdict| match v {
        Verdict::Checked => "checked",
        Verdict::False => "false",
        Verdict::Check => "check",
    };
    let end = |e: &Option<BigInt>| e.as_ref().map_or(String::new(), ToString::to_string);
    let intervals: Vec<String> = judged
        .intervals
        .iter()
        .map(|i| format!("{}..{} {}", end(&i.from), end(&i.to), word(i.verdict)))
        .collect();
    let mut text = intervals.join(", ");
    if !text.is_empty() {
        text.push_str(" => ");
    }
    text.push_str(word(judged.overall));
    if let Some(witness) = &judged.witness {
        let sizes: Vec<String> = witness
            .sizes
            .iter()
            .map(|(v, value)| format!("{}={value}", NAMES[v.0 as usize]))
            .collect();
        let value = |r: &Option<Rat>| r.as_ref().map_or("inf".to_owned(), ToString::to_string);
        text.push_str(&format!(
            " at {}: {} vs {}",
            sizes.join(" "),
            value(&witness.inferred),
            value(&witness.asserted)
        ));
    }
    assert_eq!(
        judged.reason.is_some(),
        judged.overall == Verdict::Check,
        "{text}"
    );
    text
}

fn check(table: &[(&str, &str, &str, &str, &str)]) {
    let mut wrong = String::new();
    for (approx, asserted, inferred, domain, expected) in table {
        let judged = judge(
            kind(approx),
            &read(asserted),
            &pieces(inferred),
            &region(domain),
        );
        let found = shown(&judged);
        if found != *expected {
            wrong.push_str(&format!(
                "{approx} {asserted} against {inferred} on {domain}:\n  expected {expected}\n  found    {found}\n"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn one_size_gives_maximal_intervals_and_a_witness() {
    const NREV: &str = "n >= 0: 1/2*n^2+3/2*n+1";
    check(&[
        (
            "ub",
            "10*n+5",
            NREV,
            "n >= 0",
            "0..17 checked, 18.. false => false at n=18: 190 vs 185",
        ),
        (
            "ub",
            "10*n+5",
            NREV,
            "n >= 0, n <= 12",
            "0..12 checked => checked",
        ),
        (
            "ub",
            "n+1",
            NREV,
            "n >= 0",
            "0..0 checked, 1.. false => false at n=1: 3 vs 2",
        ),
        (
            "lb",
            "10*n+5",
            NREV,
            "n >= 0",
            "0..17 false, 18.. checked => false at n=0: 1 vs 5",
        ),
        ("lb", "n+1", NREV, "n >= 0", "0.. checked => checked"),
        (
            "eq",
            "1/2*n^2+3/2*n+1",
            NREV,
            "n >= 0",
            "0.. checked => checked",
        ),
        (
            "eq",
            "n^2+1",
            NREV,
            "n >= 0",
            "0..0 checked, 1..2 false, 3..3 checked, 4.. false => false at n=1: 3 vs 2",
        ),
        (
            "ub",
            "n^2",
            "n >= 0: n .. 2*n",
            "n >= 0",
            "0..0 checked, 1..1 check, 2.. checked => check",
        ),
        (
            "ub",
            "n^2-3",
            "n >= 0: n .. 2*n",
            "n >= 0",
            "0..2 false, 3.. checked => false at n=0: 0 vs -3",
        ),
        (
            "lb",
            "n",
            "n >= 0: ? .. 2*n",
            "n >= 0",
            "0.. check => check",
        ),
        ("ub", "n", "n >= 0: 0 .. ?", "n >= 0", "0.. check => check"),
        (
            "ub",
            "-1/2",
            "n >= 0: 0 .. ?",
            "n >= 0",
            "0.. false => false at n=0: 0 vs -1/2",
        ),
        (
            "ub",
            "2^n",
            "n >= 0: 3*2^n-2",
            "n >= 0",
            "0..0 checked, 1.. false => false at n=1: 4 vs 2",
        ),
        (
            "ub",
            "n^20",
            "n >= 0: 2^n",
            "n >= 0",
            "0..1 false, 2..143 checked, 144.. false => false at n=0: 1 vs 0",
        ),
        ("ub", "5", "n >= 0: 5", "n >= 0", "0.. checked => checked"),
        (
            "ub",
            "5",
            "n >= 7: 6",
            "n >= 7",
            "7.. false => false at n=7: 6 vs 5",
        ),
    ]);
}

#[test]
fn pieces_are_merged_over_the_domain() {
    const FIB: &str = "n >= 0: 2^n | n <= -1: inf";
    check(&[
        (
            "ub",
            "2^n",
            FIB,
            "",
            "..-1 false, 0.. checked => false at n=-1: inf vs 1/2",
        ),
        ("ub", "2^n", FIB, "n >= 0", "0.. checked => checked"),
        // A refutation at finite sizes is more informative than a divergence.
        (
            "ub",
            "n+1",
            FIB,
            "",
            "..-1 false, 0..1 checked, 2.. false => false at n=2: 4 vs 3",
        ),
        ("lb", "n", FIB, "", ".. checked => checked"),
        (
            "eq",
            "n",
            "n = 0: 1 | n >= 1: n",
            "n >= 0",
            "0..0 false, 1.. checked => false at n=0: 1 vs 0",
        ),
        (
            "ub",
            "n+1",
            "n = 0: 1 | n >= 1: n",
            "n >= 0",
            "0.. checked => checked",
        ),
        // Sizes that no piece covers remain open.
        (
            "ub",
            "n",
            "n >= 3: n",
            "n >= 0",
            "0..2 check, 3.. checked => check",
        ),
        (
            "ub",
            "n",
            "n >= 0, n <= 3: n | n >= 5: n",
            "n >= 0",
            "0..3 checked, 4..4 check, 5.. checked => check",
        ),
        // If pieces overlap, the better one proves the assertion.
        (
            "ub",
            "n",
            "n >= 0: 0 .. 2*n | n >= 5: 0 .. n",
            "n >= 1",
            "1..4 check, 5.. checked => check",
        ),
        ("ub", "n", "n >= 0: n", "n >= 1, n <= 0", "checked"),
    ]);
}

#[test]
fn without_sizes_a_constant_is_compared() {
    check(&[
        ("ub", "3", ": 2", "", "checked"),
        ("ub", "3", ": 4", "", "false at : 4 vs 3"),
        ("ub", "3", ": 2 .. 4", "", "check"),
        ("lb", "3", ": 2", "", "false at : 2 vs 3"),
        ("eq", "3", ": 3", "", "checked"),
        ("ub", "3", ": inf", "", "false at : inf vs 3"),
        ("ub", "3", ": ?", "", "check"),
    ]);
}

#[test]
fn other_sizes_do_not_hide_the_one_that_matters() {
    check(&[
        (
            "ub",
            "n",
            "n >= 0: n+1",
            "n >= 0, m >= 0",
            "0.. false => false at n=0 m=0: 1 vs 0",
        ),
        (
            "ub",
            "n+1",
            "n >= 0: n+1",
            "n >= 0, m >= n",
            "0.. checked => checked",
        ),
        (
            "ub",
            "5",
            "n >= 0: n",
            "n >= 0, m >= 3, m <= 10, n <= m",
            "0..5 checked, 6..10 false => false at n=6 m=6: 6 vs 5",
        ),
        // The pieces differ in a size that is not displayed: each value of n occurs in both pieces, and no interval of n is refuted.
        (
            "ub",
            "n",
            "n >= 0, m >= n: n | n >= 0, m <= n-1: n+1",
            "n >= 0, m >= 0",
            "false at n=1 m=0: 2 vs 1",
        ),
    ]);
}

#[test]
fn several_sizes_are_proved_or_refuted_at_a_point() {
    const SIZES: &str = "n >= 0, m >= 0";
    check(
        &[
            (
                "ub",
                "n*m+2*n+2*m+1",
                "n >= 0, m >= 0: n*m+2*n+1",
                SIZES,
                "checked",
            ),
            (
                "ub",
                "n*m+1",
                "n >= 0, m >= 0: n*m+2*n+1",
                SIZES,
                "false at n=1 m=0: 3 vs 1",
            ),
            ("lb", "n+m", "n >= 0, m >= 0: n+m+1", SIZES, "checked"),
            (
                "lb",
                "2*n+2*m",
                "n >= 0, m >= 0: n+m+1",
                SIZES,
                "false at n=0 m=2: 3 vs 4",
            ),
            ("eq", "n+m", "n >= 0, m >= 0: n+m", SIZES, "checked"),
            ("eq", "n+m", "n >= 0, m >= 0: n .. n+m", SIZES, "check"),
            ("ub", "n+m", "n >= 0, m >= 0: 0 .. n*m", SIZES, "check"),
            (
                "ub",
                "1000*(n+m)",
                "n >= 0, m >= 0: n*m",
                SIZES,
                "false at n=10000 m=10000: 100000000 vs 20000000",
            ),
            (
                "ub",
                "n^2",
                "n >= 0: n*m",
                "n >= 0, m >= 0, m <= n",
                "checked",
            ),
            (
                "ub",
                "n^2",
                "n >= 0: n*m",
                "n >= 0, m = n+1",
                "false at n=1 m=2: 2 vs 1",
            ),
            ("ub", "n+m", "n >= 0, m >= 0: n+m", "", "check"),
            (
                "ub",
                "n+m",
                "n >= 0, m >= 0: n+m | n <= -1: inf | m <= -1: inf",
                "",
                "false at n=-1 m=0: inf vs -1",
            ),
            // the bound is too small only between 30 and 40: one sign change along a single size
            (
                "ub",
                "(n-37)^2+m",
                "n >= 0, m >= 0: m+1",
                SIZES,
                "false at n=37 m=0: 1 vs 0",
            ),
        ]
        .map(|(a, b, c, d, e)| (a, b, c, d, e)),
    );
}

#[test]
fn orders_compare_classes() {
    const N: &str = "n >= 0";
    const NM: &str = "n >= 0, m >= 0";
    check(&[
        (
            "o",
            "n^2",
            "n >= 0, m >= 0: n*m+m",
            "n >= 0, m >= 0, m <= 2*n+3",
            "checked",
        ),
        (
            "o",
            "n",
            "n >= 0, m >= 0: n*m",
            "n >= 0, m >= 0, m <= 2*n+3",
            "false",
        ),
        (
            "o",
            "m",
            "n >= 0, m >= 0: n*m",
            "n >= 0, m >= 0, m <= n",
            "false",
        ),
        (
            "o",
            "4^n",
            "n >= 0, m >= 0: 2^m*n",
            "n >= 0, m >= 0, m <= 2*n",
            "check",
        ),
        (
            "o",
            "4^n",
            "n >= 0, m >= 0: 2^m",
            "n >= 0, m >= 0, m <= 2*n",
            "checked",
        ),
        (
            "o",
            "n",
            "n >= 0, m >= 0, k >= 0: n+m+k",
            "n >= 0, m >= 0, k >= 0, m <= n, k <= m+1",
            "checked",
        ),
        // An integer that is unbounded in both directions counts upward.
        ("o", "n", ": n-m", "n >= 0, m <= n", "checked"),
        // Behaviour at small sizes does not affect the order of growth, but the cost must be finite.
        (
            "o",
            "n*m",
            "n >= 1, m >= 1: n*m+2*n+1 | n >= 0, m = 0: 2*n+1 | n = 0, m >= 1: 1",
            NM,
            "checked",
        ),
        ("o", "n", "n >= 1: n | n = 0: 0 .. ?", N, "check"),
        ("o", "n", ": n-m", "n >= 0, m >= 0, m <= n", "checked"),
        ("o", "n^2", "n >= 0: 1/2*n^2+3/2*n+1", N, "checked"),
        ("oub", "n", "n >= 0: 1/2*n^2+3/2*n+1", N, "false"),
        ("oub", "n", "n >= 0: n .. n^2", N, "check"),
        ("olb", "n", "n >= 0: n .. n^2", N, "checked"),
        ("olb", "n^2", "n >= 0: n .. n^2", N, "check"),
        ("olb", "n^3", "n >= 0: n .. n^2", N, "false"),
        ("o", "n^9", "n >= 0: 2^n", N, "false"),
        ("o", "2^n", "n >= 0: n^9", N, "checked"),
        ("o", "1", "n >= 0: 5", N, "checked"),
        ("o", "1", "n >= 0: n", N, "false"),
        ("o", "n-100", "n >= 0: n", N, "checked"),
        ("o", "-n", "n >= 0: n", N, "checked"),
        ("o", "n", "n >= 0: 0 .. ?", N, "check"),
        (
            "o",
            "n",
            "n >= 0: n | n <= -1: inf",
            "",
            "false at n=-1: inf vs -1",
        ),
        ("olb", "n", "n >= 0: n | n <= -1: inf", "", "checked"),
        ("o", "1", "n >= 0: n", "n >= 0, n <= 12", "checked"),
        ("o", "n", ": -n", "n <= 0", "checked"),
        ("o", "n", ": 5", "", "checked"),
        ("o", "1", ": n^2", "", "false"),
        ("o", "n*m", "n >= 0, m >= 0: n*m+n+1", NM, "checked"),
        ("o", "n+m", "n >= 0, m >= 0: n*m+n+1", NM, "false"),
        ("o", "n^2+m^2", "n >= 0, m >= 0: n*m", NM, "checked"),
        ("o", "n", "n >= 0, m >= 0: n+m", NM, "false"),
        (
            "o",
            "n",
            "n >= 0, m >= 0: n+m",
            "n >= 0, m >= 0, m <= n",
            "checked",
        ),
        (
            "o",
            "n",
            "n >= 0, m >= 0: n+m",
            "n >= 0, m = n+3",
            "checked",
        ),
        ("o", "n^3", "n >= 0, m >= 0: n*m", "n >= 0, m >= n", "false"),
        ("o", "n-m", "n >= 0, m >= 0: n+m", NM, "false"),
        (
            "o",
            "n",
            "n >= 0, k >= 0: n*k+1",
            "n >= 0, k >= 0, k <= 5",
            "checked",
        ),
        (
            "o",
            "n",
            "n >= 0, k >= 0: n^2",
            "n >= 0, k >= 0, k <= 5",
            "false",
        ),
        (
            "o",
            "n*k",
            "n >= 0, k >= 0: n",
            "n >= 0, k >= 0, k <= 5",
            "check",
        ),
        ("o", "0", "n >= 0: n", N, "false"),
        ("o", "2^n", "n >= 0, m >= 0: 2^m", NM, "false"),
        (
            "o",
            "2^n",
            "n >= 0, m >= 0: m*2^n",
            "n >= 0, m >= 0",
            "false",
        ),
    ]);
}

#[test]
fn sizes_too_large_for_machine_numbers_are_no_obstacle() {
    let judged = judge(
        Approx::Ub,
        &read("10^30*n"),
        &pieces("n >= 0: n^2"),
        &region("n >= 0"),
    );
    let limit = BigInt::from(10).pow(30);
    assert_eq!(judged.intervals[0].to, Some(limit.clone()));
    assert_eq!(judged.witness.unwrap().sizes, [(Var(0), limit + 1)]);
}

fn polynomial(degree: usize) -> impl Strategy<Value = Expr> {
    proptest::collection::vec((-40i64..40, 1i64..4), 0..=degree).prop_map(|coefficients| {
        coefficients.into_iter().fold(Expr::zero(), |e, (c, d)| {
            &(&e * &Expr::var(Var(0))) + &Expr::constant(Rat::new(c.into(), d.into()))
        })
    })
}

fn bounds(degree: usize) -> impl Strategy<Value = Bound> {
    prop_oneof![
        8 => polynomial(degree).prop_map(Bound::Finite),
        1 => Just(Bound::Infinite),
        1 => Just(Bound::Unknown),
    ]
}

fn approx() -> impl Strategy<Value = Approx> {
    prop_oneof![Just(Approx::Ub), Just(Approx::Lb), Just(Approx::Eq)]
}

/// Computes the verdict at one point directly from the definition.
fn at_point(kind: Approx, asserted: &Rat, lower: &Bound, upper: &Bound, n: i64) -> Verdict {
    // Infinity exceeds every value; an unknown bound proves nothing.
    let compare = |b: &Bound| match b {
        Bound::Finite(e) => Some(e.eval(&|_| Some(n.into())).unwrap().cmp(asserted)),
        Bound::Infinite => Some(std::cmp::Ordering::Greater),
        Bound::Unknown => None,
    };
    let (low, high) = (compare(lower), compare(upper));
    let is_below = high.is_some_and(std::cmp::Ordering::is_le);
    let is_above = low.is_some_and(std::cmp::Ordering::is_ge);
    let breaks_above = low.is_some_and(std::cmp::Ordering::is_gt);
    let breaks_below = high.is_some_and(std::cmp::Ordering::is_lt);
    let (checked, refuted) = match kind {
        Approx::Ub => (is_below, breaks_above),
        Approx::Lb => (is_above, breaks_below),
        _ => (
            low.is_some_and(std::cmp::Ordering::is_eq)
                && high.is_some_and(std::cmp::Ordering::is_eq),
            breaks_above || breaks_below,
        ),
    };
    if refuted {
        Verdict::False
    } else if checked {
        Verdict::Checked
    } else {
        Verdict::Check
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_on_intervals_are_those_of_every_point(
        kind in approx(),
        asserted in polynomial(2),
        first in (bounds(3), bounds(3)),
        second in (bounds(2), bounds(2)),
        split in -20i64..20,
        from in -30i64..0,
        to in 0i64..40,
    ) {
        let n = Expr::var(Var(0));
        let low = Region::everything().and(Constraint::lt(&n, &Expr::int(split)).unwrap());
        let high = Region::everything().and(Constraint::ge(&n, &Expr::int(split)).unwrap());
        let pieces = [
            Piece { region: low, lower: first.0.clone(), upper: first.1.clone() },
            Piece { region: high, lower: second.0.clone(), upper: second.1.clone() },
        ];
        let domain = Region::everything()
            .and(Constraint::ge(&n, &Expr::int(from)).unwrap())
            .and(Constraint::le(&n, &Expr::int(to)).unwrap());
        let judged = judge(kind, &asserted, &pieces, &domain);
        let mut expected = Vec::new();
        for n in from..=to {
            let value = asserted.eval(&|_| Some(n.into())).unwrap();
            let (lower, upper) = if n < split { &first } else { &second };
            expected.push(at_point(kind, &value, lower, upper, n));
        }
        let mut next = BigInt::from(from);
        for (i, interval) in judged.intervals.iter().enumerate() {
            prop_assert_eq!(interval.from.as_ref(), Some(&next));
            prop_assert!(i == 0 || judged.intervals[i - 1].verdict != interval.verdict);
            while Some(&next) <= interval.to.as_ref() {
                let offset: usize = (&next - from).try_into().unwrap();
                prop_assert_eq!(expected[offset], interval.verdict);
                next += 1;
            }
        }
        prop_assert_eq!(next, BigInt::from(to + 1));
        let overall = if expected.contains(&Verdict::False) {
            Verdict::False
        } else if expected.contains(&Verdict::Check) {
            Verdict::Check
        } else {
            Verdict::Checked
        };
        prop_assert_eq!(judged.overall, overall);
        prop_assert_eq!(judged.witness.is_some(), overall == Verdict::False);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_two_sizes_a_proof_holds_at_every_point_and_a_witness_refutes(
        kind in approx(),
        asserted in proptest::collection::vec(-4i64..9, 6),
        gaps in proptest::collection::vec(0i64..3, 6),
        difference in proptest::collection::vec(-2i64..3, 6),
        is_triangle in any::<bool>(),
    ) {
        let monomials = ["1", "n", "m", "n*m", "n^2", "m^2"].map(read);
        let sum = |coefficients: &[i64]| {
            coefficients.iter().zip(&monomials).fold(Expr::zero(), |e, (c, m)| &e + &m.scale(&rat(*c)))
        };
        let asserted = sum(&asserted);
        let lower = &asserted + &sum(&difference);
        let upper = &lower + &sum(&gaps);
        let domain = region(if is_triangle { "n >= 0, m >= 0, m <= n" } else { "n >= 0, m >= 0" });
        let piece = Piece {
            region: Region::everything(),
            lower: Bound::Finite(lower.clone()),
            upper: Bound::Finite(upper.clone()),
        };
        let judged = judge(kind, &asserted, &[piece], &domain);
        let values = |n: i64, m: i64| {
            [&asserted, &lower, &upper].map(|e| e.eval(&|v| Some(BigInt::from(if v == Var(0) { n } else { m }))).unwrap())
        };
        let is_refuted_at = |[a, l, u]: &[Rat; 3]| match kind {
            Approx::Ub => l > a,
            Approx::Lb => u < a,
            _ => l > a || u < a,
        };
        let is_proved_at = |[a, l, u]: &[Rat; 3]| match kind {
            Approx::Ub => u <= a,
            Approx::Lb => l >= a,
            _ => u == a && l == a,
        };
        for n in 0..25 {
            for m in 0..=(if is_triangle { n } else { 24 }) {
                let values = values(n, m);
                if judged.overall == Verdict::Checked {
                    prop_assert!(is_proved_at(&values), "{} {}", n, m);
                }
                if judged.overall == Verdict::Check {
                    // The comparison never misses a refutation at sizes this small.
                    prop_assert!(n > 6 || m > 6 || !is_refuted_at(&values), "{} {}", n, m);
                }
            }
        }
        if judged.overall == Verdict::False {
            let witness = judged.witness.unwrap();
            let at = |v: Var| witness.sizes.iter().find(|(w, _)| *w == v).map(|(_, n)| n.clone()).or(Some(0.into()));
            prop_assert!(domain.contains(&at));
            let values = [&asserted, &lower, &upper].map(|e| e.eval(&at).unwrap());
            prop_assert!(is_refuted_at(&values));
            prop_assert_eq!(witness.asserted, Some(values[0].clone()));
        }
    }
}
