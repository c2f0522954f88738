//! `is/2` and numeric comparisons. They are calls, except for `New is Variable + Integer` and with the flag `optimise`.

use costlens_body::{Comparison, Goal};
use costlens_catalog::is_arithmetic_function;
use costlens_events::swi::Opcode;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use super::argument::{TermPlace, is_portable};
use super::emit::Emitter;
use super::instruction::Operand;
use super::refusal::Refusal;

/// The names of the rounding modes.
const ROUNDINGS: &[&str] = &["to_nearest", "to_positive", "to_negative", "to_zero"];

/// A part of an expression that has no code yet.
enum Task {
    Push(TermId),
    Evaluate(Opcode, Vec<Operand>),
}

/// Returns the instruction that evaluates a function.
fn function(term: TermId, name: &str, arity: usize) -> Result<(Opcode, Vec<Operand>), Refusal> {
    if !is_arithmetic_function(name, arity) {
        return Err(Refusal::NotEvaluable(term));
    }
    let functor = Operand::Functor(SmolStr::new(name), arity);
    Ok(match (name, arity) {
        ("+", 2) => (Opcode::AAdd, Vec::new()),
        ("*", 2) => (Opcode::AMul, Vec::new()),
        (_, 0) => (Opcode::AFunc0, vec![functor]),
        (_, 1) => (Opcode::AFunc1, vec![functor]),
        (_, 2) => (Opcode::AFunc2, vec![functor]),
        _ => {
            let count = Operand::Number(i64::try_from(arity).unwrap_or(i64::MAX));
            (Opcode::AFunc, vec![functor, count])
        }
    })
}

/// Returns the ways to read an expression as a term to which an integer operand is added: two for `1+2`, one for `X+1`, `1+X` and `X-1`.
pub(crate) fn integer_sums(terms: &Terms, sum: TermId) -> impl Iterator<Item = (TermId, i64)> {
    let (parts, sign, orders) = match (terms.matches(sum, "+", 2), terms.matches(sum, "-", 2)) {
        (Some(parts), _) => (parts, 1, 2),
        (None, Some(parts)) => (parts, -1, 1),
        (None, None) => (&[][..], 1, 0),
    };
    let pairs = match *parts {
        [a, b] => Some([(a, b), (b, a)]),
        _ => None,
    };
    let pairs = pairs.into_iter().flatten().take(orders);
    pairs.filter_map(move |(term, by)| match terms.get(by) {
        Term::Integer(n) => Some((term, sign * is_portable(n)?)),
        _ => None,
    })
}

/// Returns the instruction that compares two values.
fn compares(comparison: Comparison) -> Opcode {
    match comparison {
        Comparison::Equal => Opcode::AEq,
        Comparison::NotEqual => Opcode::ANe,
        Comparison::Less => Opcode::ALt,
        Comparison::LessOrEqual => Opcode::ALe,
        Comparison::Greater => Opcode::AGt,
        Comparison::GreaterOrEqual => Opcode::AGe,
    }
}

impl Emitter<'_> {
    /// Emits inline arithmetic. Returns false if the goal is compiled as a call.
    pub(super) fn arithmetic(&mut self, goal: &Goal<'_>) -> Result<bool, Refusal> {
        match *goal {
            Goal::Is { result, expression } if self.adds_integer(result, expression) => {}
            _ if !self.settings.optimise => return Ok(false),
            Goal::Is { result, expression } => self.is(result, expression)?,
            Goal::Compare(comparison, left, right) => {
                self.emit(Opcode::AEnter, &[]);
                self.expression(left)?;
                self.expression(right)?;
                self.emit(compares(comparison), &[]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Compiles `New is Variable + Integer`, `New is Integer + Variable` and `New is Variable - Integer`.
    fn adds_integer(&mut self, to: TermId, sum: TermId) -> bool {
        let Some(to) = self.new_slot(to) else {
            return false;
        };
        let has_value = |&slot: &usize| !self.is_first(slot);
        let mut sums = integer_sums(self.terms, sum);
        let Some((from, by)) =
            sums.find_map(|(term, by)| Some((self.slot(term).filter(has_value)?, by)))
        else {
            return false;
        };
        self.meet(to);
        let operands = [Operand::Slot(to), Operand::Slot(from), Operand::Number(by)];
        self.emit(Opcode::AAddFC, &operands);
        true
    }

    fn is(&mut self, to: TermId, expression: TermId) -> Result<(), Refusal> {
        let new = self.new_slot(to);
        match new {
            Some(slot) => {
                self.meet(slot);
            }
            None => self.argument(to, TermPlace::BODY)?,
        }
        self.emit(Opcode::AEnter, &[]);
        self.expression(expression)?;
        match new {
            Some(slot) => self.emit_slot(Opcode::AFirstVarIs, slot),
            None => self.emit(Opcode::AIs, &[]),
        }
        Ok(())
    }

    /// Emits code that pushes the value of an expression.
    fn expression(&mut self, expression: TermId) -> Result<(), Refusal> {
        let mut tasks = vec![Task::Push(expression)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Push(term) => self.operand(term, &mut tasks)?,
                Task::Evaluate(opcode, operands) => self.emit(opcode, &operands),
            }
        }
        Ok(())
    }

    /// Emits a number, a variable, or a function, whose operands are pushed first.
    fn operand(&mut self, term: TermId, tasks: &mut Vec<Task>) -> Result<(), Refusal> {
        let terms = self.terms;
        let (opcode, name, arguments) = match terms.get(term) {
            Term::Var(_) => {
                let slot = self.evaluated(term)?;
                let short = [Opcode::AVar0, Opcode::AVar1, Opcode::AVar2];
                self.put_variable(slot, short, Opcode::AVar);
                return Ok(());
            }
            Term::Integer(n) if i64::try_from(n).is_err() => (Opcode::AMpz, "", &[][..]),
            Term::Integer(_) => (Opcode::AInteger, "", &[][..]),
            Term::Rational(_) => (Opcode::AMpq, "", &[][..]),
            Term::Float(_) => (Opcode::ADouble, "", &[][..]),
            Term::String(text) if text.chars().count() == 1 => (Opcode::AInteger, "", &[][..]),
            Term::Compound(name, _) if name == CONS && self.is_character(term) => {
                (Opcode::AInteger, "", &[][..])
            }
            Term::Atom(name) if name != NIL => (Opcode::AFunc0, name.as_str(), &[][..]),
            Term::Compound(name, _) if name != CONS => {
                (Opcode::AFunc, name.as_str(), terms.args(term))
            }
            Term::Atom(_) | Term::Compound(..) | Term::String(_) | Term::Error => {
                return Err(Refusal::NotEvaluable(term));
            }
        };
        if name.is_empty() {
            self.emit(opcode, &[Operand::Constant(term)]);
            return Ok(());
        }
        let (opcode, operands) = function(term, name, arguments.len())?;
        tasks.push(Task::Evaluate(opcode, operands));
        if let ("roundtoward", &[inner, rounding]) = (name, arguments) {
            self.rounding(rounding)?;
            tasks.push(Task::Push(inner));
        } else {
            // The last argument is pushed first.
            tasks.extend(arguments.iter().map(|&argument| Task::Push(argument)));
        }
        Ok(())
    }

    /// Returns true for `[c]`, a list with one character or code.
    fn is_character(&self, list: TermId) -> bool {
        let (elements, rest) = self.terms.list(list);
        let is_one = |&element: &TermId| match self.terms.get(element) {
            Term::Integer(n) => u32::try_from(n).is_ok(),
            Term::Atom(name) => name.chars().count() == 1,
            _ => false,
        };
        matches!(&elements[..], [element] if is_one(element))
            && self.terms.as_atom(rest).is_some_and(|name| name == NIL)
    }

    /// Returns the slot of a variable in an expression. The variable must have a value or be an argument.
    fn evaluated(&mut self, variable: TermId) -> Result<usize, Refusal> {
        let slot = self.slot(variable);
        let slot = slot.ok_or(Refusal::NotEvaluable(variable))?;
        let is_first = self.meet(slot);
        if is_first && slot >= self.slots.arity {
            return Err(Refusal::NotEvaluable(variable));
        }
        Ok(slot)
    }

    fn rounding(&mut self, rounding: TermId) -> Result<(), Refusal> {
        match self.terms.get(rounding) {
            Term::Atom(name) if ROUNDINGS.contains(&name.as_str()) => {
                self.emit(Opcode::ARoundTowardsA, &[Operand::Constant(rounding)]);
            }
            Term::Var(_) => {
                let slot = self.evaluated(rounding)?;
                self.emit_slot(Opcode::ARoundTowardsV, slot);
            }
            _ => return Err(Refusal::NotEvaluable(rounding)),
        }
        Ok(())
    }
}
