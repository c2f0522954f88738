//! Tests of verdicts on orders of growth, compared with ratios of values at large sizes.

use costlens_algebra::compare::{Approx, Bound, Piece, Verdict, judge};
use costlens_algebra::{Constraint, Expr, Monomial, Rat, Region, Var, rat};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

const N: Var = Var(0);
const M: Var = Var(1);

/// Generates sums of up to four monomials `c·n^i·m^j`.
fn polynomials(least: i64) -> impl Strategy<Value = Expr> {
    proptest::collection::vec((least..6, 0u32..4, 0u32..4), 1..5).prop_map(|terms| {
        let mut e = Expr::zero();
        for (c, i, j) in terms {
            let mut m = Monomial::one();
            m.powers
                .extend([(N, i), (M, j)].into_iter().filter(|(_, k)| *k > 0));
            e.add_monomial(m, rat(c));
        }
        e
    })
}

/// Returns `|greater| / |smaller|` at `n = t^a, m = t^b`, or `None` if the denominator is 0.
fn ratio(greater: &Expr, smaller: &Expr, t: u32, (a, b): (u32, u32)) -> Option<Rat> {
    let at = |v: Var| Some(BigInt::from(t).pow(if v == N { a } else { b }));
    let denominator = smaller.eval(&at).unwrap().abs();
    (!denominator.is_zero()).then(|| greater.eval(&at).unwrap().abs() / denominator)
}

/// Returns the factor by which the ratio changes when `t` increases from a thousand to a million: about 1 or less within the order, a
/// thousand or more beyond it.
fn gain(greater: &Expr, smaller: &Expr, direction: (u32, u32)) -> Option<Rat> {
    let near = ratio(greater, smaller, 1_000, direction)?;
    let far = ratio(greater, smaller, 1_000_000, direction)?;
    (!near.is_zero()).then(|| far / near)
}

const DIRECTIONS: [(u32, u32); 9] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (1, 3),
    (3, 1),
    (2, 3),
    (3, 2),
    (4, 1),
    (1, 4),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_checked_order_bounds_the_ratio_and_a_false_one_does_not(
        cost in polynomials(1),
        asserted in polynomials(-2),
        is_lower in any::<bool>(),
        is_triangle in any::<bool>(),
    ) {
        let (n, m) = (Expr::var(N), Expr::var(M));
        let mut domain = Region::everything()
            .and(Constraint::ge(&n, &Expr::zero()).unwrap())
            .and(Constraint::ge(&m, &Expr::zero()).unwrap());
        if is_triangle {
            domain = domain.and(Constraint::le(&m, &n).unwrap());
        }
        let piece = Piece {
            region: domain.clone(),
            lower: Bound::Finite(cost.clone()),
            upper: Bound::Finite(cost.clone()),
        };
        let kind = if is_lower { Approx::Olb } else { Approx::O };
        let verdict = judge(kind, &asserted, &[piece], &domain).overall;
        let (greater, smaller) = if is_lower { (&asserted, &cost) } else { (&cost, &asserted) };
        let gains: Vec<Rat> = DIRECTIONS
            .into_iter()
            .filter(|(a, b)| !is_triangle || b <= a)
            .filter_map(|direction| gain(greater, smaller, direction))
            .collect();
        match verdict {
            // A negative asserted function imposes no lower bound.
            Verdict::Checked if is_lower && asserted.terms().any(|(_, c)| c.is_negative()) => {}
            Verdict::Checked => prop_assert!(gains.iter().all(|g| *g < rat(30))),
            // Along a direction in which the asserted function cancels to 0, no cost has its order, and there is no ratio.
            Verdict::False => prop_assert!(
                DIRECTIONS.iter().any(|&d| ratio(greater, smaller, 1_000, d).is_none())
                    || gains.iter().any(|g| *g > rat(30))
            ),
            Verdict::Check => {}
        }
        // With a single size the verdict is definite, as long as the leading coefficient is positive.
        let is_one_size = |e: &Expr| e.terms().all(|(m, c)| c.is_positive() && !m.powers.contains_key(&M));
        if is_one_size(&cost) && is_one_size(&asserted) {
            prop_assert!(verdict != Verdict::Check);
        }
    }
}
