//! Exact enclosures of large numbers: `[low, high] · 2^exponent` with mantissas of bounded length, rounded outward.
//!
//! Enclosures determine the sign of a sum with powers such as `1000001^700000` without computing all digits. If a sum is too close to 0 for
//! the precision of the mantissas, its sign remains undetermined.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Sign;

/// The number of bits in a mantissa.
const PRECISION: u64 = 192;

/// The closed interval between two numbers.
#[derive(Clone, Debug)]
pub(super) struct Scaled {
    low: BigInt,
    high: BigInt,
    exponent: i64,
}

impl Scaled {
    fn exact(value: BigInt) -> Self {
        Self {
            low: value.clone(),
            high: value,
            exponent: 0,
        }
    }

    /// Returns `factor · base^n` for a positive base, or `None` if the binary exponent overflows.
    pub(super) fn of_term(factor: BigInt, base: &BigInt, n: &BigInt) -> Option<Self> {
        let power = Self::power(base, n.to_u64()?)?;
        let (low, high) = if factor.is_negative() {
            (&factor * &power.high, &factor * &power.low)
        } else {
            (&factor * &power.low, &factor * &power.high)
        };
        Some(Self { low, high, ..power }.rounded())
    }

    fn power(base: &BigInt, n: u64) -> Option<Self> {
        let bits = base.bits().checked_mul(n)?;
        if bits > 1 << 60 {
            return None;
        }
        let mut power = Self::exact(BigInt::one());
        for i in (0..u64::BITS - n.leading_zeros()).rev() {
            power = Self {
                low: &power.low * &power.low,
                high: &power.high * &power.high,
                exponent: power.exponent * 2,
            }
            .rounded();
            if n >> i & 1 == 1 {
                power.low *= base;
                power.high *= base;
                power = power.rounded();
            }
        }
        Some(power)
    }

    /// Rounds the mantissas outward to the precision.
    fn rounded(self) -> Self {
        let excess = self.bits().saturating_sub(PRECISION);
        if excess == 0 {
            return self;
        }
        self.at_exponent_above(excess)
    }

    fn at_exponent_above(self, excess: u64) -> Self {
        Self {
            // A right shift rounds down, also for negative numbers.
            low: self.low >> excess,
            high: -(-self.high >> excess),
            exponent: self.exponent.saturating_add_unsigned(excess),
        }
    }

    fn bits(&self) -> u64 {
        self.low.bits().max(self.high.bits())
    }

    /// Returns the sign of a sum if the enclosures determine it.
    pub(super) fn sign_of_sum(terms: Vec<Self>) -> Option<Sign> {
        let top = terms
            .iter()
            .map(|t| t.exponent.saturating_add_unsigned(t.bits()))
            .max()?;
        let exponent = top.saturating_sub_unsigned(PRECISION + 64);
        let (mut low, mut high) = (BigInt::zero(), BigInt::zero());
        for term in terms {
            let shift = term.exponent.abs_diff(exponent);
            if term.exponent >= exponent {
                low += term.low << shift;
                high += term.high << shift;
            } else {
                let term = term.at_exponent_above(shift);
                low += term.low;
                high += term.high;
            }
        }
        if low.is_positive() {
            Some(Sign::Positive)
        } else if high.is_negative() {
            Some(Sign::Negative)
        } else if low.is_zero() && high.is_zero() {
            Some(Sign::Zero)
        } else {
            None
        }
    }
}
