//! One variable: exact for polynomials, and for sums with exponentials up to a head that is enumerated.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::atoms::{along_a_sequence, has_sequences};
use super::{along_a_slack, coefficients_nonnegative, slack, spend};
use crate::expr::{Expr, Rat, Var};
use crate::linear::{Region, Relation};

/// Longest head of integers that is looked at one by one when exponentials occur.
const HEAD: u32 = 64;

/// Whether `expr >= 0` at every integer point of the region (over the variable `v` alone).
pub(super) fn decide(expr: &Expr, v: Var, region: &Region, fuel: &mut u64) -> bool {
    let (low, high) = range(v, region);
    match (low, high) {
        (Some(low), Some(high)) => {
            if low > high {
                return true;
            }
            if &high - &low <= BigInt::from(HEAD) {
                return enumerated(expr, &low, &high, fuel);
            }
            match dense(expr, v) {
                Some(p) => on_interval(&p, &low, &high, fuel),
                None => from(expr, v, &low, 1, fuel) || from(expr, v, &high, -1, fuel),
            }
        }
        (Some(low), None) => from(expr, v, &low, 1, fuel),
        (None, Some(high)) => from(expr, v, &high, -1, fuel),
        (None, None) => {
            from(expr, v, &BigInt::zero(), 1, fuel) && from(expr, v, &BigInt::from(-1), -1, fuel)
        }
    }
}

/// The same for an expression with atoms that are defined on the region, which may have further variables: few points are looked
/// at one by one, sequences are taken by induction. None if neither applies.
pub(super) fn decide_with_atoms(
    expr: &Expr,
    v: Var,
    region: &Region,
    depth: u32,
    fuel: &mut u64,
) -> Option<bool> {
    let others: Vec<Var> = region.variables().into_iter().filter(|&w| w != v).collect();
    let region = region.project_out(&others)?;
    match range(v, &region) {
        (Some(low), Some(high)) if &high - &low <= BigInt::from(HEAD) => {
            let proved = low > high || enumerated(expr, &low, &high, fuel);
            (proved || others.is_empty()).then_some(proved)
        }
        (Some(low), _) if has_sequences(expr) => {
            along_a_sequence(expr, v, &low, depth, fuel).then_some(true)
        }
        _ => None,
    }
}

/// The least and the greatest value of the variable.
fn range(v: Var, region: &Region) -> (Option<BigInt>, Option<BigInt>) {
    let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
    for c in region.constraints() {
        let row = c.row();
        let [(w, a)] = row.coefficients[..] else {
            continue;
        };
        if w != v {
            continue;
        }
        // Normal form: a is 1 or -1.
        if a > 0 || c.relation == Relation::Zero {
            let bound = BigInt::from(-row.constant * a);
            low = Some(low.map_or(bound.clone(), |l| l.max(bound)));
        }
        if a < 0 || c.relation == Relation::Zero {
            let bound = BigInt::from(-row.constant * a);
            high = Some(high.map_or(bound.clone(), |h| h.min(bound)));
        }
    }
    (low, high)
}

fn enumerated(expr: &Expr, low: &BigInt, high: &BigInt, fuel: &mut u64) -> bool {
    let mut n = low.clone();
    while n <= *high {
        if !spend(fuel)
            || expr
                .eval(&|_| Some(n.clone()))
                .is_none_or(|r| r.is_negative())
        {
            return false;
        }
        n += 1;
    }
    true
}

/// On `start, start + step, start + 2·step, …` for a step of 1 or -1.
fn from(expr: &Expr, v: Var, start: &BigInt, step: i64, fuel: &mut u64) -> bool {
    let t = Expr::var(slack(0)).scale(&Rat::from_integer(step.into()));
    let shifted = |by: &BigInt| {
        let at = Expr::constant(Rat::from_integer(by.clone()));
        expr.substitute(&BTreeMap::from([(v, &at + &t)]))
    };
    let Some(e) = shifted(start) else {
        return false;
    };
    if coefficients_nonnegative(&e) {
        return true;
    }
    if let Some(p) = dense(&e, slack(0)) {
        return polynomial_from_zero(&p, fuel);
    }
    // Exponentials: the head one by one, the tail by induction.
    let mut head = BigInt::zero();
    let mut next = 1u32;
    loop {
        let at = start + &head * step;
        if let Some(tail) = shifted(&at)
            && along_a_slack(&tail, 6, fuel)
        {
            return true;
        }
        if next > HEAD {
            return false;
        }
        for _ in 0..next {
            let n = start + &head * step;
            if !spend(fuel)
                || expr
                    .eval(&|_| Some(n.clone()))
                    .is_none_or(|r| r.is_negative())
            {
                return false;
            }
            head += 1;
        }
        next *= 2;
    }
}

/// The coefficients of a polynomial in `v`, lowest degree first; none if something else occurs.
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

/// `p(x) >= 0` for x = 0, 1, 2, …
fn polynomial_from_zero(p: &[Rat], fuel: &mut u64) -> bool {
    if p.last().is_none_or(Signed::is_negative) || p[0].is_negative() {
        return p.iter().all(Zero::is_zero);
    }
    // Beyond every root after enough doublings: the Taylor expansion there has no negative coefficient.
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
    on_interval(p, &BigInt::zero(), &bound, fuel)
}

/// `p(x) >= 0` for the integers low..=high: the transformation `x = (low + high·u)/(1 + u)` maps u >= 0 onto the interval; no
/// negative coefficient is a proof (Vincent, Collins, Akritas), otherwise the interval is halved, down to single integers.
fn on_interval(p: &[Rat], low: &BigInt, high: &BigInt, fuel: &mut u64) -> bool {
    let mut open = vec![(low.clone(), high.clone())];
    while let Some((a, b)) = open.pop() {
        if a > b {
            continue;
        }
        if !spend(fuel) || value(p, &a).is_negative() || value(p, &b).is_negative() {
            return false;
        }
        let width = &b - &a;
        if width <= BigInt::one() {
            continue;
        }
        // p(a + width·y) for y in [0, 1], then y = u/(1+u): reverse, shift by 1.
        let mut q = taylor(p, &a);
        let mut scale = BigInt::one();
        for c in &mut q {
            *c *= Rat::from_integer(scale.clone());
            scale *= &width;
        }
        q.reverse();
        let q = taylor(&q, &BigInt::one());
        if q.iter().all(|c| !c.is_negative()) {
            continue;
        }
        let middle = (&a + &b).div_floor(&BigInt::from(2));
        open.push((&middle + 1, b));
        open.push((a, middle));
    }
    true
}

/// The coefficients of `p(x + by)`.
fn taylor(p: &[Rat], by: &BigInt) -> Vec<Rat> {
    let by = Rat::from_integer(by.clone());
    let mut q = p.to_vec();
    let n = q.len();
    for i in 0..n {
        for j in (i..n.saturating_sub(1)).rev() {
            let carry = &q[j + 1] * &by;
            q[j] += carry;
        }
    }
    q
}

fn value(p: &[Rat], x: &BigInt) -> Rat {
    let x = Rat::from_integer(x.clone());
    p.iter().rev().fold(Rat::zero(), |sum, c| sum * &x + c)
}
