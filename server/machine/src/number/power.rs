//! Powers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{ArithmeticError, MAX_BITS, Number, Value, float};

/// Computes `X ** Y` and `X ^ Y`, which are the same function while the flags `iso` and `prefer_rationals` are off. An integer to the power
/// of a natural number is an integer, and a rational to the power of an integer is a rational; `2 ** -1` is 0.5.
pub(super) fn power(x: &Number, y: &Number) -> Value {
    if y.is_zero() || matches!(x, Number::Small(1)) {
        return Ok(Number::Small(1));
    }
    let nan = matches!(y, Number::Float(y) if y.is_nan());
    if x.is_zero()
        && !nan
        && !matches!((x, y), (Number::Float(_), Number::Float(y)) if y.is_infinite())
    {
        if y.is_negative() {
            return Err(ArithmeticError::EvaluationIn("zero_divisor", ("**", 2)));
        }
        if x.is_integer() {
            return Ok(x.clone());
        }
    }
    match (x, y.to_integer()) {
        (Number::Small(-1), Some(n)) => Ok(Number::Small(if n.is_even() { 1 } else { -1 })),
        (Number::Small(_) | Number::Big(_), Some(n)) if !n.is_negative() => match x.to_integer() {
            Some(base) => Ok(Number::from(integer_power(&base, &n)?)),
            None => as_floats(x, y),
        },
        (Number::Rational(q), Some(n)) => {
            let magnitude = n.abs();
            let size = q
                .numer()
                .bits()
                .max(q.denom().bits())
                .saturating_mul(magnitude.to_u64().unwrap_or(u64::MAX));
            super::gcd_within_limits(size.min(1 << 40), size.min(1 << 40))?;
            let numerator = integer_power(q.numer(), &magnitude)?;
            let denominator = integer_power(q.denom(), &magnitude)?;
            Ok(Number::from(if n.is_negative() {
                BigRational::new(denominator, numerator)
            } else {
                BigRational::new(numerator, denominator)
            }))
        }
        _ => match y {
            Number::Rational(exponent) if !matches!(x, Number::Float(_)) => root(x, exponent, y),
            _ => as_floats(x, y),
        },
    }
}

fn as_floats(x: &Number, y: &Number) -> Value {
    let (x, y) = (float::from_number(x)?, float::from_number(y)?);
    float::checked(x.powf(y))
}

/// Computes `base ^ exponent` for a natural exponent.
fn integer_power(base: &BigInt, exponent: &BigInt) -> Result<BigInt, ArithmeticError> {
    if base.is_one() || base.is_zero() {
        return Ok(base.clone());
    }
    if base.magnitude().is_one() {
        return Ok(if exponent.is_even() {
            -base
        } else {
            base.clone()
        });
    }
    match exponent.to_u32() {
        Some(exponent) if (base.bits() - 1).saturating_mul(u64::from(exponent)) <= MAX_BITS => {
            Ok(base.pow(exponent))
        }
        _ => Err(ArithmeticError::TooLarge),
    }
}

/// Computes a rational power: exactly if the root is exact, otherwise in floats. Odd roots of negative numbers are negative.
fn root(x: &Number, exponent: &BigRational, y: &Number) -> Value {
    let exact = || -> Option<Number> {
        let degree = exponent.denom().to_u32()?;
        let q = x.to_rational()?;
        if q.is_negative() && degree % 2 == 0 {
            return None;
        }
        let of = |n: &BigInt| {
            let root = n.nth_root(degree);
            (root.pow(degree) == *n).then_some(root)
        };
        let root = BigRational::new(of(q.numer())?, of(q.denom())?);
        let power = |n: &BigInt| integer_power(n, &exponent.numer().abs()).ok();
        let (numerator, denominator) = (power(root.numer())?, power(root.denom())?);
        Some(Number::from(if exponent.is_negative() {
            BigRational::new(denominator, numerator)
        } else {
            BigRational::new(numerator, denominator)
        }))
    };
    if let Some(n) = exact() {
        return Ok(n);
    }
    if x.is_negative() && exponent.denom().is_odd() {
        let magnitude = float::from_number(&super::negate(x))?.powf(float::from_number(y)?);
        return float::checked(if exponent.numer().is_odd() {
            -magnitude
        } else {
            magnitude
        });
    }
    as_floats(x, y)
}

/// Computes `powm(Base, Exponent, Modulus)`.
pub(super) fn powm(x: &Number, y: &Number, z: &Number) -> Value {
    let natural = |n: &Number, least: u8| -> Result<BigInt, ArithmeticError> {
        let name = ("powm", 3);
        let Some(i) = n.to_integer() else {
            return Err(ArithmeticError::Type("integer", n.clone(), name));
        };
        if i >= BigInt::from(least) {
            return Ok(i);
        }
        let domain = if least == 0 {
            "not_less_than_zero"
        } else {
            "not_less_than_one"
        };
        Err(ArithmeticError::Domain(domain, n.clone(), name))
    };
    let (base, exponent, modulus) = (natural(x, 0)?, natural(y, 0)?, natural(z, 1)?);
    let words = modulus.bits() / 64 + 1;
    super::gcd_within_limits(base.bits(), modulus.bits())?;
    if exponent.bits().saturating_mul(words * words) > 1 << 32 {
        return Err(ArithmeticError::TooLarge);
    }
    Ok(Number::from(base.modpow(&exponent, &modulus)))
}
