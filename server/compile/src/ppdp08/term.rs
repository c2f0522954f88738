//! Code for terms: arguments of heads and goals, and operands.

use std::collections::BTreeMap;

use costlens_events::ppdp08::Instruction;
use costlens_syntax::term::{CONS, Term, TermId};

use super::Operation;
use super::code::Unsupported;
use super::compile::{Compiler, DEEPEST};

impl Compiler<'_> {
    /// Emits the unification of a head argument. Returns the instruction that may fail.
    pub(super) fn head_argument(
        &mut self,
        argument: TermId,
        i: usize,
    ) -> Result<Option<Operation>, Unsupported> {
        let last = |instruction, operands| {
            Some(Operation {
                instruction,
                operands,
            })
        };
        Ok(match self.terms.get(argument) {
            Term::Var(v) => {
                let v = *v;
                if let Some(name) = self.names.get(&v) {
                    last(Instruction::GetValue, format!("V{name},A{i}"))
                } else {
                    let name = self.fresh();
                    self.names.insert(v, name);
                    self.emit(Instruction::GetVariable, format!("V{name},A{i}"));
                    None
                }
            }
            Term::Compound(..) => {
                let passed = self.fresh();
                self.emit(Instruction::GetVariable, format!("V{passed},A{i}"));
                let built = self.compound(argument, 0)?;
                last(Instruction::UnifyVariable, format!("V{passed},V{built}"))
            }
            _ => {
                let (instruction, text) = self.constant(
                    argument,
                    Instruction::GetConstantAtom,
                    Instruction::GetConstantInt,
                )?;
                last(instruction, format!("{text},A{i}"))
            }
        })
    }

    /// Returns the instruction for a constant, and the text of the constant.
    fn constant(
        &self,
        id: TermId,
        atom: Instruction,
        integer: Instruction,
    ) -> Result<(Instruction, String), Unsupported> {
        match self.terms.get(id) {
            Term::Atom(name) => Ok((atom, name.to_string())),
            Term::Integer(i) => Ok((integer, i.to_string())),
            Term::Error => Err(self.unsupported("text that is not understood")),
            _ => Err(self.unsupported("constants that are neither atoms nor integers")),
        }
    }

    /// Builds a compound in a new variable.
    fn compound(&mut self, id: TermId, depth: usize) -> Result<usize, Unsupported> {
        if depth > DEEPEST {
            return Err(self.unsupported("terms nested so deeply"));
        }
        let terms = self.terms;
        let arguments = terms.args(id);
        let is_list = terms.matches(id, CONS, 2).is_some();
        // The parts come first: variables, and nested compounds.
        let mut inside = BTreeMap::new();
        for (i, &argument) in arguments.iter().enumerate() {
            match terms.get(argument) {
                Term::Var(v) => {
                    let v = *v;
                    inside.insert(i, self.variable(v));
                }
                Term::Compound(..) => {
                    let built = self.compound(argument, depth + 1)?;
                    inside.insert(i, built);
                }
                _ => {}
            }
        }
        // The first argument of a list cell is an operand of `get_list`.
        let direct = usize::from(is_list);
        if is_list && !inside.contains_key(&0) {
            let (put, text) = self.constant(
                arguments[0],
                Instruction::PutConstantAtom,
                Instruction::PutConstantInt,
            )?;
            let name = self.fresh();
            self.emit(put, format!("{text},V{name}"));
            inside.insert(0, name);
        }
        let built = self.fresh();
        self.emit(Instruction::SetVariable, format!("V{built}"));
        if is_list {
            self.emit(Instruction::GetList, format!("V{},V{built}", inside[&0]));
        } else {
            let name = terms.functor(id).map(|(n, a)| format!("{n}/{a}"));
            let operands = format!("{},V{built}", name.unwrap_or_default());
            self.emit(Instruction::GetStruct, operands);
        }
        for (i, &argument) in arguments.iter().enumerate().skip(direct) {
            if let Some(part) = inside.get(&i).copied() {
                let cell = self.fresh();
                self.emit(Instruction::SetVariable, format!("V{cell}"));
                self.emit(Instruction::UnifyVariable, format!("V{part},V{cell}"));
            } else {
                let (set, text) = self.constant(
                    argument,
                    Instruction::SetConstantAtom,
                    Instruction::SetConstantInt,
                )?;
                self.emit(set, text);
            }
        }
        Ok(built)
    }

    /// Emits the arguments of a call.
    pub(super) fn arguments(&mut self, goal: TermId) -> Result<(), Unsupported> {
        let terms = self.terms;
        for (i, &argument) in terms.args(goal).iter().enumerate() {
            match terms.get(argument) {
                Term::Var(v) => {
                    let name = self.variable(*v);
                    self.emit(Instruction::PutValue, format!("V{name},A{i}"));
                }
                Term::Compound(..) => {
                    let built = self.compound(argument, 0)?;
                    self.emit(Instruction::PutValue, format!("V{built},A{i}"));
                }
                _ => {
                    let (put, text) = self.constant(
                        argument,
                        Instruction::PutAConstantAtom,
                        Instruction::PutAConstantInt,
                    )?;
                    self.emit(put, format!("{text},A{i}"));
                }
            }
        }
        Ok(())
    }

    /// Puts a term into a variable.
    pub(super) fn operand(&mut self, id: TermId) -> Result<usize, Unsupported> {
        match self.terms.get(id) {
            Term::Var(v) => Ok(self.variable(*v)),
            Term::Compound(..) => self.compound(id, 0),
            _ => {
                let (put, text) = self.constant(
                    id,
                    Instruction::PutConstantAtom,
                    Instruction::PutConstantInt,
                )?;
                let name = self.fresh();
                self.emit(put, format!("{text},V{name}"));
                Ok(name)
            }
        }
    }

    /// Emits `result is expression`: the result of the outermost function is unified with the variable on the left.
    pub(super) fn is(
        &mut self,
        result: TermId,
        expression: TermId,
    ) -> Result<Option<Operation>, Unsupported> {
        if !matches!(self.terms.get(expression), Term::Compound(..)) {
            let (a, b) = (self.operand(result)?, self.value(expression, 0)?);
            return Ok(Some(Operation {
                instruction: Instruction::UnifyVariable,
                operands: format!("V{a},V{b}"),
            }));
        }
        let operands = self.operands(expression, 0)?;
        let to = self.operand(result)?;
        Ok(Some(self.function(expression, &operands, to)))
    }

    /// Puts the value of an expression into a variable.
    pub(super) fn value(&mut self, id: TermId, depth: usize) -> Result<usize, Unsupported> {
        if depth > DEEPEST {
            return Err(self.unsupported("terms nested so deeply"));
        }
        match self.terms.get(id) {
            Term::Compound(..) => {
                let operands = self.operands(id, depth)?;
                let to = self.fresh();
                self.emit(Instruction::SetVariable, format!("V{to}"));
                let operation = self.function(id, &operands, to);
                self.out.push(operation);
                Ok(to)
            }
            Term::Atom(_) => Err(self.unsupported("arithmetic constants that have names")),
            _ => self.operand(id),
        }
    }

    fn operands(&mut self, id: TermId, depth: usize) -> Result<Vec<usize>, Unsupported> {
        let terms = self.terms;
        let values = terms.args(id).iter().map(|&a| self.value(a, depth + 1));
        values.collect()
    }

    fn function(&self, id: TermId, operands: &[usize], to: usize) -> Operation {
        let (name, arity) = match self.terms.functor(id) {
            Some((name, arity)) => (name.clone(), arity),
            None => Default::default(),
        };
        let operands: Vec<String> = operands.iter().map(|o| format!("V{o}")).collect();
        Operation {
            instruction: Instruction::Arith(name, arity),
            operands: format!("{},V{to}", operands.join(",")),
        }
    }
}
