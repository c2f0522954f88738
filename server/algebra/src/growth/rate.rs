//! Positive irrational numbers as products of powers: the base of `2^⌊n/2⌋` is `2^(1/2)`, and the base of Fibonacci numbers is the positive
//! root of `x² = x + 1`. They are compared by rational enclosures, and are equal only if their representations are.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::atom::Rounding;
use crate::enclosure::Enclosure;
use crate::rational::{Rat, rat};

/// The number of fractional bits in an enclosure.
const PRECISION: u32 = 40;

/// A factor of a [`Rate`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Factor {
    Rational(Rat),
    /// The positive root of `x^d = a₁·x^(d-1) + … + a_d`, with `aᵢ >= 0`.
    Root(Vec<Rat>),
}

/// A product of powers of positive numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rate {
    /// The factors with their exponents, which are not 0.
    factors: BTreeMap<Factor, Rat>,
}

impl Rate {
    pub(super) fn push(&mut self, base: &Rat, exponent: &Rat) {
        self.push_factor(Factor::Rational(base.clone()), exponent);
    }

    pub(super) fn push_root(&mut self, coefficients: &[Rat], exponent: &Rat) {
        self.push_factor(Factor::Root(coefficients.to_vec()), exponent);
    }

    fn push_factor(&mut self, factor: Factor, exponent: &Rat) {
        let slot = self.factors.entry(factor.clone()).or_insert_with(Rat::zero);
        *slot += exponent;
        if slot.is_zero() {
            self.factors.remove(&factor);
        }
        // Integer powers of rational numbers are merged into a single number.
        let whole = |f: &Factor, e: &Rat| matches!(f, Factor::Rational(_)) && e.is_integer();
        let mut product = Rat::one();
        for (f, e) in self.factors.iter().filter(|(f, e)| whole(f, e)) {
            if let (Factor::Rational(b), Some(k)) = (f, e.to_integer().to_i32()) {
                product *= b.pow(k);
            }
        }
        self.factors.retain(|f, e| !whole(f, e));
        if !product.is_one() {
            self.factors.insert(Factor::Rational(product), Rat::one());
        }
    }

    /// Returns the number if it is rational.
    pub(super) fn as_rational(&self) -> Option<Rat> {
        let mut factors = self.factors.iter();
        match (factors.next(), factors.next()) {
            (None, _) => Some(Rat::one()),
            (Some((Factor::Rational(b), e)), None) if e.is_one() => Some(b.clone()),
            _ => None,
        }
    }

    /// Encloses the number. Returns `None` if the computation is too expensive.
    pub(super) fn enclosure(&self) -> Option<Enclosure> {
        let mut product = Enclosure::exact(Rat::one());
        for (factor, exponent) in &self.factors {
            let of = match factor {
                Factor::Rational(b) => Enclosure::exact(b.clone()),
                Factor::Root(a) => dominant_root(a)?,
            };
            product = product.times(&power(&of, exponent)?);
        }
        Some(product)
    }

    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        self.enclosure()?.compare(&other.enclosure()?)
    }
}

/// Returns `of^exponent` for positive numbers and small exponents.
fn power(of: &Enclosure, exponent: &Rat) -> Option<Enclosure> {
    let (p, q) = (exponent.numer().to_i32()?, exponent.denom().to_u32()?);
    if p.abs() > 64 || q > 64 {
        return None;
    }
    let (mut low, mut high) = (of.low.pow(p), of.high.pow(p));
    if p < 0 {
        std::mem::swap(&mut low, &mut high);
    }
    if q == 1 {
        return Some(Enclosure { low, high });
    }
    Some(Enclosure {
        low: root(&low, q, Rounding::Down),
        high: root(&high, q, Rounding::Up),
    })
}

/// Returns the `q`-th root of a positive number, rounded.
fn root(of: &Rat, q: u32, rounding: Rounding) -> Rat {
    let scale = BigInt::one() << PRECISION;
    // The root of of·2^(40q) as an integer.
    let scaled = of * Rat::from_integer(scale.pow(q));
    let whole = scaled.floor().to_integer().nth_root(q);
    let exact = Rat::from_integer(whole.pow(q)) == scaled;
    Rat::new(whole + i32::from(rounding == Rounding::Up && !exact), scale)
}

/// Encloses the positive root of `x^d = a₁·x^(d-1) + … + a_d` for `aᵢ >= 0`: it is unique (Descartes), and if the indices of the positive
/// coefficients have no common divisor, every other root is smaller in absolute value. Returns `None` if the indices have a common divisor.
pub(crate) fn dominant_root(coefficients: &[Rat]) -> Option<Enclosure> {
    let positive = || {
        coefficients
            .iter()
            .enumerate()
            .filter(|(_, a)| a.is_positive())
    };
    let period = positive().fold(0, |g: usize, (i, _)| g.gcd(&(i + 1)));
    if period != 1 || coefficients.iter().any(Signed::is_negative) {
        return None;
    }
    // In integers, for x = m/2^40 and the common denominator D: D·m^d - Σ D·aᵢ·2^(40i)·m^(d-i) is negative below the root.
    let common = (coefficients.iter()).fold(BigInt::one(), |d, a| d.lcm(a.denom()));
    let shifted: Vec<BigInt> = (1u32..)
        .zip(coefficients)
        .map(|(i, a)| (a.numer() * (&common / a.denom())) << (PRECISION * i))
        .collect();
    let beyond = |m: &BigInt| {
        let value = (shifted.iter()).fold(common.clone(), |value, a| value * m - a);
        !value.is_negative()
    };
    let scale = BigInt::one() << PRECISION;
    let most: Rat = coefficients.iter().sum();
    let (mut low, mut high) = (BigInt::zero(), (most.ceil().to_integer() + 1) * &scale);
    while &high - &low > BigInt::one() {
        let middle: BigInt = (&low + &high) >> 1;
        if beyond(&middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(Enclosure {
        low: Rat::new(low, scale.clone()),
        high: Rat::new(high, scale),
    })
}

/// Encloses `log_c b` for b >= 1; the result is exact if it is a fraction with a small numerator and denominator.
pub(super) fn logarithm(c: u32, b: &Rat) -> Option<Enclosure> {
    let base = Rat::from_integer(c.into());
    if *b < Rat::one() || *b > base.pow(64) {
        return None;
    }
    let mut whole = 0i64;
    let mut rest = b.clone();
    while rest >= base {
        rest /= &base;
        whole += 1;
    }
    if rest.is_one() {
        return Some(Enclosure::exact(rat(whole)));
    }
    // The logarithm is computed in binary digits: the logarithm of the square is twice the logarithm.
    const DIGITS: u32 = 12;
    let (mut digits, mut reached) = (0i64, 0);
    while reached < DIGITS && !rest.is_one() {
        rest = &rest * &rest;
        digits *= 2;
        if rest >= base {
            rest /= &base;
            digits += 1;
        }
        reached += 1;
    }
    let at = |k: i64| rat(whole) + Rat::new(k.into(), BigInt::one() << reached);
    if rest.is_one() {
        return Some(Enclosure::exact(at(digits)));
    }
    Some(Enclosure {
        low: at(digits),
        high: at(digits + 1),
    })
}
