//! Code for disjunctions, conditions and cuts.
//!
//! The code of `( C -> A ; B )` if the condition is more than a test:
//!
//! ```text
//!     get_choice(Y0)  try_else(L1)  …C…  cut(Y0)  …A…  jump(L2)
//! L1: trust_else  …B…
//! L2:
//! ```
//!
//! Branches without a condition, and branches whose conditions are more than tests, are consecutive alternatives of one choice point. A
//! branch whose condition consists of tests needs no choice point; if a test fails, it jumps to the next branch.

use std::collections::BTreeSet;

use super::super::instruction::{Instruction, Label, Location, Register};
use super::super::shape::{ClausePart, ConstructPart};
use super::super::tree::{Disjunction, GoalBranch, GoalNode, Variable};
use super::Emitter;
use super::state::EmitState;

impl Emitter<'_> {
    /// Drops the choice points created since a level, or since the clause was entered.
    pub(super) fn cut(&mut self, level: Option<Variable>) {
        let level = match level {
            None if self.chunk == 0 => {
                self.emit(Instruction::NeckCut);
                return;
            }
            None => self.live.clause_level,
            Some(level) => level,
        };
        let location = self.where_is(level);
        self.emit(Instruction::Cut(location));
        self.occurrence(level);
    }

    /// Chooses a location for a level that must be preserved from now on.
    pub(super) fn keep_level(&mut self, level: Variable) -> Location {
        if self.slot(level).is_some() {
            self.allocate();
        }
        self.new_location(level)
    }

    pub(super) fn disjunction(&mut self, d: &Disjunction, tail: bool) {
        if d.barrier && !tail {
            self.allocate();
        }
        let mut run = OpenDisjunction {
            d,
            tail,
            end: self.label(),
            alternative: None,
            level_kept: false,
            shared: if tail { Vec::new() } else { self.shared(d) },
            met: None,
            entry: self.state.clone(),
        };
        for (i, branch) in d.branches.iter().enumerate() {
            self.branch(i, branch, &mut run);
        }
        if !tail {
            if let Some(state) = run.met.take() {
                self.state = state;
            }
            self.state.evaluated = run.entry.evaluated;
            self.place(run.end);
        }
    }

    /// Emits one branch: its choice point or jump, its condition, its body.
    fn branch(&mut self, i: usize, branch: &GoalBranch, run: &mut OpenDisjunction<'_>) {
        let place = BranchPlace {
            is_last: i + 1 == run.d.branches.len(),
            section: run.d.names.get(i).copied().flatten(),
        };
        if let Some(before) = i.checked_sub(1) {
            self.after_section(run.d.names.get(before).copied().flatten());
        }
        self.part = ClausePart::Control;
        match branch {
            GoalBranch::If {
                condition,
                then,
                tests: true,
            } => self.branch_by_jump(condition, then, place, run),
            _ => {
                self.choice_point(place, run);
                self.begin_section(place.section);
                self.branch_goals(branch, place, run);
                self.end_branch(run, place.is_last);
            }
        }
    }

    /// Emits a branch whose condition consists of tests: it needs no choice point.
    fn branch_by_jump(
        &mut self,
        condition: &GoalNode,
        then: &GoalNode,
        BranchPlace { is_last, section }: BranchPlace,
        run: &mut OpenDisjunction<'_>,
    ) {
        if let Some(label) = run.alternative.take() {
            self.alternative(label, Instruction::TrustElse, run);
            run.entry = self.state.clone();
        } else {
            self.enter(run);
        }
        let next = (!is_last).then(|| self.label());
        self.begin_section(section);
        self.condition(condition, next);
        self.end_section(section);
        // The other branches share the locations that the condition assigned to new variables, but not the facts that it established.
        let mut entry = self.state.clone();
        entry.evaluated.clone_from(&run.entry.evaluated);
        self.goal(then, run.tail);
        self.end_branch(run, is_last);
        run.entry = entry;
        if let Some(next) = next {
            self.place(next);
        }
    }

    /// Creates, changes or drops the choice point for a branch without a condition, or for a branch whose condition is more than a test.
    fn choice_point(&mut self, place: BranchPlace, run: &mut OpenDisjunction<'_>) {
        let next = (!place.is_last).then(|| self.label());
        match (run.alternative.take(), next) {
            (None, None) => {
                self.enter(run);
                self.keep_choice(run);
            }
            (None, Some(next)) => {
                self.enter(run);
                self.keep_choice(run);
                self.save(run.d.start.saturating_sub(1));
                self.emit(Instruction::TryElse(next));
                self.state.barrier();
                run.entry = self.state.clone();
            }
            (Some(label), Some(next)) => {
                self.alternative(label, Instruction::RetryElse(next), run);
            }
            (Some(label), None) => self.alternative(label, Instruction::TrustElse, run),
        }
        run.alternative = next;
    }

    /// Emits the condition of a branch, the cut after it, and the remaining goals.
    fn branch_goals(
        &mut self,
        branch: &GoalBranch,
        BranchPlace { is_last, section }: BranchPlace,
        run: &OpenDisjunction<'_>,
    ) {
        let then = match branch {
            GoalBranch::Plain(goal) => {
                self.goal(goal, run.tail);
                self.end_section(section);
                return;
            }
            GoalBranch::If {
                condition, then, ..
            } => {
                self.goal(condition, false);
                self.end_section(section);
                self.part = ClausePart::Control;
                self.cut(run.d.level);
                self.sweep();
                then
            }
            GoalBranch::Soft {
                condition,
                then,
                choice,
            } => {
                if !is_last {
                    let location = self.keep_level(*choice);
                    self.emit(Instruction::GetChoice(location));
                }
                self.goal(condition, false);
                self.end_section(section);
                if !is_last {
                    self.part = ClausePart::Control;
                    let location = self.where_is(*choice);
                    self.emit(Instruction::SoftCut(location));
                    self.occurrence(*choice);
                    self.sweep();
                }
                then
            }
        };
        self.goal(then, run.tail);
    }

    /// Enters the first branch, or a branch that is reached by a jump.
    fn enter(&mut self, run: &OpenDisjunction<'_>) {
        self.restore(&run.entry);
    }

    /// Enters a branch that is reached by backtracking to the choice point of the previous branch.
    fn alternative(&mut self, label: Label, instruction: Instruction, run: &OpenDisjunction<'_>) {
        self.place(label);
        self.restore(&run.entry);
        self.emit(instruction);
    }

    /// Restores the state at the start of a branch, without variables that have values only in earlier branches.
    fn restore(&mut self, entry: &EmitState) {
        self.state = entry.clone();
        let dead: Vec<Variable> = self
            .state
            .kept
            .keys()
            .copied()
            .filter(|&v| self.remaining[v as usize] == 0)
            .collect();
        for v in dead {
            self.state.forget(v);
        }
    }

    /// Saves the newest choice point, for `->`, before the disjunction creates its own.
    fn keep_choice(&mut self, run: &mut OpenDisjunction<'_>) {
        if let Some(level) = run.d.level
            && !std::mem::replace(&mut run.level_kept, true)
        {
            let location = self.keep_level(level);
            self.emit(Instruction::GetChoice(location));
        }
    }

    /// Ends a branch: its variables move to the locations assigned by earlier branches.
    fn end_branch(&mut self, run: &mut OpenDisjunction<'_>, is_last: bool) {
        if run.tail || (self.unreachable && !(is_last && run.met.is_none())) {
            return;
        }
        self.part = ClausePart::Control;
        for v in run.shared.clone() {
            self.initialise(v);
        }
        if run.d.barrier {
            self.save(run.d.end.saturating_sub(1));
            self.state.barrier();
        } else if let Some(met) = &run.met {
            let met = met.clone();
            self.move_to(&met);
        }
        let last = &self.live.last;
        let end = run.d.end;
        let dead: Vec<Variable> = self
            .state
            .kept
            .keys()
            .copied()
            .filter(|&v| last[v as usize] < end)
            .collect();
        for v in dead {
            self.state.forget(v);
        }
        if run.met.is_none() {
            // A value that also has a slot is kept only in the slot from now on.
            let twice: Vec<Register> = self
                .state
                .kept
                .values()
                .filter(|k| k.slot)
                .filter_map(|k| k.register)
                .collect();
            for register in twice {
                self.state.release(register);
            }
            run.met = Some(self.state.clone());
        }
        if !is_last {
            self.emit(Instruction::Jump(run.end));
        }
    }

    /// Returns the variables that have no value before a disjunction and may occur both in it and after it, so that each branch must assign
    /// a value.
    fn shared(&self, d: &Disjunction) -> Vec<Variable> {
        let inside = &self.live.in_primitives;
        let from = inside.partition_point(|&(at, _)| at < d.start);
        let to = inside.partition_point(|&(at, _)| at < d.end);
        let shared: BTreeSet<Variable> = inside[from..to]
            .iter()
            .map(|&(_, v)| v)
            .filter(|&v| self.live.last[v as usize] >= d.end && !self.state.has(v))
            .collect();
        shared.into_iter().collect()
    }

    /// Moves every variable to its location in another state.
    fn move_to(&mut self, there: &EmitState) {
        let mut moves: Vec<(Register, Register)> = Vec::new();
        let mut loads: Vec<(Variable, Register)> = Vec::new();
        for (&v, kept) in &there.kept {
            let here = self.state.register_of(v);
            match (kept.slot, kept.register, here) {
                (true, _, Some(x)) if !self.state.in_slot(v) => {
                    if let Some(slot) = self.slot(v) {
                        self.emit(Instruction::GetVariable(slot, x));
                    }
                }
                (false, Some(to), Some(x)) if x != to => moves.push((x, to)),
                (false, Some(to), None) => loads.push((v, to)),
                _ => {}
            }
        }
        // A move is possible if no other move reads its target; if the moves form a cycle, one value moves to a spare register.
        while !moves.is_empty() {
            let free =
                (0..moves.len()).find(|&i| !moves.iter().any(|&(from, _)| from == moves[i].1));
            if let Some(i) = free {
                let (from, to) = moves.swap_remove(i);
                self.emit(Instruction::PutValue(Location::X(from), to));
            } else {
                let aside = self.registers;
                self.registers += 1;
                let (from, _) = moves[0];
                self.emit(Instruction::PutValue(Location::X(from), aside));
                for entry in &mut moves {
                    if entry.0 == from {
                        entry.0 = aside;
                    }
                }
            }
        }
        for (v, to) in loads {
            if let Some(slot) = self.slot(v) {
                self.emit(Instruction::PutValue(slot, to));
            }
        }
        self.state = there.clone();
    }
}

/// The position of a branch in its disjunction.
#[derive(Clone, Copy)]
struct BranchPlace {
    is_last: bool,
    section: Option<ConstructPart>,
}

/// A disjunction while its branches are emitted.
struct OpenDisjunction<'d> {
    d: &'d Disjunction,
    tail: bool,
    /// The position after the disjunction.
    end: Label,
    /// The label at which the choice point left by the previous branch continues.
    alternative: Option<Label>,
    level_kept: bool,
    /// The variables to which every branch assigns a value.
    shared: Vec<Variable>,
    /// The state of the variables after the disjunction, known once a branch has ended.
    met: Option<EmitState>,
    /// The state of the variables at the start of the next branch.
    entry: EmitState,
}
