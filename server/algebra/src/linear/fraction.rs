//! Rational numbers in machine words, for the many small linear systems in fitting and proving. Every operation is checked: `None` means
//! that a number did not fit, and the caller continues without the result.
//!
//! Hand-written, since solving the systems of the tests with checked `num_rational::Ratio<i128>` takes ten times as long: it divides
//! 128-bit numbers in every sum, product and comparison. Recurrences compute with fractions in inner loops, which is the reason for the
//! attributes.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::rational::Rat;

/// `numerator / denominator` in lowest terms, with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

#[expect(
    clippy::should_implement_trait,
    reason = "an operator cannot report that a number did not fit"
)]
impl Fraction {
    /// 0.
    pub const ZERO: Self = Self::int(0);
    /// 1.
    pub const ONE: Self = Self::int(1);

    /// Creates an integer.
    #[must_use]
    #[inline]
    pub const fn int(n: i128) -> Self {
        Self {
            numerator: n,
            denominator: 1,
        }
    }

    /// Returns `numerator / denominator`, or `None` if the denominator is 0 or a number does not fit.
    #[must_use]
    #[inline]
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        if denominator == 1 {
            return Some(Self::int(numerator));
        }
        if numerator == 0 {
            return Some(Self::ZERO);
        }
        let sign = denominator.signum();
        let g = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        if g == 1 {
            return Some(Self {
                numerator: numerator.checked_mul(sign)?,
                denominator: denominator.checked_abs()?,
            });
        }
        let g = i128::try_from(g).ok()?;
        Some(Self {
            numerator: quotient(numerator, g) * sign,
            denominator: quotient(denominator, g) * sign,
        })
    }

    /// Converts an arbitrary-precision number, if it fits.
    #[must_use]
    #[inline]
    pub fn from_rat(value: &Rat) -> Option<Self> {
        Some(Self {
            numerator: value.numer().to_i128()?,
            denominator: value.denom().to_i128()?,
        })
    }

    /// Converts to an arbitrary-precision number.
    #[must_use]
    #[inline]
    pub fn rat(self) -> Rat {
        Rat::new_raw(BigInt::from(self.numerator), BigInt::from(self.denominator))
    }

    /// Returns whether the number is 0.
    #[must_use]
    #[inline]
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Returns whether the number is below 0.
    #[must_use]
    #[inline]
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// Returns whether the number is above 0.
    #[must_use]
    #[inline]
    pub fn is_positive(self) -> bool {
        self.numerator > 0
    }

    /// Returns the numerator, in lowest terms.
    #[must_use]
    #[inline]
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator, which is positive.
    #[must_use]
    #[inline]
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns the nearest multiple of `1/q` that is at least (`up`) or at most the number.
    #[must_use]
    #[inline]
    pub fn rounded(self, q: i128, up: bool) -> Option<Self> {
        let scaled = self.numerator.checked_mul(q)?;
        let below = scaled.div_euclid(self.denominator);
        let exact = scaled.rem_euclid(self.denominator) == 0;
        Self::new(below + i128::from(up && !exact), q)
    }

    /// Returns the number as an integer, if it is an integer.
    #[must_use]
    #[inline]
    pub fn to_integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Returns `self + other`.
    #[must_use]
    #[inline]
    pub fn add(self, other: Self) -> Option<Self> {
        if self.is_zero() {
            return Some(other);
        }
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Self::int(self.numerator.checked_add(other.numerator)?));
        }
        if self.denominator == other.denominator {
            let sum = self.numerator.checked_add(other.numerator)?;
            return Self::new(sum, self.denominator);
        }
        let left = product(self.numerator, other.denominator)?;
        let right = product(other.numerator, self.denominator)?;
        Self::new(
            left.checked_add(right)?,
            product(self.denominator, other.denominator)?,
        )
    }

    /// Returns `-self`.
    #[must_use]
    #[inline]
    pub fn negated(self) -> Option<Self> {
        Some(Self {
            numerator: self.numerator.checked_neg()?,
            denominator: self.denominator,
        })
    }

    /// Returns `self - other`.
    #[must_use]
    #[inline]
    pub fn sub(self, other: Self) -> Option<Self> {
        self.add(other.negated()?)
    }

    /// Returns `self · other`.
    #[must_use]
    #[inline]
    pub fn mul(self, other: Self) -> Option<Self> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Self::int(product(self.numerator, other.numerator)?));
        }
        if other == Self::ONE {
            return Some(self);
        }
        Self::new(
            product(self.numerator, other.numerator)?,
            product(self.denominator, other.denominator)?,
        )
    }

    /// Returns `self / other`, or `None` for division by 0.
    #[must_use]
    #[inline]
    pub fn div(self, other: Self) -> Option<Self> {
        Self::new(
            product(self.numerator, other.denominator)?,
            product(self.denominator, other.numerator)?,
        )
    }

    /// Returns whether `self < other`, or `None` if the cross product does not fit.
    #[must_use]
    #[inline]
    pub fn less(self, other: Self) -> Option<bool> {
        if self.denominator == other.denominator {
            return Some(self.numerator < other.numerator);
        }
        let left = product(self.numerator, other.denominator);
        let right = product(other.numerator, self.denominator);
        match (left, right) {
            (Some(left), Some(right)) => Some(left < right),
            _ => Some(self.sub(other)?.is_negative()),
        }
    }

    /// Compares exactly, however large the cross products are: first the integer parts, then the reciprocals of the remainders.
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        let (mut a, mut b) = (self, other);
        let mut is_turned = false;
        loop {
            let whole = |f: Self| f.numerator.div_euclid(f.denominator);
            let left = |f: Self| f.numerator.rem_euclid(f.denominator);
            let found = match whole(a).cmp(&whole(b)) {
                Ordering::Equal => match (left(a), left(b)) {
                    (0, 0) => Ordering::Equal,
                    (0, _) => Ordering::Less,
                    (_, 0) => Ordering::Greater,
                    (of_a, of_b) => {
                        let turned = |f: Self, left| Self {
                            numerator: f.denominator,
                            denominator: left,
                        };
                        (a, b) = (turned(a, of_a), turned(b, of_b));
                        is_turned = !is_turned;
                        continue;
                    }
                },
                found => found,
            };
            return if is_turned { found.reverse() } else { found };
        }
    }

    /// Returns `self^k`.
    #[must_use]
    #[inline]
    pub fn pow(self, k: i32) -> Option<Self> {
        let n = k.unsigned_abs();
        let power = Self {
            numerator: self.numerator.checked_pow(n)?,
            denominator: self.denominator.checked_pow(n)?,
        };
        if k < 0 {
            Self::ONE.div(power)
        } else {
            Some(power)
        }
    }
}

/// Returns the greatest common divisor of positive numbers; switches to 64-bit arithmetic once both fit.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd_64(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        // Avoid a branch, which would be mispredicted half of the time.
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}

/// Returns `a·b`, by machine multiplication if both are too small to overflow.
#[must_use]
#[inline]
pub fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

/// Returns `n / d`, by machine division if both fit.
fn quotient(n: i128, d: i128) -> i128 {
    match (i64::try_from(n), i64::try_from(d)) {
        (Ok(n), Ok(d)) if d > 1 => (n / d).into(),
        _ => n / d,
    }
}

/// The treatment of unknowns that equations leave free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeUnknowns {
    /// They are 0.
    Zero,
    /// There is no solution.
    Refused,
}

/// Solves `rows · x = right` by elimination, one equation at a time. The first independent equations, as many as there are unknowns,
/// determine the solution, and all other equations must agree with it. Returns `None` if they contradict each other, or if unknowns remain
/// free that `free` refuses.
#[must_use]
pub fn solve_all(
    rows: impl Iterator<Item = (Vec<Fraction>, Fraction)>,
    unknowns: usize,
    free: FreeUnknowns,
) -> Option<Vec<Fraction>> {
    // pivots[j]: a reduced row whose leading 1 is in column j.
    let mut pivots: Vec<Option<(Vec<Fraction>, Fraction)>> = vec![None; unknowns];
    for (mut row, mut right) in rows {
        for j in 0..unknowns {
            let a = row[j];
            if a.is_zero() {
                continue;
            }
            match &pivots[j] {
                Some((pivot, value)) => {
                    for i in j..unknowns {
                        if !pivot[i].is_zero() {
                            row[i] = row[i].sub(a.mul(pivot[i])?)?;
                        }
                    }
                    right = right.sub(a.mul(*value)?)?;
                }
                None => {
                    for entry in &mut row[j..] {
                        *entry = entry.div(a)?;
                    }
                    right = right.div(a)?;
                    pivots[j] = Some((row, right));
                    right = Fraction::ZERO;
                    break;
                }
            }
        }
        if !right.is_zero() {
            return None; // 0 = right
        }
    }
    let mut x = vec![Fraction::ZERO; unknowns];
    for j in (0..unknowns).rev() {
        let Some((pivot, value)) = pivots[j].as_ref() else {
            if free == FreeUnknowns::Zero {
                continue;
            }
            return None;
        };
        let mut sum = *value;
        for i in j + 1..unknowns {
            if !pivot[i].is_zero() {
                sum = sum.sub(pivot[i].mul(x[i])?)?;
            }
        }
        x[j] = sum;
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;

    /// Generates numbers whose cross products fit into 128 bits and numbers whose cross products do not.
    fn number() -> impl Strategy<Value = i128> {
        prop_oneof![
            -3_i128..4,
            any::<i64>().prop_map(i128::from),
            any::<i128>(),
            (0_i128..3).prop_map(|n| i128::MAX - n),
            (1_i128..3).prop_map(|n| i128::MIN + n),
        ]
    }

    proptest! {
        #[test]
        fn fractions_are_compared_exactly(a in number(), b in number(), c in number(), d in number()) {
            if let (Some(x), Some(y)) = (Fraction::new(a, b), Fraction::new(c, d)) {
                let exact = |n: i128, of: i128| BigRational::new(n.into(), of.into());
                prop_assert_eq!(x.compare(y), exact(a, b).cmp(&exact(c, d)));
            }
        }
    }
}
