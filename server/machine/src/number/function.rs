//! The functions of `is/2`.

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

            /// Returns the function's name and arity.
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
