//! The slots of an environment that a return address, or the alternative of a choice point, still needs.
//!
//! A slot may contain anything before its clause writes it, so only slots that the remaining code reads before it writes them are roots
//! (liveness analysis, Aho, Sethi and Ullman 1986, §10.6). All jumps inside a clause go forward, so one pass over the code, from its end
//! to the address, is enough.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::op::{FAILS, Op, OperandView, OperandWord, Y};

/// The needs of the code at an address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    /// The slots that it reads before it writes them.
    pub(crate) slots: Box<[Y]>,
    /// The environment that is current at the address: that of the code's own clause, or that of the continuation. `None` if the code
    /// fails before it needs either.
    pub(crate) environment: Option<Environment>,
}

/// See [`Needs::environment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Environment {
    Own,
    Continuation,
}

/// The needs of all code asked about so far. Code never changes in a way that affects them.
pub(crate) type NeedsByAddress = FxHashMap<usize, Needs>;

/// The needs at one address during the analysis.
#[derive(Clone, Debug, Default)]
struct Flow {
    slots: BTreeSet<Y>,
    environment: Option<Environment>,
}

impl Flow {
    fn join(&mut self, other: &Flow) {
        self.slots.extend(&other.slots);
        self.environment = self.environment.or(other.environment);
    }
}

/// Returns the needs of the code at an address.
pub(crate) fn needs_at(code: &[Op], at: usize) -> Needs {
    let end = end_of_code(code, at);
    let mut at_labels: FxHashMap<usize, Flow> = FxHashMap::default();
    let mut flow = Flow::default();
    let targets = code[at..=end].iter().filter_map(|op| op.label());
    for target in targets {
        at_labels.entry(target as usize).or_default();
    }
    for (place, op) in code.iter().enumerate().take(end + 1).skip(at).rev() {
        if op.leaves() && !returns(*op) {
            flow = Flow::default();
        }
        // Labels outside the code lead to failure, or to code that runs in the continuation.
        if let Some(target) = op.label().map(|label| label as usize) {
            match at_labels.get(&target) {
                Some(other) if target > place => flow.join(other),
                _ => {}
            }
        }
        step_back(place, *op, &mut flow);
        if let Some(here) = at_labels.get_mut(&place) {
            *here = flow.clone();
        }
    }
    Needs {
        slots: flow.slots.into_iter().collect(),
        environment: flow.environment,
    }
}

/// Returns true for calls, which return to the next instruction.
fn returns(op: Op) -> bool {
    matches!(op, Op::Call(..) | Op::CallAddress(..))
}

/// Returns the last address that may run in the same clause after an address.
fn end_of_code(code: &[Op], at: usize) -> usize {
    let (mut place, mut last_target) = (at, at);
    while let Some(op) = code.get(place) {
        last_target = last_target.max(op.label().map_or(0, |label| label as usize));
        if op.leaves() && !returns(*op) && place >= last_target {
            break;
        }
        place += 1;
    }
    place.min(code.len().saturating_sub(1))
}

/// Computes the needs before an instruction from those after it.
fn step_back(place: usize, op: Op, flow: &mut Flow) {
    match op {
        Op::Allocate(_) => {
            *flow = Flow {
                environment: Some(Environment::Continuation),
                ..Flow::default()
            };
        }
        Op::Deallocate => {
            *flow = Flow {
                environment: Some(Environment::Own),
                ..Flow::default()
            };
        }
        Op::Call(..) | Op::CallAddress(..) => flow.environment = Some(Environment::Own),
        // Failing or throwing needs neither environment, and a jump inside the clause has the needs of its target.
        Op::Fail | Op::DropAndFail | Op::NotEvaluable(_) => {}
        Op::Jump(target) if target as usize > place || target == FAILS => {}
        // Other instructions that leave the clause, which has no environment then, return to its continuation.
        op if op.leaves() => flow.environment = Some(Environment::Continuation),
        _ => {}
    }
    if let Some(slot) = op.written_slot() {
        flow.slots.remove(&slot);
        flow.environment = Some(Environment::Own);
    }
    for slot in op.read_slots().into_iter().flatten() {
        flow.slots.insert(slot);
        flow.environment = Some(Environment::Own);
    }
}

impl Op {
    /// Returns the slot that the instruction writes.
    fn written_slot(self) -> Option<Y> {
        match self {
            Op::GetVariableY(slot, _)
            | Op::UnifyVariableY(slot)
            | Op::PutVariableY(slot, _)
            | Op::SetVariableY(slot)
            | Op::GetLevelY(slot)
            | Op::GetChoiceY(slot)
            | Op::StoreY(slot, _)
            | Op::PushCatch(slot) => Some(slot),
            _ => None,
        }
    }

    /// Returns the slots that the instruction reads.
    fn read_slots(self) -> [Option<Y>; 3] {
        let of = |operand: OperandWord| match operand.view() {
            OperandView::Y(slot) => Some(slot),
            _ => None,
        };
        match self {
            Op::GetValueY(slot, _)
            | Op::UnifyValueY(slot)
            | Op::PutValueY(slot, _)
            | Op::SetValueY(slot)
            | Op::CutY(slot)
            | Op::SoftCutY(slot)
            | Op::PopCatch(slot)
            | Op::TestTypeY(_, slot, _)
            | Op::TestUnifyY(_, slot, _) => [Some(slot), None, None],
            Op::EvaluateX(a, _) => [of(a), None, None],
            Op::TestNumbers(_, a, b, _)
            | Op::TestTerms(_, a, b, _)
            | Op::NotUnifiable(a, b, _)
            | Op::AddX(a, b, _)
            | Op::SubtractX(a, b, _)
            | Op::MultiplyX(a, b, _)
            | Op::ArithmeticX(_, a, b, _) => [of(a), of(b), None],
            Op::Operands(a, b, c) => [of(a), of(b), of(c)],
            _ => [None; 3],
        }
    }
}
