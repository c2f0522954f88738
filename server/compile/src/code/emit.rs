//! Emits the code of a clause, in one pass over the goals in text order that tracks the location of every variable.
//!
//! A head variable stays in the register in which the caller passed it, a new variable is placed where the next call needs it, and a value
//! that occupies an argument register is moved just before the call. Permanent variables are saved in the environment only at the first
//! call or choice point: leading tests run without an environment.

mod arithmetic;
mod build;
mod call;
mod control;
mod head;
mod state;
mod tests_of;
mod unify;

use std::collections::BTreeMap;
use std::ops::Range;

use costlens_syntax::term::{Term, TermId, Terms};

use super::error::CompileError;
use super::instruction::{Instruction, Label, Location, Register};
use super::liveness::Liveness;
use super::shape::{ClauseCode, ClausePart, ConstructPart, Extent};
use super::tree::{ActionKind, Body, GoalNode, Primitive, Variable};
use state::EmitState;

pub(super) struct Emitter<'t> {
    terms: &'t Terms,
    live: Liveness,
    instructions: Vec<Instruction>,
    parts: Vec<ClausePart>,
    /// The term that each instruction unifies; see [`ClauseCode::unified`].
    unified: Vec<Option<TermId>>,
    /// The extents of sections; `None` for a section that occurs several times.
    sections: BTreeMap<ConstructPart, Option<Extent>>,
    /// The instructions of each head argument.
    arguments: Vec<Range<usize>>,
    /// The part of the clause to which the next instruction belongs.
    part: ClausePart,
    /// The position of each label, once it is known.
    labels: Vec<Label>,
    /// For each variable, the number of occurrences that remain in the text.
    remaining: Vec<usize>,
    /// Variables with occurrences that were counted since the last [`Emitter::sweep`].
    touched: Vec<Variable>,
    state: EmitState,
    /// The number of registers: 1 more than the largest register number.
    registers: u32,
    chunk: u32,
    /// The sizes of all subterms, up to a limit beyond which they no longer affect the order of work.
    sizes: Vec<u32>,
    /// True if the previous instruction is a `fail` and no branch jumps to this point.
    unreachable: bool,
}

/// Emits the code of a clause after liveness analysis.
pub(super) fn emit(
    terms: &Terms,
    head: &[TermId],
    matching: bool,
    body: &Body,
    live: Liveness,
) -> Result<ClauseCode, CompileError> {
    let arity = u32::try_from(head.len()).unwrap_or(u32::MAX);
    let mut emitter = Emitter {
        terms,
        remaining: live.occurrences.clone(),
        live,
        instructions: Vec::new(),
        parts: Vec::new(),
        unified: Vec::new(),
        sections: BTreeMap::new(),
        arguments: vec![0..0; head.len()],
        part: ClausePart::Head,
        labels: Vec::new(),
        touched: Vec::new(),
        state: EmitState::default(),
        registers: arity,
        chunk: 0,
        sizes: sizes(terms),
        unreachable: false,
    };
    if starts_with_call(&body.goal) {
        // No leading test can avoid the environment, so the head's permanent variables are saved immediately.
        emitter.allocate();
    }
    emitter.head(head, matching);
    emitter.goal(&body.goal, true);
    Ok(emitter.finish(body, head.len()))
}

/// Returns true if a body begins with a call that is not its last goal.
fn starts_with_call(goal: &GoalNode) -> bool {
    match goal {
        GoalNode::Conjunction(goals) if goals.len() > 1 => matches!(
            &goals[0],
            GoalNode::Primitive(Primitive {
                kind: ActionKind::Call(..),
                ..
            })
        ),
        _ => false,
    }
}

/// Returns the number of nodes of every term in an arena, up to a limit.
fn sizes(terms: &Terms) -> Vec<u32> {
    let mut sizes: Vec<u32> = vec![0; terms.len()];
    for start in 0..terms.len() {
        let Ok(start) = u32::try_from(start) else {
            break;
        };
        let mut stack = vec![TermId(start)];
        while let Some(&top) = stack.last() {
            if sizes[top.index()] != 0 {
                stack.pop();
                continue;
            }
            let missing: Vec<TermId> = terms
                .args(top)
                .iter()
                .copied()
                .filter(|a| sizes[a.index()] == 0)
                .collect();
            if missing.is_empty() {
                sizes[top.index()] = terms
                    .args(top)
                    .iter()
                    .fold(1_u32, |sum, a| sum.saturating_add(sizes[a.index()]));
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
    }
    sizes
}

impl Emitter<'_> {
    fn emit(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
        self.parts.push(self.part);
        self.unified.push(None);
        self.unreachable = false;
    }

    /// Emits an instruction that unifies a term of the clause with an existing term.
    fn emit_unifying(&mut self, instruction: Instruction, term: TermId) {
        self.emit(instruction);
        if let Some(last) = self.unified.last_mut() {
            *last = Some(term);
        }
    }

    /// Marks the current position as the start of a section.
    fn begin_section(&mut self, section: Option<ConstructPart>) {
        let Some(section) = section else { return };
        let start = self.instructions.len();
        let extent = Extent {
            start,
            end: start,
            next: None,
        };
        self.sections
            .entry(section)
            .and_modify(|known| *known = None)
            .or_insert(Some(extent));
    }

    fn change_section(
        &mut self,
        section: Option<ConstructPart>,
        change: impl FnOnce(&mut Extent, usize),
    ) {
        let here = self.instructions.len();
        if let Some(Some(extent)) = section.and_then(|s| self.sections.get_mut(&s)) {
            change(extent, here);
        }
    }

    /// Marks the current position as the end of a section.
    fn end_section(&mut self, section: Option<ConstructPart>) {
        self.change_section(section, |extent, here| extent.end = here);
    }

    /// Marks the current position as the start of the code that runs if a section fails.
    fn after_section(&mut self, section: Option<ConstructPart>) {
        self.change_section(section, |extent, here| extent.next = Some(here));
    }

    fn label(&mut self) -> Label {
        self.labels.push(Label::MAX);
        u32::try_from(self.labels.len() - 1).unwrap_or(u32::MAX)
    }

    /// Places a label at the current position.
    fn place(&mut self, label: Label) {
        self.labels[label as usize] = u32::try_from(self.instructions.len()).unwrap_or(u32::MAX);
        self.unreachable = false;
    }

    fn goal(&mut self, goal: &GoalNode, tail: bool) {
        match goal {
            GoalNode::Conjunction(goals) => {
                let Some((last, before)) = goals.split_last() else {
                    if tail {
                        self.leave();
                    }
                    return;
                };
                for goal in before {
                    self.goal(goal, false);
                }
                self.goal(last, tail);
            }
            GoalNode::Primitive(primitive) => self.primitive(primitive, tail),
            GoalNode::Disjunction(d) => self.disjunction(d, tail),
            GoalNode::Scope(level, goal, id) => {
                self.part = ClausePart::Control;
                let location = self.keep_level(*level);
                let section = Some(ConstructPart::Scope(*id));
                self.begin_section(section);
                self.emit(Instruction::GetChoice(location));
                self.goal(goal, tail);
                self.end_section(section);
            }
        }
    }

    fn primitive(&mut self, primitive: &Primitive, tail: bool) {
        self.part = ClausePart::Literal(primitive.literal);
        self.chunk = primitive.chunk;
        match &primitive.kind {
            ActionKind::Call(functor, args) => {
                self.call(functor, args, primitive.number, tail);
                return;
            }
            ActionKind::Fail => {
                self.emit(Instruction::Fail);
                self.unreachable = true;
                return;
            }
            ActionKind::Cut(level) => self.cut(*level),
            ActionKind::Unify(a, b) => self.unify(*a, *b),
            ActionKind::Is(a, b) => self.is(*a, *b),
            ActionKind::Type(..)
            | ActionKind::Arithmetic(..)
            | ActionKind::Compare(..)
            | ActionKind::NotUnifiable(..) => self.test(&primitive.kind, None),
        }
        self.sweep();
        if tail {
            self.leave();
        }
    }

    /// Emits the return from the clause.
    fn leave(&mut self) {
        if self.unreachable {
            return;
        }
        self.part = ClausePart::Control;
        if self.state.allocated {
            self.emit(Instruction::Deallocate);
        }
        self.emit(Instruction::Proceed);
    }

    /// Allocates an environment unless one exists already.
    fn allocate(&mut self) {
        if !self.state.allocated {
            let part = std::mem::replace(&mut self.part, ClausePart::Control);
            self.emit(Instruction::Allocate(self.live.slot_count));
            self.part = part;
            self.state.allocated = true;
        }
    }

    // Variables.

    /// Counts an occurrence of a variable. After its last occurrence, the variable is forgotten at the next [`Self::sweep`].
    fn occurrence(&mut self, v: Variable) {
        self.remaining[v as usize] = self.remaining[v as usize].saturating_sub(1);
        self.touched.push(v);
    }

    /// Counts all occurrences in a term for which no code is emitted.
    fn skip(&mut self, id: TermId) {
        for sub in self.terms.subterms(id) {
            if let Term::Var(v) = self.terms.get(sub) {
                self.occurrence(*v);
            }
        }
    }

    /// Forgets the variables without remaining occurrences.
    fn sweep(&mut self) {
        for v in std::mem::take(&mut self.touched) {
            if self.remaining[v as usize] == 0 {
                self.state.forget(v);
            }
        }
    }

    /// Returns true if a variable has no value yet and this is its only remaining occurrence.
    fn is_void(&self, v: Variable) -> bool {
        self.remaining[v as usize] == 1 && !self.state.has(v)
    }

    fn slot(&self, v: Variable) -> Option<Location> {
        self.live.slots[v as usize].map(Location::Y)
    }

    /// Returns a free register: the preferred register if it is free, otherwise the first register that the call at the end of the chunk
    /// does not use for an argument.
    fn register(&mut self, preferred: Option<Register>) -> Register {
        let floor = self.live.arities.get(self.chunk as usize).copied();
        let register = self.state.take(preferred, floor.unwrap_or(0));
        self.registers = self.registers.max(register + 1);
        register
    }

    /// Returns the location of a variable, which must have a value.
    fn where_is(&self, v: Variable) -> Location {
        match self.state.register_of(v) {
            Some(x) => Location::X(x),
            None => self.slot(v).unwrap_or(Location::X(0)),
        }
    }

    /// Returns a register that holds the variable's value, loading it from the environment if needed.
    fn in_register(&mut self, v: Variable) -> Register {
        if let Some(x) = self.state.register_of(v) {
            return x;
        }
        let from = self.where_is(v);
        let x = self.register(None);
        self.emit(Instruction::PutValue(from, x));
        self.state.cache(v, x);
        x
    }

    /// Chooses a location for a variable that receives its value at this point: its slot if an environment exists, otherwise a register.
    fn new_location(&mut self, v: Variable) -> Location {
        if let (Some(slot), true) = (self.slot(v), self.state.allocated) {
            self.state.set_slot(v);
            return slot;
        }
        let wanted = self.live.wanted.get(&(self.chunk, v)).copied();
        let x = self.register(wanted);
        self.state.set_register(v, x);
        Location::X(x)
    }

    /// Creates a heap variable for a variable without a value.
    fn initialise(&mut self, v: Variable) {
        if self.state.has(v) {
            return;
        }
        match self.new_location(v) {
            Location::X(x) => self.emit(Instruction::PutVariable(Location::X(x), x)),
            slot @ Location::Y(_) => {
                let x = self.register(None);
                self.emit(Instruction::PutVariable(slot, x));
                self.state.cache(v, x);
            }
        }
    }

    /// Saves in the environment every variable that is needed after the primitive with this number.
    fn save(&mut self, after: u32) {
        let level = self.live.clause_level;
        if self.live.last[level as usize] > after
            && self.remaining[level as usize] > 0
            && !self.state.has(level)
            && let Some(slot) = self.slot(level)
        {
            self.allocate();
            self.emit(Instruction::GetLevel(slot));
            self.state.set_slot(level);
        }
        for (v, x) in self.state.unsaved() {
            if self.live.last[v as usize] > after
                && let Some(slot) = self.slot(v)
            {
                self.allocate();
                self.emit(Instruction::GetVariable(slot, x));
                self.state.save(v);
            }
        }
    }

    fn finish(mut self, body: &Body, arity: usize) -> ClauseCode {
        let allocates = self
            .instructions
            .iter()
            .any(|i| matches!(i, Instruction::Allocate(_)));
        for instruction in &mut self.instructions {
            let label = match instruction {
                Instruction::TryElse(label)
                | Instruction::RetryElse(label)
                | Instruction::Jump(label)
                | Instruction::Test(_, Some(label)) => label,
                _ => continue,
            };
            *label = self.labels[*label as usize];
        }
        ClauseCode {
            instructions: self.instructions,
            parts: self.parts,
            literals: body.literals.clone(),
            goals: body.goals.clone(),
            arguments: self.arguments,
            unified: self.unified,
            sections: (self.sections.into_iter())
                .filter_map(|(section, extent)| Some((section, extent?)))
                .collect(),
            registers: self.registers,
            slots: allocates.then_some(self.live.slot_count),
            arity,
            key: super::shape::IndexKey::Any,
            keys: Box::default(),
        }
    }
}
