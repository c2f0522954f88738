//! Code for calls, and inline code for goals.

use costlens_body::Goal;
use costlens_events::swi::Opcode;
use costlens_syntax::term::{NIL, Term, TermId};
use smol_str::SmolStr;

use super::argument::TermPlace;
use super::emit::{Emitter, ModuleQualifier};
use super::instruction::{CodePart, Instruction, Operand};
use super::refusal::Refusal;

/// System atoms that compile to dedicated instructions.
const ATOMS: &[(&str, &[Opcode])] = &[
    ("$", &[Opcode::IDet]),
    ("$catch", &[Opcode::ICatch, Opcode::IExitCatch]),
    ("$reset", &[Opcode::IReset, Opcode::IExitReset]),
    (
        "$call_cleanup",
        &[Opcode::ICallCleanup, Opcode::IExitCleanup],
    ),
    ("$cut", &[Opcode::ICutChp]),
    ("$yield", &[Opcode::IYield]),
];

impl Emitter<'_> {
    /// Compiles a goal that is not a control construct.
    pub(super) fn goal(
        &mut self,
        goal: TermId,
        lowered: &Goal<'_>,
        is_last: bool,
    ) -> Result<(), Refusal> {
        if self.own_cut != Some(goal) {
            self.part = CodePart::Goal(goal);
        }
        let done = self.compiled_goal(goal, lowered, is_last);
        self.part = CodePart::Control;
        done
    }

    fn compiled_goal(
        &mut self,
        goal: TermId,
        lowered: &Goal<'_>,
        is_last: bool,
    ) -> Result<(), Refusal> {
        let terms = self.terms;
        let arguments = terms.args(goal);
        let name = match terms.get(goal) {
            Term::Var(_) if !self.is_void(goal) => return self.call_term(goal),
            Term::Atom(name) if name != NIL => {
                if self.atom(name, lowered) {
                    return Ok(());
                }
                name
            }
            Term::Compound(name, _) => {
                if self.arithmetic(lowered)? || self.inline(goal, lowered)? {
                    return Ok(());
                }
                name
            }
            _ => return Err(Refusal::NotCallable(goal)),
        };
        if let Some(ModuleQualifier::Variable(_)) = self.before {
            return self.call_term(goal);
        }
        let start = self.out.len();
        for &argument in arguments {
            self.argument(argument, TermPlace::BODY)?;
        }
        let has_module = self.before.is_some() || self.behind.is_some();
        if let Goal::CallN { added, .. } = lowered
            && !has_module
        {
            match i64::try_from(added.len()) {
                Ok(further @ 1..) => self.emit(Opcode::IUserCallN, &[Operand::Number(further)]),
                _ => self.emit(Opcode::IUserCall0, &[]),
            }
            return Ok(());
        }
        self.call(name, arguments.len(), is_last, start);
        Ok(())
    }

    fn atom(&mut self, name: &str, lowered: &Goal<'_>) -> bool {
        match lowered {
            Goal::Cut => match self.cut {
                Some(cut) => self.emit_slot(cut.opcode, cut.slot),
                None => self.emit(Opcode::ICut, &[]),
            },
            Goal::True => self.emit(Opcode::ITrue, &[]),
            Goal::Fail => self.emit(Opcode::IFail, &[]),
            _ => {
                let Some((_, opcodes)) = ATOMS.iter().find(|(atom, _)| *atom == name) else {
                    return false;
                };
                for &opcode in *opcodes {
                    self.emit(opcode, &[]);
                }
            }
        }
        true
    }

    /// Compiles a call to a goal that is known only at run time, with the enclosing modules.
    fn call_term(&mut self, goal: TermId) -> Result<(), Refusal> {
        let (before, behind) = (self.before.clone(), self.behind.clone());
        let open = |name: &str| [Operand::Functor(SmolStr::new(name), 2)];
        if behind.is_some() {
            self.emit(Opcode::BFunctor, &open("@"));
        }
        if let Some(module) = &before {
            self.emit(Opcode::BFunctor, &open(":"));
            self.put_module(module);
            self.argument(goal, TermPlace::BEHIND_MODULE)?;
            self.emit(Opcode::BPop, &[]);
        } else {
            self.argument(goal, TermPlace::BODY)?;
        }
        if let Some(module) = &behind {
            self.put_module(module);
            self.emit(Opcode::BPop, &[]);
        }
        self.emit(Opcode::IUserCall0, &[]);
        Ok(())
    }

    fn put_module(&mut self, module: &ModuleQualifier) {
        match module {
            ModuleQualifier::Module(name) => {
                self.emit(Opcode::BAtom, &[Operand::Module(name.clone())])
            }
            ModuleQualifier::Variable(slot) => self.emit_slot(Opcode::BArgVar, *slot),
        }
    }

    /// Emits a call to a predicate whose arguments start at instruction `start`.
    fn call(&mut self, name: &SmolStr, arity: usize, is_last: bool, start: usize) {
        let functor = Operand::Functor(name.clone(), arity);
        let own = self.settings.module;
        let module = match &self.before {
            Some(ModuleQualifier::Module(module)) if module != own => Some(module.clone()),
            _ => None,
        };
        let choose = |last, other| if is_last { last } else { other };
        match (&self.behind, module) {
            (Some(ModuleQualifier::Module(context)), _) => {
                let opcode = choose(Opcode::IDepartAtM, Opcode::ICallAtM);
                let operands = [Operand::Module(context.clone()), functor];
                self.emit(opcode, &operands);
            }
            (Some(ModuleQualifier::Variable(slot)), _) => {
                let opcode = choose(Opcode::IDepartAtMV, Opcode::ICallAtMV);
                let operands = [Operand::Slot(*slot), functor];
                self.emit(opcode, &operands);
            }
            (None, Some(module)) => {
                let opcode = choose(Opcode::IDepartM, Opcode::ICallM);
                self.emit(opcode, &[Operand::Module(module), functor]);
            }
            (None, None) => {
                self.emit(
                    choose(Opcode::IDepart, Opcode::ICall),
                    std::slice::from_ref(&functor),
                );
                if is_last {
                    self.last_call(functor, start);
                }
            }
        }
    }

    /// Inserts, before the plain call, a last call that overwrites the frame. This is possible only if no argument is overwritten before it
    /// is moved, and nothing has to be built.
    fn last_call(&mut self, functor: Operand, start: usize) {
        let Some(moves) = self.moves(start) else {
            return;
        };
        let is_same = matches!(&functor, Operand::Functor(n, a) if (n.as_str(), *a) == self.head)
            && self.settings.head_module == self.settings.module;
        let call = match is_same {
            true => Instruction::new(Opcode::ITCall, &[], self.part),
            false => Instruction::new(Opcode::ILCall, &[functor], self.part),
        };
        let skipped = Operand::Skip(moves.len() + 1);
        let guard = Instruction::new(Opcode::LNoLco, &[skipped], self.part);
        let all = std::iter::once(guard).chain(moves).chain([call]);
        self.out.splice(start..start, all);
    }

    /// Returns the instructions that move the arguments into the frame. The arguments begin at instruction `start`.
    fn moves(&self, start: usize) -> Option<Vec<Instruction>> {
        let plain = self.out[start..].split_last().map_or(&[][..], |(_, p)| p);
        let mut moves = Vec::new();
        for (argument, put) in plain.iter().enumerate() {
            let from = match put.opcode {
                Opcode::BVar0 => 0,
                Opcode::BVar1 => 1,
                Opcode::BVar2 => 2,
                Opcode::BVar => put.slots().next()?,
                other => {
                    let opcode = match other {
                        Opcode::BVoid => Opcode::LVoid,
                        Opcode::BSmallInt => Opcode::LSmallInt,
                        Opcode::BAtom => Opcode::LAtom,
                        Opcode::BNil => Opcode::LNil,
                        _ => return None,
                    };
                    let mut operands = vec![Operand::Slot(argument)];
                    operands.extend(put.operands.iter().cloned());
                    moves.push(Instruction::new(opcode, &operands, self.part));
                    continue;
                }
            };
            if from < argument {
                return None;
            }
            if from != argument {
                let operands = [Operand::Slot(argument), Operand::Slot(from)];
                moves.push(Instruction::new(Opcode::LVar, &operands, self.part));
            }
        }
        Some(moves)
    }
}
