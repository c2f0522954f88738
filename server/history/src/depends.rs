//! The arguments of a call that the counts of a block can depend on.
//!
//! Hybrid prediction §V lets the programmer say so (`#pragma etp begin dependency (particles)`), and names inference of it from the flow of data as what is
//! to be done (§VII). This is that inference, over the clauses of a program and one call of it:
//!
//! ```prolog
//! filter(P, T, Sum) :- particles(P, Ps), intervals(T, Ps, Sum).
//! particles(0, []).                                       % counts depend on P alone
//! particles(P, [P|Ps]) :- P > 0, Q is P-1, particles(Q, Ps).
//! ```
//!
//! 1. *Summaries*, in terms of a predicate's own arguments: which of them decide whether and how often a call succeeds, which of them flow into each
//!    argument on exit, and which arguments are ground then (`walk`). A value that is bound behind a test depends on what the test depends on.
//! 2. *Contexts*: what the arguments of each call of a predicate depend on, and what decides how often it is called, both as arguments of the one call
//!    that is asked about (`contexts`).
//!
//! A literal that succeeds exactly once decides nothing about what follows: that is what analysis proves, or what all past runs have shown
//! ([`Once`]).
//!
//! A block's counts depend on what decides how often its predicate is called, which of its clauses are chosen, what the literals before it decide,
//! and what the literals behind it decide, where their failing comes back to it.
//!
//! It is an over-approximation but for terms that share variables through several arguments of a call. Nothing proved rests on it: predictions with
//! it are compared with those without it on past runs.

mod builtins;
mod contexts;
mod state;
mod walk;

use std::collections::BTreeMap;

use costlens_analysis::report::Determinism;
use costlens_machine::Place;
use costlens_program::Functor;
use costlens_syntax::term::TermId;
use rustc_hash::FxHashMap;

use crate::program::Program;

/// A set of arguments of a call, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Arguments(pub(crate) u64);

/// Something else than arguments: state, chance, input.
const WORLD: u64 = 1 << 63;

/// Arguments from this on are not told apart.
const TOLD_APART: usize = 62;

impl Arguments {
    /// Everything.
    pub const ALL: Arguments = Arguments(u64::MAX);
    /// Nothing.
    pub const NONE: Arguments = Arguments(0);

    /// One argument, from 0.
    #[must_use]
    pub fn one(argument: usize) -> Self {
        match argument < TOLD_APART {
            true => Arguments(1 << argument),
            false => Self::ALL,
        }
    }

    /// True where an argument, from 0, is among them.
    #[must_use]
    pub fn has(self, argument: usize) -> bool {
        self.0 & Self::one(argument).0 != 0
    }

    /// True where they are all that there is to know: no state, no chance.
    #[must_use]
    pub fn is_closed(self) -> bool {
        self.0 & WORLD == 0
    }

    /// These and others.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Arguments(self.0 | other.0)
    }
}

/// The extent to which an argument of a call is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is a variable that stands nowhere else in the call: nothing depends on it.
    Free,
    /// It has variables.
    Partly,
    /// It has none.
    Ground,
}

/// Knowledge of the solutions of a predicate: for each call pattern which arguments are unbound, and how many solutions there are.
pub type Solutions<'s> = dyn Fn(&Functor) -> Vec<(Vec<bool>, Determinism)> + 's;

/// Tells of a literal of a clause (the predicate, the number of the clause from 1) whether it has succeeded exactly once whenever it was reached, in all runs
/// that there are.
pub type Once<'o> = dyn Fn(&Functor, usize, TermId) -> bool + 'o;

/// The arguments that blocks depend on.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// The dependences of each predicate of the program that is reached.
    predicates: FxHashMap<Functor, OfPredicate>,
    /// The inputs that decide how often a predicate of a library is called, and what with.
    libraries: FxHashMap<Functor, Arguments>,
    /// All that anything depends on.
    everything: Arguments,
}

/// The arguments that the blocks of a predicate depend on.
#[derive(Clone, Debug, Default)]
struct OfPredicate {
    /// The choice of clauses, and their heads.
    heads: Arguments,
    /// The code of each clause in front of and up to a literal; and of what stands behind the last.
    goals: Vec<BTreeMap<TermId, Arguments>>,
    /// All code of each clause.
    clauses: Vec<Arguments>,
}

impl Dependences {
    /// Infers what blocks depend on in a call of a predicate. `bound` says of each argument how far it is bound.
    #[must_use]
    pub fn infer(
        program: &Program,
        predicate: &Functor,
        bound: &[Bound],
        solutions: &Solutions<'_>,
        once: &Once<'_>,
    ) -> Self {
        let are = |what| bound.iter().map(|b| *b == what).collect::<Vec<bool>>();
        let (ground, free) = (are(Bound::Ground), are(Bound::Free));
        let summaries = walk::summaries(program, predicate, (&ground, &free), (solutions, once));
        contexts::dependences(predicate, bound, summaries)
    }

    /// The arguments that the counts of a block can depend on. `clauses` is the number of clauses that the run has of its predicate: another one than
    /// was looked at says nothing.
    #[must_use]
    pub fn of(&self, place: &Place, clauses: usize) -> Arguments {
        match place {
            Place::Machine => self.everything,
            Place::Predicate { name, arity } => {
                let functor = Functor::new(name.clone(), *arity);
                match self.predicates.get(&functor) {
                    Some(own) if own.clauses.len() == clauses || clauses == 0 => own.heads,
                    Some(_) => Arguments::ALL,
                    None => self.library(&functor),
                }
            }
            Place::Clause {
                name,
                arity,
                clause,
                goal,
            } => {
                let functor = Functor::new(name.clone(), *arity);
                let Some(own) = self.predicates.get(&functor) else {
                    return self.library(&functor);
                };
                if own.clauses.len() != clauses {
                    return Arguments::ALL;
                }
                let number = clause.wrapping_sub(1);
                match (goal, own.goals.get(number)) {
                    (None, Some(_)) => own.heads,
                    (Some(goal), Some(goals)) => match goals.get(goal) {
                        Some(found) => *found,
                        None => own.clauses[number],
                    },
                    (_, None) => Arguments::ALL,
                }
            }
        }
    }

    fn library(&self, functor: &Functor) -> Arguments {
        // A helper of a library's predicate: nobody says which of them calls it.
        let known = self.libraries.get(functor);
        known.copied().unwrap_or(self.everything)
    }
}

#[cfg(test)]
mod tests;
