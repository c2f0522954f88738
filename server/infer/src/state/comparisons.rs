//! Outcomes of arithmetic comparisons, determined from sizes or by queries about numbers.

use costlens_algebra::Expr;
use costlens_algebra::linear::Constraint;
use costlens_algebra::prove::nonnegative;
use costlens_body::Comparison;
use costlens_syntax::term::TermId;
use smol_str::SmolStr;

use super::arith::evaluate;
use super::{Scope, State, remainders};
use crate::lattice::size::{Size, line_below};
use crate::lattice::types::Type;
use crate::world::questions::{Answer, Question, Split, Truth, ordered};

/// Returns the comparison of two linear expressions as a constraint. For [`Comparison::NotEqual`], it returns the opposite constraint.
fn constraint(op: Comparison, x: &Expr, y: &Expr) -> Option<Constraint> {
    match op {
        Comparison::Less => Constraint::lt(x, y),
        Comparison::LessOrEqual => Constraint::le(x, y),
        Comparison::Greater => Constraint::gt(x, y),
        Comparison::GreaterOrEqual => Constraint::ge(x, y),
        Comparison::Equal | Comparison::NotEqual => Constraint::eq(x, y),
    }
}

/// Returns whether a comparison holds for numbers with this answer. For values other than numbers, every comparison except `=\=` is false.
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
        return Ok((Truth::from_bool(holds(op, &Answer::Same)), may_raise));
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

/// Compares two numbers by their keys, by querying their order. `total` is true if both are known to be integers.
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
        Some(answer) => Truth::from_bool(holds(op, answer)),
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
    // If the comparison holds, each of these is at most 0.
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

/// Compares two integers by the facts about their values. Queries the order if both are sizes of the call.
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
