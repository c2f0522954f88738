//! Exact arithmetic: integers of any size, rationals, floats, and the functions of `is/2`.
//!
//! Arithmetic follows SWI-Prolog 9 with its default flags (`iso` and `prefer_rationals` off, float exceptions on): integers and rationals
//! are exact, an operation with a float is computed in floats, and an infinite or NaN result is an error. The stored answers in
//! `tests/arithmetic` come from SWI-Prolog, function by function.
//!
//! This module is independent of terms: the machine reads operands from cells, looks up a [`Function`] and applies it.

mod apply;
mod bits;
mod compare;
mod float;
mod function;
mod power;
mod rational;
mod text;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

pub use compare::{compare, standard_order};
pub use float::{Rounding, set_rounding};
pub use function::Function;
pub use text::{float_text, parse_float, parse_number};

/// A number in normal form, which the constructors preserve: an integer that fits 64 bits is `Small`, and a rational has a denominator
/// greater than one.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// A 64-bit integer.
    Small(i64),
    /// An integer that needs more than 64 bits.
    Big(BigInt),
    /// A rational that is not an integer, in lowest terms.
    Rational(Box<BigRational>),
    /// A float, including infinities and NaN.
    Float(f64),
}

/// The maximum number of bits. Larger numbers are rejected, like numbers that exceed SWI-Prolog's stacks: a single multiplication of larger
/// numbers would take seconds, which the step limit does not cover.
pub const MAX_BITS: u64 = 1 << 22;

/// The maximum number of word operations for a greatest common divisor, which every operation on rationals needs. Larger computations are
/// rejected, since their time is quadratic in the sizes of the numbers.
const MAX_GCD: u64 = 1 << 32;

/// Checks that the greatest common divisor of numbers with these numbers of bits can be computed in reasonable time.
pub(crate) fn gcd_within_limits(a: u64, b: u64) -> Result<(), ArithmeticError> {
    if (a + b).saturating_mul(a.max(b) / 64 + 1) > MAX_GCD {
        Err(ArithmeticError::TooLarge)
    } else {
        Ok(())
    }
}

/// The name and arity of a function, as in error terms.
pub type Functor = (&'static str, usize);

/// The reason why a function has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ArithmeticError {
    /// `evaluation_error(What)`, with the evaluating predicate as context, such as `is/2`.
    #[error("arithmetic: {0}")]
    Evaluation(&'static str),
    /// `evaluation_error(What)` with a function as context.
    #[error("arithmetic: {0} in {1:?}")]
    EvaluationIn(&'static str, Functor),
    /// `type_error(Type, Culprit)` with a function as context.
    #[error("{2:?}: expected {0}, found {1:?}")]
    Type(&'static str, Number, Functor),
    /// `domain_error(Domain, Culprit)` with a function as context.
    #[error("{2:?}: expected {0}, found {1:?}")]
    Domain(&'static str, Number, Functor),
    /// The result has more than [`MAX_BITS`] bits.
    #[error("the number is too large to compute with")]
    TooLarge,
}

/// The value of a function, or the reason why there is none.
pub type Value = Result<Number, ArithmeticError>;

/// `evaluation_error(undefined)`.
pub(crate) const UNDEFINED: ArithmeticError = ArithmeticError::Evaluation("undefined");
/// `evaluation_error(float_overflow)`.
pub(crate) const FLOAT_OVERFLOW: ArithmeticError = ArithmeticError::Evaluation("float_overflow");

impl From<i64> for Number {
    fn from(n: i64) -> Self {
        Self::Small(n)
    }
}

impl From<u64> for Number {
    fn from(n: u64) -> Self {
        Self::from(BigInt::from(n))
    }
}

impl From<BigInt> for Number {
    fn from(n: BigInt) -> Self {
        n.to_i64().map_or(Self::Big(n), Self::Small)
    }
}

impl From<BigRational> for Number {
    fn from(q: BigRational) -> Self {
        if q.denom().is_one() {
            Self::from(q.numer().clone())
        } else {
            Self::Rational(Box::new(q))
        }
    }
}

impl Number {
    /// Returns the value as an integer, if it is an integer.
    #[must_use]
    pub fn to_integer(&self) -> Option<BigInt> {
        match self {
            Self::Small(n) => Some(BigInt::from(*n)),
            Self::Big(n) => Some(n.clone()),
            Self::Rational(_) | Self::Float(_) => None,
        }
    }

    /// Returns the exact value of an integer or rational.
    #[must_use]
    pub fn to_rational(&self) -> Option<BigRational> {
        match self {
            Self::Small(n) => Some(BigRational::from_integer(BigInt::from(*n))),
            Self::Big(n) => Some(BigRational::from_integer(n.clone())),
            Self::Rational(q) => Some((**q).clone()),
            Self::Float(_) => None,
        }
    }

    /// Returns true for an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        matches!(self, Self::Small(_) | Self::Big(_))
    }

    /// Returns true for zero, including `-0.0`; NaN is not zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Small(n) => *n == 0,
            Self::Float(x) => *x == 0.0,
            Self::Big(_) | Self::Rational(_) => false,
        }
    }

    /// Returns true for a number less than zero, but not for `-0.0` and NaN.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match self {
            Self::Small(n) => *n < 0,
            Self::Big(n) => n.is_negative(),
            Self::Rational(q) => q.is_negative(),
            Self::Float(x) => *x < 0.0,
        }
    }

    /// Returns the total number of bits of numerator and denominator.
    #[must_use]
    pub fn bits(&self) -> u64 {
        match self {
            Self::Small(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Self::Big(n) => n.bits(),
            Self::Rational(q) => q.numer().bits() + q.denom().bits(),
            Self::Float(_) => 64,
        }
    }

    /// Returns the number, or an error if it exceeds the limits.
    pub(crate) fn within_limits(self) -> Value {
        if self.bits() > MAX_BITS {
            Err(ArithmeticError::TooLarge)
        } else {
            Ok(self)
        }
    }
}

/// Computes `-X`.
#[must_use]
pub fn negate(x: &Number) -> Number {
    match x {
        Number::Small(n) => n
            .checked_neg()
            .map_or_else(|| Number::Big(-BigInt::from(*n)), Number::Small),
        Number::Big(n) => Number::from(-n),
        Number::Rational(q) => Number::Rational(Box::new(-(**q).clone())),
        Number::Float(x) => Number::Float(-x),
    }
}

/// Computes `abs(X)`.
#[must_use]
pub fn absolute(x: &Number) -> Number {
    match x {
        Number::Float(x) => Number::Float(x.abs()),
        x if x.is_negative() => negate(x),
        x => x.clone(),
    }
}

/// The four operations: on small integers, on exact numbers, and on floats.
macro_rules! operation {
    ($(#[$doc:meta])* $name:ident, $checked:ident, $operator:tt, $float:path) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Returns an error if a float result is infinite or NaN, or an exact result is too large.
        pub fn $name(x: &Number, y: &Number) -> Value {
            match (x, y) {
                (Number::Small(a), Number::Small(b)) => Ok(match a.$checked(*b) {
                    Some(n) => Number::Small(n),
                    None => Number::from(BigInt::from(*a) $operator BigInt::from(*b)),
                }),
                (Number::Float(_), _) | (_, Number::Float(_)) => {
                    $float(float::rounded(x), float::rounded(y))
                }
                _ => exact(x, y, |a, b| a $operator b, |a, b| a $operator b),
            }
        }
    };
}

operation!(
    /// `X + Y`.
    add, checked_add, +, float::add
);
operation!(
    /// `X - Y`.
    subtract, checked_sub, -, float::subtract
);
operation!(
    /// `X * Y`.
    multiply, checked_mul, *, float::multiply
);

fn exact(
    x: &Number,
    y: &Number,
    integers: impl Fn(BigInt, BigInt) -> BigInt,
    rationals: impl Fn(BigRational, BigRational) -> BigRational,
) -> Value {
    if x.bits() + y.bits() > 2 * MAX_BITS {
        return Err(ArithmeticError::TooLarge);
    }
    if let (Some(a), Some(b)) = (x.to_integer(), y.to_integer()) {
        return Number::from(integers(a, b)).within_limits();
    }
    gcd_within_limits(x.bits(), y.bits())?;
    match (x.to_rational(), y.to_rational()) {
        (Some(a), Some(b)) => Number::from(rationals(a, b)).within_limits(),
        _ => Err(UNDEFINED),
    }
}

/// Computes `X / Y`. For integers, the result is an integer if the division is exact, and otherwise a float. For rationals, the result is a
/// rational.
///
/// # Errors
/// Returns an error for division by zero and for results that are not finite floats.
pub fn divide(x: &Number, y: &Number) -> Value {
    const BY_ZERO: ArithmeticError = ArithmeticError::EvaluationIn("zero_divisor", ("/", 2));
    if let (Some(a), Some(b)) = (x.to_integer(), y.to_integer()) {
        if b.is_zero() {
            return Err(BY_ZERO);
        }
        let (quotient, remainder) = num_integer::Integer::div_rem(&a, &b);
        if remainder.is_zero() {
            return Ok(Number::from(quotient));
        }
        return float::divide(float::from_number(x)?, float::from_number(y)?);
    }
    if let (Some(a), Some(b)) = (x.to_rational(), y.to_rational()) {
        gcd_within_limits(x.bits(), y.bits())?;
        if b.is_zero() {
            return Err(BY_ZERO);
        }
        return Number::from(a / b).within_limits();
    }
    let (a, b) = (float::rounded(x), float::rounded(y));
    if b.is_infinite() {
        return match x {
            _ if !a.is_finite() => Err(UNDEFINED),
            Number::Float(_) => Ok(Number::Float(if (a < 0.0) == (b < 0.0) {
                0.0
            } else {
                -0.0
            })),
            _ => Ok(Number::Small(0)),
        };
    }
    float::check(a)?;
    if b == 0.0 && a != 0.0 {
        return Err(BY_ZERO);
    }
    float::divide(a, b)
}

#[cfg(test)]
mod tests;
