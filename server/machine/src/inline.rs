//! Inline tests and arithmetic, and built-ins that run inline.

use std::cmp::Ordering;

use costlens_compile::code::TypeTest;

use crate::atoms;
use crate::cell::{Cell, Tag};
use crate::error::Throw;
use crate::machine::Machine;
use crate::number::{self, Function, Number};
use crate::op::{OperandView, OperandWord, Relation};
use crate::store::View;

impl Machine {
    #[inline]
    pub(crate) fn operand(&self, operand: OperandWord) -> Cell {
        let cell = match operand.view() {
            OperandView::X(n) => self.x[n as usize],
            OperandView::Y(n) => self.slot(n),
            OperandView::Small(n) => return Cell::small(i64::from(n)),
            OperandView::Constant(n) => return self.constants[n],
        };
        self.store.deref(cell)
    }

    /// Unifies with a constant; binds nothing on failure.
    #[inline]
    pub(crate) fn unify_constant(&mut self, constant: Cell, cell: Cell) -> bool {
        let cell = self.store.deref(cell);
        if cell.is_reference() {
            self.store.bind(cell.address(), constant);
            return true;
        }
        cell == constant
            || cell.tag() == Tag::Boxed
                && constant.tag() == Tag::Boxed
                && self.store.same_box(cell, constant)
    }

    #[inline]
    pub(crate) fn builtin_in_place(&mut self, number: u32, arity: u8) -> Result<bool, Throw> {
        let builtin = self.builtin_code[number as usize];
        let mut args = [Cell::small(0); crate::machine::MAX_BUILTIN_ARITY];
        let arity = arity as usize;
        args[..arity].copy_from_slice(&self.x[..arity]);
        builtin(self, &args[..arity])
    }

    /// Applies a function to operands that may be unevaluated.
    pub(crate) fn arithmetic(
        &mut self,
        function: Function,
        operands: &[Cell],
    ) -> Result<Cell, Throw> {
        let value = match operands {
            [a] => function.unary(&self.evaluate(*a)?),
            [a, b] => {
                if let Some(value) = self.with_a_float(function, *a, *b) {
                    return Ok(self.store.float(value));
                }
                // Evaluate the right operand first, as in SWI-Prolog.
                let y = self.evaluate(*b)?;
                let x = self.evaluate(*a)?;
                if let (Number::Small(x), Number::Small(y)) = (&x, &y)
                    && let Some(value) = small(function, *x, *y)
                {
                    return Ok(self.store.integer(value));
                }
                function.binary(&x, &y)
            }
            _ => {
                let mut numbers = Vec::with_capacity(operands.len());
                for &operand in operands {
                    numbers.push(self.evaluate(operand)?);
                }
                function.apply(&numbers)
            }
        };
        match value {
            Ok(number) => self.store.number_cell_within_limits(number),
            Err(error) => Err(self.store.arithmetic_error(error)),
        }
    }

    /// Computes the sum, difference or product of a float and another number in place. Returns `None` for other operations and operands, or
    /// if the value is not finite.
    fn with_a_float(&self, function: Function, a: Cell, b: Cell) -> Option<f64> {
        let operand = |cell: Cell| {
            let cell = self.store.deref(cell);
            match cell.tag() {
                Tag::Integer => Some((cell.as_small() as f64, false)),
                Tag::Boxed => match self.store.view(cell) {
                    View::Float(x) => Some((x, true)),
                    _ => None,
                },
                _ => None,
            }
        };
        let ((x, is_float), (y, is_other_float)) = (operand(a)?, operand(b)?);
        if !(is_float || is_other_float) {
            return None;
        }
        let value = match function {
            Function::Add => x + y,
            Function::Subtract => x - y,
            Function::Multiply => x * y,
            _ => return None,
        };
        value.is_finite().then_some(value)
    }

    #[cold]
    pub(crate) fn compare_numbers(
        &mut self,
        relation: Relation,
        a: Cell,
        b: Cell,
    ) -> Result<bool, Throw> {
        let x = self.evaluate(a)?;
        let y = self.evaluate(b)?;
        Ok(match number::compare(&x, &y) {
            Some(order) => relation.holds(order, Ordering::Equal),
            // NaN is unequal to every number.
            None => relation == Relation::NotEqual,
        })
    }

    #[inline]
    pub(crate) fn type_test(&self, test: TypeTest, cell: Cell) -> bool {
        let cell = self.store.deref(cell);
        match test {
            TypeTest::Var => cell.is_reference(),
            TypeTest::Nonvar => !cell.is_reference(),
            TypeTest::Atom => cell.tag() == Tag::Atom && cell != Cell::atom(atoms::NIL),
            TypeTest::Atomic => {
                matches!(cell.tag(), Tag::Atom | Tag::Integer | Tag::Boxed)
            }
            TypeTest::Compound => matches!(cell.tag(), Tag::List | Tag::Structure),
            TypeTest::Callable => {
                matches!(cell.tag(), Tag::Atom | Tag::List | Tag::Structure)
                    && cell != Cell::atom(atoms::NIL)
            }
            TypeTest::Integer => cell.is_small() || matches!(self.store.view(cell), View::Big(_)),
            TypeTest::Number => {
                cell.is_small()
                    || matches!(
                        self.store.view(cell),
                        View::Big(_) | View::Rational(_) | View::Float(_)
                    )
            }
            TypeTest::Float => matches!(self.store.view(cell), View::Float(_)),
            TypeTest::Rational => {
                cell.is_small() || matches!(self.store.view(cell), View::Big(_) | View::Rational(_))
            }
            TypeTest::String => matches!(self.store.view(cell), View::String(_)),
            TypeTest::IsList => self.store.is_proper_list(cell),
            TypeTest::Ground => self.store.is_ground(cell),
        }
    }
}

/// Applies a function to small integers, if it needs no big integers.
fn small(function: Function, x: i64, y: i64) -> Option<i64> {
    match function {
        Function::IntegerDivide if y != 0 => x.checked_div(y),
        Function::Rem if y != 0 => x.checked_rem(y),
        Function::Mod if y > 0 => Some(x.rem_euclid(y)),
        Function::And => Some(x & y),
        Function::Or => Some(x | y),
        Function::Xor => Some(x ^ y),
        Function::ShiftRight if (0..64).contains(&y) => Some(x >> y),
        Function::Min => Some(x.min(y)),
        Function::Max => Some(x.max(y)),
        _ => None,
    }
}
