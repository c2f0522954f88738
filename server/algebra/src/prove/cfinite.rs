//! Expressions with sequences, in one variable.
//!
//! An expression with a sequence that has the coefficients `a` is non-negative for all arguments of at least `n` if it is non-negative at d
//! consecutive points and the operator `f(n+d) - Σ aᵢ·f(n+d-i)`, which annihilates the sequence, yields a non-negative expression.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::Signed;

use super::proof::{Proof, Search};
use super::{holds_at, prove, spend};
use crate::atom::Atom;
use crate::expr::{Expr, Monomial, Rat, Var};
use crate::linear::{Constraint, Region};

/// Returns true only if an expression in one variable with sequences is proved non-negative for all values of at least `low`.
pub(super) fn nonnegative(
    e: &Expr,
    v: Var,
    region: &Region,
    low: &BigInt,
    depth: u32,
    fuel: &mut Search,
) -> bool {
    const HEAD: u32 = 32;
    let sequence = e.atoms().into_iter().find_map(|atom| match atom {
        Atom::CFinite {
            coefficients,
            index,
        } if *index == &Expr::var(v) + &Expr::constant(index.coefficient(&Monomial::one())) => {
            Some(coefficients.clone())
        }
        _ => None,
    });
    let Some(a) = sequence else { return false };
    if depth == 0 || a.iter().any(Signed::is_negative) {
        return false;
    }
    let d = i64::try_from(a.len()).unwrap_or(0);
    let Some(step) = step(e, v, &a) else {
        return false;
    };
    // Check the head point by point, trying to prove the tail by induction after each point.
    let (mut checked, mut start, mut next) = (low.clone(), low.clone(), 1u32);
    loop {
        while checked < &start + d {
            if !spend(fuel) || !holds_at(e, &checked) {
                return false;
            }
            checked += 1;
        }
        let Some(tail) = at_least(v, &start).map(|c| Region::everything().and(c)) else {
            return false;
        };
        let mark = fuel.mark();
        if step.is_zero() || prove(&step, &tail, depth - 1, fuel) {
            return fuel.combine(mark, |mut parts| {
                let at_least = at_least(v, low)?;
                Some(Proof::Sequence {
                    var: v,
                    coefficients: a,
                    low: low.clone(),
                    start,
                    by: region.implication(&at_least)?,
                    step: if step.is_zero() {
                        None
                    } else {
                        parts.pop().map(Box::new)
                    },
                })
            });
        }
        if next > HEAD {
            return false;
        }
        start += next;
        next *= 2;
    }
}

/// Returns `e(v+d) - Σ aᵢ·e(v+d-i)`.
fn step(e: &Expr, v: Var, a: &[Rat]) -> Option<Expr> {
    let d = i64::try_from(a.len()).unwrap_or(0);
    let shifted = |by: i64| {
        let at = &Expr::var(v) + &Expr::int(by);
        e.substitute(&BTreeMap::from([(v, at)]))
    };
    let mut step = shifted(d)?;
    for (i, a) in (1i64..).zip(a) {
        step += &shifted(d - i)?.scale(&-a.clone());
    }
    Some(step)
}

/// Returns `v >= least`.
fn at_least(v: Var, least: &BigInt) -> Option<Constraint> {
    let least = Expr::constant(Rat::from_integer(least.clone()));
    Constraint::ge(&Expr::var(v), &least)
}
