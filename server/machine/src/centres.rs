//! Cost centres: what a run uses, by the predicate or literal that uses it and by where that was called from (Mera et al. 2010).
//!
//! At each moment one *edge* is active: the centre that runs, and the centre that it was entered from. What is used is added to it until
//! another one becomes active. A centre is entered by a call or a redo, and left by an exit, a failure or an exception; what it used in
//! between is kept for each pair of the two.
//!
//! - An *activation* is one box of a centre. It is an environment behind whose call stands [`control::CENTRE_EXIT`]; its slots have the
//!   edge and what the box has used since it was entered. So activations last as long as environments do: while the box is open, and
//!   while a choice point in it is left.
//! - Each choice point knows the activation that it lies in. Going back to it fails what is active now and not around it, and redoes
//!   what is around it and has exited.
//! - Nothing is put on the stack of choice points, so that cuts, bindings and last calls are those of a run without a profile.
//!
//! `centres/plan.rs` makes predicates centres.

mod plan;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

pub use self::plan::Plan;
use crate::cell::Cell;
use crate::control;
use crate::frames::HEADER;
use crate::machine::Machine;

/// The resources that a profile measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// Nanoseconds by the clock of the profile.
    Time,
    /// Resolution steps.
    Steps,
    /// Successful head unifications.
    HeadUnifications,
    /// Calls of predicates, whether they are centres or not.
    Goals,
    /// The number of times that the machine went back to a choice point.
    Backtracks,
    /// Choice points that were created.
    ChoicePoints,
    /// Cuts that removed choice points.
    Cuts,
    /// Cuts that removed none.
    UselessCuts,
    /// Choice points that cuts removed.
    Skips,
    /// Heap cells that were allocated.
    HeapCells,
    /// Instructions of counted code that ran.
    Instructions,
}

impl Resource {
    /// All of them.
    pub const ALL: [Resource; RESOURCES] = [
        Resource::Time,
        Resource::Steps,
        Resource::HeadUnifications,
        Resource::Goals,
        Resource::Backtracks,
        Resource::ChoicePoints,
        Resource::Cuts,
        Resource::UselessCuts,
        Resource::Skips,
        Resource::HeapCells,
        Resource::Instructions,
    ];
}

const RESOURCES: usize = 11;

/// An amount of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts([u64; RESOURCES]);

impl Amounts {
    /// The amount of a resource.
    #[must_use]
    pub fn of(&self, resource: Resource) -> u64 {
        self.0[resource as usize]
    }

    /// Adds other amounts.
    pub fn add(&mut self, other: &Amounts) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }

    #[inline]
    fn count(&mut self, resource: Resource, times: u64) {
        self.0[resource as usize] += times;
    }
}

/// The ports by which a centre is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enter {
    /// It is called.
    Call,
    /// Backtracking comes back into it.
    Redo,
}

impl Enter {
    /// Both.
    pub const ALL: [Enter; 2] = [Enter::Call, Enter::Redo];
}

/// The ports by which a centre is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// With a solution.
    Exit,
    /// With none, or no further one.
    Fail,
    /// By an exception.
    Exception,
    /// Not at all: a limit ended the run.
    Open,
}

impl Leave {
    /// All of them.
    pub const ALL: [Leave; 4] = [Leave::Exit, Leave::Fail, Leave::Exception, Leave::Open];
}

/// How often a centre was entered and left by a pair of ports, and what it used in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The number of times.
    pub count: u64,
    /// What was used, without what other centres used meanwhile.
    pub used: Amounts,
}

/// The pairs of ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ports([[Pair; 4]; 2]);

impl Ports {
    /// What was measured between two ports.
    #[must_use]
    pub fn of(&self, enter: Enter, leave: Leave) -> &Pair {
        &self.0[enter as usize][leave as usize]
    }

    /// All pairs with their ports.
    pub fn pairs(&self) -> impl Iterator<Item = (Enter, Leave, &Pair)> {
        (Enter::ALL.into_iter())
            .flat_map(|enter| Leave::ALL.into_iter().map(move |leave| (enter, leave)))
            .map(|(enter, leave)| (enter, leave, self.of(enter, leave)))
    }

    /// Adds what other pairs have.
    pub fn add(&mut self, other: &Ports) {
        for (row, more) in self.0.iter_mut().zip(&other.0) {
            for (pair, more) in row.iter_mut().zip(more) {
                pair.count += more.count;
                pair.used.add(&more.used);
            }
        }
    }

    /// What was used, whatever the ports.
    #[must_use]
    pub fn used(&self) -> Amounts {
        let mut sum = Amounts::default();
        for (_, _, pair) in self.pairs() {
            sum.add(&pair.used);
        }
        sum
    }
}

/// The name of a centre.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CentreName {
    /// What belongs to no other one.
    Remainder,
    /// A predicate.
    Predicate(SmolStr, usize),
    /// A literal, by the name that `cost_center/2` gives it.
    Literal(String),
}

/// A cost centre.
#[derive(Clone, Debug)]
pub struct Centre {
    /// Its name.
    pub name: CentreName,
    /// What was used while it was active or anything that it called: of a centre that calls itself, once.
    pub accumulated: Amounts,
    /// The number of its boxes that are open, and what the run had used when the first of them was entered.
    open: u64,
    since: Amounts,
}

/// Entries of a centre from another one.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The centre that was active, by its number.
    pub from: usize,
    /// The centre that was entered.
    pub to: usize,
    /// What was measured.
    pub ports: Ports,
}

/// A path of centres that call each other, from the remainder on. One that comes back to a centre is that which first came to it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The path without its last centre, by its number; the first one is its own.
    pub parent: usize,
    /// The last centre.
    pub centre: usize,
    /// What was used at its end.
    pub used: Amounts,
}

/// The profile of a run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The centres; the first one is the remainder.
    pub centres: Vec<Centre>,
    /// The edges; the first one is that of the remainder to itself.
    pub edges: Vec<Edge>,
    /// The paths.
    pub nodes: Vec<Node>,
    /// What the run used.
    pub total: Amounts,
    /// False where only ports and time were measured.
    pub events: bool,
}

/// The slots of an activation: edge, path, the activation that it was entered from, the port by which it was entered, and from
/// [`PENDING`] on what it has used since then.
pub(crate) const ACTIVATION_SLOTS: usize = PENDING + RESOURCES;
const EDGE: usize = 0;
const NODE: usize = 1;
const PARENT: usize = 2;
const ENTERED: usize = 3;
const PENDING: usize = 4;

/// More names of literals than this are one.
const MAX_LITERALS: usize = 1000;
/// Paths beyond this many begin at the remainder.
const MAX_NODES: usize = 100_000;

/// What instructions count, as bits of [`Centres::marks`].
const RUNS: u8 = 1;
const STEP: u8 = 2;
const HEAD: u8 = 4;
const CHOICE: u8 = 8;

/// The profile that is being taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Centres {
    /// The clock, in nanoseconds; none where no profile is taken.
    clock: Option<fn() -> u64>,
    events: bool,
    literals: bool,
    centres: Vec<Centre>,
    edges: Vec<Edge>,
    nodes: Vec<Node>,
    /// The code of each centre, by its number.
    entries: Vec<u32>,
    /// The centres of literals, by their names.
    named: FxHashMap<Cell, u32>,
    /// Where a centre that is entered on a path leads: the path and the edge.
    ways: FxHashMap<(u32, u32), (u32, u32)>,
    /// What each instruction counts, as far as that has been looked at, and for how many clauses.
    marks: Vec<u8>,
    marked_clauses: usize,
    /// What the run has used, and how much of it has been given to activations.
    live: Amounts,
    given: Amounts,
    /// What was used between answers.
    nobodys: Amounts,
    /// The clock when it was last looked at.
    at: u64,
    /// Activations that are redone, while they are found.
    redone: Vec<u32>,
}

impl Centres {
    /// Whether events are noted, where a profile is taken.
    #[inline]
    pub(crate) fn watched(&self) -> Option<bool> {
        self.clock.map(|_| self.events)
    }

    #[inline]
    pub(crate) fn note_goal(&mut self) {
        self.live.count(Resource::Goals, 1);
    }

    /// A clause that runs as a term was entered.
    pub(crate) fn note_step(&mut self) {
        self.live.count(Resource::Steps, 1);
        self.live.count(Resource::HeadUnifications, 1);
    }

    /// A choice point of a dynamic predicate was created.
    pub(crate) fn note_choice(&mut self) {
        self.live.count(Resource::ChoicePoints, 1);
    }

    /// The number of resources that are measured: time is the first.
    fn measured(&self) -> usize {
        if self.events { RESOURCES } else { 1 }
    }

    /// A box of the centre of an edge is entered.
    fn open(&mut self, edge: usize) {
        let measured = self.measured();
        let centre = &mut self.centres[self.edges[edge].to];
        if centre.open == 0 {
            centre.since.0[..measured].copy_from_slice(&self.live.0[..measured]);
        }
        centre.open += 1;
    }

    /// A box of the centre of an edge is left.
    fn close(&mut self, edge: usize) {
        let measured = self.measured();
        let centre = &mut self.centres[self.edges[edge].to];
        centre.open -= 1;
        if centre.open == 0 {
            for n in 0..measured {
                centre.accumulated.0[n] += self.live.0[n] - centre.since.0[n];
            }
        }
    }

    /// The path and the edge of a centre that is entered on a path.
    fn way(&mut self, node: u32, centre: u32) -> (u32, u32) {
        if let Some(&way) = self.ways.get(&(node, centre)) {
            return way;
        }
        let from = self.nodes[node as usize].centre;
        let edge = { self.edges.iter() }.position(|e| e.from == from && e.to == centre as usize);
        let edge = edge.unwrap_or_else(|| {
            self.edges.push(Edge {
                from,
                to: centre as usize,
                ports: Ports::default(),
            });
            self.edges.len() - 1
        });
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let way = (self.path(node, centre), number(edge));
        self.ways.insert((node, centre), way);
        way
    }

    /// The path of a centre that is entered on a path.
    fn path(&mut self, node: u32, centre: u32) -> u32 {
        let (mut at, wanted) = (node as usize, centre as usize);
        loop {
            if self.nodes[at].centre == wanted {
                return u32::try_from(at).unwrap_or(0);
            }
            if at == 0 {
                break;
            }
            at = self.nodes[at].parent;
        }
        let mut parent = node as usize;
        if self.nodes.len() >= MAX_NODES {
            let known = { self.nodes.iter() }.position(|n| n.parent == 0 && n.centre == wanted);
            if let Some(known) = known {
                return u32::try_from(known).unwrap_or(0);
            }
            parent = 0;
        }
        self.nodes.push(Node {
            parent,
            centre: wanted,
            used: Amounts::default(),
        });
        u32::try_from(self.nodes.len() - 1).unwrap_or(0)
    }
}

impl Machine {
    /// The profile of what has run since [`Machine::profile`]; none where none was taken.
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
            events: centres.events,
        })
    }

    // --- what is noted while the loop runs ---------------------------------------------------------------------------

    /// An instruction runs.
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

    /// The machine is about to go back to the newest choice point.
    #[inline]
    pub(crate) fn note_backtracking(&mut self) {
        self.centres.live.count(Resource::Backtracks, 1);
        self.count_reclaimed();
    }

    /// A cut to a level is about to run.
    #[inline]
    pub(crate) fn note_cut(&mut self, level: usize) {
        let removed = self.choices.len().saturating_sub(level);
        let live = &mut self.centres.live;
        live.count(Resource::Cuts, u64::from(removed > 0));
        live.count(Resource::UselessCuts, u64::from(removed == 0));
        live.count(Resource::Skips, removed as u64);
    }

    // --- entering and leaving ----------------------------------------------------------------------------------------

    #[inline]
    fn word(&mut self, activation: u32, slot: usize) -> &mut u64 {
        &mut self.stack[activation as usize + HEADER + slot]
    }

    fn parent(&mut self, activation: u32) -> u32 {
        u32::try_from(*self.word(activation, PARENT)).unwrap_or(0)
    }

    /// Gives what was used since the last time to the activation that is active.
    fn give(&mut self) {
        let Some(clock) = self.centres.clock else {
            return;
        };
        let now = clock();
        let elapsed = now.saturating_sub(self.centres.at);
        self.centres.at = now;
        self.centres.live.count(Resource::Time, elapsed);
        if self.centres.events {
            let heap = self.heap_cells();
            let live = &mut self.centres.live.0[Resource::HeapCells as usize];
            *live = heap.max(*live);
        }
        if self.activation == 0 {
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

    /// Pushes the environment of a new activation, and makes it active.
    fn activate(&mut self, node: u32, edge: u32) {
        self.allocate(ACTIVATION_SLOTS);
        // Environments have 32 bits, as choice points keep them.
        let activation = u32::try_from(self.e).unwrap_or(0);
        *self.word(activation, EDGE) = u64::from(edge);
        *self.word(activation, NODE) = u64::from(node);
        *self.word(activation, PARENT) = u64::from(self.activation);
        self.activation = activation;
        self.enter_by(activation, Enter::Call);
    }

    fn enter_by(&mut self, activation: u32, by: Enter) {
        *self.word(activation, ENTERED) = by as u64;
        let pending = activation as usize + HEADER + PENDING;
        self.stack[pending..pending + self.centres.measured()].fill(0);
        let edge = usize::try_from(*self.word(activation, EDGE)).unwrap_or(0);
        self.centres.open(edge);
    }

    /// An activation is left by a port.
    fn leave_by(&mut self, activation: u32, by: Leave) {
        let edge = usize::try_from(*self.word(activation, EDGE)).unwrap_or(0);
        let entered = usize::try_from(*self.word(activation, ENTERED)).unwrap_or(0);
        let pending = activation as usize + HEADER + PENDING;
        let measured = self.centres.measured();
        let pair = &mut self.centres.edges[edge].ports.0[entered.min(1)][by as usize];
        pair.count += 1;
        for (sum, used) in pair.used.0[..measured]
            .iter_mut()
            .zip(&self.stack[pending..])
        {
            *sum += used;
        }
        self.centres.close(edge);
    }

    /// A centre is entered, at the call of its predicate or literal. Its code returns to [`control::CENTRE_EXIT`].
    fn enter_centre(&mut self, centre: u32) {
        self.give();
        let node = u32::try_from(*self.word(self.activation, NODE)).unwrap_or(0);
        let (node, edge) = self.centres.way(node, centre);
        self.activate(node, edge);
        self.cp = control::CENTRE_EXIT + 1;
    }

    /// A predicate that is a centre is called: where its code is.
    pub(crate) fn enter_predicate_centre(&mut self, centre: u32) -> usize {
        // The call is the callee's.
        let goals = &mut self.centres.live.0[Resource::Goals as usize];
        let called = u64::from(self.centres.events && *goals > 0);
        *goals -= called;
        self.enter_centre(centre);
        self.centres.live.count(Resource::Goals, called);
        self.centres.entries[centre as usize] as usize
    }

    /// `cost_center(X0, X1)` is called.
    pub(crate) fn enter_literal_centre(&mut self) {
        if !self.centres.literals {
            return;
        }
        let mut name = self.store.deref(self.x[0]);
        if !matches!(self.store.view(name), crate::store::View::Atom(_)) {
            let text = self.text_of(name, &[]);
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

    /// What a centre called has exited: the environment is that of its activation.
    pub(crate) fn exit_centre(&mut self) {
        self.give();
        let activation = self.activation;
        debug_assert_eq!(activation as usize, self.e, "activations are nested");
        self.leave_by(activation, Leave::Exit);
        self.activation = self.parent(activation);
    }

    /// The machine has gone back to the newest choice point.
    #[inline]
    pub(crate) fn gone_back(&mut self) {
        if let Some(choice) = self.choices.last()
            && choice.activation != self.activation
        {
            self.fail_and_redo(choice.activation);
        }
    }

    /// Activations that are open and not around a choice point fail; those around it that have exited are redone. An activation stands
    /// higher on the stack than the one that it was entered from.
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

    /// All activations inside one of them are left.
    fn leave_up_to(&mut self, to: u32, by: Leave) {
        self.give();
        while self.activation != to {
            let activation = self.activation;
            self.leave_by(activation, by);
            self.activation = self.parent(activation);
        }
    }

    /// An exception was caught by a `catch/3` in an activation.
    pub(crate) fn thrown_to(&mut self, activation: u32) {
        if self.activation != activation {
            self.leave_up_to(activation, Leave::Exception);
        }
    }

    // --- the remainder -----------------------------------------------------------------------------------------------

    /// A query begins: what its goal uses outside of centres belongs to the remainder.
    pub(crate) fn begin_profile(&mut self) {
        self.activation = 0;
        self.stack[..HEADER].fill(0);
        self.resume_profile();
        self.give();
        self.activate(0, 0);
    }

    /// The clock goes on for a further answer.
    pub(crate) fn resume_profile(&mut self) {
        if let Some(clock) = self.centres.clock {
            self.centres.at = clock();
        }
    }

    /// The loop has stopped: the query's goal is left.
    pub(crate) fn pause_profile(&mut self, by: Leave) {
        self.leave_up_to(0, by);
    }
}
