//! Arithmetic functions of SWI-Prolog.

/// The functions that `is/2` knows in every SWI-Prolog 9, by number of arguments; a test asks an installed one.
pub const ARITHMETIC_FUNCTIONS: [&[&str]; 4] = [
    &[
        "cputime",
        "e",
        "epsilon",
        "inf",
        "nan",
        "pi",
        "random_float",
    ],
    &[
        "+",
        "-",
        "\\",
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "ceil",
        "ceiling",
        "cos",
        "cosh",
        "denominator",
        "erf",
        "erfc",
        "eval",
        "exp",
        "float",
        "float_fractional_part",
        "float_integer_part",
        "floor",
        "integer",
        "lgamma",
        "log",
        "log10",
        "lsb",
        "msb",
        "numerator",
        "popcount",
        "random",
        "rational",
        "rationalize",
        "round",
        "sign",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "truncate",
    ],
    &[
        "+",
        "-",
        "*",
        "/",
        "//",
        "**",
        "^",
        "<<",
        ">>",
        "/\\",
        "\\/",
        "atan",
        "atan2",
        "copysign",
        "div",
        "gcd",
        "getbit",
        "lcm",
        "max",
        "min",
        "mod",
        "nexttoward",
        "rdiv",
        "rem",
        "roundtoward",
        "xor",
    ],
    &["powm"],
];

/// Returns true for a function whose value changes between calls: `random(6)`, `cputime`.
#[must_use]
pub fn is_changing_function(name: &str, arity: usize) -> bool {
    matches!(
        (name, arity),
        ("random", 1) | ("random_float" | "cputime" | "realtime", 0)
    )
}

/// Returns true for an arithmetic function that `is/2` evaluates.
#[must_use]
pub fn is_arithmetic_function(name: &str, arity: usize) -> bool {
    ARITHMETIC_FUNCTIONS
        .get(arity)
        .is_some_and(|of| of.contains(&name))
}
