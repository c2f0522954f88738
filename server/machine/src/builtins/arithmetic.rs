//! `is/2`, arithmetic comparison, `succ/2`, `plus/3`.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::number::{self, Number};

pub(crate) const TABLE: &[Entry] = &[
    ("is", 2, is),
    ("=:=", 2, |m, a| {
        compare(m, a, |o| o == Some(Ordering::Equal))
    }),
    ("=\\=", 2, |m, a| {
        compare(m, a, |o| o != Some(Ordering::Equal))
    }),
    ("<", 2, |m, a| compare(m, a, |o| o == Some(Ordering::Less))),
    (">", 2, |m, a| {
        compare(m, a, |o| o == Some(Ordering::Greater))
    }),
    ("=<", 2, |m, a| {
        compare(m, a, |o| {
            matches!(o, Some(Ordering::Less | Ordering::Equal))
        })
    }),
    (">=", 2, |m, a| {
        compare(m, a, |o| {
            matches!(o, Some(Ordering::Greater | Ordering::Equal))
        })
    }),
    ("succ", 2, succ),
    ("plus", 3, plus),
];

fn is(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let value = machine.evaluate(args[1])?;
    let cell = machine.store.number_cell_within_limits(value)?;
    Ok(machine.store.unify(args[0], cell))
}

/// The left side is evaluated first.
fn compare(
    machine: &mut Machine,
    args: &[Cell],
    holds: fn(Option<Ordering>) -> bool,
) -> Result<bool, Throw> {
    let left = machine.evaluate(args[0])?;
    let right = machine.evaluate(args[1])?;
    Ok(holds(number::compare(&left, &right)))
}

/// Returns the integer in an argument, or `None` if the argument is unbound.
fn integer_or_variable(machine: &mut Machine, cell: Cell) -> Result<Option<BigInt>, Throw> {
    if machine.store.is_variable(cell) {
        return Ok(None);
    }
    match machine.store.number(cell).and_then(|n| n.to_integer()) {
        Some(n) => Ok(Some(n)),
        None => Err(machine.store.type_error("integer", cell)),
    }
}

fn succ(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let mut operands = [None, None];
    for (operand, &cell) in operands.iter_mut().zip(args) {
        *operand = integer_or_variable(machine, cell)?;
        if operand.as_ref().is_some_and(Signed::is_negative) {
            return Err(machine.store.domain_error("not_less_than_zero", cell));
        }
    }
    match operands {
        [None, None] => Err(machine.store.instantiation_error()),
        [Some(n), _] => {
            let next = machine.store.number_cell(Number::from(n + 1));
            Ok(machine.store.unify(args[1], next))
        }
        [None, Some(n)] if n.is_zero() => Ok(false),
        [None, Some(n)] => {
            let before = machine.store.number_cell(Number::from(n - 1));
            Ok(machine.store.unify(args[0], before))
        }
    }
}

fn plus(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let mut operands = [None, None, None];
    for (operand, &cell) in operands.iter_mut().zip(args) {
        *operand = integer_or_variable(machine, cell)?;
    }
    let (target, value) = match operands {
        [Some(x), Some(y), _] => (args[2], x + y),
        [Some(x), None, Some(z)] => (args[1], z - x),
        [None, Some(y), Some(z)] => (args[0], z - y),
        _ => return Err(machine.store.instantiation_error()),
    };
    let value = machine.store.number_cell(Number::from(value));
    Ok(machine.store.unify(target, value))
}

#[cfg(test)]
mod tests {
    use crate::testing::{answer, error};

    #[test]
    fn operands_are_evaluated_from_the_last() {
        assert_eq!(
            error("X is Y + foo"),
            Some("type_error(evaluable,foo/0)".into())
        );
        assert_eq!(error("X is foo + Y"), Some("instantiation_error".into()));
        assert_eq!(error("X is foo(Y)"), Some("instantiation_error".into()));
        assert_eq!(
            error("X is foo(1)"),
            Some("type_error(evaluable,foo/1)".into())
        );
    }

    #[test]
    fn a_function_is_the_context_of_its_errors() {
        assert_eq!(
            error("X is 1 / 0"),
            Some("error(evaluation_error(zero_divisor),context((/)/2,A))".into())
        );
        assert_eq!(
            error("X is log(-1)"),
            Some("evaluation_error(undefined)".into())
        );
    }

    #[test]
    fn one_character_is_its_code() {
        assert_eq!(answer("X is \"a\" + 0", "X"), Some("97".into()));
        assert_eq!(answer("X is [a]", "X"), Some("97".into()));
        assert_eq!(error("X is \"ab\""), Some("type_error([],\"ab\")".into()));
        assert_eq!(
            error("X is [foo]"),
            Some("type_error(character,foo)".into())
        );
        assert_eq!(
            error("X is [1+2]"),
            Some("type_error(character,1+2)".into())
        );
    }

    #[test]
    fn rounding_in_a_direction() {
        assert_eq!(
            answer("X is roundtoward(1/3.0, to_positive)", "X"),
            Some("0.33333333333333337".into())
        );
        assert_eq!(
            answer("X is roundtoward(1/3.0, to_negative) - 1/3.0", "X"),
            Some("0.0".into())
        );
        assert_eq!(
            error("X is roundtoward(1, foo)"),
            Some("domain_error(round,foo)".into())
        );
    }

    #[test]
    fn successors() {
        assert_eq!(answer("succ(X, 4)", "X"), Some("3".into()));
        assert_eq!(answer("succ(X, 0)", "X"), None);
        assert_eq!(error("succ(X, Y)"), Some("instantiation_error".into()));
        assert_eq!(
            error("succ(X, -1)"),
            Some("domain_error(not_less_than_zero,-1)".into())
        );
        assert_eq!(error("succ(3, a)"), Some("type_error(integer,a)".into()));
        assert_eq!(answer("plus(1, X, 4)", "X"), Some("3".into()));
        assert_eq!(
            error("plus(X, 1.5, 1)"),
            Some("type_error(integer,1.5)".into())
        );
    }
}
