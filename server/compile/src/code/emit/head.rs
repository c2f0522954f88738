//! Code that unifies registers with terms of the clause: head arguments, and `X = f(Y)` in bodies.

use costlens_body::{Comparison, TypeTest};
use costlens_syntax::term::{CONS, Term, TermId};

use super::super::constant::Constant;
use super::super::instruction::{Instruction, Location, Operand, Register, Test};
use super::Emitter;
use super::state::Holder;

impl Emitter<'_> {
    /// Emits the code of the head: `Ai` is unified with the `i`-th argument or, in a single-sided rule, matched against it.
    pub(super) fn head(&mut self, arguments: &[TermId], matching: bool) {
        let mut later = Vec::new();
        for (register, &argument) in (0..).zip(arguments) {
            match self.terms.get(argument) {
                Term::Var(v) if !self.state.has(*v) => {
                    if self.is_void(*v) {
                        self.occurrence(*v);
                    } else {
                        self.state.hold(register, Holder::Taken);
                        self.state.set_register(*v, register);
                        self.occurrence(*v);
                    }
                }
                _ => {
                    self.state.hold(register, Holder::Taken);
                    later.push((register, argument));
                }
            }
        }
        for (register, argument) in later {
            let start = self.instructions.len();
            if let Term::Var(v) = self.terms.get(argument) {
                self.same(*v, argument, register, matching);
                self.state.release_taken(register);
            } else {
                self.unify_register(register, argument, matching);
            }
            if let Some(range) = self.arguments.get_mut(register as usize) {
                *range = start..self.instructions.len();
            }
        }
        self.sweep();
    }

    /// Unifies or compares a variable that has a value with a register, and counts an occurrence.
    fn same(&mut self, v: u32, term: TermId, register: Register, matching: bool) {
        let location = self.where_is(v);
        let instruction = if matching {
            Instruction::Test(
                Test::Term(
                    Comparison::Equal,
                    Operand::Location(location),
                    Operand::Location(Location::X(register)),
                ),
                None,
            )
        } else {
            Instruction::GetValue(location, register)
        };
        self.emit_unifying(instruction, term);
        self.occurrence(v);
    }

    /// Unifies a register with a term that is not a variable. Nested terms are deferred, the largest until last, so that few registers are
    /// occupied at the same time. The last argument of a structure is unified in place if nothing is deferred.
    pub(super) fn unify_register(&mut self, register: Register, id: TermId, matching: bool) {
        let mut work = vec![(register, id)];
        while let Some((register, id)) = work.pop() {
            if matching {
                self.emit(Instruction::Test(
                    Test::Type(TypeTest::Nonvar, Location::X(register)),
                    None,
                ));
            }
            match self.terms.get(id) {
                Term::Compound(name, _) if name == CONS && self.terms.args(id).len() == 2 => {
                    self.emit_unifying(Instruction::GetList(register), id);
                }
                Term::Compound(name, _) => {
                    let name = (name.clone(), self.terms.args(id).len());
                    self.emit_unifying(Instruction::GetStructure(name, register), id);
                }
                _ => {
                    if let Some(constant) = Constant::from_term(self.terms, id) {
                        self.emit_unifying(Instruction::GetConstant(constant, register), id);
                    }
                    self.state.release_taken(register);
                    continue;
                }
            }
            self.state.release_taken(register);
            let mut nested = if matching {
                self.match_arguments(id)
            } else {
                self.unify_arguments(id)
            };
            nested.sort_by_key(|&(_, t)| std::cmp::Reverse(self.sizes[t.index()]));
            work.extend(nested);
        }
    }

    /// Emits the `unify_…` instructions of a structure. Returns the registers that contain deferred nested terms.
    fn unify_arguments(&mut self, mut id: TermId) -> Vec<(Register, TermId)> {
        let (mut voids, mut waiting) = (0, Vec::new());
        'structure: loop {
            let arguments = self.terms.args(id);
            for (i, &argument) in arguments.iter().enumerate() {
                match self.terms.get(argument) {
                    Term::Var(v) if self.is_void(*v) => {
                        self.occurrence(*v);
                        voids += 1;
                        continue;
                    }
                    Term::Var(v) => {
                        self.unify_voids(&mut voids);
                        let instruction = if self.state.has(*v) {
                            Instruction::UnifyValue(self.where_is(*v))
                        } else {
                            Instruction::UnifyVariable(self.new_location(*v))
                        };
                        self.emit_unifying(instruction, argument);
                        self.occurrence(*v);
                    }
                    Term::Compound(name, _) => {
                        self.unify_voids(&mut voids);
                        let arity = self.terms.args(argument).len();
                        if i + 1 == arguments.len() && waiting.is_empty() {
                            let instruction = if name == CONS && arity == 2 {
                                Instruction::UnifyList
                            } else {
                                Instruction::UnifyStructure((name.clone(), arity))
                            };
                            self.emit_unifying(instruction, argument);
                            id = argument;
                            continue 'structure;
                        }
                        let register = self.register(None);
                        self.emit(Instruction::UnifyVariable(Location::X(register)));
                        waiting.push((register, argument));
                    }
                    _ => {
                        self.unify_voids(&mut voids);
                        if let Some(constant) = Constant::from_term(self.terms, argument) {
                            self.emit_unifying(Instruction::UnifyConstant(constant), argument);
                        }
                    }
                }
            }
            self.unify_voids(&mut voids);
            return waiting;
        }
    }

    fn unify_voids(&mut self, voids: &mut u32) {
        if *voids > 0 {
            self.emit(Instruction::UnifyVoid(std::mem::take(voids)));
        }
    }

    /// Emits the instructions that match a structure, if no variable of the call may be bound: arguments are loaded first and inspected
    /// afterwards.
    fn match_arguments(&mut self, id: TermId) -> Vec<(Register, TermId)> {
        let (mut voids, mut waiting, mut again) = (0, Vec::new(), Vec::new());
        for &argument in self.terms.args(id) {
            if let Term::Var(v) = self.terms.get(argument) {
                if self.is_void(*v) {
                    self.occurrence(*v);
                    voids += 1;
                    continue;
                }
                self.unify_voids(&mut voids);
                if self.state.has(*v) {
                    let register = self.register(None);
                    self.emit(Instruction::UnifyVariable(Location::X(register)));
                    again.push(((*v, argument), register));
                } else {
                    let location = self.new_location(*v);
                    self.emit(Instruction::UnifyVariable(location));
                    self.occurrence(*v);
                }
            } else {
                self.unify_voids(&mut voids);
                let register = self.register(None);
                self.emit(Instruction::UnifyVariable(Location::X(register)));
                waiting.push((register, argument));
            }
        }
        self.unify_voids(&mut voids);
        for ((v, term), register) in again {
            self.same(v, term, register, true);
            self.state.release_taken(register);
        }
        waiting
    }
}
