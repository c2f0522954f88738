//! Code for heads. Arguments without registers come first, then variables in reverse order, then compounds that contain variables.

use costlens_events::gnu::Opcode;
use costlens_syntax::term::{Term, TermId};

use super::emit::{Emitter, VariableFacts, VariablePlace};
use super::instruction::{CodePart, Register};
use super::refusal::Refusal;
use super::source::{Argument, Variable};
use crate::occurrences::VariableKind;

/// The order in which arguments are processed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Arguments without a variable in a register.
    Free,
    /// Variables in registers.
    Variable,
    /// Compounds that contain variables in registers.
    Compound,
}

impl Emitter<'_> {
    pub(super) fn head(&mut self, arguments: &[Argument]) -> Result<(), Refusal> {
        for order in [Order::Free, Order::Variable, Order::Compound] {
            let mut own: Vec<usize> = (0..arguments.len())
                .filter(|&i| self.order(&arguments[i]) == order)
                .collect();
            if order == Order::Variable {
                own.reverse();
            }
            for at in own {
                self.part = CodePart::Argument(at);
                let register = Register::Fixed(at);
                match &arguments[at] {
                    Argument::Variable(variable) => self.get_variable(*variable, register),
                    Argument::Term(term) => self.get_term(*term, register)?,
                    Argument::Atom | Argument::Integer => {}
                }
            }
        }
        Ok(())
    }

    pub(super) fn order(&self, argument: &Argument) -> Order {
        match argument {
            Argument::Term(term) if self.variables.has_temporary(self.terms, *term) => {
                match self.terms.get(*term) {
                    Term::Var(_) => Order::Variable,
                    _ => Order::Compound,
                }
            }
            Argument::Variable(variable)
                if self.variables.kind(*variable) == VariableKind::Temporary =>
            {
                Order::Variable
            }
            _ => Order::Free,
        }
    }

    /// Unifies a register with a term.
    pub(super) fn get_term(&mut self, term: TermId, register: Register) -> Result<(), Refusal> {
        match *self.terms.get(term) {
            Term::Var(variable) => {
                self.get_variable(variable, register);
                Ok(())
            }
            _ => self.get(term, register),
        }
    }

    /// Unifies a register with a variable.
    pub(super) fn get_variable(&mut self, variable: Variable, register: Register) {
        match self.place(variable) {
            VariablePlace::Void => {}
            VariablePlace::Temporary(own, true) => {
                self.emit(Opcode::GetValue, &[own, register], &[])
            }
            VariablePlace::Permanent(true) => self.emit(Opcode::GetValue, &[register], &[]),
            VariablePlace::Temporary(own, false) => {
                self.copy(Opcode::GetVariable, register, own);
                self.meet(variable, VariableFacts::LOCAL);
            }
            VariablePlace::Permanent(false) => {
                self.emit(Opcode::GetVariable, &[register], &[]);
                let is_argument = matches!(self.part, CodePart::Argument(_));
                self.meet(
                    variable,
                    match is_argument {
                        true => VariableFacts::LOCAL,
                        false => VariableFacts::UNSAFE,
                    },
                );
            }
        }
    }
}
