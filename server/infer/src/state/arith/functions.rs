//! The values of arithmetic functions.

use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat, Rounding};
use num_traits::{One, Signed};
use smol_str::{SmolStr, format_smolstr};

use super::ArithmeticValue;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::state::rounded::Rounded;
use crate::state::{Scope, numbers, remainders};

/// An arithmetic function applied to the values of its arguments.
struct Applied<'a> {
    scope: &'a Scope<'a>,
    name: &'a SmolStr,
    args: &'a [ArithmeticValue],
    /// True if all arguments are integers.
    integers: bool,
}

/// Evaluates an arithmetic function on abstract arguments. Returns `None` if the function is not modelled.
pub(super) fn apply(
    scope: &Scope<'_>,
    name: &SmolStr,
    args: &[ArithmeticValue],
) -> Option<ArithmeticValue> {
    let integers = args.iter().all(|n| n.datum.ty == Type::Int);
    let of = Applied {
        scope,
        name,
        args,
        integers,
    };
    if integers {
        let values: Option<Vec<Rat>> = (args.iter())
            .map(|n| n.datum.size.as_exact()?.as_constant())
            .collect();
        if let Some(value) = values.and_then(|v| numbers::apply(name, &v)) {
            return Some(of.number(Size::exact(Expr::constant(value))));
        }
    }
    if Rounded::from_function(name).is_some() && args.len() == 1 && !integers {
        // An infinity cannot be converted to an integer.
        return Some(ArithmeticValue {
            datum: Datum::from_type(Type::Int).with_key(of.key()),
            may_raise: true,
        });
    }
    of.value()
}

impl Applied<'_> {
    fn key(&self) -> Option<SmolStr> {
        let keys = self.args.iter().map(|n| n.datum.key.as_deref());
        let keys: Option<Vec<&str>> = keys.collect();
        Some(format_smolstr!("({} {})", self.name, keys?.join(" ")))
    }

    /// Returns the result of an operation that raises no exception of its own.
    fn number(&self, size: Size) -> ArithmeticValue {
        self.number_if(size, false)
    }

    fn number_if(&self, size: Size, may_raise: bool) -> ArithmeticValue {
        let (ty, size) = match self.integers {
            true => (Type::Int, size),
            false => (Type::Number, Size::unknown()),
        };
        ArithmeticValue {
            datum: Datum::sized(ty, size).with_key(self.key()),
            may_raise: may_raise || self.args.iter().any(|n| n.may_raise),
        }
    }

    /// Floats overflow, and inf-inf is undefined.
    fn value(&self) -> Option<ArithmeticValue> {
        let (integers, region) = (self.integers, self.scope.world.region());
        let name = self.name.as_str();
        Some(match (name, self.args) {
            ("+", [a, b]) => self.number_if(a.datum.size.plus(&b.datum.size), !integers),
            ("-", [a, b]) => self.number_if(a.datum.size.plus(&b.datum.size.negated()), !integers),
            ("*", [a, b]) => self.number_if(a.datum.size.times(&b.datum.size, region), !integers),
            ("-", [a]) => self.number(a.datum.size.negated()),
            ("+", [a]) => self.number(a.datum.size.clone()),
            ("//" | "div" | ">>", [a, b]) => {
                let (size, raises) = integer_division(self.scope, name, a, b, integers);
                self.number_if(size, raises)
            }
            ("mod", [a, b]) => self.modulo(&a.datum, &b.datum),
            ("rem", [a, b]) if let Some(value) = self.remainder(&a.datum, &b.datum) => value,
            // Each call has its own value, so the result has no key: a key would equate two calls.
            ("random", [a]) if integers => {
                let size = Size {
                    lower: Some(Expr::zero()),
                    upper: a.datum.size.shifted(-1).upper,
                };
                ArithmeticValue {
                    datum: Datum::sized(Type::Int, size),
                    may_raise: true,
                }
            }
            _ if integers && let Some((size, raises)) = of_integers(name, self.args, region) => {
                self.number_if(size, raises)
            }
            ("abs", [_]) => self.number(Size::unknown()),
            // SWI-Prolog raises an overflow error for two equal infinities, and treats an integer that is too large for a float as an
            // infinity.
            ("min" | "max", [a, b]) => {
                let (a, b) = (&a.datum.size, &b.datum.size);
                self.number_if(extremum(name == "max", a, b, self.scope), !integers)
            }
            ("^" | "**", [_, exponent]) => {
                // `2 ** -1` is not an integer, nor is `2 ^ -1` unless the flag `iso` is set.
                let is_integer =
                    name == "^" && integers && exponent.datum.size.is_nonnegative(region);
                let ty = if is_integer { Type::Int } else { Type::Number };
                ArithmeticValue {
                    datum: Datum::from_type(ty).with_key(self.key()),
                    may_raise: true,
                }
            }
            _ => return None,
        })
    }

    /// Evaluates `A mod B`, whose sign is that of the divisor. 2.5 mod 3 is a type error.
    fn modulo(&self, a: &Datum, b: &Datum) -> ArithmeticValue {
        let region = self.scope.world.region();
        if is_positive(&b.size, region) {
            let size = remainders::known(self.scope, a, b)
                .unwrap_or_else(|| remainders::size(&a.size, &b.size, region));
            self.number_if(size, !self.integers)
        } else if is_positive(&b.size.negated(), region) {
            let (a, b) = (a.size.negated(), b.size.negated());
            let size = remainders::size(&a, &b, region).negated();
            self.number_if(size, !self.integers)
        } else {
            self.number_if(Size::unknown(), true)
        }
    }

    /// Evaluates `A rem B` for integers with known signs. The sign is that of the dividend; the divisor's sign is irrelevant.
    fn remainder(&self, a: &Datum, b: &Datum) -> Option<ArithmeticValue> {
        let region = self.scope.world.region();
        let (a, below) = magnitude(a, region).filter(|_| self.integers)?;
        let (b, _) = magnitude(b, region)?;
        is_positive(&b.size, region).then_some(())?;
        let size = remainders::known(self.scope, &a, &b)
            .unwrap_or_else(|| remainders::size(&a.size, &b.size, region));
        Some(self.number(if below { size.negated() } else { size }))
    }
}

/// Returns the absolute value of a number, and whether the number is negative. Returns `None` if the sign is unknown.
fn magnitude(of: &Datum, region: &Region) -> Option<(Datum, bool)> {
    if of.size.is_nonnegative(region) {
        return Some((of.clone(), false));
    }
    let size = of.size.negated();
    let is_negative = size.is_nonnegative(region);
    is_negative.then(|| (Datum { size, ..of.clone() }, true))
}

fn is_positive(size: &Size, region: &Region) -> bool {
    size.shifted(-1).is_nonnegative(region)
}

/// Evaluates functions that are defined only for integers, or that have more precise bounds for integers. Returns the value, and whether an
/// exception is possible.
fn of_integers(name: &str, args: &[ArithmeticValue], region: &Region) -> Option<(Size, bool)> {
    let sizes: Vec<&Size> = args.iter().map(|n| &n.datum.size).collect();
    let size = match (name, sizes.as_slice()) {
        ("/\\", &[a, b]) => common_bits(a, b, region),
        ("\\/" | "xor", &[a, b]) => match a.is_nonnegative(region) && b.is_nonnegative(region) {
            true => Size::between_zero_and(&a.plus(b).upper),
            false => Size::unknown(),
        },
        ("rem", &[_, b]) if is_positive(b, region) => {
            let largest = b.shifted(-1);
            Size {
                lower: largest.negated().lower,
                upper: largest.upper,
            }
        }
        ("gcd", &[a, b]) => match [b, a].into_iter().find(|s| is_positive(s, region)) {
            Some(s) => Size {
                lower: Some(Expr::int(1)),
                upper: s.upper.clone(),
            },
            None => Size::at_least(0),
        },
        ("msb", &[a]) if is_positive(a, region) => {
            let log = |e: &Option<Expr>| Expr::log(2, Rounding::Down, e.as_ref()?);
            Size {
                lower: log(&a.lower).or_else(|| Some(Expr::zero())),
                upper: log(&a.upper),
            }
        }
        ("<<", &[a, b]) => return Some((shifted_left(a, b), true)),
        ("truncate" | "integer" | "round" | "ceiling" | "floor", &[a]) => a.clone(),
        ("sign", &[a]) => sign(a, region),
        ("abs", &[a]) if a.is_nonnegative(region) => a.clone(),
        ("abs", &[a]) if a.negated().is_nonnegative(region) => a.negated(),
        ("abs", &[_]) => Size::at_least(0),
        ("rem" | "msb", _) => return Some((Size::unknown(), true)),
        _ => return None,
    };
    Some((size, false))
}

/// Evaluates `A /\ B`: if one operand is non-negative, the result is at most this operand, regardless of the sign of the other operand.
fn common_bits(a: &Size, b: &Size, region: &Region) -> Size {
    if !a.is_nonnegative(region) && !b.is_nonnegative(region) {
        return Size::unknown();
    }
    let [first, second] =
        [a, b].map(|s| s.is_nonnegative(region).then(|| s.upper.clone()).flatten());
    let is_number = |e: &&Expr| e.as_constant().is_some();
    let number = ([&first, &second].into_iter().flatten()).find(is_number);
    Size::between_zero_and(&number.cloned().or(first).or(second))
}

fn shifted_left(a: &Size, b: &Size) -> Size {
    let by = b.as_exact().and_then(Expr::as_constant);
    let by = by.and_then(|by| by.is_integer().then(|| by.to_integer()));
    match by.and_then(|by| u32::try_from(by).ok()) {
        Some(by) if by < 64 => a.scaled(&Rat::from_integer(num_bigint::BigInt::from(1u64 << by))),
        _ => Size::unknown(),
    }
}

fn sign(a: &Size, region: &Region) -> Size {
    let is = |n| Size::exact(Expr::int(n));
    if is_positive(a, region) {
        is(1)
    } else if is_positive(&a.negated(), region) {
        is(-1)
    } else {
        Size {
            lower: Some(Expr::int(-1)),
            upper: Some(Expr::int(1)),
        }
    }
}

/// Evaluates `//`, `div` and `>>`. Returns the quotient, and whether an exception is possible.
fn integer_division(
    scope: &Scope<'_>,
    name: &str,
    a: &ArithmeticValue,
    b: &ArithmeticValue,
    integers: bool,
) -> (Size, bool) {
    let region = scope.world.region();
    let divisor = match (name, &b.datum.size.as_exact().and_then(Expr::as_constant)) {
        (">>", Some(c)) if c.is_integer() && !c.is_negative() => u32::try_from(c.to_integer())
            .ok()
            .filter(|c| *c < 64)
            .map(|c| Rat::from_integer(2.into()).pow(i32::try_from(c).unwrap_or(0))),
        (">>", _) => None,
        (_, c) => c.clone(),
    };
    let raises = !integers || divisor.as_ref().is_none_or(num_traits::Zero::is_zero);
    let floors = name != "//";
    let by = (divisor.as_ref()).and_then(|c| c.is_integer().then(|| c.to_integer()));
    let own = (by.and_then(|c| u32::try_from(c).ok()))
        .filter(|_| integers)
        .and_then(|by| remainders::quotient(scope, &a.datum, by, floors));
    let size = own.unwrap_or_else(|| quotient(&a.datum.size, divisor.as_ref(), floors, region));
    (size, raises)
}

/// Returns the integer quotient by a positive constant: exact for constants, otherwise between `(a-(c-1))/c` and `a/c` for a >= 0. `//`
/// rounds towards 0, so for a <= 0 the quotient is between `a/c` and `(a+c-1)/c`.
fn quotient(a: &Size, divisor: Option<&Rat>, floors: bool, region: &Region) -> Size {
    let Some(c) = divisor.filter(|c| c.is_positive() && c.is_integer()) else {
        return Size::unknown();
    };
    if c.is_one() {
        return a.clone();
    }
    if let Some(value) = a.as_exact().and_then(Expr::as_constant) {
        let ratio = value / c;
        let whole = if floors { ratio.floor() } else { ratio.trunc() };
        return Size::exact(Expr::constant(whole));
    }
    let inverse = Rat::one() / c;
    let slack = Expr::constant(c - Rat::one());
    if !(floors || a.is_nonnegative(region)) {
        if !a.negated().is_nonnegative(region) {
            return Size::unknown();
        }
        return Size {
            lower: a.lower.as_ref().map(|l| l.scale(&inverse)),
            upper: a.upper.as_ref().map(|u| (u + &slack).scale(&inverse)),
        };
    }
    Size {
        lower: a.lower.as_ref().map(|l| (l - &slack).scale(&inverse)),
        upper: a.upper.as_ref().map(|u| u.scale(&inverse)),
    }
}

fn extremum(max: bool, a: &Size, b: &Size, scope: &Scope<'_>) -> Size {
    let region = scope.world.region();
    let at_least = |x: &Option<Expr>, y: &Option<Expr>| match (x, y) {
        (Some(x), Some(y)) => nonnegative(&(x - y), region),
        _ => false,
    };
    if at_least(&a.lower, &b.upper) {
        return if max { a.clone() } else { b.clone() };
    }
    if at_least(&b.lower, &a.upper) {
        return if max { b.clone() } else { a.clone() };
    }
    // max >= each lower bound, and min <= each upper bound; which of the two bounds is better is unknown.
    if max {
        Size {
            lower: a.lower.clone().or_else(|| b.lower.clone()),
            upper: None,
        }
    } else {
        Size {
            lower: None,
            upper: a.upper.clone().or_else(|| b.upper.clone()),
        }
    }
}
