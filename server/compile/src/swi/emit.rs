//! The code emitted so far, and the variables met in it.

use std::collections::BTreeMap;

use costlens_events::swi::Opcode;
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use super::instruction::{CodePart, Instruction, Operand};
use super::settings::Settings;
use super::variables::{Slots, Work};
use crate::code::{ConstructPart, Extent};

/// The target of a cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The instruction that cuts.
    pub(super) opcode: Opcode,
    /// The slot of the choice point of the enclosing construct.
    pub(super) slot: usize,
}

/// The module that qualifies a goal, before or after it.
#[derive(Clone, Debug)]
pub(super) enum ModuleQualifier {
    /// An atom.
    Module(SmolStr),
    /// The slot of a variable.
    Variable(usize),
}

/// The compiler of one clause.
pub(super) struct Emitter<'t> {
    pub(super) terms: &'t Terms,
    pub(super) settings: &'t Settings<'t>,
    /// The name and arity of the head.
    pub(super) head: (&'t str, usize),
    pub(super) slots: Slots,
    /// For each slot, whether its variable has occurred on the path to this point.
    pub(super) met: Vec<bool>,
    pub(super) out: Vec<Instruction>,
    /// The part to which subsequent instructions belong.
    pub(super) part: CodePart,
    pub(super) sections: BTreeMap<ConstructPart, Extent>,
    /// The next slot for a choice point.
    pub(super) choice: usize,
    /// The target of a cut at this point; `None` for the clause.
    pub(super) cut: Option<Cut>,
    /// The module of `Module:Goal`.
    pub(super) before: Option<ModuleQualifier>,
    /// The module of `Goal@Module`.
    pub(super) behind: Option<ModuleQualifier>,
    pub(super) work: Work,
    /// The implicit cut after a guard.
    pub(super) own_cut: Option<TermId>,
}

impl<'t> Emitter<'t> {
    pub(super) fn new(
        terms: &'t Terms,
        settings: &'t Settings<'t>,
        head: TermId,
        slots: Slots,
    ) -> Self {
        Self {
            terms,
            settings,
            head: terms
                .functor(head)
                .map_or(("", 0), |(n, a)| (n.as_str(), a)),
            met: vec![false; slots.count],
            choice: slots.count,
            slots,
            out: Vec::new(),
            part: CodePart::Neck,
            sections: BTreeMap::new(),
            cut: None,
            before: None,
            behind: None,
            work: Work::default(),
            own_cut: None,
        }
    }

    /// Appends an instruction. Void instructions at the end of a compound or a head are dropped, and consecutive void instructions are
    /// merged.
    pub(super) fn emit(&mut self, opcode: Opcode, operands: &[Operand]) {
        let last = self.out.last_mut();
        match (last.as_ref().map(|l| l.opcode), opcode) {
            (Some(Opcode::HVoid), Opcode::HVoid) => {
                self.out.pop();
                let two = Instruction::new(Opcode::HVoidN, &[Operand::Number(2)], self.part);
                self.out.push(two);
                return;
            }
            (Some(Opcode::HVoidN), Opcode::HVoid) => {
                if let Some([Operand::Number(n)]) = last.map(|l| &mut l.operands[..]) {
                    *n += 1;
                }
                return;
            }
            (
                Some(Opcode::HVoid | Opcode::HVoidN),
                Opcode::IEnter
                | Opcode::IExitFact
                | Opcode::ISsuCommit
                | Opcode::ISsuChoice
                | Opcode::HPop,
            ) => {
                self.out.pop();
            }
            _ => {}
        }
        self.out.push(Instruction::new(opcode, operands, self.part));
    }

    pub(super) fn emit_slot(&mut self, opcode: Opcode, slot: usize) {
        self.emit(opcode, &[Operand::Slot(slot)]);
    }

    /// Allocates a slot for the choice point of a construct.
    pub(super) fn choice_slot(&mut self) -> usize {
        self.choice += 1;
        self.choice - 1
    }

    /// Sets the target of a jump instruction to this point.
    pub(super) fn land(&mut self, jump: usize) {
        let skipped = self.out.len().saturating_sub(jump + 1);
        let operands = self.out.get_mut(jump).map(|i| &mut i.operands);
        if let Some(Operand::Skip(n)) = operands.and_then(|o| o.last_mut()) {
            *n = skipped;
        }
    }

    /// Returns the slot of a variable that has one.
    pub(super) fn slot(&self, term: TermId) -> Option<usize> {
        match *self.terms.get(term) {
            Term::Var(v) => self.slots.slot(v),
            _ => None,
        }
    }

    /// Returns true for a variable that occurs once.
    pub(super) fn is_void(&self, term: TermId) -> bool {
        matches!(self.terms.get(term), Term::Var(_)) && self.slot(term).is_none()
    }

    /// Returns whether the variable of a slot has not occurred yet.
    pub(super) fn is_first(&self, slot: usize) -> bool {
        !self.met.get(slot).copied().unwrap_or(true)
    }

    /// Returns whether the variable of a slot has not occurred yet, and marks it as occurred.
    pub(super) fn meet(&mut self, slot: usize) -> bool {
        let met = self.met.get_mut(slot);
        !met.is_none_or(|met| std::mem::replace(met, true))
    }

    /// Returns the slots of all variables of a term.
    pub(super) fn slots_in(&self, term: TermId) -> Vec<usize> {
        let variables = self.terms.variables_of(term);
        (variables.into_iter().filter_map(|v| self.slots.slot(v))).collect()
    }

    /// Creates the variables of a term that no instruction inspects.
    pub(super) fn make_variables(&mut self, term: TermId) {
        for slot in self.slots_in(term) {
            if self.meet(slot) {
                self.emit_slot(Opcode::CVar, slot);
            }
        }
    }

    /// Creates the variables that `other` has met and `this` has not. A single instruction creates up to two adjacent variables. Returns
    /// whether any were created.
    pub(super) fn balance(&mut self, this: &[bool], other: &[bool]) -> bool {
        let mut run: Option<(usize, usize)> = None;
        let missing: Vec<usize> = (this.iter().zip(other).enumerate())
            .filter_map(|(slot, (this, other))| (!this && *other).then_some(slot))
            .collect();
        for &slot in &missing {
            match &mut run {
                Some((start, count)) if *count == 1 && *start + 1 == slot => *count = 2,
                _ => {
                    self.make_run(run);
                    run = Some((slot, 1));
                }
            }
        }
        self.make_run(run);
        !missing.is_empty()
    }

    fn make_run(&mut self, run: Option<(usize, usize)>) {
        match run {
            None => {}
            Some((start, 1)) => self.emit_slot(Opcode::CVar, start),
            Some((start, count)) => {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                let operands = [Operand::Slot(start), Operand::Number(count)];
                self.emit(Opcode::CVarN, &operands);
            }
        }
    }
}
