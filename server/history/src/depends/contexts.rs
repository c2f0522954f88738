//! Summaries in terms of the arguments of the one call: contexts of predicates, and the dependences of their blocks.

use std::collections::VecDeque;

use costlens_program::Functor;
use rustc_hash::{FxHashMap, FxHashSet};

use super::walk::{Summary, map};
use super::{Arguments, Bound, Dependences, OfPredicate};

/// The context of a predicate, in arguments of the one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Context {
    /// The inputs that its arguments depend on.
    arguments: Vec<u64>,
    /// The inputs that decide how often it is called.
    called: u64,
    /// The inputs that decide how often backtracking returns into it.
    redone: u64,
}

pub(super) fn dependences(
    predicate: &Functor,
    bound: &[Bound],
    summaries: FxHashMap<Functor, Summary>,
) -> Dependences {
    let mut contexts: FxHashMap<Functor, Context> = FxHashMap::default();
    let entry = Context {
        arguments: (0..predicate.arity)
            .map(|j| match bound.get(j) {
                Some(Bound::Free) => 0,
                _ => Arguments::one(j).0,
            })
            .collect(),
        ..Context::default()
    };
    contexts.insert(predicate.clone(), entry);
    let mut todo = VecDeque::from([predicate.clone()]);
    let mut waiting: FxHashSet<Functor> = [predicate.clone()].into_iter().collect();
    let mut found = Dependences::default();
    while let Some(functor) = todo.pop_front() {
        waiting.remove(&functor);
        let (Some(summary), Some(context)) = (summaries.get(&functor), contexts.get(&functor))
        else {
            continue;
        };
        let context = context.clone();
        let mapped = |set: u64| map(set, &context.arguments);
        for clause in &summary.clauses {
            for site in &clause.sites {
                let called = context.called | mapped(site.before | summary.selects);
                let redone = mapped(site.redo) | if site.open { context.redone } else { 0 };
                let arguments: Vec<u64> = site.arguments.iter().map(|&set| mapped(set)).collect();
                let all = arguments.iter().fold(called | redone, |sum, a| sum | a);
                if !summaries.contains_key(&site.callee) {
                    let known = found.libraries.entry(site.callee.clone()).or_default();
                    *known = known.with(Arguments(all));
                    continue;
                }
                let callee = contexts.entry(site.callee.clone()).or_default();
                let before = callee.clone();
                callee.called |= called;
                callee.redone |= redone;
                callee.arguments.resize(arguments.len(), 0);
                for (own, more) in callee.arguments.iter_mut().zip(&arguments) {
                    *own |= more;
                }
                if *callee != before && waiting.insert(site.callee.clone()) {
                    todo.push_back(site.callee.clone());
                }
            }
        }
    }
    let mut ordered: Vec<(&Functor, &Summary)> = summaries.iter().collect();
    ordered.sort_by_key(|(functor, _)| *functor);
    for (functor, summary) in ordered {
        let Some(context) = contexts.get(functor) else {
            continue;
        };
        found.everything = found.everything.with(Arguments(
            context.called | context.redone | map(summary.selects, &context.arguments),
        ));
        let own = of_predicate(summary, context);
        let all = own
            .clauses
            .iter()
            .fold(Arguments::NONE, |sum, c| sum.with(*c));
        found.everything = found.everything.with(all);
        found.predicates.insert(functor.clone(), own);
    }
    let libraries = found.libraries.values();
    found.everything = libraries.fold(found.everything, |sum, l| sum.with(*l));
    found
}

fn of_predicate(summary: &Summary, context: &Context) -> OfPredicate {
    let mapped = |set: u64| map(set, &context.arguments);
    let around = context.called | context.redone | mapped(summary.selects);
    let clauses = summary.clauses.iter();
    OfPredicate {
        heads: Arguments(around),
        goals: clauses
            .clone()
            .map(|clause| {
                let goals = clause.before.iter();
                goals
                    .map(|(&goal, &before)| (goal, Arguments(around | mapped(before))))
                    .collect()
            })
            .collect(),
        clauses: clauses
            .map(|clause| Arguments(around | mapped(clause.everything)))
            .collect(),
    }
}
