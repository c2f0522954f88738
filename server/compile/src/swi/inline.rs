//! Code for unification, comparison of terms and `arg/3` in bodies.

use costlens_body::{Comparison, Goal};
use costlens_events::swi::Opcode;
use costlens_syntax::term::{Term, TermId};

use super::argument::{TermPlace, is_portable, is_small};
use super::emit::Emitter;
use super::instruction::Operand;
use super::refusal::Refusal;

impl Emitter<'_> {
    /// Compiles a goal for which there are dedicated instructions. Returns false if it is compiled as a call.
    pub(super) fn inline(&mut self, goal: TermId, lowered: &Goal<'_>) -> Result<bool, Refusal> {
        let call = match *lowered {
            Goal::Unify(left, right) => return self.unify(goal, left, right),
            Goal::CompareTerms(Comparison::Equal, left, right) => {
                return Ok(self.compare(true, left, right));
            }
            Goal::CompareTerms(Comparison::NotEqual, left, right) => {
                return Ok(self.compare(false, left, right));
            }
            Goal::Type(test, term) => return Ok(self.type_test(test, term)),
            Goal::Call(call) => call,
            _ => return Ok(false),
        };
        Ok(match (call.name.as_str(), call.args) {
            ("arg", &[place, compound, argument]) => self.arg(place, compound, argument),
            ("$call_continuation", &[term]) => self.continuation(Opcode::ICallCont, term),
            ("$shift", &[term]) => self.continuation(Opcode::IShift, term),
            ("$shift_for_copy", &[term]) => self.continuation(Opcode::IShiftCP, term),
            _ => false,
        })
    }

    /// Returns true for a constant that can be an operand: an atom, or a small integer.
    fn is_operand(&self, term: TermId) -> bool {
        match self.terms.get(term) {
            Term::Atom(_) => true,
            Term::Integer(n) => is_portable(n).is_some(),
            _ => false,
        }
    }

    fn unify(&mut self, goal: TermId, left: TermId, right: TermId) -> Result<bool, Refusal> {
        if self.is_void(left) || self.is_void(right) {
            self.make_variables(left);
            self.make_variables(right);
            self.emit(Opcode::ITrue, &[]);
            return Ok(true);
        }
        match (self.slot(left), self.slot(right)) {
            (Some(a), Some(b)) => self.unify_variables(left, a, b),
            (Some(slot), None) => self.unify_term(goal, slot, right)?,
            (None, Some(slot)) => self.unify_term(goal, slot, left)?,
            (None, None) => return Ok(false),
        }
        Ok(true)
    }

    fn unify_variables(&mut self, left: TermId, a: usize, b: usize) {
        if a == b {
            self.make_variables(left);
            self.emit(Opcode::ITrue, &[]);
            return;
        }
        let (opcode, x, y) = match (self.meet(a), self.meet(b)) {
            (true, true) => (Opcode::BUnifyFF, a, b),
            (true, false) => (Opcode::BUnifyFV, a, b),
            (false, true) => (Opcode::BUnifyVF, b, a),
            (false, false) => (Opcode::BUnifyVV, a, b),
        };
        self.emit(opcode, &[Operand::Slot(x), Operand::Slot(y)]);
    }

    fn unify_term(&mut self, goal: TermId, slot: usize, term: TermId) -> Result<(), Refusal> {
        if self.slots.is_moved(goal, slot, term) {
            return Ok(());
        }
        let is_first = self.meet(slot);
        let choose = |first, other| if is_first { first } else { other };
        if self.is_operand(term) {
            let opcode = choose(Opcode::BUnifyFC, Opcode::BUnifyVC);
            self.emit(opcode, &[Operand::Slot(slot), Operand::Constant(term)]);
            return Ok(());
        }
        self.emit_slot(choose(Opcode::BUnifyFirstVar, Opcode::BUnifyVar), slot);
        let place = if is_first {
            TermPlace::BODY
        } else {
            TermPlace::UNIFIED
        };
        self.argument(term, place)?;
        self.emit(Opcode::BUnifyExit, &[]);
        Ok(())
    }

    /// Compiles `==` and `\==`. With a new variable the result is known, but it is used only with the flag `optimise`.
    fn compare(&mut self, equal: bool, left: TermId, right: TermId) -> bool {
        let optimise = self.settings.optimise;
        if self.is_void(left) || self.is_void(right) {
            if optimise {
                self.make_variables(left);
                self.make_variables(right);
                self.known(!equal);
            }
            return optimise;
        }
        let choose = |yes, no| if equal { yes } else { no };
        match (self.slot(left), self.slot(right)) {
            (Some(a), Some(b)) => {
                let (is_first_a, is_first_b) = (self.is_first(a), self.is_first(b));
                if (is_first_a || is_first_b) && optimise {
                    self.make_variables(left);
                    self.make_variables(right);
                    self.known((a == b) == equal);
                    return true;
                }
                if is_first_a {
                    self.emit_slot(Opcode::CVar, a);
                }
                if is_first_b {
                    self.emit_slot(Opcode::CVar, b);
                }
                let operands = [Operand::Slot(a), Operand::Slot(b)];
                self.emit(choose(Opcode::BEqVV, Opcode::BNeqVV), &operands);
                true
            }
            (Some(slot), None) if self.is_operand(right) => {
                self.compare_constant(equal, slot, right)
            }
            (None, Some(slot)) if self.is_operand(left) => self.compare_constant(equal, slot, left),
            _ => false,
        }
    }

    fn compare_constant(&mut self, equal: bool, slot: usize, constant: TermId) -> bool {
        if self.is_first(slot) {
            self.emit_slot(Opcode::CVar, slot);
        }
        let opcode = if equal { Opcode::BEqVC } else { Opcode::BNeqVC };
        self.emit(opcode, &[Operand::Slot(slot), Operand::Constant(constant)]);
        true
    }

    /// Emits a test whose result is known.
    pub(super) fn known(&mut self, holds: bool) {
        self.emit(if holds { Opcode::ITrue } else { Opcode::IFail }, &[]);
    }

    fn arg(&mut self, place: TermId, compound: TermId, argument: TermId) -> bool {
        let Some(to) = self.slot(argument).filter(|&slot| self.is_first(slot)) else {
            return false;
        };
        let has_value = |slot: &usize| !self.is_first(*slot);
        let Some(of) = self.slot(compound).filter(has_value) else {
            return false;
        };
        let (opcode, first) = match self.terms.get(place) {
            Term::Integer(n) if is_small(n) => (Opcode::BArgCF, Operand::Constant(place)),
            _ => match self.slot(place).filter(has_value) {
                Some(slot) => (Opcode::BArgVF, Operand::Slot(slot)),
                None => return false,
            },
        };
        self.meet(to);
        self.emit(opcode, &[first, Operand::Slot(of), Operand::Slot(to)]);
        true
    }

    fn continuation(&mut self, opcode: Opcode, term: TermId) -> bool {
        let Some(slot) = self.slot(term).filter(|&slot| !self.is_first(slot)) else {
            return false;
        };
        self.emit_slot(opcode, slot);
        true
    }
}
