//! The code of a clause, divided by the parts of the clause.

use std::collections::{BTreeMap, BTreeSet};

use costlens_syntax::term::TermId;

use super::Operation;
use super::alternative::{Alternative, AlternativeKey};

/// The position of a clause in its predicate's chain, which determines whether it starts with `try`, `retry` or `trust`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainPosition {
    /// The only clause, which needs no choice point.
    Only,
    /// The first of several clauses.
    First,
    /// Neither the first nor the last clause.
    Middle,
    /// The last of several clauses.
    Last,
}

impl ChainPosition {
    /// Returns the position of the clause with this index (from 0) in a chain of `count`.
    #[must_use]
    pub fn new(index: usize, count: usize) -> Self {
        match index {
            _ if count <= 1 => ChainPosition::Only,
            0 => ChainPosition::First,
            i if i + 1 == count => ChainPosition::Last,
            _ => ChainPosition::Middle,
        }
    }
}

/// Consecutive instructions, where only the last may fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasicBlock {
    /// The instructions that cannot fail.
    pub before: Vec<Operation>,
    /// The instruction that may fail.
    pub last: Option<Operation>,
}

impl BasicBlock {
    /// Returns all instructions.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.before.iter().chain(&self.last)
    }
}

/// The code of a clause, divided at the points where execution may end.
///
/// A call of a user's predicate is the last instruction of `before` in its goal, and the code after it belongs to the next goal: preparing
/// arguments counts once for each success of the preceding literal (§2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The code for the choice point and the environment.
    pub entry: Vec<Operation>,
    /// The code of each head argument, in order.
    pub arguments: Vec<BasicBlock>,
    /// The code between head and body.
    pub neck: Vec<Operation>,
    /// The code of each body goal, including goals inside control constructs. A control construct is a call of its predicate.
    pub goals: BTreeMap<TermId, BasicBlock>,
    /// Goals that are control constructs.
    pub controls: BTreeSet<TermId>,
    /// The goals outside control constructs, in order.
    pub order: Vec<TermId>,
    /// The code after the last goal.
    pub end: Vec<Operation>,
    /// The clauses of the predicates that implement control constructs.
    pub alternatives: BTreeMap<AlternativeKey, Alternative>,
    /// The order of these clauses.
    pub written: Vec<AlternativeKey>,
}

impl Code {
    /// Returns *E(C,H)*, *E(C,L₁)*, …: the code from each call (inclusive) up to the next (exclusive).
    #[must_use]
    pub fn segments(&self) -> Vec<Vec<&Operation>> {
        let goals = self.order.iter().filter_map(|id| self.goals.get(id));
        let all = (self.entry.iter())
            .chain(self.arguments.iter().flat_map(BasicBlock::operations))
            .chain(&self.neck)
            .chain(goals.flat_map(BasicBlock::operations))
            .chain(&self.end);
        let mut segments = vec![Vec::new()];
        for operation in all {
            if operation.instruction.calls() {
                segments.push(Vec::new());
            }
            if let Some(last) = segments.last_mut() {
                last.push(operation);
            }
        }
        segments
    }

    /// Adds the code of a goal. Returns false if another goal is the same node of the clause's terms and may have different code.
    pub(super) fn add(
        &mut self,
        goal: TermId,
        before: Vec<Operation>,
        last: Option<Operation>,
    ) -> bool {
        let block = BasicBlock { before, last };
        self.goals.insert(goal, block).is_none()
    }
}

/// The callee of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A predicate written in Prolog, whose call may be the last call.
    Program,
    /// A built-in.
    BuiltIn,
    /// A predicate that runs goals passed as arguments, or a call that represents such a predicate.
    Meta,
    /// An unknown predicate.
    Unknown,
}

/// A construct for which this machine has no instructions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the machine of PPDP'08 has no instructions for {what}")]
pub struct Unsupported {
    /// The construct: "disjunctions", "strings".
    pub what: &'static str,
    /// The goal that contains it; `None` for the head.
    pub goal: Option<TermId>,
}
