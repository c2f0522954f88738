//! Where the run of a clause stands, and what it still has to do.

use std::cell::Cell;

use std::sync::Arc;

use costlens_body::cuts_clause;
use costlens_compile::Instructions;
use costlens_compile::code::{CountedClause, Modes, Outcome, Stretch};
use costlens_compile::heap;
use costlens_compile::ppdp08::{Code, Key};
use costlens_events::{Counts, Event};
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashSet;

use crate::builtins::time_shapes::TimeShape;
use crate::state::State;
use crate::tree::{End, Step, Tree};
use crate::world::questions::Truth;

/// How deep conditions, negations and branches may nest.
pub(super) const DEEPEST_CONTROL: usize = 24;

/// A goal still to run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
    Term(TermId),
    /// A goal whose cuts are local to it, as `call/1` runs it.
    Opaque(TermId),
    /// A goal of which the first solution is used.
    Once(TermId),
    /// `\+ G`.
    Not(TermId),
    /// The cleanup goal of `setup_call_cleanup/3`, which runs once at some time from here on.
    Cleanup(TermId),
    /// The text that `with_output_to/2` has caught is unified with its first argument.
    Caught(TermId),
    /// The cut of a condition or negation would be here; nothing runs.
    Fail,
    /// The cut of the clause between the guard of a single-sided rule and its body.
    Commit,
    /// Code of PPDP'08's machine runs here that belongs to no goal.
    Code(Spot),
}

/// A place in the code of an alternative of a control construct, where instructions of PPDP'08 are counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Entry(Key),
    Taken(Key),
    End(Key),
}

impl Pending {
    /// Tells whether a cut in it is one of the clause.
    pub(super) fn may_cut(self, terms: &Terms) -> bool {
        match self {
            Pending::Term(t) => cuts_clause(terms, &[t]),
            Pending::Commit => true,
            _ => false,
        }
    }
}

/// Where a clause run stands.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) state: State,
    pub(super) steps: Vec<Step>,
    /// No step so far may fail.
    pub(super) sure: bool,
    /// Whether other clauses of its predicate, or branches of a disjunction, are left behind, where portable events are counted.
    pub(super) leaves: Outcome,
    /// Where the run is in the code of its clause; none where instructions are not counted.
    pub(super) at: Option<usize>,
    /// A goal in place that has begun, where instructions are counted.
    pub(super) begun: Option<Begun>,
    /// The built-in that runs and whose work depends on its result, and how it grows.
    pub(super) late: Option<(TermId, &'static TimeShape)>,
    /// The argument of the built-in that runs which is as long as the list that it builds, where cells are counted.
    pub(super) makes: Option<usize>,
}

impl Point {
    pub(super) fn new(state: State) -> Self {
        Point {
            state,
            steps: Vec::new(),
            sure: true,
            leaves: Outcome::Fails,
            at: None,
            begun: None,
            late: None,
            makes: None,
        }
    }
}

/// The clause that is run, and what its run has used of the limits.
pub(super) struct ClauseScope<'a> {
    pub(super) clause: usize,
    pub(super) terms: &'a Terms,
    pub(super) leaves: Cell<usize>,
    pub(super) branches: Cell<usize>,
    pub(super) cuts: Cell<usize>,
    pub(super) may_cut: Cell<bool>,
    pub(super) sure_cut: Cell<bool>,
    /// Where instructions are counted.
    pub(super) code: Option<Code>,
    pub(super) machine: Option<MachineClause>,
    /// Its choice and literals, where portable events are counted.
    pub(super) tried: Option<TriedClause>,
    /// Its variables and last goals, where cells of SWI-Prolog are counted.
    pub(super) built: Option<BuiltClause>,
}

/// How a run of a part of a clause ends: at exits of the clause's head, or inside the clause.
#[derive(Clone, Copy)]
pub(super) struct BodyPart<'a> {
    pub(super) head: Option<&'a [TermId]>,
    pub(super) depth: usize,
    /// True if a cut here is local (condition, negation, call/1).
    pub(super) local_cut: bool,
    /// True if this part is run on every path (not inside a branch).
    pub(super) certain: bool,
    /// Where a goal inside the clause ends in its code.
    pub(super) until: Option<usize>,
}

/// A clause whose instructions are counted, and how it is found.
pub(super) struct MachineClause {
    pub(super) clause: CountedClause,
    pub(super) found: Outcome,
    pub(super) before: Counts,
    /// True if a choice point is younger than what the caller passes.
    pub(super) leaves_choice: bool,
}

/// A clause whose portable events are counted.
pub(super) struct TriedClause {
    /// The index's answer: it finds the clause, or not.
    pub(super) found: Outcome,
    /// True if it is the first of a group of clauses that is tried behind another one.
    pub(super) begins_group: bool,
    /// Its choice point, or that it is tried after another clause of its group.
    pub(super) before: Counts,
    /// The index's answer on the clauses behind it: it is tried with a choice point, or not.
    pub(super) later: Outcome,
    /// The arguments that its head may bind in the call, with whether it does for certain.
    pub(super) bound: Vec<(usize, bool)>,
    /// The arguments of its head that are variables of arguments before them.
    pub(super) shared: Counts,
    pub(super) head: TermId,
    /// The literals behind which the clause has nothing to run.
    pub(super) last: FxHashSet<TermId>,
    /// The literals that are increments.
    pub(super) increments: FxHashSet<TermId>,
    /// Its instructions, where those of a Prolog system are counted.
    pub(super) code: Option<Instructions>,
    /// The literals that are written as `call/N`, with the number of arguments that the closure has already.
    pub(super) called: Vec<(TermId, usize)>,
}

impl TriedClause {
    /// The bindings of its head that a choice point older than they makes the system note, up to the first argument that does not match.
    pub(super) fn trailed(&self, truths: &[Truth]) -> Counts {
        let mut counts = Counts::default();
        let mut is_reached = true;
        for (at, truth) in truths.iter().enumerate() {
            if let Some((_, is_sure)) = self.bound.iter().find(|(bound, _)| *bound == at) {
                counts.add_between(Event::Trailed, u64::from(*is_sure && is_reached), 1);
            }
            match truth {
                Truth::True => {}
                Truth::Maybe => is_reached = false,
                Truth::False => break,
            }
        }
        counts
    }
}

/// A clause whose cells are counted.
pub(super) struct BuiltClause {
    pub(super) variables: heap::Variables,
    /// Its terms as they are written; none where that is not known, because closures stand where other goals were.
    pub(super) terms: Option<Arc<Terms>>,
    /// True in a copy of a predicate with a closure in it: terms of the closure stand in its goals, which are not built there.
    pub(super) is_copy: bool,
    /// The literals behind which the clause has nothing to run.
    pub(super) last: FxHashSet<TermId>,
}

/// A goal in place that has begun.
#[derive(Clone)]
pub(super) struct Begun {
    pub(super) stretch: Stretch,
    pub(super) modes: Modes,
    /// How many steps were recorded before.
    pub(super) steps: usize,
}

/// The end of a run that fails.
pub(super) fn fail(point: Point) -> Tree {
    Tree {
        steps: point.steps,
        end: End::Fail,
        cut_inside: false,
    }
}
