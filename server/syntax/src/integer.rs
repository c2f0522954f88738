//! Integers of any size; those that fit into a machine word take no memory of their own.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// An integer of a term. Nearly all integers of programs and tables fit into 64 bits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Size);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Size {
    Small(i64),
    /// Never a number that fits into 64 bits, so that equal numbers are equal values.
    Big(Box<BigInt>),
}

impl Integer {
    /// Returns the number as a big integer.
    #[must_use]
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Size::Small(n) => BigInt::from(*n),
            Size::Big(n) => BigInt::clone(n),
        }
    }

    /// Returns the number of bits of the absolute value.
    #[must_use]
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Size::Small(n) => u64::from(u64::BITS - n.unsigned_abs().leading_zeros()),
            Size::Big(n) => n.bits(),
        }
    }

    /// Returns whether the number is less than 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Size::Small(n) => *n < 0,
            Size::Big(n) => n.sign() == num_bigint::Sign::Minus,
        }
    }
}

impl ToPrimitive for Integer {
    fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Size::Small(n) => Some(*n),
            Size::Big(_) => None,
        }
    }

    fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Size::Small(n) => u64::try_from(*n).ok(),
            Size::Big(n) => n.to_u64(),
        }
    }

    fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Size::Small(n) => Some((*n).into()),
            Size::Big(n) => n.to_i128(),
        }
    }

    fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Size::Small(n) => u128::try_from(*n).ok(),
            Size::Big(n) => n.to_u128(),
        }
    }

    fn to_f64(&self) -> Option<f64> {
        match &self.0 {
            Size::Small(n) => n.to_f64(),
            Size::Big(n) => n.to_f64(),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Size::Small(n), Size::Small(m)) => n.cmp(m),
            (Size::Big(n), Size::Big(m)) => n.cmp(m),
            // A big number is less than all small ones, or greater than all.
            (Size::Big(_), Size::Small(_)) if self.is_negative() => Ordering::Less,
            (Size::Big(_), Size::Small(_)) => Ordering::Greater,
            (Size::Small(_), Size::Big(_)) => other.cmp(self).reverse(),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(n) => n.fmt(f),
            Size::Big(n) => n.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<BigInt> for Integer {
    fn from(n: BigInt) -> Self {
        Integer(match n.to_i64() {
            Some(n) => Size::Small(n),
            None => Size::Big(Box::new(n)),
        })
    }
}

impl From<&BigInt> for Integer {
    fn from(n: &BigInt) -> Self {
        match n.to_i64() {
            Some(n) => Integer(Size::Small(n)),
            None => n.clone().into(),
        }
    }
}

impl From<&Integer> for BigInt {
    fn from(n: &Integer) -> Self {
        n.to_big()
    }
}

macro_rules! machine_integers {
    ($($ty:ty: $to:ident),*) => {$(
        impl From<$ty> for Integer {
            fn from(n: $ty) -> Self {
                match i64::try_from(n) {
                    Ok(n) => Integer(Size::Small(n)),
                    Err(_) => Integer(Size::Big(Box::new(n.into()))),
                }
            }
        }

        impl TryFrom<&Integer> for $ty {
            type Error = OutOfRange;

            fn try_from(n: &Integer) -> Result<Self, OutOfRange> {
                n.$to().ok_or(OutOfRange)
            }
        }
    )*};
}

machine_integers!(
    u16: to_u16, i32: to_i32, u32: to_u32, i64: to_i64, u64: to_u64, usize: to_usize, i128: to_i128
);

/// The number does not fit into the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

impl std::str::FromStr for Integer {
    type Err = num_bigint::ParseBigIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(n) => Ok(Integer(Size::Small(n))),
            Err(_) => Ok(text.parse::<BigInt>()?.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_representation_and_are_ordered() {
        let numbers = [
            "-9223372036854775809",
            "-9223372036854775808",
            "-1",
            "0",
            "7",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
        ];
        let all: Vec<Integer> = numbers.iter().map(|n| n.parse().unwrap()).collect();
        assert!(all.is_sorted());
        for (n, text) in all.iter().zip(numbers) {
            assert_eq!(n.to_string(), text);
            let big: BigInt = text.parse().unwrap();
            assert_eq!((&n.to_big(), n.bits()), (&big, big.bits()));
            assert_eq!(*n, Integer::from(big.clone()));
            assert_eq!((n.to_i64(), n.to_u64()), (big.to_i64(), big.to_u64()));
            assert_eq!(n.is_negative(), text.starts_with('-'));
        }
        assert_eq!(i32::try_from(&all[5]), Err(OutOfRange));
        assert_eq!(
            Integer::from(u64::MAX),
            u64::MAX.to_string().parse().unwrap()
        );
    }
}
