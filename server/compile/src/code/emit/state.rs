//! The state of the variables at a point in the code.

use std::collections::{BTreeMap, BTreeSet};

use super::super::instruction::Register;
use super::super::tree::Variable;

/// The locations of a variable's value: a register, its slot, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValueLocations {
    pub(super) register: Option<Register>,
    pub(super) slot: bool,
}

/// The holder of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// A variable.
    Variable(Variable),
    /// An argument or an intermediate value.
    Taken,
}

#[derive(Clone, Debug, Default)]
pub(super) struct EmitState {
    /// The variables that have a value.
    pub(super) kept: BTreeMap<Variable, ValueLocations>,
    holders: Vec<Option<Holder>>,
    /// The registers below `holders.len()` that have no holder.
    free: BTreeSet<Register>,
    /// The variables whose values have been evaluated as expressions, so that evaluating them again cannot throw.
    pub(super) evaluated: BTreeSet<Variable>,
    /// True while there is an environment.
    pub(super) allocated: bool,
}

impl EmitState {
    pub(super) fn has(&self, v: Variable) -> bool {
        self.kept.contains_key(&v)
    }

    pub(super) fn register_of(&self, v: Variable) -> Option<Register> {
        self.kept.get(&v).and_then(|k| k.register)
    }

    pub(super) fn in_slot(&self, v: Variable) -> bool {
        self.kept.get(&v).is_some_and(|k| k.slot)
    }

    pub(super) fn holder(&self, register: Register) -> Option<Holder> {
        self.holders.get(register as usize).copied().flatten()
    }

    /// Returns a free register: the preferred register, or otherwise the first register whose number is at least `floor`.
    pub(super) fn take(&mut self, preferred: Option<Register>, floor: Register) -> Register {
        let register = preferred
            .filter(|&r| self.holder(r).is_none())
            .or_else(|| self.free.range(floor..).next().copied())
            .unwrap_or_else(|| {
                floor.max(u32::try_from(self.holders.len()).unwrap_or(Register::MAX))
            });
        self.hold(register, Holder::Taken);
        register
    }

    /// Assigns a free register to a holder.
    pub(super) fn hold(&mut self, register: Register, holder: Holder) {
        while self.holders.len() <= register as usize {
            let new = u32::try_from(self.holders.len()).unwrap_or(Register::MAX);
            self.free.insert(new);
            self.holders.push(None);
        }
        self.free.remove(&register);
        self.holders[register as usize] = Some(holder);
    }

    /// Frees a register. A variable whose value is only in this register loses it.
    pub(super) fn release(&mut self, register: Register) {
        let Some(holder) = self
            .holders
            .get_mut(register as usize)
            .and_then(Option::take)
        else {
            return;
        };
        self.free.insert(register);
        if let Holder::Variable(v) = holder
            && let Some(kept) = self.kept.get_mut(&v)
            && kept.register == Some(register)
        {
            kept.register = None;
            if !kept.slot {
                self.kept.remove(&v);
            }
        }
    }

    /// Frees a register that contains an intermediate value, but not a register that has been assigned to a variable.
    pub(super) fn release_taken(&mut self, register: Register) {
        if self.holder(register) == Some(Holder::Taken) {
            self.release(register);
        }
    }

    /// Records that a variable's value is in a register that is already taken.
    pub(super) fn set_register(&mut self, v: Variable, register: Register) {
        self.hold(register, Holder::Variable(v));
        let kept = self.kept.entry(v).or_default();
        kept.register = Some(register);
    }

    /// Records that a variable's value is also in a register.
    pub(super) fn cache(&mut self, v: Variable, register: Register) {
        self.set_register(v, register);
    }

    /// Records that a variable's value is only in its slot.
    pub(super) fn set_slot(&mut self, v: Variable) {
        self.kept.insert(
            v,
            ValueLocations {
                register: None,
                slot: true,
            },
        );
    }

    /// Records that a variable's value is also in its slot.
    pub(super) fn save(&mut self, v: Variable) {
        if let Some(kept) = self.kept.get_mut(&v) {
            kept.slot = true;
        }
    }

    /// Moves a variable to a register that is already taken.
    pub(super) fn relocate(&mut self, v: Variable, to: Register) {
        if let Some(from) = self.register_of(v) {
            self.holders[from as usize] = None;
            self.free.insert(from);
        }
        self.set_register(v, to);
    }

    pub(super) fn forget(&mut self, v: Variable) {
        if let Some(register) = self.kept.remove(&v).and_then(|k| k.register)
            && self.holder(register) == Some(Holder::Variable(v))
        {
            self.holders[register as usize] = None;
            self.free.insert(register);
        }
    }

    /// Returns the variables that are only in registers.
    pub(super) fn unsaved(&self) -> Vec<(Variable, Register)> {
        self.kept
            .iter()
            .filter(|(_, k)| !k.slot)
            .filter_map(|(&v, k)| Some((v, k.register?)))
            .collect()
    }

    /// Clears all registers.
    pub(super) fn barrier(&mut self) {
        self.holders.clear();
        self.free.clear();
        self.kept.retain(|_, k| {
            k.register = None;
            k.slot
        });
    }
}
