//! `same-goal-twice`: removes a repeated goal whose result is already known.
//!
//! ```text
//! length(Xs, N), …, length(Xs, M)   →   length(Xs, N), …, M = N
//! ```
//!
//! The inputs contain no variables, the goal has at most one solution, and its outputs contain no variables, so that a second call gives
//! the same result. The goal calls a library predicate that is a function of its arguments, or a predicate of the program that calls only
//! such predicates ([`is_function`]).

use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::functions::is_function;
use crate::fixes::goals::{asks_the_same, rows, variable};
use crate::fixes::known::LibraryPredicate;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

/// The maximum number of goals in a sequence that are compared with earlier goals.
const LONGEST: usize = 40;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            let goals = row.goals.get(..LONGEST).unwrap_or(&row.goals);
            for (later, &goal) in goals.iter().enumerate() {
                let earlier = (0..later).find(|&i| asks_the_same(&clause.terms, goals[i], goal));
                found.extend(earlier.and_then(|i| known(site, number, &goals[i..=later])));
            }
        }
    }
    found
}

/// Returns the variant without the last of these goals, which repeats the first goal.
fn known(site: &Site<'_>, clause: usize, goals: &[TermId]) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (&first, &again) = (goals.first()?, goals.last()?);
    let (&given, inputs) = terms.args(first).split_last()?;
    let &asked = terms.args(again).last()?;
    let (was, is) = (variable(terms, given)?, variable(terms, asked)?);
    if was == is {
        return None;
    }
    let before = |goal, term| Condition::before_goal(clause, goal, term, Shape::Ground);
    let mut needs = vec![before(*goals.get(1)?, given)];
    needs.extend(Condition::unbound(site, clause, first, given));
    needs.extend(Condition::unbound(site, clause, again, asked));
    match site.known_goal(clause, first) {
        Some(
            LibraryPredicate::Length
            | LibraryPredicate::Reverse
            | LibraryPredicate::Last
            | LibraryPredicate::Msort
            | LibraryPredicate::Sort
            | LibraryPredicate::ListToSet
            | LibraryPredicate::SumList
            | LibraryPredicate::MaxList
            | LibraryPredicate::MinList,
        ) => {}
        _ => {
            let (name, arity) = terms.functor(first)?;
            is_function(site, &Functor::new(name.clone(), arity)).then_some(())?;
            needs.push(Condition::Once {
                clause,
                goal: first,
            });
        }
    }
    let open = inputs
        .iter()
        .filter(|&&i| !terms.variables_of(i).is_empty());
    needs.extend(open.map(|&input| before(first, input)));
    let text = format!(
        "{} = {}",
        site.source(clause, asked)?,
        site.source(clause, given)?
    );
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Use the known result",
        short_runs: ShortRuns::NotDearer,
        edits: vec![site.replace(clause, again, text)?],
        needs,
    })
}
