//! Functions defined only for integers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use super::function::Function;
use super::{ArithmeticError, Functor, MAX_BITS, Number, Value, float};

/// Returns the operand as an integer. Infinite floats and NaN have their own errors.
fn integer(x: &Number, function: Functor) -> Result<BigInt, ArithmeticError> {
    if let Some(n) = x.to_integer() {
        return Ok(n);
    }
    if let Number::Float(x) = x {
        float::check(*x)?;
    }
    Err(ArithmeticError::Type("integer", x.clone(), function))
}

fn at_least(least: u8, n: &BigInt, function: Functor) -> Result<(), ArithmeticError> {
    if *n >= BigInt::from(least) {
        return Ok(());
    }
    let domain = if least == 0 {
        "not_less_than_zero"
    } else {
        "not_less_than_one"
    };
    Err(ArithmeticError::Domain(
        domain,
        Number::from(n.clone()),
        function,
    ))
}

pub(super) fn unary(function: Function, x: &Number) -> Value {
    let name = function.functor();
    let n = integer(x, name)?;
    Ok(match function {
        Function::Not => Number::from(!n),
        Function::Msb => {
            at_least(1, &n, name)?;
            Number::from(n.bits() - 1)
        }
        Function::Lsb => {
            at_least(1, &n, name)?;
            Number::from(n.trailing_zeros().unwrap_or(0))
        }
        _ => {
            at_least(0, &n, name)?;
            Number::from(
                n.iter_u64_digits()
                    .map(|d| u64::from(d.count_ones()))
                    .sum::<u64>(),
            )
        }
    })
}

pub(super) fn binary(function: Function, x: &Number, y: &Number) -> Value {
    let name = match function {
        Function::GetBit => ("bit", 2),
        _ => function.functor(),
    };
    let (n, m) = (integer(x, name)?, integer(y, name)?);
    if m.is_zero()
        && matches!(
            function,
            Function::IntegerDivide | Function::Div | Function::Mod | Function::Rem
        )
    {
        return Err(ArithmeticError::EvaluationIn("zero_divisor", name));
    }
    Ok(Number::from(match function {
        // Round towards zero (flag `integer_rounding_function`); `div` and `mod` round down.
        Function::IntegerDivide => n / m,
        Function::Rem => n % m,
        Function::Div => n.div_floor(&m),
        Function::Mod => n.mod_floor(&m),
        Function::Gcd => {
            super::gcd_within_limits(n.bits(), m.bits())?;
            n.gcd(&m)
        }
        Function::Lcm => {
            super::gcd_within_limits(n.bits(), m.bits())?;
            return Number::from(n.lcm(&m)).within_limits();
        }
        Function::And => n & m,
        Function::Or => n | m,
        Function::Xor => n ^ m,
        Function::ShiftLeft => return shift(n, m),
        Function::ShiftRight => return shift(n, -m),
        _ => {
            at_least(0, &m, name)?;
            // A bit position beyond any number is 0; the number is not examined.
            match m.to_u64() {
                Some(place) => {
                    at_least(0, &n, name)?;
                    BigInt::from(u8::from(n.bit(place)))
                }
                None => BigInt::zero(),
            }
        }
    }))
}

/// Computes `n · 2^by`, rounded down if `by` is negative.
fn shift(n: BigInt, by: BigInt) -> Value {
    match (by.is_negative(), by.magnitude().to_u64()) {
        _ if n.is_zero() => Ok(Number::Small(0)),
        (false, Some(by)) if by.saturating_add(n.bits()) <= MAX_BITS => Ok(Number::from(n << by)),
        (false, _) => Err(ArithmeticError::TooLarge),
        (true, Some(by)) => Ok(Number::from(n >> by)),
        (true, None) => Ok(Number::Small(if n.is_negative() { -1 } else { 0 })),
    }
}
