//! Activations: entering and leaving cost centres (Mera et al. 2010).
//!
//! A centre is entered by a call or a redo, and left by an exit, a failure or an exception. The resources used between entry and exit are
//! recorded for each pair of entry and exit ports.
//!
//! - An *activation* is one box of a centre. It is an environment whose call returns to [`control::CENTRE_EXIT`]; its slots contain the
//!   edge and the box's use since its last entry. Activations therefore live as long as environments: while the box is open or a choice
//!   point inside it remains.
//! - Each choice point records the activation that contains it. Backtracking to a choice point fails the active activations that do not
//!   contain the choice point, and redoes the containing activations that have exited.
//! - Nothing is pushed on the choice-point stack, so cuts, bindings and last calls are the same as in a run without a profile.
//!
//! `activations/plan.rs` makes predicates cost centres, `activations/heads.rs` follows clause heads, and `activations/measuring.rs`
//! implements the profiling predicates that programs call.

mod heads;
mod measuring;
mod observed;
mod plan;

pub use self::plan::Plan;
use crate::cell::Cell;
use crate::centres::{
    ACTIVATION_SLOTS, Amounts, BEGINS, CHOICE, CentreName, EDGE, ENTERED, Enter, HEAD, Leave,
    Measured, NODE, OBSERVED, PARENT, PENDING, RESOURCES, RUNS, Resource, STEP, TESTED, UNIFIED,
};
use crate::control;
use crate::frames::HEADER;
use crate::machine::Machine;
use crate::store::View;

/// The maximum number of distinct literal names; any further names share one centre.
const MAX_LITERALS: usize = 1000;
impl Machine {
    /// Returns the profile of everything that has run since [`Machine::profile`], or `None` if no profile was taken.
    #[must_use]
    pub fn measured(&self) -> Option<Measured> {
        let centres = &self.centres;
        centres.clock?;
        let mut total = Amounts::default();
        let measured = centres.measured();
        for n in 0..measured {
            total.0[n] = centres.given.0[n] - centres.nobodys.0[n];
        }
        Some(Measured {
            centres: centres.centres.clone(),
            edges: centres.edges.clone(),
            nodes: centres.nodes.clone(),
            total,
            resources: Resource::ALL[..measured].to_vec(),
            heads: self.heads(),
        })
    }

    // --- recording while the loop runs ---------------------------------------------------------------------------------

    /// Records the execution of an instruction.
    #[inline]
    pub(crate) fn note_instruction(&mut self, at: usize) {
        let marks = match self.centres.marks.get(at) {
            Some(&marks) => marks,
            None => self.marks_at(at),
        };
        let live = &mut self.centres.live;
        live.count(Resource::Instructions, u64::from(marks & RUNS));
        live.count(Resource::Steps, u64::from(marks & STEP != 0));
        live.count(Resource::HeadUnifications, u64::from(marks & HEAD != 0));
        live.count(Resource::ChoicePoints, u64::from(marks & CHOICE != 0));
    }

    /// Records that the machine is about to backtrack to the newest choice point.
    #[inline]
    pub(crate) fn note_backtracking(&mut self) {
        self.centres.live.count(Resource::Backtracks, 1);
        self.count_reclaimed();
    }

    /// Records the execution of an instruction at which the head of its clause may begin or end.
    #[inline]
    pub(crate) fn note_heads(&mut self, at: usize) {
        let marks = self.centres.marks.get(at).copied().unwrap_or(0);
        if marks & BEGINS != 0 {
            self.begin_head(at);
        }
        if marks & UNIFIED != 0 {
            self.end_head();
        }
        if marks & TESTED != 0 {
            self.note_head_step(at);
        }
    }

    /// Records that a cut to a level is about to run.
    #[inline]
    pub(crate) fn note_cut(&mut self, level: usize) {
        if self.centres.low_level {
            self.note_skipped(level);
        }
        let removed = self.choices.len().saturating_sub(level);
        let live = &mut self.centres.live;
        live.count(Resource::Cuts, u64::from(removed > 0));
        live.count(Resource::UselessCuts, u64::from(removed == 0));
        live.count(Resource::Skips, removed as u64);
    }

    // --- entering and leaving ----------------------------------------------------------------------------------------

    #[inline]
    pub(crate) fn word(&mut self, activation: u32, slot: usize) -> &mut u64 {
        &mut self.stack[activation as usize + HEADER + slot]
    }

    fn parent(&mut self, activation: u32) -> u32 {
        u32::try_from(*self.word(activation, PARENT)).unwrap_or(0)
    }

    /// Charges the use since the last charge to the active activation.
    fn give(&mut self) {
        let Some(clock) = self.centres.clock else {
            return;
        };
        let now = clock();
        let elapsed = now.saturating_sub(self.centres.at);
        self.centres.at = now;
        self.centres.live.count(Resource::Time, elapsed);
        if self.centres.low_level {
            self.give_heads();
        }
        if self.centres.events {
            let heap = self.heap_cells();
            let live = &mut self.centres.live.0[Resource::HeapCells as usize];
            *live = heap.max(*live);
        }
        if self.activation == 0 || self.centres.is_paused() {
            let centres = &mut self.centres;
            for n in 0..RESOURCES {
                centres.nobodys.0[n] += centres.live.0[n] - centres.given.0[n];
            }
            centres.given = centres.live;
            return;
        }
        let node = usize::try_from(*self.word(self.activation, NODE)).unwrap_or(0);
        let pending = self.activation as usize + HEADER + PENDING;
        let centres = &mut self.centres;
        for n in 0..centres.measured() {
            let used = centres.live.0[n] - centres.given.0[n];
            self.stack[pending + n] += used;
            centres.nodes[node].used.0[n] += used;
            centres.given.0[n] = centres.live.0[n];
        }
    }

    /// Discards an activation's use since its last entry.
    fn forget_pending(&mut self, activation: u32, measured: usize) {
        let pending = activation as usize + HEADER + PENDING;
        self.stack[pending..pending + measured].fill(0);
    }

    /// Returns the edge of an activation and its use since its last entry.
    fn pending(&mut self, activation: u32) -> (usize, Amounts) {
        let edge = usize::try_from(*self.word(activation, EDGE)).unwrap_or(0);
        let (from, measured) = (
            activation as usize + HEADER + PENDING,
            self.centres.measured(),
        );
        let mut used = Amounts::default();
        used.0[..measured].copy_from_slice(&self.stack[from..from + measured]);
        (edge, used)
    }

    /// Pushes the environment of a new activation and makes it the active activation.
    fn activate(&mut self, node: u32, edge: u32) {
        self.allocate(ACTIVATION_SLOTS);
        // Environments have 32-bit addresses because choice points store them as such.
        let activation = u32::try_from(self.e).unwrap_or(0);
        *self.word(activation, EDGE) = u64::from(edge);
        *self.word(activation, NODE) = u64::from(node);
        *self.word(activation, PARENT) = u64::from(self.activation);
        *self.word(activation, OBSERVED) = 0;
        self.activation = activation;
        self.enter_by(activation, Enter::Call);
    }

    fn enter_by(&mut self, activation: u32, by: Enter) {
        *self.word(activation, ENTERED) = by as u64;
        self.forget_pending(activation, self.centres.measured());
        let edge = usize::try_from(*self.word(activation, EDGE)).unwrap_or(0);
        self.centres.open(edge);
        if by == Enter::Redo {
            let call = self.observed(activation);
            if call > 0 {
                self.redo_observed(call);
            }
        }
    }

    /// Returns the observer's number for an activation, or 0 if it is not observed.
    #[inline]
    fn observed(&mut self, activation: u32) -> u32 {
        u32::try_from(*self.word(activation, OBSERVED)).unwrap_or(0)
    }

    /// Leaves an activation by a port.
    fn leave_by(&mut self, activation: u32, by: Leave) {
        let edge = usize::try_from(*self.word(activation, EDGE)).unwrap_or(0);
        let entered = usize::try_from(*self.word(activation, ENTERED)).unwrap_or(0);
        let pending = activation as usize + HEADER + PENDING;
        let measured = self.centres.measured();
        // A visit outside the measured part counts only if the activation has used resources inside the measured part.
        let counts = !self.centres.is_paused()
            || self.stack[pending..pending + measured]
                .iter()
                .any(|&used| used > 0);
        let pair = &mut self.centres.edges[edge].ports.0[entered.min(1)][by as usize];
        pair.count += u64::from(counts);
        for (sum, used) in pair.used.0[..measured]
            .iter_mut()
            .zip(&self.stack[pending..])
        {
            *sum += used;
        }
        self.centres.close(edge);
        let call = self.observed(activation);
        if call > 0 {
            self.leave_observed(call, activation, by);
        }
    }

    /// Enters a centre at the call to its predicate or literal. Its code returns to [`control::CENTRE_EXIT`].
    fn enter_centre(&mut self, centre: u32) {
        self.give();
        let node = u32::try_from(*self.word(self.activation, NODE)).unwrap_or(0);
        let (node, edge) = self.centres.way(node, centre);
        self.activate(node, edge);
        self.cp = control::CENTRE_EXIT + 1;
    }

    /// Handles the call to a predicate that is a centre. Returns the address of its code.
    pub(crate) fn enter_predicate_centre(&mut self, centre: u32) -> usize {
        // The call is charged to the callee.
        let goals = &mut self.centres.live.0[Resource::Goals as usize];
        let called = u64::from(self.centres.events && *goals > 0);
        *goals -= called;
        self.enter_centre(centre);
        if self.observer.is_some() {
            let call = self.call_observed(centre);
            *self.word(self.activation, OBSERVED) = u64::from(call);
        }
        self.centres.live.count(Resource::Goals, called);
        if self.looks.is_some() {
            self.look();
        }
        self.centres.entries[centre as usize] as usize
    }

    /// Handles a call to `cost_center(X0, X1)`.
    pub(crate) fn enter_literal_centre(&mut self) {
        if !self.centres.literals {
            return;
        }
        let mut name = self.store.deref(self.x[0]);
        if !matches!(self.store.view(name), View::Atom(_)) {
            let text = match self.store.view(name) {
                View::Variable(_) => "_".to_owned(),
                _ => self.text_of(name, &[]),
            };
            name = Cell::atom(self.store.atoms.intern(&text));
        }
        let centre = match self.centres.named.get(&name) {
            Some(&centre) => centre,
            None => self.name_literal(name),
        };
        self.enter_centre(centre);
    }

    #[cold]
    fn name_literal(&mut self, name: Cell) -> u32 {
        let mut text = self.store.atoms.text(name.as_atom()).to_string();
        if self.centres.named.len() >= MAX_LITERALS {
            let more = Cell::atom(self.store.atoms.intern("..."));
            if let Some(&centre) = self.centres.named.get(&more) {
                return centre;
            }
            text = "...".to_owned();
            let centre = self.centres.add(CentreName::Literal(text), 0);
            self.centres.named.insert(more, centre);
            return centre;
        }
        let centre = self.centres.add(CentreName::Literal(text), 0);
        self.centres.named.insert(name, centre);
        centre
    }

    /// Handles the exit of a centre's goal. The current environment is the activation's.
    pub(crate) fn exit_centre(&mut self) {
        self.give();
        let activation = self.activation;
        debug_assert_eq!(activation as usize, self.e, "activations are nested");
        self.leave_by(activation, Leave::Exit);
        self.activation = self.parent(activation);
    }

    /// Updates the activations after the machine has backtracked to the newest choice point.
    #[inline]
    pub(crate) fn gone_back(&mut self) {
        if let Some(choice) = self.choices.last()
            && choice.activation != self.activation
        {
            self.fail_and_redo(choice.activation);
        }
    }

    /// Fails the open activations that do not contain the choice point, and redoes the containing activations that have exited. An
    /// activation is higher on the stack than the activation from which it was entered.
    fn fail_and_redo(&mut self, to: u32) {
        self.give();
        let mut redone = std::mem::take(&mut self.centres.redone);
        redone.clear();
        let (mut open, mut around) = (self.activation, to);
        while open != around {
            if open > around {
                self.leave_by(open, Leave::Fail);
                open = self.parent(open);
            } else {
                redone.push(around);
                around = self.parent(around);
            }
        }
        for &activation in redone.iter().rev() {
            self.enter_by(activation, Enter::Redo);
        }
        self.centres.redone = redone;
        self.activation = to;
    }

    /// Leaves all activations inside another activation.
    fn leave_up_to(&mut self, to: u32, by: Leave) {
        self.give();
        while self.activation != to {
            let activation = self.activation;
            self.leave_by(activation, by);
            self.activation = self.parent(activation);
        }
    }

    /// Handles an exception caught by a `catch/3` in an activation.
    pub(crate) fn thrown_to(&mut self, activation: u32) {
        if self.activation != activation {
            self.leave_up_to(activation, Leave::Exception);
        }
    }

    // --- the remainder -----------------------------------------------------------------------------------------------

    /// Begins a query. Use outside centres is charged to the remainder.
    pub(crate) fn begin_profile(&mut self) {
        self.activation = 0;
        self.stack[..HEADER].fill(0);
        self.resume_profile();
        self.give();
        self.activate(0, 0);
    }

    /// Restarts the clock for a further answer.
    pub(crate) fn resume_profile(&mut self) {
        if let Some(clock) = self.centres.clock {
            self.centres.at = clock();
        }
    }

    /// Leaves the query's goal after the loop has stopped.
    pub(crate) fn pause_profile(&mut self, by: Leave) {
        self.leave_up_to(0, by);
    }
}
