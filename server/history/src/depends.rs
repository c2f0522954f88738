//! The arguments of a call on which the counts of a block can depend.
//!
//! Hybrid prediction §V lets the programmer declare these arguments (`#pragma etp begin dependency (particles)`), and names their inference
//! from data flow as future work (§VII). This module implements the inference, for the clauses of a program and one call (the *query*):
//!
//! ```prolog
//! filter(P, T, Sum) :- particles(P, Ps), intervals(T, Ps, Sum).
//! particles(0, []).                                       % counts depend only on P
//! particles(P, [P|Ps]) :- P > 0, Q is P-1, particles(Q, Ps).
//! ```
//!
//! 1. *Modes* come from analysis ([`Modes`]): how each reached call binds its arguments before and after it, and how many solutions it has
//!    (`modes`). The module `state` tracks modes between the goals of one clause.
//! 2. *Summaries*, in terms of a predicate's own arguments: the arguments that control whether and how often a call succeeds, and the
//!    arguments that flow into each argument on exit (`summaries`, `walk` for a clause, `calls`). A value that is bound after a test
//!    depends on the inputs of the test.
//! 3. *Contexts*, in terms of the query's arguments: the dependences of the arguments of each call of a predicate, and of the number of
//!    such calls (`contexts`).
//!
//! A literal that succeeds exactly once does not affect the goals after it. This is proved by analysis, or observed in all past runs
//! ([`Once`]).
//!
//! A block's counts depend on the inputs that control how often its predicate is called, clause selection, the outcomes of the preceding
//! literals, and the outcomes of the following literals whose failure backtracks into it.
//!
//! This is an over-approximation, except for terms that share variables through several arguments of a call. No proof depends on it:
//! predictions with inferred inputs are compared, on past runs, with predictions from all inputs.

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
use costlens_machine::BlockOrigin;
use costlens_program::Functor;
use costlens_syntax::term::TermId;
use rustc_hash::FxHashMap;

use self::summaries::summaries;
use self::summary::ReachedSummaries;
use crate::program::Program;

/// A set of a call's arguments, numbered from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArgumentSet(pub(crate) u64);

/// The bit for dependences other than arguments: state, randomness, input.
const WORLD: u64 = 1 << 63;

/// Arguments with at least this number are not distinguished.
const TOLD_APART: usize = 62;

impl ArgumentSet {
    /// The set of all dependences.
    pub const ALL: ArgumentSet = ArgumentSet(u64::MAX);
    /// The empty set.
    pub const NONE: ArgumentSet = ArgumentSet(0);

    /// Returns the set of one argument, numbered from 0.
    #[must_use]
    pub fn one(argument: usize) -> Self {
        match argument < TOLD_APART {
            true => ArgumentSet(1 << argument),
            false => Self::ALL,
        }
    }

    /// Returns whether an argument, numbered from 0, is in the set.
    #[must_use]
    pub fn has(self, argument: usize) -> bool {
        self.0 & Self::one(argument).0 != 0
    }

    /// Returns whether the set contains only arguments, but no state or randomness.
    #[must_use]
    pub fn is_closed(self) -> bool {
        self.0 & WORLD == 0
    }

    /// Returns the union with another set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        ArgumentSet(self.0 | other.0)
    }
}

/// How an argument of a call is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentBinding {
    /// A variable that occurs nowhere else in the call, so that nothing depends on it.
    Free,
    /// A term that may contain variables.
    Partly,
    /// A term without variables.
    Ground,
}

impl ArgumentBinding {
    /// Returns how all values of a type are bound.
    pub(crate) fn of_type(of: &Type) -> Self {
        match of {
            Type::Free => ArgumentBinding::Free,
            _ if of.is_ground() => ArgumentBinding::Ground,
            _ => ArgumentBinding::Partly,
        }
    }

    /// Returns the binding that holds for both calls.
    fn join(self, other: Self) -> Self {
        if self == other {
            self
        } else {
            ArgumentBinding::Partly
        }
    }
}

/// Returns whether, in all past runs, a literal of a clause (given by predicate and clause number, from 1) has succeeded exactly once
/// whenever it was reached.
pub type Once<'o> = dyn Fn(&Functor, usize, TermId) -> bool + 'o;

/// The arguments on which blocks depend.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// The dependences of each reachable predicate of the program.
    predicates: FxHashMap<Functor, PredicateInputs>,
    /// The inputs that control how often a library predicate is called, and with which arguments.
    libraries: FxHashMap<Functor, ArgumentSet>,
    /// The union of all dependences.
    everything: ArgumentSet,
}

/// The arguments on which the blocks of a predicate depend.
#[derive(Clone, Debug, Default)]
struct PredicateInputs {
    /// The dependences of clause selection and of heads.
    heads: ArgumentSet,
    /// For each clause, the dependences of the code from each literal to the next, and of the code after the last literal.
    goals: Vec<BTreeMap<TermId, ArgumentSet>>,
    /// The dependences of the whole code of each clause.
    clauses: Vec<ArgumentSet>,
}

impl Dependences {
    /// Infers the dependences of blocks in a call of a predicate. `bound` contains the binding of each argument, `modes` the modes of the
    /// reached calls.
    #[must_use]
    pub fn infer(
        program: &Program,
        predicate: &Functor,
        bound: &[ArgumentBinding],
        modes: &Modes,
        once: &Once<'_>,
    ) -> Self {
        let reached = ReachedSummaries::new(program, modes, once);
        let summaries = summaries(reached, predicate, bound);
        contexts::dependences(predicate, bound, &summaries)
    }

    /// Returns the arguments on which the counts of a block can depend. `clauses` is the number of clauses of its predicate in the run. If
    /// it differs from the analysed number, the result is everything.
    #[must_use]
    pub fn arguments(&self, place: &BlockOrigin, clauses: usize) -> ArgumentSet {
        match place {
            BlockOrigin::Machine => self.everything,
            BlockOrigin::Predicate { name, arity } => {
                let functor = Functor::new(name.clone(), *arity);
                match self.predicates.get(&functor) {
                    Some(inputs) if inputs.clauses.len() == clauses || clauses == 0 => inputs.heads,
                    Some(_) => ArgumentSet::ALL,
                    None => self.library(&functor),
                }
            }
            BlockOrigin::Clause {
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
                    return ArgumentSet::ALL;
                }
                let number = clause.wrapping_sub(1);
                match (goal, inputs.goals.get(number)) {
                    (None, Some(_)) => inputs.heads,
                    (Some(goal), Some(goals)) => {
                        goals.get(goal).copied().unwrap_or(inputs.clauses[number])
                    }
                    (_, None) => ArgumentSet::ALL,
                }
            }
        }
    }

    fn library(&self, functor: &Functor) -> ArgumentSet {
        // A helper of a library predicate: its callers are unknown.
        let known = self.libraries.get(functor);
        known.copied().unwrap_or(self.everything)
    }
}

#[cfg(test)]
mod tests;
