//! Arithmetic as in SWI-Prolog 9 with its default flags (`iso` and `prefer_rationals` off).

use std::cmp::Ordering;

use costlens_syntax::term::{CONS, NIL};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};
use smol_str::SmolStr;

use crate::heap::{Cell, Heap, OutOfWork, Ref};

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Int(BigInt),
    Float(f64),
}

/// The reason that an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArithmeticError {
    Instantiation,
    /// `type_error(evaluable, Name/Arity)`
    Evaluable(SmolStr, usize),
    /// `type_error(Type, Culprit)`
    Type(&'static str, Ref),
    /// `type_error(integer, Float)`
    IntegerExpected,
    /// `evaluation_error(What)`
    Evaluation(&'static str),
    /// `type_error(evaluable, [])`, which has no arity.
    EmptyList,
    /// An argument outside of the function's domain.
    Domain,
    /// A function of SWI-Prolog that the oracle does not implement.
    Unknown(SmolStr),
    /// The number would be too large to compute with.
    Resource,
    OutOfWork,
}

impl From<OutOfWork> for ArithmeticError {
    fn from(_: OutOfWork) -> Self {
        Self::OutOfWork
    }
}

type Value = Result<Number, ArithmeticError>;

/// Returns the order of two numbers by value; `None` if one is not a number (NaN).
pub(crate) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
        (Number::Int(a), Number::Float(b)) => int_with_float(a, *b),
        (Number::Float(a), Number::Int(b)) => int_with_float(b, *a).map(Ordering::reverse),
    }
}

fn int_with_float(a: &BigInt, b: f64) -> Option<Ordering> {
    if b.is_nan() {
        return None;
    }
    if b.is_infinite() {
        return Some(if b > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        });
    }
    let floor = BigInt::from_f64(b.floor())?;
    Some(a.cmp(&floor).then(if b > b.floor() {
        Ordering::Less
    } else {
        Ordering::Equal
    }))
}

/// Returns the standard order of two number cells: NaN first, then by value, and a float before an equal integer.
pub(crate) fn standard_order(a: &Cell, b: &Cell) -> Ordering {
    let is_nan = |n: &Number| matches!(n, Number::Float(x) if x.is_nan());
    match (number(a), number(b)) {
        (Some(x), Some(y)) if is_nan(&x) || is_nan(&y) => is_nan(&y).cmp(&is_nan(&x)),
        (Some(x), Some(y)) => compare(&x, &y).unwrap_or(Ordering::Equal).then_with(|| {
            let rank = |n: &Number| u8::from(matches!(n, Number::Int(_)));
            rank(&x).cmp(&rank(&y))
        }),
        _ => Ordering::Equal,
    }
}

pub(crate) fn number(cell: &Cell) -> Option<Number> {
    match cell {
        Cell::Int(n) => Some(Number::Int(n.clone())),
        Cell::Float(x) => Some(Number::Float(*x)),
        _ => None,
    }
}

pub(crate) fn cell(number: Number) -> Cell {
    match number {
        Number::Int(n) => Cell::Int(n),
        Number::Float(x) => Cell::Float(x),
    }
}

enum Task {
    Visit(Ref),
    Apply(SmolStr, usize),
}

/// Returns the value of an expression.
pub(crate) fn evaluate(heap: &mut Heap, expression: Ref) -> Value {
    let (mut tasks, mut values) = (vec![Task::Visit(expression)], Vec::<Number>::new());
    while let Some(task) = tasks.pop() {
        heap.work = heap.work.checked_sub(1).ok_or(ArithmeticError::OutOfWork)?;
        match task {
            Task::Visit(at) => {
                let at = heap.deref(at);
                match heap.cells[at].clone() {
                    Cell::Var(_) => return Err(ArithmeticError::Instantiation),
                    Cell::Int(n) => values.push(Number::Int(n)),
                    Cell::Float(x) => values.push(Number::Float(x)),
                    Cell::Str(text) => {
                        let mut characters = text.chars();
                        match (characters.next(), characters.next()) {
                            (Some(c), None) => values.push(Number::Int(BigInt::from(u32::from(c)))),
                            _ => return Err(ArithmeticError::Type(NIL, at)),
                        }
                    }
                    Cell::Atom(name) if name == NIL => return Err(ArithmeticError::EmptyList),
                    Cell::Atom(name) => values.push(constant(&name)?),
                    Cell::Compound(name, start, 2) if name == CONS => {
                        if !heap.is_atom(start + 1, NIL) {
                            return Err(ArithmeticError::Type(NIL, at));
                        }
                        values.push(character(heap, start)?);
                    }
                    // Its second argument is the name of a mode.
                    Cell::Compound(name, _, 2) if name == "roundtoward" => {
                        return Err(ArithmeticError::Unknown(name));
                    }
                    // The last argument is evaluated first, and the function itself after its arguments.
                    Cell::Compound(name, start, arity) => {
                        tasks.push(Task::Apply(name, arity));
                        tasks.extend((start..start + arity).map(Task::Visit));
                    }
                }
            }
            Task::Apply(name, arity) if !is_function(&name, arity) => {
                return Err(if is_of_swi_prolog(&name, arity) {
                    ArithmeticError::Unknown(name)
                } else {
                    ArithmeticError::Evaluable(name, arity)
                });
            }
            Task::Apply(name, 1) => {
                let x = values.pop().unwrap();
                values.push(unary(&name, x)?);
            }
            Task::Apply(name, _) => {
                let (x, y) = (values.pop().unwrap(), values.pop().unwrap());
                values.push(binary(&name, x, y)?);
            }
        }
    }
    Ok(values.pop().unwrap())
}

/// Returns the value of the element of a one-element list: a number stands for itself, and a character for its code.
fn character(heap: &Heap, element: Ref) -> Value {
    match heap.value(element) {
        Cell::Var(_) => Err(ArithmeticError::Instantiation),
        Cell::Int(n) if !n.is_negative() => Ok(Number::Int(n.clone())),
        Cell::Atom(name) if name.chars().count() == 1 => {
            let code = name.chars().next().map_or(0, u32::from);
            Ok(Number::Int(BigInt::from(code)))
        }
        _ => Err(ArithmeticError::Type("character", element)),
    }
}

fn constant(name: &str) -> Value {
    Ok(Number::Float(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "inf" | "infinite" => f64::INFINITY,
        "nan" => f64::NAN,
        "epsilon" => f64::EPSILON,
        "max_tagged_integer" => return Ok(Number::Int(BigInt::from((1_i64 << 60) - 1))),
        "min_tagged_integer" => return Ok(Number::Int(BigInt::from(-(1_i64 << 60)))),
        "max_integer" => return Ok(Number::Int(BigInt::from(i64::MAX))),
        "min_integer" => return Ok(Number::Int(BigInt::from(i64::MIN))),
        "random" | "random_float" | "cputime" | "realtime" | "max_rational" => {
            return Err(ArithmeticError::Unknown(SmolStr::new(name)));
        }
        _ => return Err(ArithmeticError::Evaluable(SmolStr::new(name), 0)),
    }))
}

const UNARY: &[&str] = &[
    "-",
    "+",
    "abs",
    "sign",
    "\\",
    "msb",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "exp",
    "log",
    "log2",
    "float",
    "integer",
    "truncate",
    "round",
    "ceiling",
    "floor",
    "float_integer_part",
    "float_fractional_part",
];
const BINARY: &[&str] = &[
    "+", "-", "*", "/", "//", "mod", "rem", "div", "min", "max", "**", "^", ">>", "<<", "/\\",
    "\\/", "xor", "gcd", "atan2", "atan", "log",
];

/// Returns whether the oracle does not implement the function: a run that needs it is abandoned.
fn is_of_swi_prolog(name: &str, arity: usize) -> bool {
    const OTHERS: [&[&str]; 4] = [
        &[],
        &[
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "log10",
            "lgamma",
            "erf",
            "erfc",
            "lsb",
            "popcount",
            "rational",
            "rationalize",
            "numerator",
            "denominator",
            "eval",
            "random",
            "random_float",
            "ceil",
            "cot",
            "acot",
            "trunc",
            "cmpflags",
        ],
        &[
            "copysign",
            "rdiv",
            "lcm",
            "nexttoward",
            "getbit",
            "roundtoward",
            "truncate",
            "cmpflags",
            "tdiv",
        ],
        &["powm"],
    ];
    OTHERS.get(arity).is_some_and(|o| o.contains(&name))
}

fn is_function(name: &str, arity: usize) -> bool {
    match arity {
        1 => UNARY.contains(&name),
        2 => BINARY.contains(&name),
        _ => false,
    }
}

fn float(x: &Number) -> Result<f64, ArithmeticError> {
    match x {
        Number::Float(x) => Ok(*x),
        Number::Int(n) => match n.to_f64() {
            Some(x) if x.is_finite() => Ok(x),
            _ => Err(ArithmeticError::Evaluation("float_overflow")),
        },
    }
}

fn checked(x: f64) -> Value {
    if x.is_nan() {
        Err(ArithmeticError::Evaluation("undefined"))
    } else if x.is_infinite() {
        Err(ArithmeticError::Evaluation("float_overflow"))
    } else {
        Ok(Number::Float(x))
    }
}

fn to_integer(x: f64) -> Value {
    BigInt::from_f64(x)
        .map(Number::Int)
        .ok_or(ArithmeticError::Evaluation("undefined"))
}

fn integer(x: Number) -> Result<BigInt, ArithmeticError> {
    match x {
        Number::Int(n) => Ok(n),
        Number::Float(_) => Err(ArithmeticError::IntegerExpected),
    }
}

fn unary(name: &str, x: Number) -> Value {
    match (name, x) {
        ("+", x) => Ok(x),
        ("-", Number::Int(n)) => Ok(Number::Int(-n)),
        ("-", Number::Float(x)) => Ok(Number::Float(-x)),
        ("abs", Number::Int(n)) => Ok(Number::Int(n.abs())),
        ("abs", Number::Float(x)) => Ok(Number::Float(x.abs())),
        ("sign", Number::Int(n)) => Ok(Number::Int(n.signum())),
        ("sign", Number::Float(x)) => Ok(Number::Float(if x == 0.0 { x } else { x.signum() })),
        ("\\", x) => Ok(Number::Int(-integer(x)? - 1)),
        ("msb", x) => match integer(x)? {
            n if n.is_positive() => Ok(Number::Int(BigInt::from(n.bits() - 1))),
            _ => Err(ArithmeticError::Domain),
        },
        ("integer" | "truncate" | "round" | "ceiling" | "floor", Number::Int(n)) => {
            Ok(Number::Int(n))
        }
        ("integer" | "round", Number::Float(x)) => to_integer(x.round()),
        ("truncate", Number::Float(x)) => to_integer(x.trunc()),
        ("ceiling", Number::Float(x)) => to_integer(x.ceil()),
        ("floor", Number::Float(x)) => to_integer(x.floor()),
        ("float_integer_part", Number::Int(n)) => Ok(Number::Int(n)),
        ("float_fractional_part", Number::Int(_)) => Ok(Number::Int(BigInt::zero())),
        (_, x) => {
            let x = float(&x)?;
            checked(match name {
                "float" => x,
                "float_integer_part" => x.trunc(),
                "float_fractional_part" => x.fract(),
                "sqrt" => x.sqrt(),
                "sin" => x.sin(),
                "cos" => x.cos(),
                "tan" => x.tan(),
                "asin" => x.asin(),
                "acos" => x.acos(),
                "atan" => x.atan(),
                "exp" => x.exp(),
                "log" => x.ln(),
                _ => x.log2(),
            })
        }
    }
}

fn binary(name: &str, x: Number, y: Number) -> Value {
    use Number::{Float, Int};
    match (name, x, y) {
        ("+", Int(x), Int(y)) => Ok(Int(x + y)),
        ("-", Int(x), Int(y)) => Ok(Int(x - y)),
        ("*", Int(x), Int(y)) => {
            if x.bits() + y.bits() > 1 << 20 {
                return Err(ArithmeticError::Resource);
            }
            Ok(Int(x * y))
        }
        ("/", Int(x), Int(y)) => {
            if y.is_zero() {
                return Err(ArithmeticError::Evaluation("zero_divisor"));
            }
            if x.is_multiple_of(&y) {
                return Ok(Int(x / y));
            }
            checked(float(&Int(x))? / float(&Int(y))?)
        }
        ("max" | "min", x, y) => extreme(name == "max", x, y),
        // The exponent 0, the base 1 and the powers of 0 give integers, whatever the other side is.
        ("**" | "^", _, Float(0.0)) => Ok(Int(BigInt::one())),
        ("**" | "^", Float(_), Int(y)) if y.is_zero() => Ok(Int(BigInt::one())),
        ("**" | "^", Int(x), Float(y)) if x.is_one() || (x.is_zero() && y > 0.0) => Ok(Int(x)),
        ("**" | "^", Int(x), Int(y)) => power(x, y),
        ("//" | "mod" | "rem" | "div" | ">>" | "<<" | "/\\" | "\\/" | "xor" | "gcd", x, y) => {
            integers(name, integer(x)?, integer(y)?)
        }
        (_, x, y) => {
            let (x, y) = (float(&x)?, float(&y)?);
            checked(match name {
                "+" => x + y,
                "-" => x - y,
                "*" => x * y,
                "/" if y == 0.0 => {
                    let what = if x == 0.0 || x.is_nan() {
                        "undefined"
                    } else {
                        "zero_divisor"
                    };
                    return Err(ArithmeticError::Evaluation(what));
                }
                "/" => x / y,
                "**" | "^" => x.powf(y),
                "atan2" | "atan" => x.atan2(y),
                "log" => y.ln() / x.ln(),
                _ => return Err(ArithmeticError::Evaluable(SmolStr::new(name), 2)),
            })
        }
    }
}

/// Computes `max/2` and `min/2`: an integer and a float are compared as floats, and if they are equal, the float is the result.
fn extreme(largest: bool, x: Number, y: Number) -> Value {
    use Number::{Float, Int};
    let order = match (&x, &y) {
        (Int(_), Float(_)) | (Float(_), Int(_)) => float(&x)?.partial_cmp(&float(&y)?),
        _ => compare(&x, &y),
    };
    let first = match order {
        Some(Ordering::Greater) => largest,
        Some(Ordering::Less) => !largest,
        Some(Ordering::Equal) => {
            let negative_zero =
                |n: &Number| matches!(n, Float(f) if *f == 0.0 && f.is_sign_negative());
            matches!(x, Float(_)) != (largest && (negative_zero(&x) || negative_zero(&y)))
        }
        None => false,
    };
    Ok(if first { x } else { y })
}

fn power(x: BigInt, y: BigInt) -> Value {
    if x.is_one() || y.is_zero() {
        return Ok(Number::Int(BigInt::one()));
    }
    if x == -BigInt::one() {
        return Ok(Number::Int(if y.is_even() { BigInt::one() } else { x }));
    }
    if y.is_negative() {
        if x.is_zero() {
            return Err(ArithmeticError::Evaluation("zero_divisor"));
        }
        return checked(float(&Number::Int(x))?.powf(float(&Number::Int(y))?));
    }
    if x.is_zero() {
        return Ok(Number::Int(x));
    }
    match y.to_u32() {
        Some(exponent) if x.bits().saturating_mul(u64::from(exponent)) <= 1 << 20 => {
            Ok(Number::Int(x.pow(exponent)))
        }
        _ => Err(ArithmeticError::Resource),
    }
}

fn integers(name: &str, x: BigInt, y: BigInt) -> Value {
    if y.is_zero() && matches!(name, "//" | "mod" | "rem" | "div") {
        return Err(ArithmeticError::Evaluation("zero_divisor"));
    }
    Ok(Number::Int(match name {
        // `//` truncates (flag integer_rounding_function), `div` and `mod` round to the floor.
        "//" => x / y,
        "rem" => x % y,
        "mod" => x.mod_floor(&y),
        "div" => x.div_floor(&y),
        "/\\" => x & y,
        "\\/" => x | y,
        "xor" => x ^ y,
        "gcd" => x.gcd(&y),
        _ => {
            let left = (name == "<<") != y.is_negative();
            match y.magnitude().to_u64() {
                Some(by) if left && (x.is_zero() || by + x.bits() <= 1 << 20) => x << by,
                Some(by) if !left => x >> by,
                None if !left => {
                    if x.is_negative() {
                        -BigInt::one()
                    } else {
                        BigInt::zero()
                    }
                }
                _ => return Err(ArithmeticError::Resource),
            }
        }
    }))
}
