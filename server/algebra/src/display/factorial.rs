//! Display of numbers of arrangements by their growth: `3·A(n)-2` becomes `≈ 8.155·n!-2`.
//!
//! `A_b(n)` is less than `e^b·n!`, and the quotient tends to 1. As for the dominant roots of sequences, rounding the factor outward makes
//! the result eventually a bound.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::{One, Signed, Zero};

use super::Outward;
use super::raised::superscript_number;
use crate::atom::Atom;
use crate::atom::factorial::euler_power;
use crate::enclosure::Enclosure;
use crate::expr::{Expr, Monomial, Rat, rat};

/// An expression without numbers of arrangements, and the monomials whose coefficients were rounded to three places.
pub(super) struct Approximation {
    pub(super) expr: Expr,
    pub(super) rounded: BTreeSet<Monomial>,
}

/// Approximates numbers of arrangements. Returns `None` if there are none, or if a base is too large.
pub(super) fn approximation(e: &Expr, outward: Option<Outward>) -> Option<Approximation> {
    let is_arrangements = |a: &Atom| matches!(a, Atom::Arrangements { .. });
    if !e.atoms().into_iter().any(is_arrangements) {
        return None;
    }
    let mut sums: BTreeMap<Monomial, Enclosure> = BTreeMap::new();
    let mut rounded = BTreeSet::new();
    for (m, c) in e.terms() {
        let mut factor = Enclosure::exact(Rat::one());
        let mut plain = m.clone();
        plain.atoms.clear();
        for (atom, &k) in &m.atoms {
            let Atom::Arrangements { base, of } = atom else {
                *plain.atoms.entry(atom.clone()).or_insert(0) += k;
                continue;
            };
            let limit = euler_power(base)?;
            for _ in 0..k {
                factor = factor.times(&limit);
            }
            *plain.atoms.entry(Atom::Factorial(of.clone())).or_insert(0) += k;
        }
        if m.atoms.keys().any(is_arrangements) {
            rounded.insert(plain.clone());
        }
        let (low, high) = if c.is_negative() {
            (&factor.high, &factor.low)
        } else {
            (&factor.low, &factor.high)
        };
        let zero = || Enclosure::exact(Rat::zero());
        let sum = sums.entry(plain).or_insert_with(zero);
        sum.low += c * low;
        sum.high += c * high;
    }
    let mut expr = Expr::zero();
    for (m, sum) in sums {
        let c = if rounded.contains(&m) {
            let scale = rat(1000);
            let scaled = match outward {
                None => (sum.middle() * &scale).round(),
                Some(Outward::Down) => (sum.low * &scale).floor(),
                Some(Outward::Up) => (sum.high * &scale).ceil(),
            };
            scaled / scale
        } else {
            sum.low
        };
        expr.add_monomial(m, c);
    }
    Some(Approximation { expr, rounded })
}

/// Displays a power of a factorial as in hints: `n!`, `(2n)!`.
pub(super) fn display(of: &Expr, shown: &str, power: u32) -> String {
    let factorial = bracketed(of, shown);
    if power == 1 {
        factorial
    } else {
        format!("({factorial}){}", superscript_number(i64::from(power)))
    }
}

/// Displays the factorial of an expression with the given text, in parentheses unless the expression is a variable.
pub(crate) fn bracketed(of: &Expr, text: &str) -> String {
    match of.variables()[..] {
        [v] if *of == Expr::var(v) => format!("{text}!"),
        _ => format!("({text})!"),
    }
}
