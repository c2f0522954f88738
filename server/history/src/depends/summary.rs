//! Summaries of predicates, in terms of their own arguments.

use std::collections::BTreeMap;

use costlens_analysis::call_modes::Modes;
use costlens_program::Functor;
use costlens_program::language::Clause;
use costlens_syntax::term::{Term, TermId};

use super::modes::on_entry;
use super::{ArgumentBinding, ArgumentSet, Once, WORLD};
use crate::program::Program;

/// The summary of a predicate. All sets contain indices of its own arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// The binding of each argument in every call.
    pub(super) entry: Vec<ArgumentBinding>,
    /// The arguments that control clause selection.
    pub(super) selects: u64,
    pub(super) effect: CallEffect,
    pub(super) clauses: Vec<ClauseFlow>,
}

/// The dependences after a call of a predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CallEffect {
    /// The arguments that flow into each argument.
    pub(super) out: Vec<u64>,
    /// The arguments that control whether and how often the call succeeds.
    pub(super) decides: u64,
}

/// The flow of dependences through a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClauseFlow {
    pub(super) sites: Vec<Site>,
    /// The inputs that control how often each literal is reached.
    pub(super) before: BTreeMap<TermId, u64>,
    /// The union of all dependences in the clause.
    pub(super) everything: u64,
    /// True if the clause was not analysed.
    pub(super) opaque: bool,
}

/// A call of a predicate in a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) callee: Functor,
    /// The inputs on which each argument depends.
    pub(super) arguments: Vec<u64>,
    /// The inputs that control how often the call is reached.
    pub(super) before: u64,
    /// The inputs that control whether backtracking re-enters the call.
    pub(super) redo: u64,
    /// True if goals after the clause may also backtrack into the call.
    pub(super) open: bool,
}

impl Site {
    pub(super) fn new(callee: Functor, arguments: Vec<u64>, before: u64) -> Self {
        Site {
            callee,
            arguments,
            before,
            redo: 0,
            open: false,
        }
    }
}

/// Maps a set of a predicate's arguments to their dependences in a call.
pub(super) fn map(set: u64, arguments: &[u64]) -> u64 {
    if set == u64::MAX {
        return set;
    }
    let (set, arguments) = (ArgumentSet(set), arguments.iter().enumerate());
    { arguments.filter(|(j, _)| set.has(*j)) }.fold(set.0 & WORLD, |sum, (_, deps)| sum | deps)
}

/// The predicates reached so far, with their summaries.
pub(super) struct ReachedSummaries<'s> {
    pub(super) program: &'s Program,
    pub(super) modes: &'s Modes,
    pub(super) once: &'s Once<'s>,
    pub(super) summaries: BTreeMap<Functor, Summary>,
    /// The predicates in the order in which they were reached.
    pub(super) order: Vec<Functor>,
    /// True if a summary has changed in this round.
    pub(super) changed: bool,
}

impl<'s> ReachedSummaries<'s> {
    pub(super) fn new(program: &'s Program, modes: &'s Modes, once: &'s Once<'s>) -> Self {
        ReachedSummaries {
            program,
            modes,
            once,
            summaries: BTreeMap::new(),
            order: Vec::new(),
            changed: false,
        }
    }

    /// Adds a predicate with the binding of its arguments in a call.
    pub(super) fn add(&mut self, functor: &Functor, entry: Vec<ArgumentBinding>) {
        let clauses = self.program.clauses.get(functor);
        let summary = Summary {
            selects: clauses.map_or(0, |clauses| selects(clauses, &entry)),
            effect: CallEffect {
                out: vec![0; functor.arity],
                decides: 0,
            },
            entry,
            clauses: Vec::new(),
        };
        self.order.push(functor.clone());
        self.changed = true;
        self.summaries.insert(functor.clone(), summary);
    }

    /// Returns the effect of a call of a program's predicate, according to its summary so far.
    pub(super) fn call(&mut self, functor: &Functor) -> CallEffect {
        if !self.summaries.contains_key(functor) {
            self.add(functor, on_entry(self.modes, functor));
        }
        let known = self.summaries.get(functor);
        known
            .map(|summary| summary.effect.clone())
            .unwrap_or_default()
    }
}

/// Returns the arguments that heads inspect. A free argument matches any term in a head, so it does not affect clause selection.
fn selects(clauses: &[Clause], entry: &[ArgumentBinding]) -> u64 {
    let mut selects = 0;
    for clause in clauses {
        let arguments = clause.terms.args(clause.head);
        let mut seen: Vec<(u32, usize)> = Vec::new();
        for (j, (&argument, _)) in { arguments.iter().zip(entry).enumerate() }
            .filter(|(_, (_, bound))| **bound != ArgumentBinding::Free)
        {
            match clause.terms.get(argument) {
                Term::Var(v) => {
                    // The variable occurs twice in the head, so both arguments are inspected.
                    if let Some(&(_, first)) = seen.iter().find(|(w, _)| w == v) {
                        selects |= ArgumentSet::one(j).0 | ArgumentSet::one(first).0;
                    }
                    seen.push((*v, j));
                }
                _ => selects |= ArgumentSet::one(j).0,
            }
        }
    }
    selects
}
