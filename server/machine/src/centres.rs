//! Measurements of cost centres: resources, ports, edges and paths, and the profile being taken.
//!
//! At each moment one *edge* is active: the running centre together with the centre from which it was entered (Mera et al. 2010). Resource
//! use is added to the active edge. `activations` decides when another edge becomes active.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::cell::Cell;
use crate::heads::{Head, Heads};

/// The resources that a profile measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// Nanoseconds according to the profile's clock.
    Time,
    /// Resolution steps.
    Steps,
    /// Successful head unifications.
    HeadUnifications,
    /// Calls to predicates, whether or not they are centres.
    Goals,
    /// Backtracks to a choice point.
    Backtracks,
    /// Choice points that were created.
    ChoicePoints,
    /// Cuts that removed choice points.
    Cuts,
    /// Cuts that removed no choice points.
    UselessCuts,
    /// Choice points removed by cuts.
    Skips,
    /// Heap cells that were allocated.
    HeapCells,
    /// Executed instructions of counted code.
    Instructions,
}

impl Resource {
    /// All resources.
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
    /// Returns the amount of a resource.
    #[must_use]
    pub fn amount(&self, resource: Resource) -> u64 {
        self.0[resource as usize]
    }

    /// Adds the amounts of another value.
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

/// The ports through which a centre is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enter {
    /// A call.
    Call,
    /// Backtracking into the centre.
    Redo,
}

impl Enter {
    /// All entry ports.
    pub const ALL: [Enter; 2] = [Enter::Call, Enter::Redo];
}

/// The ports through which a centre is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// An exit with a solution.
    Exit,
    /// A failure: there was no solution, or no further solution.
    Fail,
    /// An exception.
    Exception,
    /// No exit: a limit ended the run.
    Open,
}

impl Leave {
    /// All exit ports.
    pub const ALL: [Leave; 4] = [Leave::Exit, Leave::Fail, Leave::Exception, Leave::Open];
}

/// The visits of a centre through a pair of ports, and the resources used between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The number of visits.
    pub count: u64,
    /// The centre's own use. Use by other centres in the meantime is charged to those centres.
    pub used: Amounts,
}

/// The pairs of ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ports(pub(crate) [[Pair; 4]; 2]);

impl Ports {
    /// Returns the measurements for a pair of ports.
    #[must_use]
    pub fn pair(&self, enter: Enter, leave: Leave) -> &Pair {
        &self.0[enter as usize][leave as usize]
    }

    /// Returns the measurements of all pairs, with their ports.
    pub fn pairs(&self) -> impl Iterator<Item = (Enter, Leave, &Pair)> {
        (Enter::ALL.into_iter())
            .flat_map(|enter| Leave::ALL.into_iter().map(move |leave| (enter, leave)))
            .map(|(enter, leave)| (enter, leave, self.pair(enter, leave)))
    }

    /// Sets the visits of a pair of ports.
    pub fn put(&mut self, enter: Enter, leave: Leave, pair: Pair) {
        self.0[enter as usize][leave as usize] = pair;
    }

    /// Adds the visits of another value.
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

    /// Returns the total use over all pairs.
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
    /// The remainder of a run, which belongs to no centre.
    Remainder,
    /// The name and arity of a predicate.
    Predicate(SmolStr, usize),
    /// A literal, named by `cost_center/2`.
    Literal(String),
}

/// A cost centre.
#[derive(Clone, Debug)]
pub struct Centre {
    /// The centre's name.
    pub name: CentreName,
    /// The centre's use including that of all its callees. Recursive calls count once.
    pub accumulated: Amounts,
    /// The number of open boxes, and the run's use when the first box was entered.
    open: u64,
    since: Amounts,
}

impl Centre {
    /// Creates a centre from the measurements of another implementation.
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
    /// Discards the accumulated use; open boxes count from now on.
    pub(crate) fn forget(&mut self) {
        self.accumulated = Amounts::default();
        self.since = Amounts::default();
    }

    /// Adds the use of an open centre up to now, given the run's total use. Nested boxes count once.
    pub(crate) fn close_now(&mut self, total: &Amounts) {
        if self.open > 0 {
            self.open = 0;
            for (n, now) in total.0.iter().enumerate() {
                self.accumulated.0[n] += now.saturating_sub(self.since.0[n]);
            }
        }
    }
}

/// Entries into a centre from another centre.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The number of the centre that was active.
    pub from: usize,
    /// The number of the centre that was entered.
    pub to: usize,
    /// The measurements by pair of ports.
    pub ports: Ports,
}

/// A path of centres that call each other, starting at the remainder. Re-entering a centre on the path returns to the path that first
/// reached the centre.
#[derive(Clone, Debug)]
pub struct CentrePath {
    /// The number of the path without its last centre; the first path is its own parent.
    pub parent: usize,
    /// The last centre.
    pub centre: usize,
    /// The use while the path's last centre was running on this path.
    pub used: Amounts,
}

/// The profile of a run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The centres; the first is the remainder.
    pub centres: Vec<Centre>,
    /// The edges; the first leads from the remainder to itself.
    pub edges: Vec<Edge>,
    /// The paths.
    pub nodes: Vec<CentrePath>,
    /// The use of the whole run.
    pub total: Amounts,
    /// The resources measured in addition to ports: time and, if events are recorded, the other resources.
    pub resources: Vec<Resource>,
    /// The outcomes of clause heads, if they were requested.
    pub heads: Vec<Head>,
}

impl Measured {
    /// Returns true if a resource was measured.
    #[must_use]
    pub fn has(&self, resource: Resource) -> bool {
        self.resources.contains(&resource)
    }
}

/// The number of slots of an activation: edge, path, parent activation, entry port, the observer's number for the call, and, starting at
/// [`PENDING`], the use since the last entry.
pub(crate) const ACTIVATION_SLOTS: usize = PENDING + RESOURCES;
pub(crate) const EDGE: usize = 0;
pub(crate) const NODE: usize = 1;
pub(crate) const PARENT: usize = 2;
pub(crate) const ENTERED: usize = 3;
pub(crate) const OBSERVED: usize = 4;
pub(crate) const PENDING: usize = 5;

/// The number of recently used ways that are cached in a table in front of the map of all ways.
const RECENT: usize = 64;
/// A path and a centre that is entered on it, with the resulting path and edge.
pub(crate) type CentreEntry = ((u32, u32), (u32, u32));

/// The maximum number of paths; beyond it, paths begin at the remainder again.
const MAX_NODES: usize = 100_000;

/// The kinds of counts at an instruction, as bits of [`Centres::marks`].
pub(crate) const RUNS: u8 = 1;
pub(crate) const STEP: u8 = 2;
pub(crate) const HEAD: u8 = 4;
pub(crate) const CHOICE: u8 = 8;
/// Marks in all clauses, counted or not: the first instruction, the instruction at which the head is unified, the instruction at which the
/// leading tests hold.
pub(crate) const BEGINS: u8 = 16;
pub(crate) const UNIFIED: u8 = 32;
pub(crate) const TESTED: u8 = 64;

/// The profile being taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Centres {
    /// The clock, in nanoseconds; `None` if no profile is taken.
    pub(crate) clock: Option<fn() -> u64>,
    pub(crate) events: bool,
    /// True if the outcomes of clause heads are recorded.
    pub(crate) low_level: bool,
    pub(crate) heads: Heads,
    pub(crate) literals: bool,
    pub(crate) centres: Vec<Centre>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) nodes: Vec<CentrePath>,
    /// The code of each centre, by its number.
    pub(crate) entries: Vec<u32>,
    /// The centres of literals, by name.
    pub(crate) named: FxHashMap<Cell, u32>,
    /// The path and the edge that result from entering a centre on a path.
    pub(crate) ways: FxHashMap<(u32, u32), (u32, u32)>,
    /// The ways used most recently, each at an index computed from its path and centre.
    pub(crate) recent: Vec<CentreEntry>,
    /// The marks of the instructions examined so far, and the number of clauses marked.
    pub(crate) marks: Vec<u8>,
    pub(crate) marked_clauses: usize,
    /// The use of the run so far, and the part of it that is already charged.
    pub(crate) live: Amounts,
    pub(crate) given: Amounts,
    /// The use that is not measured: between answers, outside `profile/1` if the run calls it, or before `profile_reset/0`.
    pub(crate) nobodys: Amounts,
    /// The number of active calls to `profile/1`; `None` if it was never called and everything is measured.
    pub(crate) inside: Option<u32>,
    /// The clock's value when it was last read.
    pub(crate) at: u64,
    /// Scratch: the activations to redo.
    pub(crate) redone: Vec<u32>,
    /// The centres whose calls may be observed, with their numbers in the plan and arities.
    pub(crate) observed: FxHashMap<u32, (usize, usize)>,
}

impl Centres {
    /// Returns true if the profile records events, or `None` if no profile is taken.
    #[inline]
    pub(crate) fn watched(&self) -> Option<bool> {
        self.clock.map(|_| self.events)
    }

    #[inline]
    pub(crate) fn note_goal(&mut self) {
        self.live.count(Resource::Goals, 1);
    }

    /// Records the entry of an interpreted clause.
    pub(crate) fn note_step(&mut self) {
        self.live.count(Resource::Steps, 1);
        self.live.count(Resource::HeadUnifications, 1);
    }

    /// Records that a choice point of a dynamic predicate was created.
    pub(crate) fn note_choice(&mut self) {
        self.live.count(Resource::ChoicePoints, 1);
    }

    /// Adds a centre and returns its number.
    pub(crate) fn add(&mut self, name: CentreName, entry: u32) -> u32 {
        self.centres.push(Centre::new(name, Amounts::default()));
        self.entries.push(entry);
        u32::try_from(self.centres.len() - 1).unwrap_or(0)
    }

    /// Returns true while measuring is paused.
    #[inline]
    pub(crate) fn is_paused(&self) -> bool {
        self.inside == Some(0)
    }

    /// Returns the number of measured resources. Time is the first resource.
    pub(crate) fn measured(&self) -> usize {
        if self.events { RESOURCES } else { 1 }
    }

    /// Enters a box of the centre of an edge.
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

    /// Leaves a box of the centre of an edge.
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

    /// Returns the path and the edge that result from entering a centre on a path.
    #[inline]
    pub(crate) fn way(&mut self, node: u32, centre: u32) -> (u32, u32) {
        let place = (node ^ centre.wrapping_mul(31)) as usize % RECENT;
        match self.recent.get(place) {
            Some(&(from, way)) if from == (node, centre) => way,
            _ => {
                let way = self.found_way(node, centre);
                // No path leads to the remainder, so an empty entry matches no way.
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

    /// Returns the path that results from entering a centre on a path.
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
        self.nodes.push(CentrePath {
            parent,
            centre: wanted,
            used: Amounts::default(),
        });
        u32::try_from(self.nodes.len() - 1).unwrap_or(0)
    }
}
