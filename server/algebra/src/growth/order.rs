//! Orders on monomials: the relation `O`, and the printing order.

use std::cmp::Ordering;

use num_traits::One;

use super::profile::Profile;
use crate::expr::{Expr, Monomial, Rat, Var};

/// Returns whether the monomial `a` is in `O(b)` when the variables go to infinity independently.
#[must_use]
pub fn is_dominated(a: &Monomial, b: &Monomial) -> bool {
    if a.is_plain() && b.is_plain() {
        return a.variables().chain(b.variables()).all(|v| {
            base(a, v)
                .cmp(&base(b, v))
                .then_with(|| power(a, v).cmp(&power(b, v)))
                .is_le()
        });
    }
    a == b || Profile::from_monomial(a).is_dominated(&Profile::from_monomial(b))
}

/// Returns the monomials of an expression, highest growth first. With one variable this is the order of growth; with several variables it
/// is the order for equal sizes, with ties broken by the first variable.
#[must_use]
pub fn printing_order(e: &Expr) -> Vec<(&Monomial, &Rat)> {
    let mut terms: Vec<_> = e.terms().collect();
    terms.sort_by(|(a, _), (b, _)| compare_for_printing(b, a));
    terms
}

/// Compares monomials without coefficients by [`printing_order`].
pub(super) fn compare_for_printing(a: &Monomial, b: &Monomial) -> Ordering {
    if !(a.is_plain() && b.is_plain()) {
        return Profile::from_monomial(a)
            .compare_on_diagonal(&Profile::from_monomial(b))
            .then_with(|| a.cmp(b));
    }
    let diagonal = |m: &Monomial| m.exponentials.values().fold(Rat::one(), |x, y| x * y);
    let by_diagonal = if a.exponentials.is_empty() && b.exponentials.is_empty() {
        Ordering::Equal
    } else {
        diagonal(a).cmp(&diagonal(b))
    };
    by_diagonal
        .then_with(|| degree(a).cmp(&degree(b)))
        .then_with(|| {
            let mut variables: Vec<Var> = a.variables().chain(b.variables()).collect();
            variables.sort_unstable();
            variables
                .into_iter()
                .map(|v| {
                    base(a, v)
                        .cmp(&base(b, v))
                        .then_with(|| power(a, v).cmp(&power(b, v)))
                })
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
}

/// Returns the sum of the exponents, which may exceed 32 bits.
fn degree(m: &Monomial) -> u64 {
    m.powers.values().map(|&k| u64::from(k)).sum()
}

/// Returns the exponential base of a variable, or 1 if there is none.
pub(super) fn base(m: &Monomial, v: Var) -> Rat {
    m.exponentials.get(&v).cloned().unwrap_or_else(Rat::one)
}

fn power(m: &Monomial, v: Var) -> u32 {
    m.powers.get(&v).copied().unwrap_or(0)
}
