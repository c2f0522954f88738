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
