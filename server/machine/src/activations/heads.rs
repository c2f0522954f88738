//! The low level of a profile: the records of clause heads ([`crate::heads`]) that the loop makes, and their table.

use crate::cell::Cell;
use crate::centres::EDGE;
use crate::control;
use crate::heads::{Head, HeadResult, Of};
use crate::machine::Machine;
use crate::ports::NOBODY;

impl Machine {
    #[inline]
    fn now(&self) -> u64 {
        self.centres.clock.map_or(0, |clock| clock())
    }

    /// Begins a head at the first instruction of a clause's code.
    pub(crate) fn begin_head(&mut self, at: usize) {
        let clause = self.owners.get(at).map_or(NOBODY, |owner| owner.clause);
        if clause == NOBODY {
            return;
        }
        let now = self.now();
        self.centres.heads.begin(clause, now);
    }

    /// Ends a head that was unified.
    pub(crate) fn end_head(&mut self) {
        if self.centres.heads.is_trying() {
            let now = self.now();
            self.centres.heads.end(HeadResult::Unified, now);
        }
    }

    /// Counts a step: the leading tests of a clause hold.
    pub(crate) fn note_head_step(&mut self, at: usize) {
        let clause = self.owners.get(at).map_or(NOBODY, |owner| owner.clause);
        if clause != NOBODY {
            self.centres.heads.clauses.counts_mut(clause).steps += 1;
        }
    }

    /// Handles a failed instruction: if a head was being unified, its unification has failed.
    pub(crate) fn fail_head(&mut self) {
        if self.centres.heads.is_trying() {
            let now = self.now();
            self.centres.heads.end(HeadResult::Failed, now);
        }
        self.centres.heads.is_back = true;
    }

    /// Records the success or failure of a predicate in Rust.
    #[inline]
    pub(crate) fn note_builtin(&mut self, number: u32, succeeded: bool) {
        let counts = self.centres.heads.builtins.counts_mut(number);
        counts.counts[0][usize::from(!succeeded)] += 1;
    }

    /// Records the choice points above a level that a cut is about to remove.
    pub(crate) fn note_skipped(&mut self, level: usize) {
        let newest = self.choices.len();
        for number in level..newest {
            let next = self.choices[number].next as usize;
            let predicate = match next {
                // The predicate of an older choice point is not known.
                control::RETRY_DYNAMIC if number + 1 == newest => self.dynamic_of_newest(),
                _ => self.owners.get(next).map_or(NOBODY, |o| o.predicate),
            };
            if predicate != NOBODY {
                self.centres.heads.predicates.counts_mut(predicate).skips += 1;
            }
        }
    }

    /// Charges the recorded head counts to the active activation.
    pub(crate) fn give_heads(&mut self) {
        let edge = match self.activation == 0 || self.centres.is_paused() {
            true => None,
            false => u32::try_from(*self.word(self.activation, EDGE)).ok(),
        };
        self.centres.heads.give(edge);
    }

    /// Returns the low level of the profile, sorted by edge, then by predicate name; clauses are in order.
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
