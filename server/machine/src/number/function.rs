//! The functions that `is/2` knows.

use super::{ArithmeticError, Number, UNDEFINED, Value};
use super::{
    absolute, add, bits, compare, divide, float, multiply, negate, power, rational, subtract,
};

/// Declares the functions with names and arities, so that each is named in one place.
macro_rules! functions {
    ($($variant:ident = $name:literal / $arity:literal),* $(,)?) => {
        /// A function of `is/2`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is what its name and arity say")]
        pub enum Function { $($variant),* }

        impl Function {
            /// All functions.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the function with this name and arity.
            #[must_use]
            pub fn find(name: &str, arity: usize) -> Option<Self> {
                match (name, arity) {
                    $(($name, $arity) => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns its name and arity.
            #[must_use]
            pub fn functor(self) -> super::Functor {
                match self {
                    $(Self::$variant => ($name, $arity)),*
                }
            }
        }
    };
}

functions! {
    Pi = "pi"/0, E = "e"/0, Inf = "inf"/0, NotANumber = "nan"/0, Epsilon = "epsilon"/0,
    Plus = "+"/1, Minus = "-"/1, Eval = "eval"/1, Abs = "abs"/1, Sign = "sign"/1,
    Float = "float"/1, Integer = "integer"/1, Truncate = "truncate"/1, Round = "round"/1, Floor = "floor"/1,
    Ceiling = "ceiling"/1, Ceil = "ceil"/1, FloatIntegerPart = "float_integer_part"/1,
    FloatFractionalPart = "float_fractional_part"/1,
    Rational = "rational"/1, Rationalize = "rationalize"/1, Numerator = "numerator"/1, Denominator = "denominator"/1,
    Not = "\\"/1, Msb = "msb"/1, Lsb = "lsb"/1, PopCount = "popcount"/1,
    Sqrt = "sqrt"/1, Exp = "exp"/1, Log = "log"/1, Log10 = "log10"/1,
    Sin = "sin"/1, Cos = "cos"/1, Tan = "tan"/1, Asin = "asin"/1, Acos = "acos"/1, Atan = "atan"/1,
    Sinh = "sinh"/1, Cosh = "cosh"/1, Tanh = "tanh"/1, Asinh = "asinh"/1, Acosh = "acosh"/1, Atanh = "atanh"/1,
    Erf = "erf"/1, Erfc = "erfc"/1, Lgamma = "lgamma"/1,
    Add = "+"/2, Subtract = "-"/2, Multiply = "*"/2, Divide = "/"/2, IntegerDivide = "//"/2, Div = "div"/2,
    Mod = "mod"/2, Rem = "rem"/2, Rdiv = "rdiv"/2, Power = "**"/2, Hat = "^"/2, Min = "min"/2, Max = "max"/2,
    Gcd = "gcd"/2, Lcm = "lcm"/2, ShiftLeft = "<<"/2, ShiftRight = ">>"/2, And = "/\\"/2, Or = "\\/"/2, Xor = "xor"/2,
    GetBit = "getbit"/2, Atan2 = "atan2"/2, AtanOf2 = "atan"/2, CopySign = "copysign"/2, NextToward = "nexttoward"/2,
    Powm = "powm"/3,
}

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
            Self::Float => float::of(x).map(Number::Float),
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
            _ => self.analytic(float::of(x)?),
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
            Self::Min => compare::extreme(x, y, false),
            Self::Max => compare::extreme(x, y, true),
            Self::Atan2 | Self::AtanOf2 => {
                let (x, y) = (float::of(x)?, float::of(y)?);
                float::checked(x.atan2(y))
            }
            Self::CopySign => Ok(copy_sign(x, y)),
            Self::NextToward => float::next_toward(float::of(x)?, float::of(y)?),
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
