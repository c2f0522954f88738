//! Arithmetic functions of SWI-Prolog.

/// The functions that `is/2` evaluates in every SWI-Prolog 9, by number of arguments; a test compares them with an installed SWI-Prolog.
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

/// The functions whose value changes between calls.
const CHANGING_FUNCTIONS: [(&str, usize); 4] = [
    ("random", 1),
    ("random_float", 0),
    ("cputime", 0),
    ("realtime", 0),
];

/// The functions whose value is a float for all numeric arguments, by number of arguments.
const FLOAT_FUNCTIONS: [&[&str]; 3] = [
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
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "erfc", "exp",
        "float", "lgamma", "log", "log10", "sin", "sinh", "sqrt", "tan", "tanh",
    ],
    &["atan", "atan2", "copysign", "nexttoward"],
];

/// Returns true for a function whose value changes between calls: `random(6)`, `cputime`.
#[must_use]
pub fn is_changing_function(name: &str, arity: usize) -> bool {
    CHANGING_FUNCTIONS.contains(&(name, arity))
}

/// Returns true if a function with this name, regardless of arity, has values that change between calls.
#[must_use]
pub fn names_changing_function(name: &str) -> bool {
    CHANGING_FUNCTIONS.iter().any(|(known, _)| *known == name)
}

/// Returns true for a function whose value is a float for all numeric arguments: `sqrt(X)`.
#[must_use]
pub fn is_float_function(name: &str, arity: usize) -> bool {
    (FLOAT_FUNCTIONS.get(arity)).is_some_and(|of| of.contains(&name))
}

/// Returns true for an arithmetic function that `is/2` evaluates.
#[must_use]
pub fn is_arithmetic_function(name: &str, arity: usize) -> bool {
    ARITHMETIC_FUNCTIONS
        .get(arity)
        .is_some_and(|of| of.contains(&name))
}
