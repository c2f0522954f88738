//! The position of a clause's run, and the goals that it still has to run.

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

/// The maximum nesting of conditions, negations and branches.
pub(super) const DEEPEST_CONTROL: usize = 24;

/// A goal still to run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
    Term(TermId),
    /// A goal whose cuts are local to it, as `call/1` runs it.
    Opaque(TermId),
    /// A goal whose first solution is used.
    Once(TermId),
    /// `\+ G`.
    Not(TermId),
    /// The cleanup goal of `setup_call_cleanup/3`, which runs once at some time from here on.
    Cleanup(TermId),
    /// The text that `with_output_to/2` has captured is unified with its first argument.
    Caught(TermId),
    /// The place of the cut of a condition or negation; nothing runs.
    Fail,
    /// The cut of the clause between the guard of a single-sided rule and its body.
    Commit,
    /// Code of PPDP'08's machine that belongs to no goal runs here.
    Code(Spot),
}

/// A place in the code of an alternative of a control construct, when instructions of PPDP'08 are counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Entry(Key),
    Taken(Key),
    End(Key),
}

impl Pending {
    /// Returns whether a cut in it is a cut of the clause.
    pub(super) fn may_cut(self, terms: &Terms) -> bool {
        match self {
            Pending::Term(t) => cuts_clause(terms, &[t]),
            Pending::Commit => true,
            _ => false,
        }
    }
}

/// The position of a clause's run.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) state: State,
    pub(super) steps: Vec<Step>,
    /// True if no step so far can fail.
    pub(super) sure: bool,
    /// Says whether the run has left choice points for other clauses of its predicate or for branches of a disjunction, when portable events are counted.
    pub(super) leaves: Outcome,
    /// The position in the code of the clause, or `None` if instructions are not counted.
    pub(super) at: Option<usize>,
    /// A goal in place that has begun, when instructions are counted.
    pub(super) begun: Option<Begun>,
    /// The running built-in whose work depends on its result, and its time shape.
    pub(super) late: Option<(TermId, &'static TimeShape)>,
    /// The argument of the running built-in that is as long as the list that it builds, when cells are counted.
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

/// The clause that is run, and the resources that its run has used.
pub(super) struct ClauseScope<'a> {
    pub(super) clause: usize,
    pub(super) terms: &'a Terms,
    pub(super) leaves: Cell<usize>,
    pub(super) branches: Cell<usize>,
    pub(super) cuts: Cell<usize>,
    pub(super) may_cut: Cell<bool>,
    pub(super) sure_cut: Cell<bool>,
    /// Its code, when instructions are counted.
    pub(super) code: Option<Code>,
    pub(super) machine: Option<MachineClause>,
    /// Its choice and literals, when portable events are counted.
    pub(super) tried: Option<TriedClause>,
    /// Its variables and last goals, when cells of SWI-Prolog are counted.
    pub(super) built: Option<BuiltClause>,
}

/// The end of a run of a part of a clause: at exits of the clause's head, or inside the clause.
#[derive(Clone, Copy)]
pub(super) struct BodyPart<'a> {
    pub(super) head: Option<&'a [TermId]>,
    pub(super) depth: usize,
    /// True if a cut here is local (condition, negation, call/1).
    pub(super) local_cut: bool,
    /// True if this part is run on every path (not inside a branch).
    pub(super) certain: bool,
    /// The position in the code where a goal inside the clause ends.
    pub(super) until: Option<usize>,
}

/// A clause whose instructions are counted, and the way it is found.
pub(super) struct MachineClause {
    pub(super) clause: CountedClause,
    pub(super) found: Outcome,
    pub(super) before: Counts,
    /// True if a choice point is younger than the arguments that the caller passes.
    pub(super) leaves_choice: bool,
}

/// A clause whose portable events are counted.
pub(super) struct TriedClause {
    /// The index's answer on whether it finds the clause.
    pub(super) found: Outcome,
    /// True if it is the first of a group of clauses and is tried after an earlier group.
    pub(super) begins_group: bool,
    /// The counts of its choice point, or of trying it after another clause of its group.
    pub(super) before: Counts,
    /// The index's answer on the later clauses: whether this one is tried with a choice point.
    pub(super) later: Outcome,
    /// The arguments of the call that its head may bind, with whether it certainly does.
    pub(super) bound: Vec<(usize, bool)>,
    /// The arguments of its head that are variables of earlier arguments.
    pub(super) shared: Counts,
    pub(super) head: TermId,
    /// The literals after which the clause has nothing to run.
    pub(super) last: FxHashSet<TermId>,
    /// The literals that are increments.
    pub(super) increments: FxHashSet<TermId>,
    /// Its instructions, when those of a Prolog system are counted.
    pub(super) code: Option<Instructions>,
    /// The literals that are written as `call/N`, with the number of arguments that the closure already has.
    pub(super) called: Vec<(TermId, usize)>,
}

impl TriedClause {
    /// Returns the bindings of its head that the system has to trail because of an older choice point, up to the first argument that does not match.
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
    /// Its terms as written, or `None` if they are not known because closures replaced other goals.
    pub(super) terms: Option<Arc<Terms>>,
    /// True in a copy of a predicate for a closure: its goals contain terms of the closure, which are not built there.
    pub(super) is_copy: bool,
    /// The literals after which the clause has nothing to run.
    pub(super) last: FxHashSet<TermId>,
}

/// A goal in place that has begun.
#[derive(Clone)]
pub(super) struct Begun {
    pub(super) stretch: Stretch,
    pub(super) modes: Modes,
    /// The number of steps recorded before it.
    pub(super) steps: usize,
}

/// Ends a run that fails.
pub(super) fn fail(point: Point) -> Tree {
    Tree {
        steps: point.steps,
        end: End::Fail,
        cut_inside: false,
    }
}
