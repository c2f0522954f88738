//! Which arguments of a predicate are called: the meta-predicates of a file, the user's own included.
//!
//! `map(F, [X|Xs], [Y|Ys]) :- call(F, X, Y), map(F, Xs, Ys).` calls its first argument. Calling such an argument "called" where
//! it is not changes nothing in what a made predicate means, so that this may be generous.

use std::collections::BTreeSet;

use costlens_catalog::meta_arguments;
use costlens_syntax::term::{Term, TermId, Terms};

use crate::language::{Clause, Functor};

/// Goals of one clause that are looked at.
const MOST_GOALS: usize = 20_000;

/// The arguments (from 0) that every clause takes as a variable and some clause calls, given those of other predicates.
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

/// The variables that are called, as goals or as closures, in a body.
fn variables_called(
    terms: &Terms,
    body: TermId,
    of: &dyn Fn(&Functor) -> Vec<usize>,
    called: &mut BTreeSet<u32>,
) {
    // Goals; closures, of which it is not known how many arguments are added.
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
        // A closure `maplist(F)` is called with one to seven more arguments.
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
