//! Code for control constructs.

use costlens_body::{Arrow, Goal, sides};
use costlens_events::swi::Opcode;
use costlens_syntax::term::{Term, TermId};

use super::emit::{Cut, Emitter, ModuleQualifier};
use super::instruction::Operand;
use super::refusal::Refusal;
use super::variables::DEEPEST;
use crate::code::{ConstructPart, Extent};

/// A disjunction whose right side is compiled next.
struct Pending {
    /// The jump instruction after the left side.
    jump: usize,
    /// The variables met on the left side, and those met on the right side.
    left: Vec<bool>,
    right: Vec<bool>,
}

impl Emitter<'_> {
    /// Compiles a body, or one of its goals. `is_last` is true if nothing runs after the goal. Right-nested operators are compiled in a
    /// loop, so that long chains do not overflow the stack.
    pub(super) fn body(&mut self, goal: TermId, is_last: bool, depth: u32) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::TooDeep(goal));
        }
        let (mut goal, mut pending) = (goal, Vec::new());
        loop {
            let lowered = Goal::lower(self.terms, goal);
            if let Goal::Conjunction(left, right) = lowered {
                self.body(left, false, depth + 1)?;
                goal = right;
            } else if let Some((left, right)) = sides(self.terms, goal) {
                pending.push(self.left_side(goal, left, right, is_last, depth)?);
                goal = right;
            } else {
                self.construct(goal, &lowered, is_last, depth)?;
                break;
            }
        }
        while let Some(Pending { jump, left, right }) = pending.pop() {
            self.balance(&right, &left);
            self.land(jump);
            self.met = (left.iter().zip(&right)).map(|(&l, &r)| l || r).collect();
        }
        Ok(())
    }

    /// Compiles a goal that is neither a conjunction nor a disjunction.
    fn construct(
        &mut self,
        goal: TermId,
        lowered: &Goal<'_>,
        is_last: bool,
        depth: u32,
    ) -> Result<(), Refusal> {
        match *lowered {
            Goal::IfThen {
                arrow,
                condition,
                then,
            } => self.condition_alone(arrow, condition, then, is_last, depth),
            Goal::Not(inner) => self.negation(inner, depth),
            Goal::Determinate(inner) => self.determinate(inner, depth),
            Goal::Qualified {
                module,
                goal: inner,
            } => {
                let target = Some(self.target(module)?);
                let around = std::mem::replace(&mut self.before, target);
                let done = self.body(inner, is_last, depth + 1);
                self.before = around;
                done
            }
            Goal::InContext {
                goal: inner,
                module,
            } => {
                let target = Some(self.target(module)?);
                let around = std::mem::replace(&mut self.behind, target);
                let done = self.body(inner, is_last, depth + 1);
                self.behind = around;
                done
            }
            _ => self.goal(goal, lowered, is_last),
        }
    }

    /// Returns the module that qualifies a goal, before or after it.
    fn target(&self, module: TermId) -> Result<ModuleQualifier, Refusal> {
        match (self.terms.get(module), self.slot(module)) {
            (_, Some(slot)) if !self.is_first(slot) => Ok(ModuleQualifier::Variable(slot)),
            (Term::Atom(name), _) if name != costlens_syntax::term::NIL => {
                Ok(ModuleQualifier::Module(name.clone()))
            }
            _ => Err(Refusal::NoModule(module)),
        }
    }

    /// Compiles goals in which a cut is local.
    fn with_cut(
        &mut self,
        opcode: Opcode,
        slot: usize,
        goal: TermId,
        depth: u32,
    ) -> Result<(), Refusal> {
        let around = self.cut.replace(Cut { opcode, slot });
        let done = self.body(goal, false, depth + 1);
        self.cut = around;
        done
    }

    /// Compiles the left side of a disjunction, up to the start of the right side.
    fn left_side(
        &mut self,
        goal: TermId,
        left: TermId,
        right: TermId,
        is_last: bool,
        depth: u32,
    ) -> Result<Pending, Refusal> {
        let before = self.met.clone();
        let mut sides = [before.clone(), before.clone()];
        for (side, met) in [left, right].into_iter().zip(&mut sides) {
            let slots = self.slots_in(side);
            self.work.spend(goal, slots.len() + met.len())?;
            for slot in slots {
                met[slot] = true;
            }
        }
        let [after_left, after_right] = sides;
        let begin = self.out.len();
        let section = if let Goal::IfThen {
            arrow,
            condition,
            then,
        } = Goal::lower(self.terms, left)
        {
            self.condition(arrow, condition, depth)?;
            self.body(then, is_last, depth + 1)?;
            ConstructPart::Condition(condition)
        } else {
            self.emit(Opcode::COr, &[Operand::Skip(0)]);
            self.body(left, false, depth + 1)?;
            self.section(ConstructPart::Left(goal), begin);
            ConstructPart::Left(goal)
        };
        self.balance(&after_left, &after_right);
        let jump = self.out.len();
        self.emit(Opcode::CJmp, &[Operand::Skip(0)]);
        self.land(begin);
        if let Some(extent) = self.sections.get_mut(&section) {
            extent.next = Some(self.out.len());
        }
        self.met = before;
        Ok(Pending {
            jump,
            left: after_left,
            right: after_right,
        })
    }

    /// Records the code from after an instruction up to this point as a part of a construct.
    fn section(&mut self, section: ConstructPart, begin: usize) {
        let extent = Extent {
            start: begin + 1,
            end: self.out.len(),
            next: None,
        };
        self.sections.insert(section, extent);
    }

    /// Compiles the condition of a construct that has an else. A condition that consists of inline tests needs no choice point.
    fn condition(&mut self, arrow: Arrow, condition: TermId, depth: u32) -> Result<(), Refusal> {
        let slot = self.choice_slot();
        let begin = self.out.len();
        let (open, cut, close) = match arrow {
            Arrow::Hard => (Opcode::CIfThenElse, Opcode::CLCut, Opcode::CCut),
            Arrow::Soft => (Opcode::CSoftIf, Opcode::CLSCut, Opcode::CSoftCut),
        };
        self.emit(open, &[Operand::Slot(slot), Operand::Skip(0)]);
        self.with_cut(cut, slot, condition, depth)?;
        self.section(ConstructPart::Condition(condition), begin);
        let is_fast =
            arrow == Arrow::Hard && self.out[begin + 1..].iter().all(|i| i.opcode.is_fast());
        if is_fast {
            self.out[begin].opcode = Opcode::CFastCond;
        }
        self.emit_slot(if is_fast { Opcode::CFastCut } else { close }, slot);
        Ok(())
    }

    /// Compiles a condition without an else.
    fn condition_alone(
        &mut self,
        arrow: Arrow,
        condition: TermId,
        then: TermId,
        is_last: bool,
        depth: u32,
    ) -> Result<(), Refusal> {
        let slot = self.choice_slot();
        let open = match arrow {
            Arrow::Hard => Opcode::CIfThen,
            Arrow::Soft => Opcode::CSoftIfThen,
        };
        let begin = self.out.len();
        self.emit_slot(open, slot);
        self.with_cut(Opcode::CLCutIfThen, slot, condition, depth)?;
        self.section(ConstructPart::Condition(condition), begin);
        match arrow {
            Arrow::Hard => self.emit_slot(Opcode::CCut, slot),
            Arrow::Soft => self.emit(Opcode::CSCut, &[]),
        }
        self.body(then, is_last, depth + 1)?;
        self.emit(Opcode::CEnd, &[]);
        Ok(())
    }

    /// Compiles a negation like `( Goal -> fail ; true )`. Variables that are created only in its goal are created again after the
    /// negation.
    fn negation(&mut self, inner: TermId, depth: u32) -> Result<(), Refusal> {
        let slot = self.choice_slot();
        let before = self.met.clone();
        self.work.spend(inner, before.len())?;
        let begin = self.out.len();
        self.emit(Opcode::CNot, &[Operand::Slot(slot), Operand::Skip(0)]);
        self.with_cut(Opcode::CLCut, slot, inner, depth)?;
        self.section(ConstructPart::Condition(inner), begin);
        self.emit_slot(Opcode::CCut, slot);
        self.emit(Opcode::CFail, &[]);
        let jump = self.out.len();
        self.emit(Opcode::CJmp, &[Operand::Skip(0)]);
        self.land(begin);
        let met = self.met.clone();
        let next = match self.balance(&before, &met) {
            true => {
                self.land(jump);
                jump + 1
            }
            false => {
                self.out.truncate(jump);
                self.land(begin);
                jump
            }
        };
        if let Some(extent) = self.sections.get_mut(&ConstructPart::Condition(inner)) {
            extent.next = Some(next);
        }
        Ok(())
    }

    /// Compiles `$(Goal)`.
    fn determinate(&mut self, inner: TermId, depth: u32) -> Result<(), Refusal> {
        let slot = self.choice_slot();
        let before = self.met.clone();
        self.work.spend(inner, before.len())?;
        let begin = self.out.len();
        self.emit(Opcode::CDet, &[Operand::Slot(slot), Operand::Skip(0)]);
        self.with_cut(Opcode::CLCut, slot, inner, depth)?;
        self.emit_slot(Opcode::CDetTrue, slot);
        let jump = self.out.len();
        self.emit(Opcode::CJmp, &[Operand::Skip(0)]);
        let met = self.met.clone();
        self.balance(&before, &met);
        self.land(begin);
        self.emit(Opcode::CDetFalse, &[]);
        self.land(jump);
        Ok(())
    }
}
