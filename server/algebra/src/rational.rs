//! Exact rational numbers of arbitrary size.

use num_bigint::BigInt;
use num_rational::BigRational;

/// An exact rational number.
pub type Rat = BigRational;

/// Makes a rational number from an integer.
#[must_use]
pub fn rat(n: i64) -> Rat {
    Rat::from_integer(BigInt::from(n))
}

/// Returns `a·b`. Most coefficients are integers, for which no reduction is needed: that of a large integer with the denominator 1 takes
/// quadratic time.
pub(crate) fn product(a: &Rat, b: &Rat) -> Rat {
    if a.is_integer() && b.is_integer() {
        return Rat::from_integer(a.numer() * b.numer());
    }
    a * b
}

/// Computes `a += b`, without reduction if both are integers.
pub(crate) fn add_to(a: &mut Rat, b: &Rat) {
    if a.is_integer() && b.is_integer() {
        let (mut numerator, one) = std::mem::take(a).into_raw();
        numerator += b.numer();
        *a = Rat::new_raw(numerator, one);
    } else {
        *a += b;
    }
}

/// Computes `a *= b`, without reduction if both are integers.
pub(crate) fn multiply_by(a: &mut Rat, b: &Rat) {
    *a = product(a, b);
}
