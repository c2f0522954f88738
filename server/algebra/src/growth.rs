//! Growth classes: the part of an expression that dominates when every size goes to infinity.
//!
//! A monomial `a` is dominated by `b` if, for each variable, `a` has a smaller exponential base, or the same base with a power that is not
//! greater, or the same base and power with a logarithm that is not greater. This is the order `O` on monomials when the sizes grow
//! independently of each other. A class contains the monomials that no other monomial dominates: `n^2+n*m+m` has class `n^2+n*m`.
//!
//! Atoms count by their growth: `⌊n/2⌋` as `n`, `⌊log₂ n⌋` as `log(n)`, `3^⌊log₂ n⌋` as `n^1.585`, `2^⌊n/2⌋` as `1.414^n`, Fibonacci
//! numbers as `1.618^n`, numbers of arrangements as `n!`.

mod factorial;
pub(crate) mod order;
mod profile;
pub(crate) mod rate;
mod words;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_traits::{One, Signed, Zero};

use crate::atom::{Atom, Rounding};
use crate::expr::{Expr, Monomial, Rat, Var};
use crate::linear::Region;
use crate::text::Names;
use order::{base, compare_for_printing};
pub use order::{is_dominated, printing_order};

/// A growth class: a non-empty set of pairwise incomparable monomials in printing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    monomials: Vec<Monomial>,
}

/// Returns the class of an expression over non-negative sizes, as an upper bound: the maximal monomials among those with positive
/// coefficients. A negative monomial never increases the value, so `n*m-n^2` is in `O(n*m)`; factors that vanish (`(1/2)^n`, `n*(1/2)^n`)
/// count as constants. An expression without positive monomials has class `1`.
#[must_use]
pub fn growth(e: &Expr) -> Growth {
    Growth::of_monomials(
        e.terms()
            .filter(|(_, c)| c.is_positive())
            .map(|(m, _)| growing_part(m)),
    )
}

/// Returns the class for sizes in a region. For an integer that the region bounds only from above, the absolute value counts: `1-n` is in
/// `O(n)` for n <= -1.
#[must_use]
pub fn growth_within(e: &Expr, region: &Region) -> Growth {
    let down: BTreeMap<Var, Expr> = (e.variables().into_iter())
        .filter(|&v| {
            let (least, most) = region.bounds(&Expr::var(v));
            least.is_none() && most.is_some_and(|most| !most.is_positive())
        })
        .map(|v| (v, -&Expr::var(v)))
        .collect();
    match e.substitute(&down) {
        Some(turned) if !down.is_empty() => growth(&turned),
        _ => growth(e),
    }
}

impl Growth {
    /// Returns the class `1`.
    #[must_use]
    pub fn constant() -> Self {
        Self {
            monomials: vec![Monomial::one()],
        }
    }

    /// Returns the class of a sum of the monomials with arbitrary positive coefficients.
    pub fn of_monomials(all: impl IntoIterator<Item = Monomial>) -> Self {
        let mut maximal: Vec<Monomial> = Vec::new();
        for m in all.into_iter().flat_map(|m| without_floors(&m)) {
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

    /// Returns the maximal monomials in printing order. They contain no floors as factors; logarithms have base 2.
    #[must_use]
    pub fn monomials(&self) -> &[Monomial] {
        &self.monomials
    }

    /// Returns the class of the sum, which is also that of the maximum.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        Self::of_monomials(self.monomials.iter().chain(&other.monomials).cloned())
    }

    /// Returns true only if this class is proved to be in `O(other)`; false proves nothing, except with a single variable. In addition to
    /// domination, this uses the inequality of arithmetic and geometric means: `n*m` is in `O(n^2+m^2)`.
    #[must_use]
    pub fn is_in(&self, other: &Self) -> bool {
        self.monomials.iter().all(|m| {
            other.monomials.iter().enumerate().any(|(i, a)| {
                is_dominated(m, a)
                    || other.monomials[i + 1..]
                        .iter()
                        .any(|b| is_dominated(&m.times(m), &a.times(b)))
            })
        })
    }

    /// Returns the class in the command line's syntax: `1`, `n`, `n^2`, `n*m`, `n+m`, `2^n`, `n*2^n`, `n*log(n)`, `1.618^n`.
    #[must_use]
    pub fn to_text(&self, names: &Names<'_>) -> String {
        self.join_text("+", |m| words::text(m, names))
    }

    /// Returns the class as displayed in hints, inside `O(…)`: `n²`, `n·m`, `2ⁿ`, `n·log n`.
    #[must_use]
    pub fn display(&self, names: &Names<'_>) -> String {
        self.join_text("+", |m| words::display(m, names))
    }

    fn join_text(&self, between: &str, text: impl Fn(&Monomial) -> String) -> String {
        let parts: Vec<String> = self.monomials.iter().map(text).collect();
        parts.join(between)
    }
}

/// Compares two classes. Returns `None` if neither class is proved to be in the other.
#[must_use]
pub fn compare(a: &Growth, b: &Growth) -> Option<Ordering> {
    match (a.is_in(b), b.is_in(a)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}

/// Returns the monomial without the variables whose factor tends to 0.
fn growing_part(m: &Monomial) -> Monomial {
    let grows = |v: Var| base(m, v) >= Rat::one();
    let mut part = m.clone();
    part.powers.retain(|&v, _| grows(v));
    part.exponentials.retain(|_, b| *b > Rat::one());
    part.atom_exponentials.retain(|_, b| *b > Rat::one());
    part
}

/// Returns monomials whose sum has the same growth: floors as factors become their arguments, constants in the arguments of other atoms are
/// dropped, and logarithms get base 2 and no factors.
fn without_floors(m: &Monomial) -> Vec<Monomial> {
    if m.is_plain() {
        return vec![m.clone()];
    }
    let mut product = Monomial::one();
    product.powers = m.powers.clone();
    product.exponentials = m.exponentials.clone();
    let mut sum = Expr::monomial(product, Rat::one());
    for (atom, &k) in &m.atoms {
        let factor = match atom {
            Atom::Floor(e) => e.clone(),
            Atom::Log { of, .. } => {
                let mut plain = Expr::zero();
                for v in of.variables() {
                    plain += &Expr::var(v);
                }
                Expr::atom(Atom::Log {
                    base: 2,
                    rounding: Rounding::Down,
                    of: plain,
                })
            }
            // A periodic sequence does not grow.
            Atom::CFinite { coefficients, .. } if is_periodic(coefficients) => Expr::int(1),
            Atom::CFinite {
                coefficients,
                index,
            } => Expr::atom(Atom::CFinite {
                coefficients: coefficients.clone(),
                index: without_constant(index),
            }),
            Atom::Factorial(of) | Atom::Arrangements { of, .. } => {
                Expr::atom(Atom::Factorial(of.clone()))
            }
        };
        sum = &sum * &factor.pow(k);
    }
    for (atom, b) in &m.atom_exponentials {
        let exponent = match atom {
            Atom::Floor(e) => Atom::Floor(without_constant(e)),
            Atom::Log { base, of, .. } => {
                if let Some((v, k)) = exact_power(*base, b, of) {
                    sum = &sum * &Expr::var(v).pow(k);
                    continue;
                }
                Atom::Log {
                    base: *base,
                    rounding: Rounding::Down,
                    of: without_constant(of),
                }
            }
            Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => atom.clone(),
        };
        let mut power = Monomial::one();
        power.atom_exponentials.insert(exponent, b.clone());
        sum = &sum * &Expr::monomial(power, Rat::one());
    }
    sum.terms()
        .filter(|(_, c)| c.is_positive())
        .map(|(m, _)| m.clone())
        .collect()
}

fn without_constant(e: &Expr) -> Expr {
    e - &Expr::constant(e.coefficient(&Monomial::one()))
}

/// Returns `v^k` if this is the growth of `b^(log of)`.
fn exact_power(base: u32, b: &Rat, of: &Expr) -> Option<(Var, u32)> {
    let [v] = of.variables()[..] else { return None };
    let base = Rat::from_integer(base.into());
    let mut power = base.clone();
    for k in 1..=16 {
        if power == *b {
            return Some((v, k));
        }
        power *= &base;
    }
    None
}

/// Returns whether a recurrence is `u(n) = u(n-d)`.
fn is_periodic(coefficients: &[Rat]) -> bool {
    matches!(coefficients, [others @ .., last] if last.is_one() && others.iter().all(Zero::is_zero))
}
