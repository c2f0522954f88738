//! Control constructs.

use costlens_syntax::term::{Term, TermId, Terms};

use super::emit::{Cut, Emitter, Target};
use super::instruction::Operand;
use super::refusal::Refusal;
use super::variables::DEEPEST;
use super::vocabulary::Opcode;
use crate::code::{Extent, Section};

/// A disjunction whose right side comes next.
struct Pending {
    /// The jump behind its left side.
    jump: usize,
    /// Variables that each side meets.
    left: Vec<bool>,
    right: Vec<bool>,
}

/// The condition that the left side of a disjunction begins with, if any.
fn condition_of(terms: &Terms, left: TermId) -> TermId {
    let arrow = ["->", "*->"]
        .into_iter()
        .find_map(|name| terms.matches(left, name, 2));
    arrow.map_or(left, |parts| parts[0])
}

impl Emitter<'_> {
    /// A body, or a goal of one. `is_last` says that nothing follows it. Chains to the right may be long.
    pub(super) fn body(&mut self, goal: TermId, is_last: bool, depth: u32) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::TooDeep(goal));
        }
        let (mut goal, mut pending) = (goal, Vec::new());
        loop {
            let terms = self.terms;
            let name = terms.functor(goal).map_or("", |(name, _)| name.as_str());
            match (name, terms.args(goal)) {
                (",", &[left, right]) => {
                    self.body(left, false, depth + 1)?;
                    goal = right;
                }
                (";" | "|", &[left, right]) => {
                    pending.push(self.left_side(goal, left, right, is_last, depth)?);
                    goal = right;
                }
                _ => {
                    self.construct(goal, is_last, depth)?;
                    break;
                }
            }
        }
        while let Some(Pending { jump, left, right }) = pending.pop() {
            self.balance(&right, &left);
            self.land(jump);
            self.met = (left.iter().zip(&right)).map(|(&l, &r)| l || r).collect();
        }
        Ok(())
    }

    /// A goal that is neither a conjunction nor a disjunction.
    fn construct(&mut self, goal: TermId, is_last: bool, depth: u32) -> Result<(), Refusal> {
        let terms = self.terms;
        let name = terms.functor(goal).map_or("", |(name, _)| name.as_str());
        match (name, terms.args(goal)) {
            ("->", &[condition, then]) => {
                self.condition_alone(true, condition, then, is_last, depth)
            }
            ("*->", &[condition, then]) => {
                self.condition_alone(false, condition, then, is_last, depth)
            }
            ("\\+", &[inner]) => self.negation(inner, depth),
            ("$", &[inner]) => self.determinate(inner, depth),
            (":", &[module, inner]) => {
                let target = Some(self.target(module)?);
                let around = std::mem::replace(&mut self.before, target);
                let done = self.body(inner, is_last, depth + 1);
                self.before = around;
                done
            }
            ("@", &[inner, module]) => {
                let target = Some(self.target(module)?);
                let around = std::mem::replace(&mut self.behind, target);
                let done = self.body(inner, is_last, depth + 1);
                self.behind = around;
                done
            }
            _ => self.goal(goal, is_last),
        }
    }

    /// A module in front of a goal or behind one.
    fn target(&self, module: TermId) -> Result<Target, Refusal> {
        match (self.terms.get(module), self.slot(module)) {
            (_, Some(slot)) if !self.is_first(slot) => Ok(Target::Variable(slot)),
            (Term::Atom(name), _) if name != costlens_syntax::term::NIL => {
                Ok(Target::Module(name.clone()))
            }
            _ => Err(Refusal::NoModule(module)),
        }
    }

    /// Goals in which a cut is local.
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

    /// The left side of a disjunction, up to where the right one begins.
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
        let terms = self.terms;
        let hard = terms.matches(left, "->", 2).map(|parts| (parts, true));
        let soft = || terms.matches(left, "*->", 2).map(|parts| (parts, false));
        let begin = self.out.len();
        match hard.or_else(soft) {
            Some((&[condition, then], is_hard)) => {
                self.condition(condition, is_hard, depth)?;
                self.body(then, is_last, depth + 1)?;
            }
            _ => {
                self.emit(Opcode::COr, &[Operand::Skip(0)]);
                self.body(left, false, depth + 1)?;
                self.section(Section::Left(goal), begin);
            }
        }
        self.balance(&after_left, &after_right);
        let jump = self.out.len();
        self.emit(Opcode::CJmp, &[Operand::Skip(0)]);
        self.land(begin);
        for section in [
            Section::Left(goal),
            Section::Condition(condition_of(terms, left)),
        ] {
            if let Some(extent) = self.sections.get_mut(&section) {
                extent.next = Some(self.out.len());
            }
        }
        self.met = before;
        Ok(Pending {
            jump,
            left: after_left,
            right: after_right,
        })
    }

    /// The code from behind an instruction up to here is a part of a construct.
    fn section(&mut self, section: Section, begin: usize) {
        let extent = Extent {
            start: begin + 1,
            end: self.out.len(),
            next: None,
        };
        self.sections.insert(section, extent);
    }

    /// The condition of a construct that has an else. Inline tests alone need no choice point.
    fn condition(&mut self, condition: TermId, is_hard: bool, depth: u32) -> Result<(), Refusal> {
        let slot = self.choice_slot();
        let begin = self.out.len();
        let (open, cut, close) = match is_hard {
            true => (Opcode::CIfThenElse, Opcode::CLCut, Opcode::CCut),
            false => (Opcode::CSoftIf, Opcode::CLSCut, Opcode::CSoftCut),
        };
        self.emit(open, &[Operand::Slot(slot), Operand::Skip(0)]);
        self.with_cut(cut, slot, condition, depth)?;
        self.section(Section::Condition(condition), begin);
        let is_fast = is_hard && self.out[begin + 1..].iter().all(|i| i.opcode.is_fast());
        if is_fast {
            self.out[begin].opcode = Opcode::CFastCond;
        }
        self.emit_slot(if is_fast { Opcode::CFastCut } else { close }, slot);
        Ok(())
    }

    /// A condition without an else.
    fn condition_alone(
        &mut self,
        is_hard: bool,
        condition: TermId,
        then: TermId,
        is_last: bool,
        depth: u32,
    ) -> Result<(), Refusal> {
        let slot = self.choice_slot();
        let open = if is_hard {
            Opcode::CIfThen
        } else {
            Opcode::CSoftIfThen
        };
        let begin = self.out.len();
        self.emit_slot(open, slot);
        self.with_cut(Opcode::CLCutIfThen, slot, condition, depth)?;
        self.section(Section::Condition(condition), begin);
        if is_hard {
            self.emit_slot(Opcode::CCut, slot);
        } else {
            self.emit(Opcode::CSCut, &[]);
        }
        self.body(then, is_last, depth + 1)?;
        self.emit(Opcode::CEnd, &[]);
        Ok(())
    }

    /// A negation is `( Goal -> fail ; true )`; what only its goal makes is made behind it again.
    fn negation(&mut self, inner: TermId, depth: u32) -> Result<(), Refusal> {
        let slot = self.choice_slot();
        let before = self.met.clone();
        self.work.spend(inner, before.len())?;
        let begin = self.out.len();
        self.emit(Opcode::CNot, &[Operand::Slot(slot), Operand::Skip(0)]);
        self.with_cut(Opcode::CLCut, slot, inner, depth)?;
        self.section(Section::Condition(inner), begin);
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
        if let Some(extent) = self.sections.get_mut(&Section::Condition(inner)) {
            extent.next = Some(next);
        }
        Ok(())
    }

    /// `$(Goal)`.
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
