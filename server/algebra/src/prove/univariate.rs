//! Decides whether an expression in one variable is non-negative. The decision is exact for polynomials. If exponentials occur, a limited
//! number of leading integers are checked individually, and the rest is proved by induction.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::cfinite;
use super::purify::has_sequences;
use super::{
    Proof, Search, along_a_slack, by_cases, coefficients_nonnegative, holds_at, only, slack, spend,
};
use crate::expr::{Expr, Rat, Var};
use crate::linear::{Constraint, Implied, Region, Relation};
use crate::rational::{add_to, product};

/// The maximum number of leading integers that are checked individually if exponentials occur.
const HEAD: u32 = 64;

/// Decides whether `expr >= 0` at every integer point of the region (over the single variable `v`).
pub(super) fn decide(expr: &Expr, v: Var, region: &Region, fuel: &mut Search) -> bool {
    let (low, high) = range(v, region);
    match (low, high) {
        (Some(low), Some(high)) => {
            if low > high {
                return fuel.done(|| region.refutation().map(Proof::Empty));
            }
            if &high - &low <= BigInt::from(HEAD) {
                return enumerated(expr, v, region, &low, &high, fuel);
            }
            match dense(expr, v) {
                Some(p) => on_interval(&p, v, region, &low, &high, fuel),
                None => {
                    is_nonnegative_from(expr, v, region, &low, 1, fuel)
                        || is_nonnegative_from(expr, v, region, &high, -1, fuel)
                }
            }
        }
        (Some(low), None) => is_nonnegative_from(expr, v, region, &low, 1, fuel),
        (None, Some(high)) => is_nonnegative_from(expr, v, region, &high, -1, fuel),
        (None, None) => {
            let (zero, before) = (BigInt::zero(), BigInt::from(-1));
            let parts = [half_line(v, &zero, 1), half_line(v, &before, -1)];
            let mark = fuel.mark();
            is_nonnegative_from(expr, v, &region.and_all(&parts[0]), &zero, 1, fuel)
                && is_nonnegative_from(expr, v, &region.and_all(&parts[1]), &before, -1, fuel)
                && fuel.combine(mark, |then| by_cases(region, parts.to_vec(), then))
        }
    }
}

/// Returns the region `v >= start` for a step of 1, or `v <= start` for -1.
fn half_line(v: Var, start: &BigInt, step: i64) -> Region {
    let start = Expr::constant(Rat::from_integer(start.clone()));
    let c = if step > 0 {
        Constraint::ge(&Expr::var(v), &start)
    } else {
        Constraint::le(&Expr::var(v), &start)
    };
    c.into_iter().collect()
}

/// Proves that the variable lies between two numbers.
fn interval_implied(v: Var, region: &Region, low: &BigInt, high: &BigInt) -> Option<[Implied; 2]> {
    let why = |half: Region| match half.constraints() {
        [c] => region.implication(c),
        _ => None,
    };
    Some([why(half_line(v, low, 1))?, why(half_line(v, high, -1))?])
}

/// Decides an expression whose atoms are defined on the region, which may have further variables. If the region contains few points, they
/// are checked individually; sequences are proved by induction. Returns `None` if neither method applies.
pub(super) fn decide_with_atoms(
    expr: &Expr,
    v: Var,
    region: &Region,
    depth: u32,
    fuel: &mut Search,
) -> Option<bool> {
    let others: Vec<Var> = region.variables().into_iter().filter(|&w| w != v).collect();
    let shadow = region.project_out(&others)?;
    match range(v, &shadow) {
        (Some(low), Some(high)) if &high - &low <= BigInt::from(HEAD) => {
            let proved = if low > high {
                fuel.done(|| region.refutation().map(Proof::Empty))
            } else {
                enumerated(expr, v, region, &low, &high, fuel)
            };
            (proved || others.is_empty()).then_some(proved)
        }
        (Some(low), _) if has_sequences(expr) => {
            cfinite::nonnegative(expr, v, region, &low, depth, fuel).then_some(true)
        }
        _ => None,
    }
}

/// Returns the minimum and maximum of the variable.
pub(super) fn range(v: Var, region: &Region) -> (Option<BigInt>, Option<BigInt>) {
    let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
    for c in region.constraints() {
        let row = c.row();
        let [(w, a)] = row.coefficients[..] else {
            continue;
        };
        if w != v {
            continue;
        }
        // In normal form, a is 1 or -1.
        if a > 0 || c.relation() == Relation::Zero {
            let bound = BigInt::from(-row.constant * a);
            low = Some(low.map_or(bound.clone(), |l| l.max(bound)));
        }
        if a < 0 || c.relation() == Relation::Zero {
            let bound = BigInt::from(-row.constant * a);
            high = Some(high.map_or(bound.clone(), |h| h.min(bound)));
        }
    }
    (low, high)
}

/// Checks every value of the variable between two bounds.
fn enumerated(
    expr: &Expr,
    v: Var,
    region: &Region,
    low: &BigInt,
    high: &BigInt,
    fuel: &mut Search,
) -> bool {
    let mut n = low.clone();
    while n <= *high {
        if !spend(fuel) || !holds_at(expr, &n) {
            return false;
        }
        n += 1;
    }
    fuel.done(|| {
        Some(Proof::Points {
            var: v,
            low: low.clone(),
            high: high.clone(),
            by: interval_implied(v, region, low, high)?,
        })
    })
}

/// Decides the sign at `start, start + step, start + 2·step, …`, for a step of 1 or -1; these points include the region.
fn is_nonnegative_from(
    expr: &Expr,
    v: Var,
    region: &Region,
    start: &BigInt,
    step: i64,
    fuel: &mut Search,
) -> bool {
    let t = Expr::var(slack(0)).scale(&Rat::from_integer(step.into()));
    let value = |by: &BigInt| &Expr::constant(Rat::from_integer(by.clone())) + &t;
    let shifted = |by: &BigInt| expr.substitute(&BTreeMap::from([(v, value(by))]));
    // Converts a proof for t >= 0 into a proof on the part of the region that starts at a given point.
    let corner = |at: &BigInt, on: &Region, then: Proof| {
        let then = Box::new(then);
        let values = vec![(v, value(at))];
        let rows = vec![0];
        let proof = Proof::Corner { rows, values, then };
        proof.weakened(on, &half_line(v, at, step))
    };
    let Some(e) = shifted(start) else {
        return false;
    };
    if coefficients_nonnegative(&e) {
        return fuel.done(|| corner(start, region, Proof::Coefficients));
    }
    if let Some(p) = dense(&e, slack(0)) {
        let mark = fuel.mark();
        let t = Region::from_iter(Constraint::ge(&Expr::var(slack(0)), &Expr::zero()));
        return polynomial_from_zero(&p, &t, fuel)
            && fuel.combine(mark, |parts| corner(start, region, *only(parts)?));
    }
    // With exponentials, the head is checked point by point and the tail by induction.
    let mut head = BigInt::zero();
    let mut next = 1u32;
    let mark = fuel.mark();
    loop {
        let at = start + &head * step;
        if let Some(tail) = shifted(&at)
            && along_a_slack(&tail, 6, fuel)
        {
            return fuel.combine(mark, |parts| {
                let tail = *only(parts)?;
                if head.is_zero() {
                    return corner(start, region, tail);
                }
                let last = &at - step;
                let parts = vec![half_line(v, &at, step), half_line(v, &last, -step)];
                let (low, high) = if step > 0 {
                    (start, &last)
                } else {
                    (&last, start)
                };
                let points = Proof::Points {
                    var: v,
                    low: low.clone(),
                    high: high.clone(),
                    by: interval_implied(v, &region.and_all(&parts[1]), low, high)?,
                };
                let tail = corner(&at, &region.and_all(&parts[0]), tail)?;
                by_cases(region, parts, vec![tail, points])
            });
        }
        fuel.undo(mark);
        if next > HEAD {
            return false;
        }
        for _ in 0..next {
            let n = start + &head * step;
            if !spend(fuel) || !holds_at(expr, &n) {
                return false;
            }
            head += 1;
        }
        next *= 2;
    }
}

/// Returns the coefficients of a polynomial in `v`, lowest degree first, or `None` if any other term occurs.
fn dense(expr: &Expr, v: Var) -> Option<Vec<Rat>> {
    let mut p = Vec::new();
    for (m, c) in expr.terms() {
        if !m.exponentials.is_empty() || !m.is_plain() {
            return None;
        }
        let k = usize::try_from(m.powers.get(&v).copied().unwrap_or(0)).ok()?;
        if p.len() <= k {
            p.resize(k + 1, Rat::zero());
        }
        p[k] = c.clone();
    }
    Some(p)
}

/// Decides `p(x) >= 0` for x = 0, 1, 2, …, where x is [`slack`] 0 and the region is `x >= 0`.
pub(super) fn polynomial_from_zero(p: &[Rat], region: &Region, fuel: &mut Search) -> bool {
    if p.last().is_none_or(Signed::is_negative) || p[0].is_negative() {
        return p.iter().all(Zero::is_zero);
    }
    // After enough doublings the bound exceeds every root, and the Taylor expansion at the bound has no negative coefficient.
    let mut bound = BigInt::one();
    loop {
        if !spend(fuel) {
            return false;
        }
        let tail = taylor(p, &bound);
        if tail.iter().all(|c| !c.is_negative()) {
            break;
        }
        if tail[0].is_negative() {
            return false;
        }
        bound *= 2;
    }
    let v = slack(0);
    let parts = vec![half_line(v, &bound, 1), half_line(v, &bound, -1)];
    let mark = fuel.mark();
    let head = region.and_all(&parts[1]);
    on_interval(p, v, &head, &BigInt::zero(), &bound, fuel)
        && fuel.combine(mark, |head| {
            let bound = Expr::constant(Rat::from_integer(bound));
            let tail = Proof::Corner {
                rows: vec![0],
                values: vec![(v, &bound + &Expr::var(v))],
                then: Box::new(Proof::Coefficients),
            };
            let on = region.and_all(&parts[0]);
            let tail = tail.weakened(&on, &parts[0])?;
            by_cases(region, parts, vec![tail, *only(head)?])
        })
}

/// Decides `p(x) >= 0` for the integers low..=high: the transformation `x = (low + high·u)/(1 + u)` maps u >= 0 onto the interval. If all
/// coefficients are non-negative, the inequality is proved (Vincent, Collins, Akritas); otherwise the interval is halved, down to single
/// integers.
fn on_interval(
    p: &[Rat],
    v: Var,
    region: &Region,
    low: &BigInt,
    high: &BigInt,
    fuel: &mut Search,
) -> bool {
    let mut open = vec![(low.clone(), high.clone())];
    // The endpoints are in ascending order, since the left half is checked first.
    let mut ends = vec![low.clone()];
    while let Some((a, b)) = open.pop() {
        if a > b {
            continue;
        }
        if !spend(fuel) || value(p, &a).is_negative() || value(p, &b).is_negative() {
            return false;
        }
        let width = &b - &a;
        if width <= BigInt::one() {
            ends.push(a);
            ends.push(b);
            continue;
        }
        // Compute p(a + width·y) for y in [0, 1], then substitute y = u/(1+u): reverse the coefficients and shift by 1.
        let mut q = taylor(p, &a);
        let mut scale = BigInt::one();
        for c in &mut q {
            *c *= Rat::from_integer(scale.clone());
            scale *= &width;
        }
        q.reverse();
        let q = taylor(&q, &BigInt::one());
        if q.iter().all(|c| !c.is_negative()) {
            ends.push(a);
            ends.push(b);
            continue;
        }
        let middle = (&a + &b).div_floor(&BigInt::from(2));
        open.push((&middle + 1, b));
        open.push((a, middle));
    }
    fuel.done(|| {
        ends.dedup();
        Some(Proof::Interval {
            var: v,
            ends,
            by: interval_implied(v, region, low, high)?,
        })
    })
}

/// Returns the coefficients of `p(x + by)`.
pub(super) fn taylor(p: &[Rat], by: &BigInt) -> Vec<Rat> {
    let by = Rat::from_integer(by.clone());
    let mut q = p.to_vec();
    let n = q.len();
    for i in 0..n {
        for j in (i..n.saturating_sub(1)).rev() {
            let carry = product(&q[j + 1], &by);
            add_to(&mut q[j], &carry);
        }
    }
    q
}

pub(super) fn value(p: &[Rat], x: &BigInt) -> Rat {
    let x = Rat::from_integer(x.clone());
    p.iter().rev().fold(Rat::zero(), |sum, c| {
        let mut sum = product(&sum, &x);
        add_to(&mut sum, c);
        sum
    })
}
