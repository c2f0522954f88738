//! Classes of growth: what of an expression matters when every size goes to infinity.
//!
//! A monomial `a` is dominated by `b` where, for each variable, `a`'s exponential base is smaller, or the same with a power that
//! is not greater. That is the order of `O` for monomials when the sizes grow independently of each other. A class keeps the
//! monomials that no other one dominates: `n^2+n*m+m` is of class `n^2+n*m`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_traits::{One, Signed};

use crate::display::monomial_display;
use crate::expr::{Expr, Monomial, Rat, Var};
use crate::text::{Names, monomial_text};

/// A class of growth: pairwise incomparable monomials, in printing order; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    monomials: Vec<Monomial>,
}

/// The class of an expression over non-negative sizes, seen from above: the maximal ones among its monomials with positive
/// coefficients (a negative monomial never makes the value greater; `n*m-n^2` is in `O(n*m)`), with factors that vanish
/// (`(1/2)^n`, `n*(1/2)^n`) counted as constants. An expression without positive monomials is of class `1`.
#[must_use]
pub fn growth(e: &Expr) -> Growth {
    Growth::of_monomials(
        e.terms()
            .filter(|(_, c)| c.is_positive())
            .map(|(m, _)| growing_part(m)),
    )
}

impl Growth {
    /// The class `1`.
    #[must_use]
    pub fn constant() -> Self {
        Self {
            monomials: vec![Monomial::one()],
        }
    }

    /// The class of a sum of monomials whatever their positive coefficients.
    pub fn of_monomials(all: impl IntoIterator<Item = Monomial>) -> Self {
        let mut maximal: Vec<Monomial> = Vec::new();
        for m in all {
            if maximal.iter().any(|other| is_dominated(&m, other)) {
                continue;
            }
            maximal.retain(|other| !is_dominated(other, &m));
            maximal.push(m);
        }
        if maximal.is_empty() {
            return Self::constant();
        }
        maximal.sort_by(|a, b| compare_for_printing(b, a));
        Self { monomials: maximal }
    }

    /// The maximal monomials, in printing order.
    #[must_use]
    pub fn monomials(&self) -> &[Monomial] {
        &self.monomials
    }

    /// The class of the sum (which is that of the maximum).
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        Self::of_monomials(self.monomials.iter().chain(&other.monomials).cloned())
    }

    /// Whether this class is proved to lie in `O(other)`. A false answer proves nothing, except with a single variable.
    /// Beside domination it knows the inequality of the means: `n*m` is in `O(n^2+m^2)`.
    #[must_use]
    pub fn is_in(&self, other: &Self) -> bool {
        self.monomials.iter().all(|m| {
            let square = product(m, m);
            other.monomials.iter().enumerate().any(|(i, a)| {
                is_dominated(m, a)
                    || other.monomials[i + 1..]
                        .iter()
                        .any(|b| is_dominated(&square, &product(a, b)))
            })
        })
    }

    /// The text in the words of the command line's classes: `1`, `n`, `n^2`, `n*m`, `n+m`, `2^n`, `n*2^n`.
    #[must_use]
    pub fn to_text(&self, names: &Names<'_>) -> String {
        self.join_text("+", |m| monomial_text(m, names))
    }

    /// As hints show it, inside `O(…)`: `n²`, `n·m`, `2ⁿ`.
    #[must_use]
    pub fn display(&self, names: &Names<'_>) -> String {
        self.join_text("+", |m| monomial_display(&Rat::one(), m, names))
    }

    fn join_text(&self, between: &str, text: impl Fn(&Monomial) -> String) -> String {
        let parts: Vec<String> = self.monomials.iter().map(text).collect();
        parts.join(between)
    }
}

/// Compares two classes; none where neither is proved to lie in the other.
#[must_use]
pub fn compare(a: &Growth, b: &Growth) -> Option<Ordering> {
    match (a.is_in(b), b.is_in(a)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}

/// Whether `a` is in `O(b)` for monomials, each variable going to infinity at its own pace.
#[must_use]
pub fn is_dominated(a: &Monomial, b: &Monomial) -> bool {
    a.variables().chain(b.variables()).all(|v| {
        base(a, v)
            .cmp(&base(b, v))
            .then_with(|| power(a, v).cmp(&power(b, v)))
            .is_le()
    })
}

/// The monomials of an expression, highest growth first. With one variable this is the order of growth; with several it is that
/// of all sizes being equal, ties broken by the first variable.
#[must_use]
pub fn printing_order(e: &Expr) -> Vec<(&Monomial, &Rat)> {
    let mut terms: Vec<_> = e.terms().collect();
    terms.sort_by(|(a, _), (b, _)| compare_for_printing(b, a));
    terms
}

fn compare_for_printing(a: &Monomial, b: &Monomial) -> Ordering {
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

/// The sum of the powers, which may exceed 32 bits.
fn degree(m: &Monomial) -> u64 {
    m.powers.values().map(|&k| u64::from(k)).sum()
}

fn base(m: &Monomial, v: Var) -> Rat {
    m.exponentials.get(&v).cloned().unwrap_or_else(Rat::one)
}

fn power(m: &Monomial, v: Var) -> u32 {
    m.powers.get(&v).copied().unwrap_or(0)
}

/// The monomial without the variables whose factor goes to 0.
fn growing_part(m: &Monomial) -> Monomial {
    let grows = |v: Var| base(m, v) >= Rat::one();
    Monomial {
        powers: m
            .powers
            .iter()
            .filter(|(v, _)| grows(**v))
            .map(|(&v, &k)| (v, k))
            .collect(),
        exponentials: m
            .exponentials
            .iter()
            .filter(|(_, b)| **b > Rat::one())
            .map(|(&v, b)| (v, b.clone()))
            .collect(),
    }
}

fn product(a: &Monomial, b: &Monomial) -> Monomial {
    let mut powers = a.powers.clone();
    for (&v, &k) in &b.powers {
        let slot = powers.entry(v).or_insert(0);
        *slot = slot.saturating_add(k);
    }
    let mut exponentials: BTreeMap<Var, Rat> = a.exponentials.clone();
    for (&v, base) in &b.exponentials {
        exponentials
            .entry(v)
            .and_modify(|slot| *slot *= base)
            .or_insert_with(|| base.clone());
    }
    exponentials.retain(|_, base| !base.is_one());
    Monomial {
        powers,
        exponentials,
    }
}
