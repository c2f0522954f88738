//! Arithmetic: the value of an expression as a datum, and the outcome of a comparison.

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat, Rounding};
use costlens_body::Comparison;
use costlens_syntax::term::{Term, TermId};
use num_traits::{One, Signed};
use smol_str::{SmolStr, format_smolstr};

use super::rounded::{Rounded, rounded_ratio};
use super::{Scope, State, numbers, remainders};
use crate::lattice::datum::Datum;
use crate::lattice::size::{Size, line_below};
use crate::lattice::types::Type;
use crate::world::questions::{Answer, Question, Split, Truth, ordered};

/// An arithmetic expression nested more deeply than this is treated as an arbitrary number.
const DEEPEST: usize = 60;

/// A number, and whether evaluating it may raise an exception.
pub(crate) struct Number {
    pub(crate) datum: Datum,
    pub(crate) may_raise: bool,
}

/// Evaluates an arithmetic expression (`X is E`, comparisons).
pub(crate) fn evaluate(state: &State, scope: &Scope<'_>, t: TermId) -> Number {
    evaluate_at(state, scope, t, DEEPEST)
}

fn evaluate_at(state: &State, scope: &Scope<'_>, t: TermId, depth: usize) -> Number {
    let t = state.resolve(scope.terms, t);
    let some_number = || Number {
        datum: Datum::of(Type::Number),
        may_raise: true,
    };
    if depth == 0 {
        return some_number();
    }
    match scope.terms.get(t) {
        Term::Integer(_) | Term::Float(_) | Term::Rational(_) => Number {
            datum: state.datum(scope.terms, t),
            may_raise: false,
        },
        Term::Var(_) => {
            let datum = state.datum(scope.terms, t);
            match datum.ty {
                Type::Int | Type::Number => Number {
                    datum,
                    may_raise: false,
                },
                // Any other value is a number if no exception is raised. But it may be an expression as well, so the value of the variable
                // differs from the number, and only a ground or unchanged value keeps its key.
                _ => {
                    if let Some(value) = integer_that_it_is(state, scope, &datum) {
                        return value;
                    }
                    let key = datum
                        .key
                        .filter(|_| datum.ty.is_ground() || state.pure)
                        .map(|k| format_smolstr!("#{k}"));
                    Number {
                        datum: Datum::of(Type::Number).with_key(key),
                        may_raise: true,
                    }
                }
            }
        }
        Term::Compound(name, _) => {
            let args: Vec<Number> = scope
                .terms
                .args(t)
                .iter()
                .map(|&a| evaluate_at(state, scope, a, depth - 1))
                .collect();
            let rounded = match (Rounded::of(name), scope.terms.args(t)) {
                (Some(how), &[inner]) => ratio(state, scope, inner, depth)
                    .and_then(|(over, under)| rounded_ratio(scope, how, &over, &under)),
                _ => None,
            };
            let mut number = apply(scope, name, args).unwrap_or_else(some_number);
            if let Some(size) = rounded {
                number.datum = Datum::sized(Type::Int, size).with_key(number.datum.key);
            }
            number
        }
        _ => some_number(),
    }
}

/// Returns the two parts of `N / 3`, if the term is a quotient.
fn ratio(state: &State, scope: &Scope<'_>, t: TermId, depth: usize) -> Option<(Datum, Datum)> {
    let t = state.resolve(scope.terms, t);
    let &[over, under] = scope.terms.matches(t, "/", 2)? else {
        return None;
    };
    let depth = depth.checked_sub(2)?;
    let value = |t: TermId| evaluate_at(state, scope, t, depth).datum;
    Some((value(over), value(under)))
}

/// Returns the integer that a value is in this world, if a head has asked: `[N-X|Y]` after `[1-X|Y]`.
fn integer_that_it_is(state: &State, scope: &Scope<'_>, datum: &Datum) -> Option<Number> {
    let key = (datum.key.clone()).filter(|_| datum.ty.is_ground() || state.pure)?;
    let Some(Answer::Is(constant)) = scope.world.answer(&Question::Shape { key }) else {
        return None;
    };
    let value: num_bigint::BigInt = constant.parse().ok()?;
    let size = Size::exact(Expr::constant(Rat::from_integer(value)));
    Some(Number {
        datum: Datum::sized(Type::Int, size).with_key(Some(constant.clone())),
        may_raise: false,
    })
}

/// Returns the value of a known function. The function is long because it is a table.
fn apply(scope: &Scope<'_>, name: &SmolStr, args: Vec<Number>) -> Option<Number> {
    let raised = args.iter().any(|n| n.may_raise);
    let integers = args.iter().all(|n| n.datum.ty == Type::Int);
    let region = scope.world.region();
    let key = || -> Option<SmolStr> {
        let keys: Option<Vec<&str>> = args.iter().map(|n| n.datum.key.as_deref()).collect();
        Some(format_smolstr!("({name} {})", keys?.join(" ")))
    };
    let number = |size: Size, may_raise: bool| Number {
        datum: Datum {
            ty: if integers { Type::Int } else { Type::Number },
            size: if integers { size } else { Size::unknown() },
            element: None,
            weight: None,
            whole: None,
            key: key(),
        },
        may_raise: raised || may_raise,
    };
    if integers {
        let values: Option<Vec<Rat>> = (args.iter())
            .map(|n| n.datum.size.as_exact()?.as_constant())
            .collect();
        if let Some(value) = values.and_then(|v| numbers::apply(name, &v)) {
            return Some(number(Size::exact(Expr::constant(value)), false));
        }
    }
    if Rounded::of(name).is_some() && args.len() == 1 && !integers {
        // An infinity cannot be converted to an integer.
        let datum = Datum::of(Type::Int).with_key(key());
        return Some(Number {
            datum,
            may_raise: true,
        });
    }
    // Floats overflow, and inf-inf is undefined.
    Some(match (name.as_str(), args.as_slice()) {
        ("+", [a, b]) => number(a.datum.size.plus(&b.datum.size), !integers),
        ("-", [a, b]) => number(a.datum.size.plus(&b.datum.size.negated()), !integers),
        ("*", [a, b]) => number(a.datum.size.times(&b.datum.size, region), !integers),
        ("-", [a]) => number(a.datum.size.negated(), false),
        ("+", [a]) => number(a.datum.size.clone(), false),
        ("//" | "div" | ">>", [a, b]) => {
            let (size, raises) = integer_division(scope, name, a, b, integers);
            number(size, raises)
        }
        ("mod", [a, b]) => {
            // The sign follows the divisor.
            if is_positive(&b.datum.size, region) {
                // 2.5 mod 3 is a type error.
                let size = remainders::known(scope, &a.datum, &b.datum)
                    .unwrap_or_else(|| remainders::size(&a.datum.size, &b.datum.size, region));
                number(size, !integers)
            } else if is_positive(&b.datum.size.negated(), region) {
                let (a, b) = (a.datum.size.negated(), b.datum.size.negated());
                number(remainders::size(&a, &b, region).negated(), !integers)
            } else {
                number(Size::unknown(), true)
            }
        }
        // The sign follows the dividend; that of the divisor does not matter.
        ("rem", [a, b])
            if integers
                && let Some((a, below)) = magnitude(&a.datum, region)
                && let Some((b, _)) = magnitude(&b.datum, region)
                && is_positive(&b.size, region) =>
        {
            let size = remainders::known(scope, &a, &b)
                .unwrap_or_else(|| remainders::size(&a.size, &b.size, region));
            number(if below { size.negated() } else { size }, false)
        }
        // Each call is separate: two of them have no key that would make them equal.
        ("random", [a]) if integers => Number {
            datum: Datum::sized(
                Type::Int,
                Size {
                    lower: Some(Expr::zero()),
                    upper: a.datum.size.shifted(-1).upper,
                },
            ),
            may_raise: true,
        },
        _ if integers && let Some((size, may_raise)) = of_integers(name, &args, region) => {
            number(size, may_raise)
        }
        ("abs", [_]) => number(Size::unknown(), false),
        // SWI-Prolog raises an overflow for two equal infinities, and treats an integer that is not representable as a float as an
        // infinity.
        ("min" | "max", [a, b]) => number(
            extremum(name == "max", &a.datum.size, &b.datum.size, scope),
            !integers,
        ),
        ("^" | "**", [_, exponent]) => Number {
            // `2 ** -1` is not an integer; `2 ^ -1` is one only if the flag `iso` is set.
            datum: Datum::of(
                if name == "^" && integers && exponent.datum.size.is_nonnegative(region) {
                    Type::Int
                } else {
                    Type::Number
                },
            )
            .with_key(key()),
            may_raise: true,
        },
        _ => return None,
    })
}

/// Returns a number without its sign, and whether it is negative, or `None` if the sign is not known.
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

/// Returns the value of a function that only applies to integers, or says more for them, and whether an exception is possible. It is long
/// because it is a table.
fn of_integers(name: &str, args: &[Number], region: &Region) -> Option<(Size, bool)> {
    let sizes: Vec<&Size> = args.iter().map(|n| &n.datum.size).collect();
    let most = |upper: Option<Expr>| Size {
        upper,
        ..Size::at_least(0)
    };
    let constant = |size: &Size| {
        let value = size.as_exact().and_then(Expr::as_constant)?;
        value.is_integer().then(|| value.to_integer())
    };
    Some(match (name, sizes.as_slice()) {
        // The bits in both are at most those in either of them, whatever the sign of the other.
        ("/\\", &[a, b]) => {
            let masks = [a, b].map(|s| s.is_nonnegative(region).then(|| s.upper.clone()).flatten());
            let is_number = |e: &&Expr| e.as_constant().is_some();
            let number = masks.iter().flatten().find(is_number).cloned();
            let some = a.is_nonnegative(region) || b.is_nonnegative(region);
            let [first, second] = masks;
            if some {
                (most(number.or(first).or(second)), false)
            } else {
                (Size::unknown(), false)
            }
        }
        ("\\/" | "xor", &[a, b]) if a.is_nonnegative(region) && b.is_nonnegative(region) => {
            (most(a.plus(b).upper), false)
        }
        ("\\/" | "xor", [_, _]) => (Size::unknown(), false),
        ("rem", &[_, b]) if is_positive(b, region) => {
            let largest = b.shifted(-1);
            let size = Size {
                lower: largest.negated().lower,
                upper: largest.upper,
            };
            (size, false)
        }
        ("gcd", &[a, b]) => {
            let positive = [b, a].into_iter().find(|s| is_positive(s, region));
            let size = match positive {
                Some(s) => Size {
                    lower: Some(Expr::int(1)),
                    upper: s.upper.clone(),
                },
                None => Size::at_least(0),
            };
            (size, false)
        }
        ("msb", &[a]) if is_positive(a, region) => {
            let log = |e: &Option<Expr>| Expr::log(2, Rounding::Down, e.as_ref()?);
            let size = Size {
                lower: log(&a.lower).or_else(|| Some(Expr::zero())),
                upper: log(&a.upper),
            };
            (size, false)
        }
        ("<<", &[a, b]) => {
            let by = constant(b).and_then(|c| u32::try_from(c).ok());
            match by.filter(|by| *by < 64) {
                Some(by) => (
                    a.scaled(&Rat::from_integer(num_bigint::BigInt::from(1u64 << by))),
                    true,
                ),
                None => (Size::unknown(), true),
            }
        }
        ("truncate" | "integer" | "round" | "ceiling" | "floor", &[a]) => (a.clone(), false),
        ("sign", &[a]) => {
            let is = |n| Size::exact(Expr::int(n));
            let size = if is_positive(a, region) {
                is(1)
            } else if is_positive(&a.negated(), region) {
                is(-1)
            } else {
                Size {
                    lower: Some(Expr::int(-1)),
                    upper: Some(Expr::int(1)),
                }
            };
            (size, false)
        }
        ("abs", &[a]) => {
            let size = if a.is_nonnegative(region) {
                a.clone()
            } else if a.negated().is_nonnegative(region) {
                a.negated()
            } else {
                Size::at_least(0)
            };
            (size, false)
        }
        ("rem" | "msb", _) => (Size::unknown(), true),
        _ => return None,
    })
}

/// Returns the quotient of `//`, `div` and `>>`, and whether an exception is possible.
fn integer_division(
    scope: &Scope<'_>,
    name: &str,
    a: &Number,
    b: &Number,
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

/// Returns the integer quotient by a positive constant: exact for constants, else between `(a-(c-1))/c` and `a/c` for a >= 0. `//` rounds
/// towards 0, so for a <= 0 it is between `a/c` and `(a+c-1)/c`.
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
    // max >= each lower bound, min <= each upper bound; it is not decided here which of the two is better.
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

/// Returns the comparison of two expressions as a constraint, or its opposite for [`Comparison::NotEqual`], if they are linear.
fn constraint(op: Comparison, x: &Expr, y: &Expr) -> Option<Constraint> {
    match op {
        Comparison::Less => Constraint::lt(x, y),
        Comparison::LessOrEqual => Constraint::le(x, y),
        Comparison::Greater => Constraint::gt(x, y),
        Comparison::GreaterOrEqual => Constraint::ge(x, y),
        Comparison::Equal | Comparison::NotEqual => Constraint::eq(x, y),
    }
}

/// Returns whether a comparison holds for numbers with this answer. For values other than numbers everything except `=\=` is false.
fn holds(op: Comparison, answer: &Answer) -> bool {
    match op {
        Comparison::Equal => *answer == Answer::Same,
        Comparison::NotEqual => *answer != Answer::Same,
        Comparison::Less => *answer == Answer::Less,
        Comparison::LessOrEqual => matches!(answer, Answer::Less | Answer::Same),
        Comparison::Greater => *answer == Answer::Greater,
        Comparison::GreaterOrEqual => matches!(answer, Answer::Greater | Answer::Same),
    }
}

/// Returns the outcome of an arithmetic comparison, and whether it may raise an exception.
pub(crate) fn compare(
    state: &State,
    scope: &Scope<'_>,
    op: Comparison,
    left: TermId,
    right: TermId,
) -> Result<(Truth, bool), Split> {
    remainders::ask_multiple(state, scope, left, right)?;
    remainders::ask_multiple(state, scope, right, left)?;
    let (a, b) = (evaluate(state, scope, left), evaluate(state, scope, right));
    let may_raise = a.may_raise || b.may_raise;
    let (a, b) = (a.datum, b.datum);
    let total = a.ty == Type::Int && b.ty == Type::Int;
    if total {
        let truth = by_size(scope, op, &a.size, &b.size)?;
        if truth != Truth::Maybe {
            return Ok((truth, may_raise));
        }
    }
    let (Some(ka), Some(kb)) = (&a.key, &b.key) else {
        return Ok((Truth::Maybe, may_raise));
    };
    if ka == kb && total {
        return Ok((Truth::of(holds(op, &Answer::Same)), may_raise));
    }
    Ok((compare_keys(scope, op, ka, kb, total)?, may_raise))
}

/// Returns the constraint that holds after a successful comparison of integers with known expressions.
pub(crate) fn passed(
    state: &State,
    scope: &Scope<'_>,
    op: Comparison,
    left: TermId,
    right: TermId,
) -> Option<Constraint> {
    let (a, b) = (evaluate(state, scope, left), evaluate(state, scope, right));
    let (a, b) = (a.datum, b.datum);
    if op == Comparison::NotEqual || a.ty != Type::Int || b.ty != Type::Int {
        return None;
    }
    constraint(op, a.size.as_exact()?, b.size.as_exact()?)
}

/// Compares two numbers by their keys, by asking how they compare. `total` is true if both are known to be integers.
pub(crate) fn compare_keys(
    scope: &Scope<'_>,
    op: Comparison,
    a: &SmolStr,
    b: &SmolStr,
    total: bool,
) -> Result<Truth, Split> {
    let (a, b, swapped) = ordered(a, b);
    let op = if swapped { op.turned() } else { op };
    let cases = || {
        let mut cases = vec![Answer::Less, Answer::Same, Answer::Greater];
        if !total {
            cases.push(Answer::Incomparable);
        }
        cases
    };
    let question = Question::Numbers { a, b, total };
    Ok(match scope.world.ask(question, cases)? {
        Some(answer) => Truth::of(holds(op, answer)),
        None => Truth::Maybe,
    })
}

/// Returns whether a comparison of polynomials is refuted by linear lower bounds: `D*D =< N` is false if `D > N`, since no integer exceeds
/// its square. Splits the sizes along such a line.
fn exceeds_lines(scope: &Scope<'_>, op: Comparison, a: &Size, b: &Size) -> Result<bool, Split> {
    let (Some(a), Some(b)) = (a.as_exact(), b.as_exact()) else {
        return Ok(false);
    };
    let difference = a - b;
    if difference.is_linear() {
        return Ok(false);
    }
    // The comparison claims that each of these is at most 0.
    let (less, greater) = (difference.clone(), &Expr::zero() - &difference);
    let claims = match op {
        Comparison::Less => vec![&less + &Expr::int(1)],
        Comparison::LessOrEqual => vec![less],
        Comparison::Greater => vec![&greater + &Expr::int(1)],
        Comparison::GreaterOrEqual => vec![greater],
        Comparison::Equal => vec![less, greater],
        Comparison::NotEqual => Vec::new(),
    };
    for claim in claims {
        let below = line_below(&claim, scope.world.region());
        if let Some(below) = below
            && let Some(c) = Constraint::le(&below, &Expr::zero())
            && scope.world.sizes(&c, (scope.is_param)(&below))? == Truth::False
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Compares two integers by what is known of their values; asks if these are sizes of the call.
pub(crate) fn by_size(
    scope: &Scope<'_>,
    op: Comparison,
    a: &Size,
    b: &Size,
) -> Result<Truth, Split> {
    if let (Some(x), Some(y)) = (a.as_exact(), b.as_exact())
        && let Some(c) = constraint(op, x, y)
    {
        let splittable = (scope.is_param)(&(x - y));
        let truth = scope.world.sizes(&c, splittable)?;
        return Ok(match (op, truth) {
            (Comparison::NotEqual, Truth::True) => Truth::False,
            (Comparison::NotEqual, Truth::False) => Truth::True,
            (_, truth) => truth,
        });
    }
    for (op, truth) in [(op, Truth::False), (op.negated(), Truth::True)] {
        if exceeds_lines(scope, op, a, b)? {
            return Ok(truth);
        }
    }
    // Intervals: a < b is certain if the upper bound of a is below the lower bound of b.
    let region = scope.world.region();
    let below = |x: &Size, y: &Size, strict: i64| match (&x.upper, &y.lower) {
        (Some(x), Some(y)) => nonnegative(&(&(y - x) - &Expr::int(strict)), region),
        _ => false,
    };
    let decided = |sure: bool, never: bool| {
        if sure {
            Truth::True
        } else if never {
            Truth::False
        } else {
            Truth::Maybe
        }
    };
    Ok(match op {
        Comparison::Less => decided(below(a, b, 1), below(b, a, 0)),
        Comparison::LessOrEqual => decided(below(a, b, 0), below(b, a, 1)),
        Comparison::Greater => decided(below(b, a, 1), below(a, b, 0)),
        Comparison::GreaterOrEqual => decided(below(b, a, 0), below(a, b, 1)),
        Comparison::Equal => decided(false, below(a, b, 1) || below(b, a, 1)),
        Comparison::NotEqual => decided(below(a, b, 1) || below(b, a, 1), false),
    })
}
