//! Code for calls: all arguments must be in `A0 …` at the same time, although they are moved there one after another.
//!
//! An argument can be put once no pending argument reads its target register. If all arguments wait for each other (`p(X, Y) :- q(Y, X).`),
//! one variable moves to another register.

use std::collections::{BTreeMap, BTreeSet};

use costlens_syntax::term::{Term, TermId};

use super::super::instruction::{Instruction, Location, Register, StructureName};
use super::super::tree::Variable;
use super::Emitter;
use super::state::Holder;

impl Emitter<'_> {
    pub(super) fn call(
        &mut self,
        functor: &StructureName,
        arguments: &[TermId],
        number: u32,
        tail: bool,
    ) {
        if !tail {
            self.allocate();
            self.save(number);
        }
        self.pass(arguments);
        if tail {
            if self.state.allocated {
                self.emit(Instruction::Deallocate);
            }
            self.emit(Instruction::Execute(functor.clone()));
        } else {
            // Slots are ordered by their last use, with the latest first.
            let live = self.live.slot_last.partition_point(|&last| last > number);
            let live = u32::try_from(live).unwrap_or(u32::MAX);
            self.emit(Instruction::Call(functor.clone(), live));
        }
        self.sweep();
        self.state.barrier();
        if tail {
            self.unreachable = true;
        }
    }

    fn pass(&mut self, arguments: &[TermId]) {
        let mut mentions: Vec<BTreeSet<Variable>> = Vec::with_capacity(arguments.len());
        let mut uses: BTreeMap<Variable, usize> = BTreeMap::new();
        for &argument in arguments {
            let variables: BTreeSet<Variable> = self
                .terms
                .subterms(argument)
                .into_iter()
                .filter_map(|t| match self.terms.get(t) {
                    Term::Var(v) => Some(*v),
                    _ => None,
                })
                .collect();
            for &v in &variables {
                *uses.entry(v).or_default() += 1;
            }
            mentions.push(variables);
        }
        let mut pending: BTreeSet<usize> = (0..arguments.len()).collect();
        let mut ready: Vec<usize> = (0..arguments.len()).rev().collect();
        loop {
            let Some(i) = ready.pop() else {
                let Some(&i) = pending.first() else {
                    return;
                };
                self.move_away(i);
                ready.push(i);
                continue;
            };
            if !pending.contains(&i) || !self.is_free_for(i, arguments[i], &uses) {
                continue;
            }
            pending.remove(&i);
            self.put(i, arguments[i]);
            for v in &mentions[i] {
                let left = uses.entry(*v).or_default();
                *left = left.saturating_sub(1);
                let left = *left;
                if let Some(register) = self.state.register_of(*v) {
                    if pending.contains(&(register as usize)) {
                        ready.push(register as usize);
                    } else if left == 0 && register as usize >= arguments.len() {
                        // A value that has moved is no longer needed in its old register.
                        self.state.release(register);
                    }
                }
            }
        }
    }

    /// Returns true if no other pending argument reads the target register of an argument.
    fn is_free_for(&self, i: usize, argument: TermId, uses: &BTreeMap<Variable, usize>) -> bool {
        match self.state.holder(register_at(i)) {
            None => true,
            Some(Holder::Taken) => false,
            Some(Holder::Variable(v)) => {
                let uses = uses.get(&v).copied().unwrap_or(0);
                // `X` stays in place and may be read from its register.
                *self.terms.get(argument) == Term::Var(v) || uses == 0
            }
        }
    }

    /// Moves the variable in an argument's register to another register.
    fn move_away(&mut self, i: usize) {
        let register = register_at(i);
        if let Some(Holder::Variable(v)) = self.state.holder(register) {
            if self.state.in_slot(v) {
                self.state.release(register);
                return;
            }
            let to = self.register(None);
            self.emit(Instruction::PutValue(Location::X(register), to));
            self.state.relocate(v, to);
        } else {
            self.state.release(register);
        }
    }

    /// Puts one argument; the previous content of its register is no longer needed.
    fn put(&mut self, i: usize, argument: TermId) {
        let register = register_at(i);
        self.registers = self.registers.max(register + 1);
        if let Term::Var(v) = self.terms.get(argument)
            && self.state.register_of(*v) == Some(register)
        {
            self.occurrence(*v);
            return;
        }
        self.state.release(register);
        let Term::Var(v) = self.terms.get(argument) else {
            self.build(argument, Some(register));
            return;
        };
        let v = *v;
        self.state.hold(register, Holder::Taken);
        if self.state.has(v) {
            let location = self.where_is(v);
            self.emit(Instruction::PutValue(location, register));
        } else if let (Some(slot), true) = (self.slot(v), self.state.allocated) {
            self.emit(Instruction::PutVariable(slot, register));
            self.state.set_slot(v);
            self.state.cache(v, register);
        } else {
            self.emit(Instruction::PutVariable(Location::X(register), register));
            if self.remaining[v as usize] > 1 {
                self.state.set_register(v, register);
            }
        }
        self.occurrence(v);
    }
}

fn register_at(i: usize) -> Register {
    u32::try_from(i).unwrap_or(Register::MAX)
}
