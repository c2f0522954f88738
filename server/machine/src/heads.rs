//! The low level of a profile (Mera et al. 2010, Section 5): for each edge into a cost centre, the outcomes of all clause heads tried while
//! the centre was running, of all predicates.
//!
//! ```prolog
//! p(a) :- q.      % clause 1: entered by a call, left by a failure where p(b) is called without an index
//! p(b).           % clause 2: entered by a redo, left by an exit
//! ```
//!
//! A head is entered by the call to its predicate, or by a redo, when backtracking reaches the next clause after an earlier clause was
//! tried. It is left when it is unified, or fails. Predicates in Rust, which have no clauses, are entered only by calls. The records are
//! kept in dense tables until another activation becomes active; then they are charged to the edge of the previous activation.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// The counts of a head, or of a predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadCounts {
    /// By entry port, call or redo: the numbers of successful and failed unifications.
    pub counts: [[u64; 2]; 2],
    /// The nanoseconds for each of these unifications; zero for predicates without clauses.
    pub nanoseconds: [[u64; 2]; 2],
    /// The number of times that the leading tests also held, which are the steps.
    pub steps: u64,
    /// The predicate's choice points that cuts removed.
    pub skips: u64,
}

impl HeadCounts {
    /// Adds the counts of another value.
    pub fn add(&mut self, other: &HeadCounts) {
        for (sums, more) in [
            (&mut self.counts, &other.counts),
            (&mut self.nanoseconds, &other.nanoseconds),
        ] {
            let sums = sums.iter_mut().flatten();
            sums.zip(more.iter().flatten()).for_each(|(a, b)| *a += b);
        }
        self.steps += other.steps;
        self.skips += other.skips;
    }
}

/// The counts of a clause's head, or of a predicate, for one edge into a cost centre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the edge through which the running centre was entered.
    pub edge: usize,
    /// The predicate's name.
    pub name: SmolStr,
    /// The predicate's arity.
    pub arity: usize,
    /// The clause, from 1. `None` for the predicate as a whole: its calls if it has no clauses, otherwise its choice points.
    pub clause: Option<usize>,
    /// The counts.
    pub counts: HeadCounts,
}

/// An index into the tables: a clause, or a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Of {
    /// An index into the clauses of linked code.
    Clause(u32),
    Predicate(u32),
    /// A predicate in Rust, by its number.
    Builtin(u32),
}

/// Counts by number, and the numbers whose counts are not 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    counts: Vec<HeadCounts>,
    touched: Vec<u32>,
}

impl Dense {
    #[inline]
    pub(crate) fn counts_mut(&mut self, number: u32) -> &mut HeadCounts {
        let place = number as usize;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, HeadCounts::default());
        }
        if self.counts[place] == HeadCounts::default() {
            self.touched.push(number);
        }
        &mut self.counts[place]
    }
}

/// The result of a head unification, which is an index of [`HeadCounts`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum HeadResult {
    Unified = 0,
    Failed = 1,
}

/// A table, with the function that maps its numbers to clauses or built-ins.
type Table<'a> = (&'a mut Dense, fn(u32) -> Of);

/// The low level of the profile being taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    /// The counts since the current activation became active.
    pub(crate) clauses: Dense,
    pub(crate) predicates: Dense,
    pub(crate) builtins: Dense,
    /// The counts already charged to edges.
    pub(crate) given: FxHashMap<(u32, Of), HeadCounts>,
    /// The clause whose head is being unified, its entry port (0 a call, 1 a redo), and the start time.
    trying: Option<(u32, usize, u64)>,
    /// True if the machine has backtracked to a choice point and has made no call since.
    pub(crate) is_back: bool,
}

impl Heads {
    /// Discards the counts so far.
    pub(crate) fn forget(&mut self) {
        self.given.clear();
        self.drain(None);
    }

    /// Charges the counts since the last charge to an edge, or discards them.
    pub(crate) fn give(&mut self, edge: Option<u32>) {
        self.drain(edge);
    }

    fn drain(&mut self, edge: Option<u32>) {
        let kinds: [Table<'_>; 3] = [
            (&mut self.clauses, Of::Clause),
            (&mut self.predicates, Of::Predicate),
            (&mut self.builtins, Of::Builtin),
        ];
        for (dense, of) in kinds {
            for number in dense.touched.drain(..) {
                let counts = std::mem::take(&mut dense.counts[number as usize]);
                if let Some(edge) = edge {
                    self.given
                        .entry((edge, of(number)))
                        .or_default()
                        .add(&counts);
                }
            }
        }
    }

    /// Records that a clause is tried.
    pub(crate) fn begin(&mut self, clause: u32, now: u64) {
        let by = usize::from(std::mem::take(&mut self.is_back));
        self.trying = Some((clause, by, now));
    }

    /// Returns true while a head is being unified.
    #[inline]
    pub(crate) fn is_trying(&self) -> bool {
        self.trying.is_some()
    }

    /// Ends the head that is being unified.
    #[inline]
    pub(crate) fn end(&mut self, result: HeadResult, now: u64) {
        if let Some((clause, by, since)) = self.trying.take() {
            let counts = self.clauses.counts_mut(clause);
            let (enter, leave) = (by, result as usize);
            counts.counts[enter][leave] += 1;
            counts.nanoseconds[enter][leave] += now.saturating_sub(since);
        }
    }
}
