//! Code that builds terms on the heap.
//!
//! A chain of structures in last arguments is written top-down in one pass (`set_list`). Other nested terms are built beforehand, starting
//! with the largest, so that few registers are occupied at the same time.

use std::collections::BTreeMap;

use costlens_syntax::term::{CONS, Term, TermId};

use super::super::constant::Constant;
use super::super::instruction::{Instruction, Location, Register};
use super::Emitter;
use super::state::Holder;

enum Task {
    /// Builds a compound, in the given register if any.
    Build(TermId, Option<Register>),
    /// Writes a chain of structures, each the last argument of the previous structure, after their nested arguments have been built.
    Write {
        chain: Vec<TermId>,
        /// The argument indices in the last structure that were built earlier, in build order.
        built: Vec<usize>,
        to: Option<Register>,
    },
}

impl Emitter<'_> {
    /// Builds a term in the given register or in a new register. Returns the register, which is marked as taken.
    pub(super) fn build(&mut self, id: TermId, to: Option<Register>) -> Register {
        if !matches!(self.terms.get(id), Term::Compound(..)) {
            return self.build_simple(id, to);
        }
        let (mut tasks, mut done) = (vec![Task::Build(id, to)], Vec::new());
        while let Some(task) = tasks.pop() {
            match task {
                Task::Build(id, to) => self.plan(id, to, &mut tasks),
                Task::Write { chain, built, to } => {
                    let parts = done.split_off(done.len() - built.len());
                    let register = self.write(&chain, &built, &parts, to);
                    for part in parts {
                        self.state.release_taken(part);
                    }
                    done.push(register);
                }
            }
        }
        done.pop().unwrap_or(0)
    }

    fn build_simple(&mut self, id: TermId, to: Option<Register>) -> Register {
        let register = self.target(to);
        match self.terms.get(id) {
            Term::Var(v) if self.is_void(*v) => {
                self.emit(Instruction::PutVariable(Location::X(register), register));
                self.occurrence(*v);
            }
            Term::Var(v) => {
                self.initialise(*v);
                let location = self.where_is(*v);
                self.emit(Instruction::PutValue(location, register));
                self.occurrence(*v);
            }
            _ => {
                if let Some(constant) = Constant::from_term(self.terms, id) {
                    self.emit(Instruction::PutConstant(constant, register));
                }
            }
        }
        register
    }

    fn target(&mut self, to: Option<Register>) -> Register {
        match to {
            Some(register) => {
                self.state.hold(register, Holder::Taken);
                self.registers = self.registers.max(register + 1);
                register
            }
            None => self.register(None),
        }
    }

    /// Plans the parts that must be built before a compound can be written.
    fn plan(&self, id: TermId, to: Option<Register>, tasks: &mut Vec<Task>) {
        let is_compound = |t: TermId| matches!(self.terms.get(t), Term::Compound(..));
        let is_nested = |t: TermId| {
            let arguments = self.terms.args(t);
            arguments
                .split_last()
                .is_some_and(|(_, before)| before.iter().any(|&a| is_compound(a)))
        };
        let mut chain = vec![id];
        let mut last = id;
        let built: Vec<usize> = if is_nested(id) {
            let arguments = self.terms.args(id);
            (0..arguments.len())
                .filter(|&i| is_compound(arguments[i]))
                .collect()
        } else {
            loop {
                match self.terms.args(last).last() {
                    Some(&next) if is_compound(next) => {
                        if is_nested(next) {
                            break vec![self.terms.args(last).len() - 1];
                        }
                        chain.push(next);
                        last = next;
                    }
                    _ => break Vec::new(),
                }
            }
        };
        let arguments = self.terms.args(last);
        let mut built = built;
        built.sort_by_key(|&i| std::cmp::Reverse(self.sizes[arguments[i].index()]));
        let parts: Vec<Task> = built
            .iter()
            .rev()
            .map(|&i| Task::Build(arguments[i], None))
            .collect();
        tasks.push(Task::Write { chain, built, to });
        tasks.extend(parts);
    }

    fn write(
        &mut self,
        chain: &[TermId],
        built: &[usize],
        parts: &[Register],
        to: Option<Register>,
    ) -> Register {
        let register = self.target(to);
        let part_of: BTreeMap<usize, Register> =
            built.iter().copied().zip(parts.iter().copied()).collect();
        for (depth, &id) in chain.iter().enumerate() {
            let arguments = self.terms.args(id);
            if let Term::Compound(name, _) = self.terms.get(id) {
                let is_list = name == CONS && arguments.len() == 2;
                let name = || (name.clone(), arguments.len());
                self.emit(match (depth, is_list) {
                    (0, true) => Instruction::PutList(register),
                    (0, false) => Instruction::PutStructure(name(), register),
                    (_, true) => Instruction::SetList,
                    (_, false) => Instruction::SetStructure(name()),
                });
            }
            let mut voids = 0;
            for (i, &argument) in arguments.iter().enumerate() {
                match self.terms.get(argument) {
                    Term::Var(v) if self.is_void(*v) => {
                        self.occurrence(*v);
                        voids += 1;
                    }
                    Term::Var(v) => {
                        self.set_voids(&mut voids);
                        let instruction = if self.state.has(*v) {
                            Instruction::SetValue(self.where_is(*v))
                        } else {
                            Instruction::SetVariable(self.new_location(*v))
                        };
                        self.emit(instruction);
                        self.occurrence(*v);
                    }
                    Term::Compound(..) => {
                        self.set_voids(&mut voids);
                        // The next structure of the chain needs no code at this point; any other argument is already built.
                        if depth + 1 == chain.len()
                            && let Some(&part) = part_of.get(&i)
                        {
                            self.emit(Instruction::SetValue(Location::X(part)));
                        }
                    }
                    _ => {
                        self.set_voids(&mut voids);
                        if let Some(constant) = Constant::from_term(self.terms, argument) {
                            self.emit(Instruction::SetConstant(constant));
                        }
                    }
                }
            }
            self.set_voids(&mut voids);
        }
        register
    }

    fn set_voids(&mut self, voids: &mut u32) {
        if *voids > 0 {
            self.emit(Instruction::SetVoid(std::mem::take(voids)));
        }
    }
}
