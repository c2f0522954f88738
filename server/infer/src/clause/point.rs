//! The state of a clause's run, and the goals that remain.

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

/// A remaining goal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
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
    /// Code of the PPDP'08 machine that belongs to no goal.
    Code(Spot),
}

/// A position in the code of an alternative of a control construct, when instructions of the PPDP'08 machine are counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Entry(Key),
    Taken(Key),
    End(Key),
}

impl Pending {
    /// Returns whether a cut in the pending goal would cut the clause.
    pub(super) fn may_cut(self, terms: &Terms) -> bool {
        match self {
            Pending::Term(t) => cuts_clause(terms, &[t]),
            Pending::Commit => true,
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
    /// The outcome for whether the run has left choice points for other clauses of its predicate or for branches of a disjunction, when
    /// portable events are counted.
    pub(super) leaves: Outcome,
    /// The position in the clause's code, or `None` if instructions are not counted.
    pub(super) at: Option<usize>,
    /// The inline goal that is running, when instructions are counted.
    pub(super) begun: Option<Begun>,
    /// The running built-in and its time shape, if its work depends on its result.
    pub(super) late: Option<(TermId, &'static TimeShape)>,
    /// The argument of the running built-in whose length is that of the list it builds, when cells are counted.
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

/// The running clause, and the resources that its run has used.
pub(super) struct ClauseScope<'a> {
    pub(super) clause: usize,
    pub(super) terms: &'a Terms,
    pub(super) leaves: Cell<usize>,
    pub(super) branches: Cell<usize>,
    pub(super) cuts: Cell<usize>,
    pub(super) may_cut: Cell<bool>,
    pub(super) sure_cut: Cell<bool>,
    /// The clause's code, when instructions are counted.
    pub(super) code: Option<Code>,
    pub(super) machine: Option<MachineClause>,
    /// The clause's selection and literals, when portable events are counted.
    pub(super) tried: Option<TriedClause>,
    /// The clause's variables and last goals, when SWI-Prolog's heap cells are counted.
    pub(super) built: Option<BuiltClause>,
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

/// A clause whose instructions are counted, and the way in which the call selects it.
pub(super) struct MachineClause {
    pub(super) clause: CountedClause,
    pub(super) found: Outcome,
    pub(super) before: Counts,
    /// True if a choice point is younger than the arguments from the caller.
    pub(super) leaves_choice: bool,
}

/// A clause whose portable events are counted.
pub(super) struct TriedClause {
    /// The outcome for whether the index selects the clause.
    pub(super) found: Outcome,
    /// True if the clause is the first one in a group that is tried after an earlier group.
    pub(super) begins_group: bool,
    /// The counts for creating the choice point, or for trying the clause after another one of its group.
    pub(super) before: Counts,
    /// The outcome for whether the index selects a later clause, so that this one is tried with a choice point.
    pub(super) later: Outcome,
    /// The arguments of the call that the head may bind, each with whether the head certainly binds it.
    pub(super) bound: Vec<(usize, bool)>,
    /// The counts for head arguments that are variables of earlier arguments.
    pub(super) shared: Counts,
    pub(super) head: TermId,
    /// The literals after which the clause has nothing left to run.
    pub(super) last: FxHashSet<TermId>,
    /// The literals that are increments.
    pub(super) increments: FxHashSet<TermId>,
    /// The clause's instructions, when those of a Prolog system are counted.
    pub(super) code: Option<Instructions>,
    /// The literals written as `call/N`, with the number of arguments that the closure already has.
    pub(super) called: Vec<(TermId, usize)>,
}

impl TriedClause {
    /// Returns the head's bindings that the system must trail because of an older choice point, up to the first argument that does not
    /// match.
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
    /// The source terms, or `None` if they are unknown because closures replaced goals other than calls.
    pub(super) terms: Option<Arc<Terms>>,
    /// True for a specialised copy of a predicate: its goals contain terms of the closure, which the copy does not build.
    pub(super) is_copy: bool,
    /// The literals after which the clause has nothing left to run.
    pub(super) last: FxHashSet<TermId>,
}

/// An inline goal that is running.
#[derive(Clone)]
pub(super) struct Begun {
    pub(super) stretch: Stretch,
    pub(super) modes: Modes,
    /// The number of steps recorded before the goal.
    pub(super) steps: usize,
}

/// Ends a failing run.
pub(super) fn fail(point: Point) -> Tree {
    Tree {
        steps: point.steps,
        end: End::Fail,
        cut_inside: false,
    }
}
