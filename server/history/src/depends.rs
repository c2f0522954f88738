//! The arguments of a call that the counts of a block can depend on.
//!
//! Hybrid prediction §V lets the programmer declare these (`#pragma etp begin dependency (particles)`), and names their inference from the
//! flow of data as future work (§VII). This module is that inference, over the clauses of a program and one call of it:
//!
//! ```prolog
//! filter(P, T, Sum) :- particles(P, Ps), intervals(T, Ps, Sum).
//! particles(0, []).                                       % counts depend only on P
//! particles(P, [P|Ps]) :- P > 0, Q is P-1, particles(Q, Ps).
//! ```
//!
//! 1. *Modes* come from analysis ([`Modes`]): how each call that the one call leads to binds its arguments before and after it, and how many
//!    solutions it has (`modes`). `state` follows them between the goals of one clause.
//! 2. *Summaries*, in terms of a predicate's own arguments: the arguments that decide whether and how often a call succeeds, and those that
//!    flow into each argument on exit (`summaries`, `walk` through a clause, `calls`). A value that is bound after a test depends on the inputs
//!    of the test.
//! 3. *Contexts*: the dependences of the arguments of each call of a predicate, and of the number of its calls, both as arguments of the
//!    one call in question (`contexts`).
//!
//! A literal that succeeds exactly once does not affect the goals after it: that is proved by analysis, or observed in all past runs
//! ([`Once`]).
//!
//! A block's counts depend on the inputs that decide how often its predicate is called, which of its clauses are chosen, the outcomes of
//! the preceding literals, and the outcomes of the following literals whose failure backtracks into it.
//!
//! This is an over-approximation except for terms that share variables through several arguments of a call. No proof depends on it:
//! predictions with it are compared with those without it on past runs.

mod builtins;
mod calls;
mod contexts;
mod modes;
mod state;
mod summaries;
mod summary;
mod walk;

use std::collections::BTreeMap;

use costlens_analysis::call_modes::Modes;
use costlens_analysis::types::Type;
use costlens_machine::Place;
use costlens_program::Functor;
use costlens_syntax::term::TermId;
use rustc_hash::FxHashMap;

use self::summaries::summaries;
use self::summary::Reached;
use crate::program::Program;

/// A set of arguments of a call, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Arguments(pub(crate) u64);

/// Dependences other than on arguments: state, randomness, input.
const WORLD: u64 = 1 << 63;

/// Arguments from this one on are not distinguished.
const TOLD_APART: usize = 62;

impl Arguments {
    /// The set of all dependences.
    pub const ALL: Arguments = Arguments(u64::MAX);
    /// The empty set.
    pub const NONE: Arguments = Arguments(0);

    /// Returns the set of one argument, from 0.
    #[must_use]
    pub fn one(argument: usize) -> Self {
        match argument < TOLD_APART {
            true => Arguments(1 << argument),
            false => Self::ALL,
        }
    }

    /// Returns whether an argument, from 0, is in the set.
    #[must_use]
    pub fn has(self, argument: usize) -> bool {
        self.0 & Self::one(argument).0 != 0
    }

    /// Returns whether the set contains only arguments: no state, no randomness.
    #[must_use]
    pub fn is_closed(self) -> bool {
        self.0 & WORLD == 0
    }

    /// Returns the union with another set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Arguments(self.0 | other.0)
    }
}

/// The degree to which an argument of a call is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is a variable that occurs nowhere else in the call: nothing depends on it.
    Free,
    /// It contains variables.
    Partly,
    /// It contains no variables.
    Ground,
}

impl Bound {
    /// Returns the degree to which all values of a type are bound.
    pub(crate) fn of_type(of: &Type) -> Self {
        match of {
            Type::Free => Bound::Free,
            _ if of.is_ground() => Bound::Ground,
            _ => Bound::Partly,
        }
    }

    /// Returns the degree that holds for both of two calls.
    fn join(self, other: Self) -> Self {
        if self == other { self } else { Bound::Partly }
    }
}

/// Returns whether a literal of a clause (the predicate, the number of the clause from 1) has succeeded exactly once whenever it was
/// reached, in all past runs.
pub type Once<'o> = dyn Fn(&Functor, usize, TermId) -> bool + 'o;

/// The arguments that blocks depend on.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// The dependences of each reachable predicate of the program.
    predicates: FxHashMap<Functor, PredicateInputs>,
    /// The inputs that decide how often a predicate of a library is called, and with which arguments.
    libraries: FxHashMap<Functor, Arguments>,
    /// The union of all dependences.
    everything: Arguments,
}

/// The arguments that the blocks of a predicate depend on.
#[derive(Clone, Debug, Default)]
struct PredicateInputs {
    /// The dependences of the choice of clauses, and of their heads.
    heads: Arguments,
    /// The dependences of the code of each clause before and up to a literal, and of the code after the last one.
    goals: Vec<BTreeMap<TermId, Arguments>>,
    /// The dependences of all code of each clause.
    clauses: Vec<Arguments>,
}

impl Dependences {
    /// Infers the dependences of blocks in a call of a predicate. `bound` gives the degree to which each argument is bound, `modes` those of
    /// the calls that it leads to.
    #[must_use]
    pub fn infer(
        program: &Program,
        predicate: &Functor,
        bound: &[Bound],
        modes: &Modes,
        once: &Once<'_>,
    ) -> Self {
        let reached = Reached::new(program, modes, once);
        let summaries = summaries(reached, predicate, bound);
        contexts::dependences(predicate, bound, &summaries)
    }

    /// Returns the arguments that the counts of a block can depend on. `clauses` is the number of clauses of its predicate in the run: if
    /// it differs from the analysed number, nothing is known.
    #[must_use]
    pub fn arguments(&self, place: &Place, clauses: usize) -> Arguments {
        match place {
            Place::Machine => self.everything,
            Place::Predicate { name, arity } => {
                let functor = Functor::new(name.clone(), *arity);
                match self.predicates.get(&functor) {
                    Some(inputs) if inputs.clauses.len() == clauses || clauses == 0 => inputs.heads,
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
                let Some(inputs) = self.predicates.get(&functor) else {
                    return self.library(&functor);
                };
                if inputs.clauses.len() != clauses {
                    return Arguments::ALL;
                }
                let number = clause.wrapping_sub(1);
                match (goal, inputs.goals.get(number)) {
                    (None, Some(_)) => inputs.heads,
                    (Some(goal), Some(goals)) => {
                        goals.get(goal).copied().unwrap_or(inputs.clauses[number])
                    }
                    (_, None) => Arguments::ALL,
                }
            }
        }
    }

    fn library(&self, functor: &Functor) -> Arguments {
        // This is a helper of a library's predicate, whose callers are not known.
        let known = self.libraries.get(functor);
        known.copied().unwrap_or(self.everything)
    }
}

#[cfg(test)]
mod tests;
