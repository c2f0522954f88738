//! Infers the arguments that a predicate calls, and thus the meta-predicates of a file, including the user's own.
//!
//! `map(F, [X|Xs], [Y|Ys]) :- call(F, X, Y), map(F, Xs, Ys).` calls its first argument. The analysis may overapproximate: if an argument is
//! wrongly considered to be called, the meaning of a copy does not change.

use std::collections::BTreeSet;

use costlens_body::{Goal, Related, TypeTest};
use costlens_catalog::{Relation, goal_arguments, meta_arguments};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::language::{Clause, Functor};

/// The maximum number of goals examined in one clause.
const MOST_GOALS: usize = 20_000;

/// Returns the arguments (from 0) that are variables in the head of every clause and that some clause calls, given the called arguments of
/// other predicates.
pub(super) fn called(
    clauses: &[Clause],
    arity: usize,
    of: &dyn Fn(&Functor) -> Vec<usize>,
) -> Vec<usize> {
    let mut candidates: BTreeSet<usize> = (0..arity).collect();
    let mut found: BTreeSet<usize> = BTreeSet::new();
    for clause in clauses {
        let head: Vec<Option<u32>> = clause
            .terms
            .args(clause.head)
            .iter()
            .map(|&t| variable(&clause.terms, t))
            .collect();
        candidates.retain(|&i| head.get(i).is_some_and(Option::is_some));
        if candidates.is_empty() {
            return Vec::new();
        }
        let Some(body) = clause.body else { continue };
        let mut called = BTreeSet::new();
        variables_called(&clause.terms, body, of, &mut called);
        found.extend((0..head.len()).filter(|&i| head[i].is_some_and(|v| called.contains(&v))));
    }
    found.intersection(&candidates).copied().collect()
}

fn variable(terms: &Terms, t: TermId) -> Option<u32> {
    match terms.get(t) {
        Term::Var(v) => Some(*v),
        _ => None,
    }
}

/// Returns the variables that a body calls, as goals or as closures.
fn variables_called(
    terms: &Terms,
    body: TermId,
    of: &dyn Fn(&Functor) -> Vec<usize>,
    called: &mut BTreeSet<u32>,
) {
    // The flag is true for closures, to which an unknown number of arguments is appended.
    let mut stack = vec![(body, false)];
    let mut budget = MOST_GOALS;
    while let Some((goal, closure)) = stack.pop() {
        budget = budget.saturating_sub(1);
        if budget == 0 {
            return;
        }
        if let Some(v) = variable(terms, goal) {
            called.insert(v);
            continue;
        }
        let Some((name, arity)) = terms.functor(goal) else {
            continue;
        };
        let args = terms.args(goal);
        if let (">>", &[_, inner]) = (name.as_str(), args) {
            stack.push((inner, false));
            continue;
        }
        // A closure `maplist(F)` is called with one to seven additional arguments.
        let arities = if closure {
            arity..=arity + 7
        } else {
            arity..=arity
        };
        let mut positions: BTreeSet<(usize, bool)> = BTreeSet::new();
        for arity in arities {
            let functor = Functor::new(name.clone(), arity);
            positions.extend(of(&functor).into_iter().map(|i| (i, true)));
            let meta = meta_arguments(name, arity).into_iter();
            positions.extend(meta.map(|m| (m.argument, m.added > 0)));
        }
        stack.extend(
            positions
                .into_iter()
                .filter_map(|(i, closure)| Some((*args.get(i)?, closure))),
        );
    }
}

/// Returns the `candidates` that the clauses inspect, compare or store, instead of only calling them or passing them to predicates that
/// call them; these arguments reveal whether a closure is module-qualified. `of` returns the arguments that a predicate only calls, and
/// `None` for an unknown predicate.
pub(super) fn touched(
    clauses: &[Clause],
    candidates: &[usize],
    of: &dyn Fn(&Functor) -> Option<Vec<usize>>,
) -> Vec<usize> {
    let mut found = BTreeSet::new();
    for clause in clauses {
        let head: Vec<TermId> = clause.terms.args(clause.head).to_vec();
        let mut seen = Touched::new(&clause.terms);
        for (i, &argument) in head.iter().enumerate() {
            match variable(&clause.terms, argument) {
                Some(v)
                    if head[..i]
                        .iter()
                        .all(|&t| variable(&clause.terms, t) != Some(v)) => {}
                _ => seen.keep(argument),
            }
        }
        for &part in clause.guard.iter().chain(&clause.body) {
            seen.goal(part, of);
        }
        let is_touched = |&&i: &&usize| {
            let v = head.get(i).and_then(|&t| variable(&clause.terms, t));
            v.is_none_or(|v| seen.is_spent() || seen.variables.contains(&v))
        };
        found.extend(candidates.iter().filter(is_touched));
    }
    found.into_iter().collect()
}

/// The variables of a clause in positions other than goals and closures.
struct Touched<'t> {
    terms: &'t Terms,
    variables: BTreeSet<u32>,
    budget: usize,
}

impl<'t> Touched<'t> {
    fn new(terms: &'t Terms) -> Self {
        Touched {
            terms,
            variables: BTreeSet::new(),
            budget: MOST_GOALS,
        }
    }

    fn is_spent(&self) -> bool {
        self.budget == 0
    }

    /// Records all variables of a term that is data.
    fn keep(&mut self, term: TermId) {
        let (terms, variables) = (self.terms, &mut self.variables);
        let parts = terms.subterms(term).into_iter();
        variables.extend(parts.filter_map(|t| variable(terms, t)));
    }

    /// Processes a goal, or a closure that is called with up to seven additional arguments.
    fn goal(&mut self, goal: TermId, of: &dyn Fn(&Functor) -> Option<Vec<usize>>) {
        let mut stack = vec![(goal, false)];
        while let Some((goal, closure)) = stack.pop() {
            self.budget = self.budget.saturating_sub(1);
            let Some((name, arity)) = self.terms.functor(goal).filter(|_| !self.is_spent()) else {
                continue;
            };
            match (name.as_str(), self.terms.args(goal)) {
                (">>", &[parameters, body, ..]) => {
                    let shared = self.terms.matches(parameters, "/", 2);
                    self.keep(shared.map_or(parameters, |parts| parts[1]));
                    stack.push((body, true));
                    self.terms.args(goal)[2..]
                        .iter()
                        .for_each(|&t| self.keep(t));
                    continue;
                }
                _ if demands_callable(self.terms, goal) => continue,
                _ if !closure && is_callable_test(self.terms, goal) => continue,
                (":" | "@", _) => {
                    self.keep(goal);
                    continue;
                }
                _ => {}
            }
            let arities = if closure {
                arity..=arity + 7
            } else {
                arity..=arity
            };
            let known: Vec<Vec<usize>> = arities
                .filter_map(|arity| of(&Functor::new(name.clone(), arity)))
                .collect();
            // `A, B` calls its arguments unchanged; `call(G, X)` and predicates of the file append further ones.
            let goals: Vec<usize> = match closure {
                true => Vec::new(),
                false => goal_arguments(name, arity).collect(),
            };
            for (i, &argument) in self.terms.args(goal).iter().enumerate() {
                let is_called = !known.is_empty() && known.iter().all(|called| called.contains(&i));
                match is_called {
                    true => stack.push((argument, !goals.contains(&i))),
                    false => self.keep(argument),
                }
            }
        }
    }
}

/// Returns true for `callable(G)` and `nonvar(G)`, which call nothing.
fn is_callable_test(terms: &Terms, goal: TermId) -> bool {
    matches!(
        Goal::lower(terms, goal),
        Goal::Type(TypeTest::Callable | TypeTest::Nonvar, _)
    )
}

/// Returns true for `must_be(callable, G)`, which calls nothing.
fn demands_callable(terms: &Terms, goal: TermId) -> bool {
    let demanded = Related::arguments(terms, goal, Relation::OfType);
    demanded.is_some_and(|[ty, _]| {
        let callable = TypeTest::Callable.predicate();
        terms.as_atom(ty).is_some_and(|ty| ty == callable)
    })
}
