//! The values of the functions of `is/2`.

use std::cmp::Ordering;

use super::function::Function;
use super::{ArithmeticError, Number, UNDEFINED, Value};
use super::{
    absolute, add, bits, compare, divide, float, multiply, negate, power, rational, subtract,
};

impl Function {
    /// Applies the function to as many operands as its arity.
    ///
    /// # Errors
    /// The errors of SWI-Prolog. No limit on steps is checked, since every function terminates.
    pub fn apply(self, operands: &[Number]) -> Value {
        match operands {
            [] => Ok(Number::Float(self.constant())),
            [x] => self.unary(x),
            [x, y] => self.binary(x, y),
            [x, y, z] => power::powm(x, y, z),
            _ => Err(UNDEFINED),
        }
    }

    fn constant(self) -> f64 {
        match self {
            Self::Pi => std::f64::consts::PI,
            Self::E => std::f64::consts::E,
            Self::Epsilon => f64::EPSILON,
            Self::Inf => f64::INFINITY,
            _ => f64::NAN,
        }
    }

    /// Applies a function of one operand.
    ///
    /// # Errors
    /// See [`Function::apply`].
    pub fn unary(self, x: &Number) -> Value {
        match self {
            Self::Plus | Self::Eval => Ok(x.clone()),
            Self::Minus => Ok(negate(x)),
            Self::Abs => Ok(absolute(x)),
            Self::Sign => Ok(compare::sign(x)),
            Self::Float => float::from_number(x).map(Number::Float),
            Self::Integer | Self::Round => Ok(rational::round(x)),
            Self::Truncate => Ok(rational::truncate(x)),
            Self::Floor => Ok(rational::floor(x)),
            Self::Ceiling | Self::Ceil => Ok(rational::ceiling(x)),
            Self::FloatIntegerPart => rational::integer_part(x),
            Self::FloatFractionalPart => rational::fractional_part(x),
            Self::Rational => rational::rational(x),
            Self::Rationalize => rational::rationalize(x),
            Self::Numerator | Self::Denominator => {
                let q = x
                    .to_rational()
                    .ok_or_else(|| ArithmeticError::Type("rational", x.clone(), self.functor()))?;
                Ok(Number::from(if self == Self::Numerator {
                    q.numer().clone()
                } else {
                    q.denom().clone()
                }))
            }
            Self::Not | Self::Msb | Self::Lsb | Self::PopCount => bits::unary(self, x),
            _ => self.analytic(float::from_number(x)?),
        }
    }

    /// Applies a function from floats to floats.
    fn analytic(self, x: f64) -> Value {
        float::checked(match self {
            Self::Sqrt => return float::square_root(x),
            Self::Exp => x.exp(),
            Self::Log => x.ln(),
            Self::Log10 => x.log10(),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sinh => x.sinh(),
            Self::Cosh => x.cosh(),
            Self::Tanh => x.tanh(),
            Self::Asinh => libm::asinh(x),
            Self::Acosh => libm::acosh(x),
            Self::Atanh => libm::atanh(x),
            Self::Erf => libm::erf(x),
            // SWI-Prolog computes it this way and loses digits for large operands.
            Self::Erfc => 1.0 - libm::erf(x),
            Self::Lgamma if x <= 0.0 => return Err(super::FLOAT_OVERFLOW),
            Self::Lgamma => libm::lgamma(x),
            _ => return Err(UNDEFINED),
        })
    }

    /// Applies a function of two operands.
    ///
    /// # Errors
    /// See [`Function::apply`].
    pub fn binary(self, x: &Number, y: &Number) -> Value {
        match self {
            Self::Add => add(x, y),
            Self::Subtract => subtract(x, y),
            Self::Multiply => multiply(x, y),
            Self::Divide => divide(x, y),
            Self::Rdiv => rational::divide(x, y),
            Self::Power | Self::Hat => power::power(x, y),
            Self::Min => compare::extreme(x, y, Ordering::Less),
            Self::Max => compare::extreme(x, y, Ordering::Greater),
            Self::Atan2 | Self::AtanOf2 => {
                let (x, y) = (float::from_number(x)?, float::from_number(y)?);
                float::checked(x.atan2(y))
            }
            Self::CopySign => Ok(copy_sign(x, y)),
            Self::NextToward => float::next_toward(float::from_number(x)?, float::from_number(y)?),
            _ => bits::binary(self, x, y),
        }
    }
}

/// Computes `copysign(X, Y)`: `X` with the sign of `Y`. The signs of zeros count, and exact numbers stay exact.
fn copy_sign(x: &Number, y: &Number) -> Number {
    let negative = match y {
        Number::Float(y) => y.is_sign_negative(),
        y => y.is_negative(),
    };
    match x {
        Number::Float(x) => Number::Float(if negative { -x.abs() } else { x.abs() }),
        x if x.is_negative() == negative => x.clone(),
        x => negate(x),
    }
}
