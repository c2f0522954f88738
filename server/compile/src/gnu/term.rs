//! Code for terms, which are unified with the content of a register or built.

use costlens_events::gnu::Opcode;
use costlens_syntax::term::{CONS, NIL, QUOTED_NIL, Term, TermId};

use super::emit::{Emitter, VariableFacts, VariablePlace};
use super::instruction::Register;
use super::refusal::Refusal;

/// The maximum nesting depth of terms in arguments other than the last.
const DEEPEST: usize = 200;

impl Emitter<'_> {
    /// Unifies a register with a term that is not a variable.
    pub(super) fn get(&mut self, term: TermId, register: Register) -> Result<(), Refusal> {
        let mut waiting = vec![(term, register)];
        while let Some((term, register)) = waiting.pop() {
            let opcode = match self.terms.get(term) {
                Term::Atom(name) if is_nil(name) => Opcode::GetNil,
                Term::Atom(_) => Opcode::GetAtom,
                Term::Integer(_) => Opcode::GetInteger,
                Term::Float(_) => Opcode::GetFloat,
                Term::Compound(name, _) if is_cons(name, self.terms.args(term)) => Opcode::GetList,
                Term::Compound(..) => Opcode::GetStructure,
                _ => return Err(Refusal::NoSuchTerm(term)),
            };
            self.emit_term(opcode, term, &[register], &[]);
            let mut inside = Vec::new();
            self.arguments(term, &mut |own, part| {
                let register = own.temporary();
                own.emit(Opcode::UnifyVariable, &[], &[register]);
                inside.push((part, register));
            })?;
            waiting.extend(inside.into_iter().rev());
        }
        Ok(())
    }

    /// Builds a term that is not a variable.
    pub(super) fn put(&mut self, term: TermId, register: Register) -> Result<(), Refusal> {
        self.put_below(term, register, 0)
    }

    fn put_below(&mut self, term: TermId, register: Register, depth: usize) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::TooDeep(term));
        }
        let opcode = match self.terms.get(term) {
            Term::Atom(name) if is_nil(name) => Opcode::PutNil,
            Term::Atom(_) => Opcode::PutAtom,
            Term::Integer(_) => Opcode::PutInteger,
            Term::Float(_) => Opcode::PutFloat,
            Term::Compound(name, _) if is_cons(name, self.terms.args(term)) => Opcode::PutList,
            Term::Compound(..) => Opcode::PutStructure,
            _ => return Err(Refusal::NoSuchTerm(term)),
        };
        // Nested terms are built first.
        let mut made = Vec::new();
        for part in self.apart(term) {
            let register = self.temporary();
            self.put_below(part, register, depth + 1)?;
            made.push(register);
        }
        self.emit_term(opcode, term, &[], &[register]);
        let mut made = made.into_iter();
        self.arguments(term, &mut |own, _| {
            if let Some(register) = made.next() {
                own.emit(Opcode::UnifyValue, &[register], &[]);
            }
        })
    }

    /// Emits the arguments of a compound. The last argument is entered if it is a compound. Calls `apart` with each argument that needs
    /// separate code.
    fn arguments(
        &mut self,
        term: TermId,
        apart: &mut dyn FnMut(&mut Self, TermId),
    ) -> Result<(), Refusal> {
        let terms = self.terms;
        let mut around = term;
        loop {
            let args = terms.args(around);
            let mut voids = 0;
            let mut entered = None;
            for (at, &part) in args.iter().enumerate() {
                let is_void = matches!(self.variable(part), Some((_, VariablePlace::Void)));
                if is_void {
                    voids += 1;
                    continue;
                }
                if std::mem::take(&mut voids) > 0 {
                    self.emit(Opcode::UnifyVoid, &[], &[]);
                }
                match terms.get(part) {
                    Term::Var(_) => self.unify_variable(part),
                    Term::Atom(name) if is_nil(name) => self.emit(Opcode::UnifyNil, &[], &[]),
                    Term::Atom(_) => self.emit(Opcode::UnifyAtom, &[], &[]),
                    Term::Integer(_) => self.emit(Opcode::UnifyInteger, &[], &[]),
                    Term::Compound(name, _) if at + 1 == args.len() => {
                        let opcode = match is_cons(name, terms.args(part)) {
                            true => Opcode::UnifyList,
                            false => Opcode::UnifyStructure,
                        };
                        self.emit(opcode, &[], &[]);
                        entered = Some(part);
                    }
                    Term::Compound(..) | Term::Float(_) => apart(self, part),
                    _ => return Err(Refusal::NoSuchTerm(part)),
                }
            }
            if voids > 0 {
                self.emit(Opcode::UnifyVoid, &[], &[]);
            }
            match entered {
                Some(part) => around = part,
                None => return Ok(()),
            }
        }
    }

    /// Returns the parts of a term that need separate code.
    fn apart(&self, term: TermId) -> Vec<TermId> {
        let (mut found, mut around) = (Vec::new(), Some(term));
        while let Some(term) = around.take() {
            let args = self.terms.args(term);
            for (at, &part) in args.iter().enumerate() {
                match self.terms.get(part) {
                    Term::Compound(..) if at + 1 == args.len() => around = Some(part),
                    Term::Compound(..) | Term::Float(_) => found.push(part),
                    _ => {}
                }
            }
        }
        found
    }

    fn unify_variable(&mut self, term: TermId) {
        let Some((variable, place)) = self.variable(term) else {
            return;
        };
        let is_local = self.met.get(&variable).is_some_and(|met| met.is_local);
        let unifies = match is_local {
            true => Opcode::UnifyLocalValue,
            false => Opcode::UnifyValue,
        };
        match place {
            VariablePlace::Void => {}
            VariablePlace::Temporary(register, true) => self.emit(unifies, &[register], &[]),
            VariablePlace::Permanent(true) => self.emit(unifies, &[], &[]),
            VariablePlace::Temporary(register, false) => {
                self.emit(Opcode::UnifyVariable, &[], &[register]);
                self.meet(variable, VariableFacts::GLOBAL);
            }
            VariablePlace::Permanent(false) => {
                self.emit(Opcode::UnifyVariable, &[], &[]);
                self.meet(variable, VariableFacts::GLOBAL);
            }
        }
    }
}

fn is_nil(name: &str) -> bool {
    name == NIL || name == QUOTED_NIL
}

/// Returns whether a compound with this name is a list cell.
pub(super) fn is_cons(name: &str, arguments: &[TermId]) -> bool {
    (name == CONS || name == ".") && arguments.len() == 2
}
