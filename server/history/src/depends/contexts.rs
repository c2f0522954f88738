//! Converts summaries to terms of the query's arguments: contexts of predicates, and the dependences of their blocks.

use std::collections::{BTreeMap, VecDeque};

use costlens_program::Functor;
use rustc_hash::{FxHashMap, FxHashSet};

use super::summary::{ClauseFlow, Site, Summary, map};
use super::{ArgumentBinding, ArgumentSet, Dependences, PredicateInputs};

/// The context of a predicate, in terms of the query's arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PredicateContext {
    /// The inputs on which the predicate's arguments depend.
    arguments: Vec<u64>,
    /// The inputs that control how often the predicate is called.
    called: u64,
    /// The inputs that control how often backtracking re-enters the predicate.
    redone: u64,
}

impl PredicateContext {
    /// Returns the context of the query.
    fn entry(bound: &[ArgumentBinding]) -> Self {
        let arguments = bound.iter().enumerate().map(|(j, bound)| match bound {
            ArgumentBinding::Free => 0,
            _ => ArgumentSet::one(j).0,
        });
        PredicateContext {
            arguments: arguments.collect(),
            ..PredicateContext::default()
        }
    }

    /// Returns the context of a call site in a clause of a predicate with this context.
    fn of_site(&self, summary: &Summary, site: &Site) -> Self {
        let mapped = |set: u64| map(set, &self.arguments);
        PredicateContext {
            arguments: site.arguments.iter().map(|&set| mapped(set)).collect(),
            called: self.called | mapped(site.before | summary.selects),
            redone: mapped(site.redo) | if site.open { self.redone } else { 0 },
        }
    }

    /// Returns all inputs in the context.
    fn everything(&self) -> u64 {
        let arguments = self.arguments.iter();
        arguments.fold(self.called | self.redone, |sum, set| sum | set)
    }

    /// Adds another call of the predicate. Returns whether the context has changed.
    fn add(&mut self, other: &PredicateContext) -> bool {
        let before = self.clone();
        self.called |= other.called;
        self.redone |= other.redone;
        self.arguments.resize(other.arguments.len(), 0);
        for (set, more) in self.arguments.iter_mut().zip(&other.arguments) {
            *set |= more;
        }
        *self != before
    }
}

/// Returns the dependences of blocks in a query whose arguments are bound in this way.
pub(super) fn dependences(
    predicate: &Functor,
    bound: &[ArgumentBinding],
    summaries: &BTreeMap<Functor, Summary>,
) -> Dependences {
    let mut dependences = Dependences::default();
    let contexts = contexts(predicate, bound, summaries, &mut dependences.libraries);
    let mut everything = ArgumentSet::NONE;
    for (functor, summary) in summaries {
        let Some(context) = contexts.get(functor) else {
            continue;
        };
        let inputs = predicate_inputs(summary, context);
        everything = everything.union(inputs.heads);
        everything = { inputs.clauses.iter() }.fold(everything, |sum, set| sum.union(*set));
        dependences.predicates.insert(functor.clone(), inputs);
    }
    let libraries = dependences.libraries.values();
    dependences.everything = libraries.fold(everything, |sum, set| sum.union(*set));
    dependences
}

/// Returns the contexts of the program's predicates that the query reaches. Adds the inputs of calls of other predicates to `libraries`.
fn contexts(
    predicate: &Functor,
    bound: &[ArgumentBinding],
    summaries: &BTreeMap<Functor, Summary>,
    libraries: &mut FxHashMap<Functor, ArgumentSet>,
) -> FxHashMap<Functor, PredicateContext> {
    let mut contexts = FxHashMap::from_iter([(predicate.clone(), PredicateContext::entry(bound))]);
    let mut todo = VecDeque::from([predicate.clone()]);
    let mut waiting: FxHashSet<Functor> = [predicate.clone()].into_iter().collect();
    while let Some(functor) = todo.pop_front() {
        waiting.remove(&functor);
        let Some((summary, context)) = summaries.get(&functor).zip(contexts.get(&functor).cloned())
        else {
            continue;
        };
        for site in summary.clauses.iter().flat_map(|clause| &clause.sites) {
            let call = context.of_site(summary, site);
            if !summaries.contains_key(&site.callee) {
                let known = libraries.entry(site.callee.clone()).or_default();
                *known = known.union(ArgumentSet(call.everything()));
                continue;
            }
            let callee = contexts.entry(site.callee.clone()).or_default();
            if callee.add(&call) && waiting.insert(site.callee.clone()) {
                todo.push_back(site.callee.clone());
            }
        }
    }
    contexts
}

fn predicate_inputs(summary: &Summary, context: &PredicateContext) -> PredicateInputs {
    let mapped = |set: u64| map(set, &context.arguments);
    let around = context.called | context.redone | mapped(summary.selects);
    let inputs = |set: u64| ArgumentSet(around | mapped(set));
    let goals = |clause: &ClauseFlow| {
        let goals = clause.before.iter();
        goals
            .map(|(&goal, &before)| (goal, inputs(before)))
            .collect()
    };
    let clauses = summary.clauses.iter();
    PredicateInputs {
        heads: ArgumentSet(around),
        goals: clauses.clone().map(goals).collect(),
        clauses: clauses.map(|clause| inputs(clause.everything)).collect(),
    }
}
