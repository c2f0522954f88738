//! Comparison by value, and the standard order of numbers.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive, Signed, Zero};

use super::{Number, float};

/// Compares two numbers for `<`, `=:=` and the other arithmetic comparisons. Exact numbers are compared exactly; if either number is a
/// float, both are compared as floats. Returns `None` for NaN.
#[must_use]
pub fn compare(x: &Number, y: &Number) -> Option<Ordering> {
    match (x, y) {
        (Number::Small(a), Number::Small(b)) => Some(a.cmp(b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
        (Number::Float(a), b) => a.partial_cmp(&float::nearest(b)),
        (a, Number::Float(b)) => float::nearest(a).partial_cmp(b),
        (a, b) => exact(a, b),
    }
}

fn exact(x: &Number, y: &Number) -> Option<Ordering> {
    if let (Some(a), Some(b)) = (x.to_integer(), y.to_integer()) {
        return Some(a.cmp(&b));
    }
    Some(x.to_rational()?.cmp(&y.to_rational()?))
}

/// Compares numbers in the standard order of terms: by exact value, where a float comes before an equal exact number. NaN comes before all
/// other numbers.
#[must_use]
pub fn standard_order(x: &Number, y: &Number) -> Ordering {
    match (x, y) {
        (Number::Small(a), Number::Small(b)) => a.cmp(b),
        (Number::Float(a), Number::Float(b)) => float_order(*a, *b),
        (Number::Float(a), b) => exact_with_float(b, *a).reverse(),
        (a, Number::Float(b)) => exact_with_float(a, *b),
        (a, b) => exact(a, b).unwrap_or(Ordering::Equal),
    }
}

fn float_order(x: f64, y: f64) -> Ordering {
    match (x.is_nan(), y.is_nan()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => x
            .partial_cmp(&y)
            .unwrap_or(Ordering::Equal)
            .then_with(|| y.is_sign_negative().cmp(&x.is_sign_negative())),
    }
}

/// Compares an exact number with a float. If the values are equal, the exact number is greater.
fn exact_with_float(x: &Number, y: f64) -> Ordering {
    if y.is_nan() || y == f64::NEG_INFINITY {
        return Ordering::Greater;
    }
    let Some(y) = BigRational::from_float(y) else {
        return Ordering::Less;
    };
    let order = match x {
        Number::Small(n) => BigRational::from_integer(BigInt::from(*n)).cmp(&y),
        x => x.to_rational().map_or(Ordering::Equal, |x| x.cmp(&y)),
    };
    order.then(Ordering::Greater)
}

/// Computes `sign(X)`.
pub(super) fn sign(x: &Number) -> Number {
    match x {
        Number::Small(n) => Number::Small(n.signum()),
        Number::Big(n) => Number::from(n.signum()),
        Number::Rational(q) => Number::Small(if q.is_negative() { -1 } else { 1 }),
        Number::Float(x) if x.is_nan() => Number::Float(*x),
        Number::Float(x) if *x == 0.0 => Number::Float(0.0),
        Number::Float(x) => Number::Float(x.signum()),
    }
}

/// Returns the greater or the smaller of two numbers. NaN is chosen only if both are NaN. If a float equals an exact number, the
/// float is chosen; for two zeros, the sign decides.
pub(super) fn extreme(x: &Number, y: &Number, wanted: Ordering) -> super::Value {
    let greater = wanted == Ordering::Greater;
    let is_nan = |n: &Number| matches!(n, Number::Float(x) if x.is_nan());
    let order = match (is_nan(x), is_nan(y)) {
        (true, _) => return Ok(y.clone()),
        (_, true) => return Ok(x.clone()),
        _ => compare(x, y).unwrap_or(Ordering::Equal),
    };
    let first = match order {
        Ordering::Equal => {
            let negative_zero =
                |n: &Number| matches!(n, Number::Float(x) if *x == 0.0 && x.is_sign_negative());
            if let (Number::Float(a), Number::Float(_)) = (x, y)
                && a.is_infinite()
            {
                return Err(super::FLOAT_OVERFLOW);
            }
            match (negative_zero(x), negative_zero(y)) {
                (true, false) => !greater,
                (false, true) => greater,
                _ => matches!(x, Number::Float(_)),
            }
        }
        order => (order == Ordering::Greater) == greater,
    };
    Ok(if first { x } else { y }.clone())
}

/// Returns the exact value of a finite float.
pub(super) fn rational_of_float(x: f64) -> Option<Number> {
    if x == 0.0 {
        return Some(Number::Small(0));
    }
    if x.fract().is_zero() {
        return BigInt::from_f64(x).map(Number::from);
    }
    BigRational::from_float(x).map(Number::from)
}
