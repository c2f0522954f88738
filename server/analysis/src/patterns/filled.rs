//! Detects lists whose elements the predicate binds: its clauses search for values of the elements.
//!
//! ```prolog
//! digit(D) :- member(D, [0,1,2,3,4,5,6,7,8,9]).
//! digits([]).
//! digits([D|Ds]) :- digit(D), digits(Ds).     % digits([A,B,C]) has a thousand solutions, digits([1,2,3]) one
//! ```
//!
//! The length of such a list is known, but its elements are not. The guess is therefore a list of arbitrary elements, whose bounds hold
//! whether or not the elements are bound.

use costlens_catalog::described;
use costlens_infer::types::Type;
use costlens_program::{Clause, Functor};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::bodies::{BodyEvent, parts};
use super::library::usual_pattern;
use super::literals::PredicateLookups;
use super::variables::variables;
use super::{KnownCallee, MOST_CLAUSES, Member};

/// The first use of an argument's elements in the clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// A goal searches for values.
    Found,
    /// Any other use.
    Used,
}

/// Returns, for each argument of a member, whether it is a list whose elements some clause searches for, before any other use.
pub(super) fn filled(
    member: &Member,
    members: &[Member],
    lookups: PredicateLookups<'_>,
) -> Vec<bool> {
    let clauses = &member.clauses[..member.clauses.len().min(MOST_CLAUSES)];
    (0..member.functor.arity)
        .map(|argument| {
            let mut found = false;
            for clause in clauses {
                match first(clause, argument, members, lookups) {
                    Some(First::Used) => return false,
                    Some(First::Found) => found = true,
                    None => {}
                }
            }
            found
        })
        .collect()
}

/// Returns the first use of an argument's elements in a clause. Returns `None` if the clause's argument shows no elements, or the clause
/// does not use them.
fn first(
    clause: &Clause,
    argument: usize,
    members: &[Member],
    lookups: PredicateLookups<'_>,
) -> Option<First> {
    let PredicateLookups { callee, closures } = lookups;
    let terms = &*clause.terms;
    let head = terms.args(clause.head);
    let bodies = [clause.guard, clause.body].into_iter().flatten();
    let goals: Vec<TermId> = bodies
        .flat_map(|body| parts(terms, body, closures))
        .filter_map(|part| match part {
            BodyEvent::Goal(goal) => Some(goal),
            _ => None,
        })
        .collect();
    let others = head.iter().enumerate().filter(|(i, _)| *i != argument);
    let others: Vec<u32> = others.flat_map(|(_, &a)| variables(terms, a)).collect();
    let whole = *head.get(argument)?;
    let looked_for = match terms.get(whole) {
        Term::Var(v) => vec![*v],
        _ => {
            let elements = cells(terms, whole);
            let of = |&t: &TermId| match terms.get(t) {
                Term::Var(v) => Some(*v),
                _ => None,
            };
            let variables: Option<Vec<u32>> = elements.iter().map(of).collect();
            match variables {
                Some(variables) => variables,
                None => return Some(First::Used),
            }
        }
    };
    let is_list = terms.matches(whole, CONS, 2).is_some();
    let mut found = None;
    for v in looked_for {
        let Some(&goal) = goals.iter().find(|&&g| variables(terms, g).contains(&v)) else {
            continue;
        };
        if others.contains(&v) {
            return Some(First::Used);
        }
        match finds(terms, goal, v, is_list, members, callee) {
            true => found = Some(First::Found),
            false if is_list => return Some(First::Used),
            false => return None,
        }
    }
    found
}

/// Returns whether a goal searches for values of a variable or, if the variable is a list rather than an element, of the list's elements.
fn finds(
    terms: &Terms,
    goal: TermId,
    v: u32,
    is_element: bool,
    members: &[Member],
    callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
) -> bool {
    let Some(functor) = Functor::from_term(terms, goal) else {
        return false;
    };
    if members.iter().any(|m| m.functor == functor) {
        return false;
    }
    let args = terms.args(goal);
    let is_it = |&t: &TermId| matches!(terms.get(t), Term::Var(w) if *w == v);
    let mut places = args.iter().enumerate();
    let Some((place, &arg)) = places.find(|(_, t)| variables(terms, **t).contains(&v)) else {
        return false;
    };
    if places.any(|(_, t)| variables(terms, *t).contains(&v)) {
        return false;
    }
    let known = callee(&functor);
    if let Some(known) = known.as_ref().filter(|known| known.own) {
        let fills = known.fills.get(place).copied().unwrap_or_default();
        let is_open = known.open.get(place).copied().unwrap_or_default();
        let of = known.pattern.as_ref().and_then(|p| p.0.get(place));
        return match is_element {
            true if is_it(&arg) => match of {
                Some(Type::Free) => true,
                // A table of facts is looked up in any direction.
                Some(Type::Any) => !is_open,
                _ => false,
            },
            true => fills && cells(terms, arg).iter().any(is_it),
            false => fills && is_it(&arg),
        };
    }
    let has_many = || {
        let described = described(&functor.name, functor.arity);
        described.is_some_and(|d| {
            ["nondet", "multi"]
                .iter()
                .any(|word| d.template.contains(word))
        })
    };
    if !is_element || !is_it(&arg) || known.is_some_and(|known| known.pattern.is_some()) {
        return false;
    }
    match usual_pattern(&functor).and_then(|p| p.0.get(place).cloned()) {
        Some(Type::Free) => has_many(),
        // `member(D, [0,1])`
        Some(Type::Any) => {
            let others = args.iter().enumerate().filter(|(i, _)| *i != place);
            has_many() && { others }.all(|(_, &t)| variables(terms, t).is_empty())
        }
        _ => false,
    }
}

/// Returns the elements of a list that are written out.
pub(super) fn cells(terms: &Terms, list: TermId) -> Vec<TermId> {
    let (mut found, mut at) = (Vec::new(), list);
    while let Some(&[first, rest]) = terms.matches(at, CONS, 2) {
        found.push(first);
        at = rest;
    }
    found
}
