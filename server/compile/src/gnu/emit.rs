//! The code emitted so far, and the variables met in it.

use std::collections::BTreeMap;

use costlens_events::gnu::Opcode;
use costlens_syntax::term::{Term, TermId, Terms};

use super::instruction::{CodePart, Draft, Register};
use super::source::Variable;
use super::variables::Variables;
use crate::occurrences::VariableKind;

/// Facts about a variable that has been met.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VariableFacts {
    /// True if its value may be a variable outside the global stack.
    pub(super) is_local: bool,
    /// True if its value may be a variable in the environment that is about to be deallocated.
    pub(super) is_unsafe: bool,
}

impl VariableFacts {
    /// The value is on the global stack.
    pub(super) const GLOBAL: Self = Self {
        is_local: false,
        is_unsafe: false,
    };
    /// The value may be a variable of a caller's environment.
    pub(super) const LOCAL: Self = Self {
        is_local: true,
        is_unsafe: false,
    };
    /// The value may be a variable of the clause's own environment.
    pub(super) const UNSAFE: Self = Self {
        is_local: true,
        is_unsafe: true,
    };
}

/// The location of a variable at a point of the code.
#[derive(Clone, Copy, Debug)]
pub(super) enum VariablePlace {
    Void,
    /// In a register; the flag is true if it has a value.
    Temporary(Register, bool),
    /// In the environment; the flag is true if it has a value.
    Permanent(bool),
}

/// The compiler of one clause.
pub(super) struct Emitter<'t> {
    pub(super) terms: &'t Terms,
    pub(super) variables: Variables,
    /// Facts about the variables met so far.
    pub(super) met: BTreeMap<Variable, VariableFacts>,
    pub(super) out: Vec<Draft>,
    pub(super) part: CodePart,
    /// The current chunk.
    pub(super) chunk: usize,
    registers: BTreeMap<Variable, Register>,
    /// The number of temporary registers so far.
    pub(super) temporaries: usize,
}

impl<'t> Emitter<'t> {
    pub(super) fn new(terms: &'t Terms, variables: Variables) -> Self {
        Self {
            terms,
            variables,
            met: BTreeMap::new(),
            out: Vec::new(),
            part: CodePart::Neck,
            chunk: 0,
            registers: BTreeMap::new(),
            temporaries: 0,
        }
    }

    /// Appends an instruction.
    pub(super) fn emit(&mut self, opcode: Opcode, reads: &[Register], writes: &[Register]) {
        self.out.push(Draft {
            opcode,
            part: self.part,
            reads: reads.to_vec(),
            writes: writes.to_vec(),
            copies: false,
            term: None,
        });
    }

    /// Appends an instruction that copies a register.
    pub(super) fn copy(&mut self, opcode: Opcode, from: Register, to: Register) {
        self.emit(opcode, &[from], &[to]);
        if let Some(draft) = self.out.last_mut() {
            draft.copies = true;
        }
    }

    /// Appends an instruction that unifies a register with a term or builds the term.
    pub(super) fn emit_term(
        &mut self,
        opcode: Opcode,
        term: TermId,
        reads: &[Register],
        writes: &[Register],
    ) {
        self.emit(opcode, reads, writes);
        if let Some(draft) = self.out.last_mut() {
            draft.term = Some(term);
        }
    }

    pub(super) fn temporary(&mut self) -> Register {
        self.temporaries += 1;
        Register::Temporary(self.temporaries - 1)
    }

    pub(super) fn place(&mut self, variable: Variable) -> VariablePlace {
        let has_value = self.met.contains_key(&variable);
        match self.variables.kind(variable) {
            VariableKind::Void => VariablePlace::Void,
            VariableKind::Permanent => VariablePlace::Permanent(has_value),
            VariableKind::Temporary => {
                let register = match self.registers.get(&variable) {
                    Some(&register) => register,
                    None => {
                        let register = self.temporary();
                        self.registers.insert(variable, register);
                        register
                    }
                };
                VariablePlace::Temporary(register, has_value)
            }
        }
    }

    /// Returns the variable and its location if a term is a variable.
    pub(super) fn variable(&mut self, term: TermId) -> Option<(Variable, VariablePlace)> {
        match *self.terms.get(term) {
            Term::Var(v) => Some((v, self.place(v))),
            _ => None,
        }
    }

    /// Records that a variable has a value from this point on.
    pub(super) fn meet(&mut self, variable: Variable, met: VariableFacts) {
        self.met.insert(variable, met);
    }

    /// Returns the instruction that puts the value of an environment variable.
    pub(super) fn puts_permanent(&self, variable: Variable) -> Opcode {
        let is_unsafe = self.met.get(&variable).is_some_and(|met| met.is_unsafe);
        match is_unsafe && self.chunk == self.variables.last_chunk {
            true => Opcode::PutUnsafeValue,
            false => Opcode::PutValue,
        }
    }
}
