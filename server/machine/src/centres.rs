//! Measurements of cost centres: resources, ports, edges and paths, and the profile that is being taken.
//!
//! At each moment one *edge* is active: the centre that runs, and the centre that it was entered from (Mera et al. 2010). What is used is
//! added to it until another one becomes active. `activations` says when that is.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::cell::Cell;
use crate::heads::{Head, Heads};

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

/// The number of resources.
pub(crate) const RESOURCES: usize = 11;

/// An amount of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts(pub(crate) [u64; RESOURCES]);

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

    /// Adds an amount of one resource.
    pub fn add_amount(&mut self, resource: Resource, amount: u64) {
        self.0[resource as usize] += amount;
    }

    #[inline]
    pub(crate) fn count(&mut self, resource: Resource, times: u64) {
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

/// The visits of a centre by a pair of ports, and its use in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The number of times.
    pub count: u64,
    /// The centre's use. That of other centres meanwhile is theirs.
    pub used: Amounts,
}

/// The pairs of ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ports(pub(crate) [[Pair; 4]; 2]);

impl Ports {
    /// The measurements between two ports.
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

    /// Puts the visits of a pair of ports in their place.
    pub fn put(&mut self, enter: Enter, leave: Leave, pair: Pair) {
        self.0[enter as usize][leave as usize] = pair;
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

    /// Counts a visit that has not ended.
    pub(crate) fn add_open(&mut self, enter: Enter, used: &Amounts) {
        let pair = &mut self.0[enter as usize][Leave::Open as usize];
        pair.count += 1;
        pair.used.add(used);
    }

    /// The use of all pairs.
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
    /// The rest of a run, which belongs to no other centre.
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
    /// Its own use with that of all that it calls. Recursive calls count once.
    pub accumulated: Amounts,
    /// The number of its boxes that are open, and what the run had used when the first of them was entered.
    open: u64,
    since: Amounts,
}

impl Centre {
    /// A centre that another implementation has measured.
    #[must_use]
    pub fn new(name: CentreName, accumulated: Amounts) -> Self {
        Centre {
            name,
            accumulated,
            open: 0,
            since: Amounts::default(),
        }
    }
}

impl Centre {
    /// Drops what was accumulated; what is open counts from now on.
    pub(crate) fn forget(&mut self) {
        self.accumulated = Amounts::default();
        self.since = Amounts::default();
    }

    /// Accumulates what an open centre has used until now, when the run has used so much. Once, however many of its boxes are open.
    pub(crate) fn close_now(&mut self, total: &Amounts) {
        if self.open > 0 {
            self.open = 0;
            for (n, now) in total.0.iter().enumerate() {
                self.accumulated.0[n] += now.saturating_sub(self.since.0[n]);
            }
        }
    }
}

/// Entries of a centre from another one.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The centre that was active, by its number.
    pub from: usize,
    /// The centre that was entered.
    pub to: usize,
    /// The measurements.
    pub ports: Ports,
}

/// A path of centres that call each other, from the remainder on. One that comes back to a centre is that which first came to it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The path without its last centre, by its number; the first one is its own.
    pub parent: usize,
    /// The last centre.
    pub centre: usize,
    /// The use at its end.
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
    /// The use of the whole run.
    pub total: Amounts,
    /// The resources that were measured beside ports: time, and others where events were noted.
    pub resources: Vec<Resource>,
    /// The outcomes of heads of clauses, where these were asked for.
    pub heads: Vec<Head>,
}

impl Measured {
    /// True where a resource was measured.
    #[must_use]
    pub fn has(&self, resource: Resource) -> bool {
        self.resources.contains(&resource)
    }
}

/// The slots of an activation: edge, path, the activation that it was entered from, the port by which it was entered, the number by which an
/// observer knows it, and from [`PENDING`] on what it has used since then.
pub(crate) const ACTIVATION_SLOTS: usize = PENDING + RESOURCES;
pub(crate) const EDGE: usize = 0;
pub(crate) const NODE: usize = 1;
pub(crate) const PARENT: usize = 2;
pub(crate) const ENTERED: usize = 3;
pub(crate) const OBSERVED: usize = 4;
pub(crate) const PENDING: usize = 5;

/// The number of ways that are remembered in a table beside the map of all.
const RECENT: usize = 64;
/// A path and a centre that is entered on it, and where that leads: the path and the edge.
pub(crate) type Way = ((u32, u32), (u32, u32));

/// Paths beyond this many begin at the remainder.
const MAX_NODES: usize = 100_000;

/// Counts of instructions, as bits of [`Centres::marks`].
pub(crate) const RUNS: u8 = 1;
pub(crate) const STEP: u8 = 2;
pub(crate) const HEAD: u8 = 4;
pub(crate) const CHOICE: u8 = 8;
/// Marks in all clauses, whether they count or not: the first instruction, the one where the head is unified, the one where leading tests hold.
pub(crate) const BEGINS: u8 = 16;
pub(crate) const UNIFIED: u8 = 32;
pub(crate) const TESTED: u8 = 64;

/// The profile that is being taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Centres {
    /// The clock, in nanoseconds; none where no profile is taken.
    pub(crate) clock: Option<fn() -> u64>,
    pub(crate) events: bool,
    /// True where the heads of clauses are followed.
    pub(crate) low_level: bool,
    pub(crate) heads: Heads,
    pub(crate) literals: bool,
    pub(crate) centres: Vec<Centre>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) nodes: Vec<Node>,
    /// The code of each centre, by its number.
    pub(crate) entries: Vec<u32>,
    /// The centres of literals, by their names.
    pub(crate) named: FxHashMap<Cell, u32>,
    /// The path and the edge that entering a centre on a path leads to.
    pub(crate) ways: FxHashMap<(u32, u32), (u32, u32)>,
    /// The ways that were taken last, each at a place that follows from its path and centre.
    pub(crate) recent: Vec<Way>,
    /// The marks of instructions, as far as they have been looked at, and for how many clauses.
    pub(crate) marks: Vec<u8>,
    pub(crate) marked_clauses: usize,
    /// The use of the run so far, and the part of it that activations have got.
    pub(crate) live: Amounts,
    pub(crate) given: Amounts,
    /// The use that is not measured: between answers, outside of `profile/1` where there is one, and before `profile_reset/0`.
    pub(crate) nobodys: Amounts,
    /// The calls of `profile/1` that are running; none where there was no call of it, so that everything is measured.
    pub(crate) inside: Option<u32>,
    /// The clock when it was last looked at.
    pub(crate) at: u64,
    /// Activations that are redone, while they are found.
    pub(crate) redone: Vec<u32>,
    /// The centres whose calls an observer may want to know of: their numbers in the plan, and arities.
    pub(crate) observed: FxHashMap<u32, (usize, usize)>,
}

impl Centres {
    /// True where a profile notes events; none where no profile is taken.
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

    /// A further centre, its number.
    pub(crate) fn add(&mut self, name: CentreName, entry: u32) -> u32 {
        self.centres.push(Centre::new(name, Amounts::default()));
        self.entries.push(entry);
        u32::try_from(self.centres.len() - 1).unwrap_or(0)
    }

    /// True while nothing is measured.
    #[inline]
    pub(crate) fn is_paused(&self) -> bool {
        self.inside == Some(0)
    }

    /// The number of resources that are measured: time is the first.
    pub(crate) fn measured(&self) -> usize {
        if self.events { RESOURCES } else { 1 }
    }

    /// A box of the centre of an edge is entered.
    pub(crate) fn open(&mut self, edge: usize) {
        let measured = self.measured();
        let centre = &mut self.centres[self.edges[edge].to];
        if centre.open == 0 {
            for n in 0..measured {
                centre.since.0[n] = self.live.0[n] - self.nobodys.0[n];
            }
        }
        centre.open += 1;
    }

    /// A box of the centre of an edge is left.
    pub(crate) fn close(&mut self, edge: usize) {
        let measured = self.measured();
        let centre = &mut self.centres[self.edges[edge].to];
        centre.open -= 1;
        if centre.open == 0 {
            for n in 0..measured {
                let now = self.live.0[n] - self.nobodys.0[n];
                centre.accumulated.0[n] += now - centre.since.0[n];
            }
        }
    }

    /// The path and the edge of a centre that is entered on a path.
    #[inline]
    pub(crate) fn way(&mut self, node: u32, centre: u32) -> (u32, u32) {
        let place = (node ^ centre.wrapping_mul(31)) as usize % RECENT;
        match self.recent.get(place) {
            Some(&(from, way)) if from == (node, centre) => way,
            _ => {
                let way = self.found_way(node, centre);
                // No path leads to the remainder, so that an empty place is nobody's.
                self.recent.resize(RECENT, ((0, 0), (0, 0)));
                self.recent[place] = ((node, centre), way);
                way
            }
        }
    }

    fn found_way(&mut self, node: u32, centre: u32) -> (u32, u32) {
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
