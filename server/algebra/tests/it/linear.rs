//! Tests of regions of integer points, against enumeration.

use std::collections::BTreeMap;

use costlens_algebra::{Constraint, Expr, Region, Relation, Var, rat};
use num_bigint::BigInt;
use proptest::prelude::*;

const X: Var = Var(0);
const Y: Var = Var(1);

fn linear(a: i64, b: i64, c: i64) -> Expr {
    &(&Expr::var(X).scale(&rat(a)) + &Expr::var(Y).scale(&rat(b))) + &Expr::int(c)
}

fn ge(a: i64, b: i64, c: i64) -> Constraint {
    Constraint::ge(&linear(a, b, c), &Expr::zero()).unwrap()
}

fn eq(a: i64, b: i64, c: i64) -> Constraint {
    Constraint::eq(&linear(a, b, c), &Expr::zero()).unwrap()
}

fn region(constraints: &[Constraint]) -> Region {
    constraints.iter().cloned().collect()
}

fn holds(r: &Region, x: i64, y: i64) -> bool {
    r.contains(&|v| Some(BigInt::from(if v == X { x } else { y })))
}

#[test]
fn constraints_are_tightened_to_integers() {
    assert_eq!(ge(2, 0, -1), ge(1, 0, -1));
    assert_eq!(eq(-2, 4, 6), eq(1, -2, -3));
    assert!(eq(2, 0, 1).is_contradiction());
    let half = Expr::var(X).scale(&costlens_algebra::Rat::new(1.into(), 2.into()));
    assert_eq!(Constraint::gt(&half, &Expr::zero()).unwrap(), ge(1, 0, -1));
}

#[test]
fn an_equality_has_two_disjoint_opposites() {
    let opposites = eq(1, 0, -3).negated();
    assert_eq!(opposites, vec![ge(-1, 0, 2), ge(1, 0, -4)]);
    assert_eq!(ge(1, 0, 0).negated(), vec![ge(-1, 0, -1)]);
}

#[test]
fn zero_and_positive_make_a_half_line() {
    let zero = region(&[eq(1, 0, 0)]);
    let positive = region(&[ge(1, 0, -1)]);
    assert_eq!(
        zero.union_if_convex(&positive),
        Some(region(&[ge(1, 0, 0)]))
    );
    let far = region(&[ge(1, 0, -2)]);
    assert_eq!(zero.union_if_convex(&far), None);
}

#[test]
fn a_quadrant_is_the_union_of_its_edge_and_its_inside() {
    let edge = region(&[eq(1, 0, 0), ge(0, 1, 0)]);
    let inside = region(&[ge(1, 0, -1), ge(0, 1, 0)]);
    assert_eq!(
        edge.union_if_convex(&inside),
        Some(region(&[ge(1, 0, 0), ge(0, 1, 0)]))
    );
}

#[test]
fn two_half_planes_around_a_diagonal_make_a_plane() {
    let below = region(&[ge(1, -1, 0)]);
    let above = region(&[ge(-1, 1, -1)]);
    assert_eq!(below.union_if_convex(&above), Some(Region::everything()));
}

#[test]
fn forced_equalities_are_found() {
    let r = region(&[ge(1, 0, 0), ge(-1, 0, 0), ge(0, 1, 0), ge(1, 1, 0)]);
    assert_eq!(r.simplified(), region(&[eq(1, 0, 0), ge(0, 1, 0)]));
}

#[test]
fn bounds_are_rounded_to_integers() {
    let r = region(&[ge(3, 0, -4), ge(0, 1, 0), ge(-1, -1, 10)]);
    assert_eq!(r.bounds(&linear(1, 0, 0)), (Some(rat(2)), Some(rat(10))));
    assert_eq!(r.bounds(&linear(1, 1, 1)), (Some(rat(3)), Some(rat(11))));
    assert_eq!(r.bounds(&linear(0, 1, 0)), (Some(rat(0)), Some(rat(8))));
    assert_eq!(
        region(&[ge(1, 0, 0)]).bounds(&linear(-2, 0, 0)),
        (None, Some(rat(0)))
    );
}

#[test]
fn projections_keep_what_follows_for_the_others() {
    let r = region(&[ge(0, 1, 0), ge(1, -1, -1)]);
    assert_eq!(r.project_out(&[Y]), Some(region(&[ge(1, 0, -1)])));
}

#[test]
fn every_integer_has_a_half() {
    let r = region(&[ge(1, -2, 0), ge(-1, 2, 1)]); // 2y <= x <= 2y + 1
    assert_eq!(r.project_inside(&[Y]), Some(Region::everything()));
    let even = region(&[eq(1, -2, 0)]);
    assert_eq!(even.project_inside(&[Y]), None);
}

#[test]
fn substitution_that_is_not_linear_gives_none() {
    let r = region(&[ge(1, 0, 0)]);
    let square = Expr::var(Y).pow(2);
    assert_eq!(r.substitute(&BTreeMap::from([(X, square)])), None);
    let shifted = &Expr::var(X) - &Expr::int(1);
    assert_eq!(
        r.substitute(&BTreeMap::from([(X, shifted)])),
        Some(region(&[ge(1, 0, -1)]))
    );
}

fn some_constraint() -> impl Strategy<Value = Constraint> {
    (-3i64..=3, -3i64..=3, -6i64..=6, 0..4u8).prop_map(|(a, b, c, kind)| {
        let relation = if kind == 0 {
            Relation::Zero
        } else {
            Relation::NonNegative
        };
        Constraint::new(&linear(a, b, c), relation).unwrap()
    })
}

fn some_region() -> impl Strategy<Value = Region> {
    proptest::collection::vec(some_constraint(), 0..5).prop_map(Region::from_iter)
}

fn points() -> impl Iterator<Item = (i64, i64)> {
    (-12..=12).flat_map(|x| (-12..=12).map(move |y| (x, y)))
}

proptest! {
    #[test]
    fn an_empty_region_has_no_point(r in some_region()) {
        if r.is_empty() {
            prop_assert!(points().all(|(x, y)| !holds(&r, x, y)));
        }
    }

    #[test]
    fn negation_covers_exactly_the_complement(c in some_constraint()) {
        let inside = Region::everything().and(c.clone());
        let outside: Vec<Region> = c.negated().into_iter().map(|c| Region::everything().and(c)).collect();
        for (x, y) in points() {
            let times = outside.iter().filter(|r| holds(r, x, y)).count();
            prop_assert_eq!(times, usize::from(!holds(&inside, x, y)));
        }
    }

    #[test]
    fn implication_holds_at_every_point(r in some_region(), c in some_constraint()) {
        if r.implies(&c) {
            let both = r.and(c);
            prop_assert!(points().all(|(x, y)| holds(&r, x, y) == holds(&both, x, y)));
        }
    }

    #[test]
    fn simplification_changes_no_point(r in some_region()) {
        let s = r.simplified();
        prop_assert!(points().all(|(x, y)| holds(&r, x, y) == holds(&s, x, y)), "{:?}", s);
    }

    #[test]
    fn bounds_hold_at_every_point(r in some_region(), a in -3i64..=3, b in -3i64..=3, c in -3i64..=3) {
        let (low, high) = r.bounds(&linear(a, b, c));
        for (x, y) in points().filter(|&(x, y)| holds(&r, x, y)) {
            let value = rat(a * x + b * y + c);
            prop_assert!(low.as_ref().is_none_or(|l| *l <= value));
            prop_assert!(high.as_ref().is_none_or(|h| *h >= value));
        }
    }

    #[test]
    fn differences_are_exact_and_disjoint(r in some_region(), s in some_region()) {
        let pieces = r.difference(&s);
        for (x, y) in points() {
            let times = pieces.iter().filter(|p| holds(p, x, y)).count();
            prop_assert_eq!(times, usize::from(holds(&r, x, y) && !holds(&s, x, y)));
        }
    }

    #[test]
    fn convex_unions_are_exact(r in some_region(), s in some_region()) {
        if let Some(union) = r.union_if_convex(&s) {
            for (x, y) in points() {
                prop_assert_eq!(holds(&union, x, y), holds(&r, x, y) || holds(&s, x, y));
            }
        }
    }

    #[test]
    fn projections_contain_every_point(r in some_region()) {
        if let Some(p) = r.project_out(&[Y]) {
            prop_assert!(points().all(|(x, y)| !holds(&r, x, y) || holds(&p, x, 0)));
        }
    }

    #[test]
    fn inner_projections_add_no_point(r in some_region()) {
        if let Some(p) = r.project_inside(&[Y]) {
            for x in -6..=6 {
                prop_assert!(!holds(&p, x, 0) || (-60..=60).any(|y| holds(&r, x, y)), "{} {:?}", x, p);
            }
        }
    }
}
