//! Floats: conversion of exact numbers, checked results, rounding in a chosen direction, analytic functions.

use std::cell::Cell;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{ArithmeticError, FLOAT_OVERFLOW, Number, UNDEFINED, Value};

/// The rounding direction, with the names of `roundtoward/2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest float, ties to even.
    #[default]
    Nearest,
    /// Towards +∞.
    Positive,
    /// Towards -∞.
    Negative,
    /// Towards zero.
    Zero,
}

thread_local! {
    /// The current direction. It is set only while the first argument of `roundtoward/2` is evaluated, as SWI-Prolog sets the processor's
    /// direction.
    static ROUNDING: Cell<Rounding> = const { Cell::new(Rounding::Nearest) };
}

/// Sets the direction and returns the previous direction, which the caller restores.
pub fn set_rounding(rounding: Rounding) -> Rounding {
    ROUNDING.replace(rounding)
}

impl Rounding {
    /// Returns the direction with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "to_nearest" => Self::Nearest,
            "to_positive" => Self::Positive,
            "to_negative" => Self::Negative,
            "to_zero" => Self::Zero,
            _ => return None,
        })
    }
}

/// Returns a result, or an error if it is not finite.
pub(super) fn checked(x: f64) -> Value {
    check(x).map(Number::Float)
}

pub(super) fn check(x: f64) -> Result<f64, ArithmeticError> {
    if x.is_nan() {
        Err(UNDEFINED)
    } else if x.is_infinite() {
        Err(FLOAT_OVERFLOW)
    } else {
        Ok(x)
    }
}

/// Converts a number for functions on floats. Infinities and NaN are errors.
pub(super) fn from_number(x: &Number) -> Result<f64, ArithmeticError> {
    check(rounded(x))
}

/// Converts a number to a float, rounded in the current direction.
pub(super) fn rounded(x: &Number) -> f64 {
    match x {
        Number::Float(x) => *x,
        exact => match ROUNDING.get() {
            Rounding::Nearest => nearest(exact),
            mode => match exact.to_rational() {
                Some(q) => directed(&q, mode),
                None => nearest(exact),
            },
        },
    }
}

/// Returns the nearest float, or an infinity if the number is too large.
pub(super) fn nearest(x: &Number) -> f64 {
    match x {
        Number::Small(n) => *n as f64,
        Number::Big(n) => quotient_to_float(n, &BigInt::one()),
        Number::Rational(q) => quotient_to_float(q.numer(), q.denom()),
        Number::Float(x) => *x,
    }
}

/// Returns the float nearest to a quotient, ties to even. The quotient is scaled to an integer of at least 66 bits whose last bit records
/// whether a remainder was cut off; rounding twice then has the same result as rounding once.
fn quotient_to_float(numerator: &BigInt, denominator: &BigInt) -> f64 {
    let excess = i64::try_from(numerator.bits()).unwrap_or(i64::MAX)
        - i64::try_from(denominator.bits()).unwrap_or(i64::MAX);
    if excess > 1100 {
        return if numerator.is_negative() {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
    }
    if excess < -1200 {
        return if numerator.is_negative() { -0.0 } else { 0.0 };
    }
    // Subnormal floats have fewer bits: bits below 2^-1074 affect the rounding only as a sticky bit.
    let shift = (66 - excess).min(1074 + 2);
    let (n, d) = if shift >= 0 {
        (
            numerator.magnitude() << shift as u64,
            denominator.magnitude().clone(),
        )
    } else {
        (
            numerator.magnitude().clone(),
            denominator.magnitude() << shift.unsigned_abs(),
        )
    };
    let (quotient, rest) = n.div_rem(&d);
    let Some(mut bits) = quotient.to_u128() else {
        return f64::INFINITY;
    };
    bits = bits << 1 | u128::from(!rest.is_zero());
    let value = scaled(bits, -(shift + 1));
    if numerator.is_negative() {
        -value
    } else {
        value
    }
}

/// Returns `bits · 2^exponent`, rounded once, to nearest with ties to even.
fn scaled(bits: u128, exponent: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let width = i64::from(128 - bits.leading_zeros());
    // The exponent of the result's last place.
    let last = (exponent + width - 53).max(-1074);
    let cut = last - exponent;
    let rounded = if cut <= 0 {
        bits << cut.unsigned_abs()
    } else if cut > 127 {
        0
    } else {
        let kept = bits >> cut;
        let rest = bits & ((1 << cut) - 1);
        let half = 1_u128 << (cut - 1);
        kept + u128::from(rest > half || (rest == half && kept & 1 == 1))
    };
    let mut value = rounded as f64;
    let mut power = last;
    while power > 0 {
        let step = power.min(1000);
        value *= 2_f64.powi(step as i32);
        power -= step;
    }
    while power < 0 {
        // Exact, because the value is a multiple of the last place.
        let step = (-power).min(1000);
        value /= 2_f64.powi(step as i32);
        power += step;
    }
    value
}

/// Returns the float adjacent to a rational in a direction.
fn directed(q: &BigRational, mode: Rounding) -> f64 {
    let near = quotient_to_float(q.numer(), q.denom());
    let Some(back) = BigRational::from_float(near) else {
        let up = !q.is_negative();
        let outward = match mode {
            Rounding::Nearest => true,
            Rounding::Positive => up,
            Rounding::Negative => !up,
            Rounding::Zero => false,
        };
        return match (outward, up) {
            (true, _) => near,
            (false, true) => f64::MAX,
            (false, false) => f64::MIN,
        };
    };
    let mode = match (mode, q.is_negative()) {
        (Rounding::Zero, true) => Rounding::Positive,
        (Rounding::Zero, false) => Rounding::Negative,
        (mode, _) => mode,
    };
    match mode {
        Rounding::Positive if back < *q => near.next_up(),
        Rounding::Negative if back > *q => near.next_down(),
        _ => near,
    }
}

/// Performs an operation whose exact result is a rational: in hardware, or exactly if a rounding direction is set.
fn operate(
    x: f64,
    y: f64,
    nearest: f64,
    exact: impl Fn(&BigRational, &BigRational) -> BigRational,
) -> Value {
    let mode = ROUNDING.get();
    if mode == Rounding::Nearest || nearest.is_nan() || nearest == 0.0 && (x == 0.0 || y == 0.0) {
        return checked(nearest);
    }
    match (BigRational::from_float(x), BigRational::from_float(y)) {
        (Some(x), Some(y)) => {
            let q = exact(&x, &y);
            if q.is_zero() {
                return checked(if mode == Rounding::Negative {
                    -0.0
                } else {
                    0.0
                });
            }
            checked(directed(&q, mode))
        }
        _ => checked(nearest),
    }
}

pub(super) fn add(x: f64, y: f64) -> Value {
    operate(x, y, x + y, |x, y| x + y)
}

pub(super) fn subtract(x: f64, y: f64) -> Value {
    operate(x, y, x - y, |x, y| x - y)
}

pub(super) fn multiply(x: f64, y: f64) -> Value {
    operate(x, y, x * y, |x, y| x * y)
}

pub(super) fn divide(x: f64, y: f64) -> Value {
    operate(x, y, x / y, |x, y| x / y)
}

/// Computes `sqrt(X)`.
pub(super) fn square_root(x: f64) -> Value {
    if x < 0.0 {
        return Err(UNDEFINED);
    }
    let root = x.sqrt();
    let mode = ROUNDING.get();
    if mode == Rounding::Nearest {
        return checked(root);
    }
    let (Some(square), Some(radicand)) = (
        BigRational::from_float(root).map(|r| &r * &r),
        BigRational::from_float(x),
    ) else {
        return checked(root);
    };
    checked(match mode {
        Rounding::Positive if square < radicand => root.next_up(),
        Rounding::Negative | Rounding::Zero if square > radicand => root.next_down(),
        _ => root,
    })
}

/// Computes `nexttoward(X, Y)`: the float after `X` in the direction of `Y`.
pub(super) fn next_toward(x: f64, y: f64) -> Value {
    checked(if x < y {
        x.next_up()
    } else if x > y {
        x.next_down()
    } else {
        y
    })
}
