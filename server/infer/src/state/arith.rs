//! Arithmetic: the value of an expression as a datum, and the outcome of a comparison.

mod functions;

use costlens_algebra::linear::Constraint;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat};
use costlens_body::Comparison;
use costlens_syntax::term::{Term, TermId};
use smol_str::{SmolStr, format_smolstr};

use self::functions::apply;
use super::rounded::{Rounded, rounded_ratio};
use super::{Scope, State, remainders};
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
            let mut number = apply(scope, name, &args).unwrap_or_else(some_number);
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

/// The comparison of two expressions, or of [`Comparison::NotEqual`] the opposite, where they are linear.
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
