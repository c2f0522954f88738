//! Arithmetic: the value of an expression as a datum.

mod functions;

use costlens_algebra::{Expr, Rat};
use costlens_syntax::term::{Term, TermId};
use smol_str::format_smolstr;

use self::functions::apply;
use super::rounded::{Rounded, rounded_ratio};
use super::{Scope, State};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::world::questions::{Answer, Question};

/// The maximum depth of an arithmetic expression; deeper expressions are treated as arbitrary numbers.
const DEEPEST: usize = 60;

/// A number, and whether its evaluation may raise an exception.
pub(crate) struct ArithmeticValue {
    pub(crate) datum: Datum,
    pub(crate) may_raise: bool,
}

/// Evaluates an arithmetic expression (`X is E`, comparisons).
pub(crate) fn evaluate(state: &State, scope: &Scope<'_>, t: TermId) -> ArithmeticValue {
    evaluate_at(state, scope, t, DEEPEST)
}

fn evaluate_at(state: &State, scope: &Scope<'_>, t: TermId, depth: usize) -> ArithmeticValue {
    let t = state.resolve(scope.terms, t);
    let some_number = || ArithmeticValue {
        datum: Datum::from_type(Type::Number),
        may_raise: true,
    };
    if depth == 0 {
        return some_number();
    }
    match scope.terms.get(t) {
        Term::Integer(_) | Term::Float(_) | Term::Rational(_) => ArithmeticValue {
            datum: state.datum(scope.terms, t),
            may_raise: false,
        },
        Term::Var(_) => {
            let datum = state.datum(scope.terms, t);
            match datum.ty {
                Type::Int | Type::Number => ArithmeticValue {
                    datum,
                    may_raise: false,
                },
                // Any other value evaluates to a number or raises an exception. The variable's value can differ from the number, because it
                // may also be an expression; only a ground or unchanged value keeps its key.
                _ => {
                    if let Some(value) = integer_that_it_is(state, scope, &datum) {
                        return value;
                    }
                    let key = datum
                        .key
                        .filter(|_| datum.ty.is_ground() || state.pure)
                        .map(|k| format_smolstr!("#{k}"));
                    ArithmeticValue {
                        datum: Datum::from_type(Type::Number).with_key(key),
                        may_raise: true,
                    }
                }
            }
        }
        Term::Compound(name, _) => {
            let args: Vec<ArithmeticValue> = scope
                .terms
                .args(t)
                .iter()
                .map(|&a| evaluate_at(state, scope, a, depth - 1))
                .collect();
            let rounded = match (Rounded::from_function(name), scope.terms.args(t)) {
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

/// Returns the operands of `N / 3`, if the term is a quotient.
fn ratio(state: &State, scope: &Scope<'_>, t: TermId, depth: usize) -> Option<(Datum, Datum)> {
    let t = state.resolve(scope.terms, t);
    let &[over, under] = scope.terms.matches(t, "/", 2)? else {
        return None;
    };
    let depth = depth.checked_sub(2)?;
    let value = |t: TermId| evaluate_at(state, scope, t, depth).datum;
    Some((value(over), value(under)))
}

/// Returns the integer that a value equals in this world, if a head has queried it: `[N-X|Y]` after `[1-X|Y]`.
fn integer_that_it_is(state: &State, scope: &Scope<'_>, datum: &Datum) -> Option<ArithmeticValue> {
    let key = (datum.key.clone()).filter(|_| datum.ty.is_ground() || state.pure)?;
    let Some(Answer::Is(constant)) = scope.world.answer(&Question::Shape { key }) else {
        return None;
    };
    let value: num_bigint::BigInt = constant.parse().ok()?;
    let size = Size::exact(Expr::constant(Rat::from_integer(value)));
    Some(ArithmeticValue {
        datum: Datum::sized(Type::Int, size).with_key(Some(constant.clone())),
        may_raise: false,
    })
}
