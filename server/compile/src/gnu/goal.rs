//! Code for goals.

use costlens_events::gnu::{Function, Opcode};
use costlens_syntax::term::{Term, TermId};

use super::emit::{Emitter, VariableFacts, VariablePlace};
use super::head::Order;
use super::instruction::Register;
use super::refusal::Refusal;
use super::source::{Argument, StepKind, Variable};

impl Emitter<'_> {
    /// Emits the code of a step. For a call, these are only its arguments, because the call instruction depends on whether it is the last
    /// call.
    pub(super) fn step(&mut self, kind: &StepKind) -> Result<(), Refusal> {
        match kind {
            StepKind::Bind(left, right) => self.bind(*left, *right)?,
            StepKind::Clash(left, right) => self.clash(*left, *right),
            StepKind::Fail => self.emit(Opcode::Fail, &[], &[]),
            StepKind::Choice(variable) => match self.place(*variable) {
                VariablePlace::Temporary(register, _) => {
                    self.emit(Opcode::GetCurrentChoice, &[], &[register]);
                }
                _ => self.emit(Opcode::GetCurrentChoice, &[], &[]),
            },
            StepKind::Cut(variable) => self.cut(Opcode::Cut, *variable),
            StepKind::SoftCut(variable) => self.cut(Opcode::SoftCut, *variable),
            StepKind::Call(arguments) => self.call(arguments)?,
            StepKind::Inline(function, arguments) => {
                let mut reads = Vec::new();
                for &argument in arguments {
                    let register = self.temporary();
                    self.put_term(argument, register)?;
                    reads.push(register);
                }
                self.emit(Opcode::CallC(*function), &reads, &[]);
            }
            StepKind::TellsName => self.emit(Opcode::CallC(Function::SetBipName), &[], &[]),
            StepKind::Evaluate(result, value) => {
                let register = self.value(*value)?;
                self.get_term(*result, register)?;
            }
            StepKind::Compare(function, [left, right]) => {
                let left = self.value(*left)?;
                let right = self.value(*right)?;
                self.emit(Opcode::CallC(*function), &[left, right], &[]);
            }
        }
        Ok(())
    }

    fn cut(&mut self, opcode: Opcode, variable: Variable) {
        match self.place(variable) {
            VariablePlace::Temporary(register, _) => self.emit(opcode, &[register], &[]),
            _ => self.emit(opcode, &[], &[]),
        }
    }

    /// Emits the arguments of a call: compounds that contain variables in registers, then these variables, then the other arguments.
    fn call(&mut self, arguments: &[Argument]) -> Result<(), Refusal> {
        for order in [Order::Compound, Order::Variable, Order::Free] {
            let of_order = |own: &Self, i: &usize| own.order(&arguments[*i]) == order;
            let own: Vec<usize> = (0..arguments.len()).filter(|i| of_order(self, i)).collect();
            for at in own {
                let register = Register::Fixed(at);
                match &arguments[at] {
                    Argument::Term(term) => self.put_term(*term, register)?,
                    Argument::Variable(variable) => self.put_variable(*variable, register),
                    Argument::Atom => self.emit(Opcode::PutAtom, &[], &[register]),
                    Argument::Integer => self.emit(Opcode::PutInteger, &[], &[register]),
                }
            }
        }
        Ok(())
    }

    fn put_term(&mut self, term: TermId, register: Register) -> Result<(), Refusal> {
        match *self.terms.get(term) {
            Term::Var(variable) => {
                self.put_variable(variable, register);
                Ok(())
            }
            _ => self.put(term, register),
        }
    }

    fn put_variable(&mut self, variable: Variable, register: Register) {
        match self.place(variable) {
            VariablePlace::Void => self.emit(Opcode::PutVoid, &[], &[register]),
            VariablePlace::Temporary(own, true) => self.copy(Opcode::PutValue, own, register),
            VariablePlace::Permanent(true) => {
                self.emit(self.puts_permanent(variable), &[], &[register]);
            }
            VariablePlace::Temporary(own, false) => {
                self.emit(Opcode::PutVariable, &[], &[own, register]);
                self.meet(variable, VariableFacts::GLOBAL);
            }
            VariablePlace::Permanent(false) => {
                self.emit(Opcode::PutVariable, &[], &[register]);
                self.meet(variable, VariableFacts::UNSAFE);
            }
        }
    }

    /// Emits the unification of terms that cannot unify. The following steps have the same code as after a successful unification.
    fn clash(&mut self, left: TermId, right: TermId) {
        self.emit(Opcode::Fail, &[], &[]);
        for side in [left, right] {
            for variable in self.terms.variables_of(side) {
                if !self.met.contains_key(&(variable)) {
                    self.meet(variable, VariableFacts::GLOBAL);
                }
            }
        }
    }

    /// Emits `left = right`, with a variable on the left. A new temporary on the left cannot occur in the right side.
    fn bind(&mut self, left: TermId, right: TermId) -> Result<(), Refusal> {
        let Some((variable, place)) = self.variable(left) else {
            return Ok(());
        };
        let other = self.variable(right);
        if other.is_some_and(|(other, _)| other == variable) {
            return Ok(());
        }
        if matches!(place, VariablePlace::Void) || matches!(other, Some((_, VariablePlace::Void))) {
            return Ok(());
        }
        let is_new = matches!(place, VariablePlace::Temporary(_, false));
        let inside = self.terms.variables_of(right);
        if is_new && inside.contains(&variable) {
            self.clash(left, right);
            return Ok(());
        }
        let register = match (place, other) {
            (VariablePlace::Temporary(own, true), _) => own,
            // A new variable takes the value of the other variable, or both are created together.
            (VariablePlace::Temporary(own, false), Some((other, there))) => {
                match there {
                    VariablePlace::Temporary(from, true) => self.copy(Opcode::PutValue, from, own),
                    VariablePlace::Permanent(true) => {
                        self.emit(self.puts_permanent(other), &[], &[own]);
                    }
                    VariablePlace::Temporary(from, false) => {
                        self.emit(Opcode::PutVariable, &[], &[from, own]);
                        self.meet(other, VariableFacts::GLOBAL);
                    }
                    VariablePlace::Permanent(false) => {
                        self.emit(Opcode::PutVariable, &[], &[own]);
                        self.meet(other, VariableFacts::UNSAFE);
                    }
                    VariablePlace::Void => {}
                }
                self.meet(variable, VariableFacts::GLOBAL);
                return Ok(());
            }
            (VariablePlace::Temporary(own, false), None) => {
                self.put(right, own)?;
                self.meet(variable, VariableFacts::GLOBAL);
                return Ok(());
            }
            // An environment variable is loaded, into the register of the other variable if that is new.
            _ => {
                let register = match other {
                    Some((other, VariablePlace::Temporary(new, false))) => {
                        self.put_variable(variable, new);
                        self.meet(other, VariableFacts::GLOBAL);
                        return Ok(());
                    }
                    _ => self.temporary(),
                };
                self.put_variable(variable, register);
                register
            }
        };
        self.get_term(right, register)
    }
}
