//! The low level of a profile (Mera et al. 2010, Section 5): for each way into a cost centre, what became of the heads of clauses that were tried
//! while it was running, whichever predicate they are of.
//!
//! ```prolog
//! p(a) :- q.      % clause 1: entered by a call, left by a failure where p(b) is called without an index
//! p(b).           % clause 2: entered by a redo, left by an exit
//! ```
//!
//! A head is entered by the call of its predicate, or by a redo: backtracking comes to the clause behind one that was tried before. It is left when
//! it is unified, or fails. Predicates without clauses, those in Rust, are entered by calls alone. What is noted is kept in dense tables until
//! another activation becomes active; then it is given to the edge of the one that was.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::cell::Cell;
use crate::centres::{EDGE, Enter};
use crate::control;
use crate::machine::Machine;
use crate::ports::NOBODY;

/// The counts of a head, or of a predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadCounts {
    /// By the port of entry, call or redo: how often it was unified, and how often it failed.
    pub counts: [[u64; 2]; 2],
    /// The nanoseconds in between, likewise. None of predicates without clauses.
    pub nanoseconds: [[u64; 2]; 2],
    /// The number of times that its leading tests held, too: the steps that it counts.
    pub steps: u64,
    /// The choice points of the predicate that cuts removed.
    pub skips: u64,
}

impl HeadCounts {
    /// Adds other counts.
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

    /// The number of times that it was entered by a port.
    #[must_use]
    pub fn entered(&self, by: Enter) -> u64 {
        self.counts[by as usize].iter().sum()
    }
}

/// The counts of a clause's head, or of a predicate, on the way into a cost centre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the edge by which the centre was entered that was running.
    pub edge: usize,
    /// The predicate's name.
    pub name: SmolStr,
    /// Its arity.
    pub arity: usize,
    /// The clause, from 1. None for the predicate as a whole: its calls where it has no clauses, its choice points where it has.
    pub clause: Option<usize>,
    /// The counts.
    pub counts: HeadCounts,
}

/// A place in the tables: a clause, or a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Of {
    /// A place among [`Machine::counted_clauses`].
    Clause(u32),
    Predicate(u32),
    /// A predicate in Rust, by its number.
    Builtin(u32),
}

/// Counts by number, and which of them are not 0.
#[derive(Clone, Debug, Default)]
struct Dense {
    counts: Vec<HeadCounts>,
    touched: Vec<u32>,
}

impl Dense {
    #[inline]
    fn at(&mut self, number: u32) -> &mut HeadCounts {
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

/// The low level of the profile that is being taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    /// The counts since the present activation became active.
    clauses: Dense,
    predicates: Dense,
    builtins: Dense,
    /// What was given to edges.
    given: FxHashMap<(u32, Of), HeadCounts>,
    /// The clause whose head is being unified, the port by which it was entered, and when.
    trying: Option<(u32, Enter, u64)>,
    /// True if the machine has gone back to a choice point, and called nothing since.
    pub(crate) is_back: bool,
}

impl Heads {
    /// Drops what was counted so far.
    pub(crate) fn forget(&mut self) {
        self.given.clear();
        self.drain(None);
    }

    /// Gives what was counted since the last time to an edge, or to nobody.
    pub(crate) fn give(&mut self, edge: Option<u32>) {
        self.drain(edge);
    }

    fn drain(&mut self, edge: Option<u32>) {
        let kinds: [(&mut Dense, fn(u32) -> Of); 3] = [
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

    /// The head that is being unified ends.
    #[inline]
    fn end(&mut self, unified: bool, now: u64) {
        if let Some((clause, by, since)) = self.trying.take() {
            let counts = self.clauses.at(clause);
            let (enter, leave) = (by as usize, usize::from(!unified));
            counts.counts[enter][leave] += 1;
            counts.nanoseconds[enter][leave] += now.saturating_sub(since);
        }
    }
}

impl Machine {
    #[inline]
    fn now(&self) -> u64 {
        self.centres.clock.map_or(0, |clock| clock())
    }

    /// A clause's code is at its first instruction.
    pub(crate) fn begin_head(&mut self, at: usize) {
        let clause = self.owners.get(at).map_or(NOBODY, |owner| owner.clause);
        if clause == NOBODY {
            return;
        }
        let now = self.now();
        let heads = &mut self.centres.heads;
        let by = match std::mem::take(&mut heads.is_back) {
            true => Enter::Redo,
            false => Enter::Call,
        };
        heads.trying = Some((clause, by, now));
    }

    /// A clause's head is unified.
    pub(crate) fn end_head(&mut self) {
        if self.centres.heads.trying.is_some() {
            let now = self.now();
            self.centres.heads.end(true, now);
        }
    }

    /// The leading tests of a clause hold.
    pub(crate) fn note_head_step(&mut self, at: usize) {
        let clause = self.owners.get(at).map_or(NOBODY, |owner| owner.clause);
        if clause != NOBODY {
            self.centres.heads.clauses.at(clause).steps += 1;
        }
    }

    /// An instruction has failed: if a head was being unified, it was that.
    pub(crate) fn fail_head(&mut self) {
        if self.centres.heads.trying.is_some() {
            let now = self.now();
            self.centres.heads.end(false, now);
        }
        self.centres.heads.is_back = true;
    }

    /// A predicate in Rust has succeeded or failed.
    #[inline]
    pub(crate) fn note_builtin(&mut self, number: u32, succeeded: bool) {
        let counts = self.centres.heads.builtins.at(number);
        counts.counts[0][usize::from(!succeeded)] += 1;
    }

    /// A cut is about to remove the choice points above a level.
    pub(crate) fn note_skipped(&mut self, level: usize) {
        let newest = self.choices.len();
        for number in level..newest {
            let next = self.choices[number].next as usize;
            let predicate = match next {
                // Of older ones it is not known which predicate they go through.
                control::RETRY_DYNAMIC if number + 1 == newest => self.dynamic_of_newest(),
                _ => self.owners.get(next).map_or(NOBODY, |o| o.predicate),
            };
            if predicate != NOBODY {
                self.centres.heads.predicates.at(predicate).skips += 1;
            }
        }
    }

    /// Gives what was noted of heads to the activation that is active.
    pub(crate) fn give_heads(&mut self) {
        let edge = match self.activation == 0 || self.centres.is_paused() {
            true => None,
            false => u32::try_from(*self.word(self.activation, EDGE)).ok(),
        };
        self.centres.heads.give(edge);
    }

    /// The low level of the profile: by edges, predicates in the order of their names, clauses in theirs.
    pub(crate) fn heads(&self) -> Vec<Head> {
        let mut numbers: Vec<usize> = vec![0; self.predicates.len()];
        let of_clause: Vec<Option<usize>> = (self.counted_clauses.iter())
            .map(|clause| {
                (!clause.replaced).then(|| {
                    let number = &mut numbers[clause.predicate as usize];
                    *number += 1;
                    *number
                })
            })
            .collect();
        let named = |functor: Cell| {
            let name = self.store.atoms.text(functor.functor_name()).clone();
            (name, functor.functor_arity())
        };
        let mut found: Vec<Head> = (self.centres.heads.given.iter())
            .filter_map(|(&(edge, of), &counts)| {
                let (functor, clause) = match of {
                    Of::Clause(at) => {
                        let clause = self.counted_clauses.get(at as usize)?;
                        let number = of_clause.get(at as usize).copied().flatten();
                        (self.functor_of(clause.predicate)?, Some(number?))
                    }
                    Of::Predicate(number) => (self.functor_of(number)?, None),
                    Of::Builtin(number) => (*self.builtin_functors.get(number as usize)?, None),
                };
                let (name, arity) = named(functor);
                Some(Head {
                    edge: edge as usize,
                    name,
                    arity,
                    clause,
                    counts,
                })
            })
            .collect();
        found.sort_by(|a, b| {
            let key = |head: &Head| (head.edge, head.name.clone(), head.arity, head.clause);
            key(a).cmp(&key(b))
        });
        found
    }

    fn functor_of(&self, predicate: u32) -> Option<Cell> {
        self.predicates.get(predicate as usize).map(|p| p.functor)
    }
}
