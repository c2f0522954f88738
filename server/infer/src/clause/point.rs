//! The state of a clause's run, and the goals that remain.

pub(super) mod model;

use std::cell::Cell;
use std::sync::Arc;

use costlens_body::cuts_clause;
use costlens_compile::ppdp08::AlternativeKey;
use costlens_events::Counts;
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use crate::state::State;
use crate::tree::{End, Step, Tree};
use crate::world::questions::Truth;
use model::{CostModel, PointModel};

/// The maximum nesting of conditions, negations and branches.
pub(super) const DEEPEST_CONTROL: usize = 24;

/// A remaining goal.
#[derive(Clone, Copy, Debug)]
pub(super) enum PendingGoal {
    Term(TermId),
    /// A goal whose cuts are local, as in `call/1`.
    Opaque(TermId),
    /// A goal that runs only to its first solution.
    Once(TermId),
    /// `\+ G`.
    Not(TermId),
    /// The cleanup goal of `setup_call_cleanup/3`, which runs once at some later time.
    Cleanup(TermId),
    /// The unification of the text captured by `with_output_to/2` with its first argument.
    Caught(TermId),
    /// The position of the cut in a condition or negation; nothing runs.
    Fail,
    /// The commit of a single-sided rule between its guard and its body.
    Commit,
    /// A place in the code that belongs to no goal: of the PPDP'08 machine, or where inferences are counted.
    Code(Spot),
}

/// A position in the code of an alternative of a control construct, or after a solution that is collected.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Entry(AlternativeKey),
    Taken(AlternativeKey),
    End(AlternativeKey),
    /// A solution of the goal of this `findall/3` or similar goal has been found.
    Collected(TermId),
}

impl PendingGoal {
    /// Returns whether a cut in the pending goal would cut the clause.
    pub(super) fn may_cut(self, terms: &Terms) -> bool {
        match self {
            PendingGoal::Term(t) => cuts_clause(terms, &[t]),
            PendingGoal::Commit => true,
            _ => false,
        }
    }
}

/// The state of a clause's run.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) state: State,
    pub(super) steps: Vec<Step>,
    /// True if no step so far can fail.
    pub(super) sure: bool,
    /// The position of the cost model.
    pub(super) model: PointModel,
}

impl Point {
    pub(super) fn new(state: State) -> Self {
        Point {
            state,
            steps: Vec::new(),
            sure: true,
            model: PointModel::default(),
        }
    }

    /// Records the outcome of a test, a unification or a built-in.
    pub(super) fn note(&mut self, truth: Truth) {
        if truth == Truth::Maybe {
            self.steps.push(Step::Maybe);
            self.sure = false;
        }
    }

    /// Records events, if there are any.
    pub(super) fn count(&mut self, counts: Counts) {
        if !counts.is_empty() {
            self.steps.push(Step::Count(Arc::new(counts)));
        }
    }
}

/// The running clause, and the resources that its run has used.
pub(super) struct ClauseScope<'a> {
    pub(super) runner: &'a Runner<'a>,
    pub(super) clause: usize,
    pub(super) terms: &'a Terms,
    pub(super) leaves: Cell<usize>,
    pub(super) branches: Cell<usize>,
    pub(super) cuts: Cell<usize>,
    pub(super) may_cut: Cell<bool>,
    pub(super) sure_cut: Cell<bool>,
    pub(super) model: Box<dyn CostModel>,
}

/// The end of the run of a clause part: either an exit of the clause's head, or a position inside the clause.
#[derive(Clone, Copy)]
pub(super) struct BodyPart<'a> {
    pub(super) head: Option<&'a [TermId]>,
    pub(super) depth: usize,
    /// True if cuts in the part are local (condition, negation, call/1).
    pub(super) local_cut: bool,
    /// True if the part runs on every path (not inside a branch).
    pub(super) certain: bool,
    /// The position in the code where a goal inside the clause ends.
    pub(super) until: Option<usize>,
}

/// Ends a failing run.
pub(super) fn fail(point: Point) -> Tree {
    Tree {
        steps: point.steps,
        end: End::Fail,
        cut_inside: false,
    }
}
