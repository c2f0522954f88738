//! Conversions of rationals and floats to integers and back.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive, One, Signed, Zero};

use super::{ArithmeticError, Number, UNDEFINED, Value, compare, float};

/// Rounds a rational or float to an integer. Infinities and NaN are unchanged.
fn to_integer(
    x: &Number,
    rational: impl Fn(&BigRational) -> BigInt,
    real: impl Fn(f64) -> f64,
) -> Number {
    match x {
        Number::Rational(q) => Number::from(rational(q)),
        Number::Float(x) => BigInt::from_f64(real(*x)).map_or(Number::Float(*x), Number::from),
        x => x.clone(),
    }
}

/// Computes `round(X)` and `integer(X)`, rounding halves away from zero.
pub(super) fn round(x: &Number) -> Number {
    to_integer(x, |q| q.round().to_integer(), f64::round)
}

pub(super) fn truncate(x: &Number) -> Number {
    to_integer(x, BigRational::to_integer, f64::trunc)
}

pub(super) fn floor(x: &Number) -> Number {
    to_integer(x, |q| q.floor().to_integer(), f64::floor)
}

pub(super) fn ceiling(x: &Number) -> Number {
    to_integer(x, |q| q.ceil().to_integer(), f64::ceil)
}

/// Computes `float_integer_part(X)`: a float for a float.
pub(super) fn integer_part(x: &Number) -> Value {
    match x {
        Number::Float(x) => float::checked(x.trunc()),
        x => Ok(truncate(x)),
    }
}

/// Computes `float_fractional_part(X)`: the part that `float_integer_part` drops, with the sign of `X`.
pub(super) fn fractional_part(x: &Number) -> Value {
    match x {
        Number::Float(x) if x.is_infinite() => Ok(Number::Float(0.0_f64.copysign(*x))),
        Number::Float(x) => float::checked(x.fract().copysign(*x)),
        Number::Rational(q) => Ok(Number::from(q.fract())),
        _ => Ok(Number::Small(0)),
    }
}

/// Computes `X rdiv Y`.
pub(super) fn divide(x: &Number, y: &Number) -> Value {
    let rational = |n: &Number| {
        n.to_rational()
            .ok_or_else(|| ArithmeticError::Type("rational", n.clone(), ("rdiv", 2)))
    };
    if !matches!(x, Number::Rational(_)) {
        for operand in [x, y] {
            if let Number::Float(f) = operand
                && !f.is_finite()
            {
                float::check(*f)?;
            } else if matches!(operand, Number::Float(_)) {
                break;
            }
        }
    }
    super::gcd_within_limits(x.bits(), y.bits())?;
    let (x, y) = (rational(x)?, rational(y)?);
    if y.is_zero() {
        return Err(ArithmeticError::EvaluationIn("zero_divisor", ("/", 2)));
    }
    Number::from(x / y).within_limits()
}

fn finite(x: &Number) -> Result<Option<f64>, ArithmeticError> {
    match x {
        Number::Float(x) if x.is_nan() => Err(UNDEFINED),
        Number::Float(x) if x.is_infinite() => {
            Err(ArithmeticError::Evaluation("rational_overflow"))
        }
        Number::Float(x) => Ok(Some(*x)),
        _ => Ok(None),
    }
}

/// Computes `rational(X)`: the exact value of a float.
pub(super) fn rational(x: &Number) -> Value {
    match finite(x)? {
        Some(f) => compare::rational_of_float(f).ok_or(UNDEFINED),
        None => Ok(x.clone()),
    }
}

/// Computes `rationalize(X)`: the first convergent of the float's continued fraction that converts back to the float.
pub(super) fn rationalize(x: &Number) -> Value {
    let Some(f) = finite(x)? else {
        return Ok(x.clone());
    };
    let Some(exact) = BigRational::from_float(f) else {
        return Err(UNDEFINED);
    };
    let target = f.abs();
    let (mut p0, mut q0) = (BigInt::zero(), BigInt::one());
    let (mut p1, mut q1) = (BigInt::one(), BigInt::zero());
    let mut rest = exact.abs();
    loop {
        let part = rest.floor().to_integer();
        let (p2, q2) = (&part * &p1 + &p0, &part * &q1 + &q0);
        (p0, q0, p1, q1) = (p1, q1, p2, q2);
        let convergent = BigRational::new(p1.clone(), q1.clone());
        let fraction = rest - BigRational::from_integer(part);
        if fraction.is_zero() || float::nearest(&Number::from(convergent.clone())) == target {
            return Ok(Number::from(if exact.is_negative() {
                -convergent
            } else {
                convergent
            }));
        }
        rest = fraction.recip();
    }
}
