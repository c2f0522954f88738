//! Code for expressions, which are evaluated inline.

use costlens_events::gnu::{Function, FunctionUse, Opcode};
use costlens_syntax::Integer;
use costlens_syntax::term::{CONS, NIL, Term, TermId};

use super::emit::{Emitter, VariablePlace};
use super::instruction::Register;
use super::refusal::Refusal;

/// The maximum nesting depth of expressions.
const DEEPEST: usize = 200;

impl Emitter<'_> {
    /// Returns a register that contains the value of an expression.
    pub(super) fn value(&mut self, expression: TermId) -> Result<Register, Refusal> {
        self.value_below(expression, 0)
    }

    fn value_below(&mut self, expression: TermId, depth: usize) -> Result<Register, Refusal> {
        let terms = self.terms;
        let refused = Refusal::NotEvaluable(expression);
        if depth > DEEPEST {
            return Err(Refusal::TooDeep(expression));
        }
        let (name, args) = match terms.get(expression) {
            Term::Var(_) => {
                let place = self.variable(expression).map(|(_, place)| place);
                let register = self.temporary();
                match place {
                    Some(VariablePlace::Temporary(own, true)) => {
                        self.emit(Opcode::MathLoadValue, &[own], &[register]);
                    }
                    Some(VariablePlace::Permanent(true)) => {
                        self.emit(Opcode::MathLoadValue, &[], &[register]);
                    }
                    _ => return Err(refused),
                }
                return Ok(register);
            }
            Term::Integer(_) | Term::Float(_) => {
                let register = self.temporary();
                self.put(expression, register)?;
                return Ok(register);
            }
            Term::Atom(name) => (name, &[][..]),
            Term::Compound(name, _) => (name, terms.args(expression)),
            _ => return Err(refused),
        };
        match (name.as_str(), args) {
            ("+", &[of]) => return self.value_below(of, depth + 1),
            (CONS | ".", &[of, rest]) if terms.as_atom(rest).is_some_and(|a| a == NIL) => {
                return self.value_below(of, depth + 1);
            }
            _ => {}
        }
        let is_one =
            |&t: &TermId| matches!(terms.get(t), Term::Integer(n) if *n == Integer::from(1));
        let (function, args) = match (name.as_str(), args) {
            ("+", [of, one]) if is_one(one) => (Some(Function::Inc), std::slice::from_ref(of)),
            ("-", [of, one]) if is_one(one) => (Some(Function::Dec), std::slice::from_ref(of)),
            (name, args) => (
                Function::replacing(name, args.len(), FunctionUse::Arithmetic),
                args,
            ),
        };
        let Some(function) = function else {
            return Err(refused);
        };
        let mut reads = Vec::new();
        for &argument in args {
            reads.push(self.value_below(argument, depth + 1)?);
        }
        let result = self.temporary();
        self.emit(Opcode::CallC(function), &reads, &[result]);
        Ok(result)
    }
}
