//! Tests of non-negativity proofs, compared with enumeration.

use costlens_algebra::parse::parse;
use costlens_algebra::prove::{nonnegative, zero};
use costlens_algebra::{Constraint, Expr, Region, Var, rat};
use num_bigint::BigInt;
use num_traits::Signed;
use proptest::prelude::*;

const N: Var = Var(0);
const M: Var = Var(1);
const K: Var = Var(2);

fn expr(text: &str) -> Expr {
    let named = |name: &str| match name {
        "n" => Some(N),
        "m" => Some(M),
        "k" => Some(K),
        "p" => Some(Var(3)),
        "q" => Some(Var(4)),
        "r" => Some(Var(5)),
        _ => None,
    };
    parse(text, &mut { named }).unwrap()
}

fn constraint(text: &str) -> Constraint {
    let side = |op| text.split_once(op).map(|(a, b)| (expr(a), expr(b)));
    let made = if let Some((a, b)) = side(">=") {
        Constraint::ge(&a, &b)
    } else if let Some((a, b)) = side("<=") {
        Constraint::le(&a, &b)
    } else {
        side("=").and_then(|(a, b)| Constraint::eq(&a, &b))
    };
    made.unwrap()
}

fn region(texts: &[&str]) -> Region {
    texts.iter().map(|t| constraint(t)).collect()
}

fn proves(e: &str, on: &[&str]) -> bool {
    nonnegative(&expr(e), &region(on))
}

#[test]
fn polynomials_in_one_variable_are_decided() {
    assert!(proves("n^2-n", &["n>=0"]));
    assert!(
        proves("n^2-n", &[]),
        "0 and 1 are the only integers near the roots"
    );
    assert!(
        proves("n^2-7*n+12", &[]),
        "the roots 3 and 4 are neighbours"
    );
    assert!(!proves("n^2-7*n+11", &[]));
    assert!(
        proves("n^3-100*n^2+2500*n", &["n>=0"]),
        "a double root at 50"
    );
    assert!(!proves("n^3-100*n^2+2499*n", &["n>=0"]));
    assert!(proves("n^2-1000000*n", &["n>=1000000"]));
    assert!(!proves("n^2-1000000*n", &["n>=999999"]));
    assert!(proves("10*n-n^2", &["n>=0", "n<=10"]));
    assert!(!proves("10*n-n^2", &["n>=0", "n<=11"]));
    assert!(proves("n^2+5*n", &["n<=-5"]));
}

#[test]
fn exponentials_win_after_a_head() {
    assert!(proves("2^n-n-1", &["n>=0"]));
    assert!(!proves("2^n-n-2", &["n>=0"]));
    assert!(proves("2^n-n^2", &["n>=4"]));
    assert!(!proves("2^n-n^2", &["n>=3"]));
    assert!(proves("2^n-n^4", &["n>=16"]));
    assert!(proves("3^n-2^n", &["n>=0"]));
    assert!(proves("n*2^n-2*2^n+2", &["n>=0"]));
}

#[test]
fn relations_between_variables_are_used() {
    assert!(proves("n*m-m^2", &["m>=0", "m<=n"]));
    assert!(proves("2*k*n-2*k^2-2*k", &["k>=0", "k<=n-1"]));
    assert!(proves("n^2-m^2", &["n=m"]));
    assert!(proves("n*m", &["n<=0", "m<=0"]));
    assert!(!proves("n*m", &["n>=0"]));
    assert!(proves("2^n*m-m", &["n>=0", "m>=0"]));
    assert!(proves("n^2-2*n*m+m^2", &["n>=0", "m>=n"]));
    assert!(proves("n^2+m^2-2*n*m+n", &["n>=0", "m>=0"]));
}

#[test]
fn products_of_a_constraint_with_many_sizes_are_proved() {
    // n-k+2 rounds, at a price of six sizes.
    let product = "(n-k+2)*(3*n^2+n*m+n*p+2*n*q+n*r+5)";
    let natural = ["m>=0", "p>=0", "q>=0", "r>=0"];
    assert!(proves(product, &[&["k>=1", "k<=n"], &natural[..]].concat()));
    assert!(!proves(
        product,
        &[&["k>=1", "n>=1"], &natural[..]].concat()
    ));
}

#[test]
fn nothing_is_negative_on_no_points() {
    assert!(proves("-1-n^2", &["n>=1", "n<=0"]));
    assert!(!proves("-1-n^2", &["n>=1"]));
}

#[test]
fn equalities_make_differences_vanish() {
    assert!(zero(&expr("n*m-n"), &region(&["m=1"])));
    assert!(!zero(&expr("n*m-n"), &region(&["m>=1"])));
    assert!(zero(&expr("2^n-1"), &region(&["n=0"])));
}

fn some_expr() -> impl Strategy<Value = Expr> {
    proptest::collection::vec((-6i64..=6, 0..3u32, 0..3u32, 0..8u8), 1..=4).prop_map(|terms| {
        let mut sum = Expr::zero();
        for (c, i, j, kind) in terms {
            let mut term = &Expr::var(N).pow(i) * &Expr::var(M).pow(j);
            if kind == 0 {
                term = &term * &Expr::exponential(&rat(2), N).unwrap();
            }
            if kind == 1 {
                term = &term * &Expr::exponential(&rat(3), M).unwrap();
            }
            sum += &term.scale(&rat(c));
        }
        sum
    })
}

const BOUNDS: [&str; 10] = [
    "n>=0", "m>=0", "n>=m", "m>=n+1", "n<=4", "m<=7", "n=m", "n>=2", "m>=-3", "2*m<=n",
];

fn some_region() -> impl Strategy<Value = Region> {
    proptest::collection::vec(0..BOUNDS.len(), 0..4)
        .prop_map(|chosen| chosen.into_iter().map(|i| constraint(BOUNDS[i])).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_proved_is_never_negative(e in some_expr(), on in some_region()) {
        if nonnegative(&e, &on) {
            for n in -8i64..=24 {
                for m in -8i64..=24 {
                    let at = |v| Some(BigInt::from(if v == N { n } else { m }));
                    if on.contains(&at) {
                        prop_assert!(!e.eval(&at).unwrap().is_negative(), "{e:?} at {n}, {m} on {on:?}");
                    }
                }
            }
        }
    }

    /// In one variable the decision is exact.
    #[test]
    fn polynomials_in_one_variable_are_decided_exactly(c in proptest::collection::vec(-30i64..=30, 1..=4), low in -5i64..=5) {
        let e = c.iter().enumerate().fold(Expr::zero(), |sum, (k, &c)| &sum + &Expr::var(N).pow(k as u32).scale(&rat(c)));
        let on = region(&[&format!("n>={low}")]);
        let everywhere = (low..=200).all(|n| !e.eval(&|_| Some(n.into())).unwrap().is_negative());
        prop_assert_eq!(nonnegative(&e, &on), everywhere, "{:?}", e);
    }
}
