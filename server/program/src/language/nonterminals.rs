//! Goals of translated grammar rules that are calls of nonterminals.
//!
//! `p --> q, {r}.` is `p(S0, S) :- q(S0, S), r.`: `q//0` is a nonterminal, `r/0` is not.

use costlens_syntax::term::{CONS, Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::clause::Clause;
use super::functor::Functor;
use super::goals::calls;

/// Returns true for a goal of a grammar rule that continues reading the text where another goal stops: a nonterminal, not a goal in braces.
#[must_use]
pub fn is_nonterminal(clause: &Clause, goal: TermId) -> bool {
    is_between(&clause.terms, &places_in_text(clause), goal)
}

/// Returns the predicates that a clause calls as nonterminals, in textual order; empty for a clause that is not a grammar rule.
#[must_use]
pub fn nonterminals(clause: &Clause) -> Vec<Functor> {
    let places = places_in_text(clause);
    let bodies = clause.guard.into_iter().chain(clause.body);
    bodies
        .flat_map(|body| calls(&clause.terms, body))
        .filter(|call| is_between(&clause.terms, &places, call.goal))
        .map(|call| call.callee)
        .collect()
}

/// Returns the positions in the text that the goals of a grammar rule reach from its beginning, as variables; empty for other clauses.
fn places_in_text(clause: &Clause) -> FxHashSet<u32> {
    let mut places = FxHashSet::default();
    let terms = &*clause.terms;
    let begin = last_two(terms, clause.head).filter(|_| clause.grammar_rule);
    let Some((begin, _)) = begin else {
        return places;
    };
    let mut next: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let bodies = clause.guard.into_iter().chain(clause.body);
    for call in bodies.flat_map(|body| calls(terms, body)) {
        if let Some((from, to)) = last_two(terms, call.goal) {
            next.entry(from).or_default().push(to);
        }
    }
    let mut unvisited = vec![begin];
    while let Some(place) = unvisited.pop() {
        if places.insert(place) {
            unvisited.extend(next.get(&place).into_iter().flatten().copied());
        }
    }
    places
}

/// Returns true for a goal that starts reading at one of the positions and stops at another.
fn is_between(terms: &Terms, places: &FxHashSet<u32>, goal: TermId) -> bool {
    last_two(terms, goal).is_some_and(|(from, to)| places.contains(&from) && places.contains(&to))
}

/// Returns the last two arguments of a goal as variables: the second is the rest of the text after terminals (`S0 = [x|S]`).
fn last_two(terms: &Terms, goal: TermId) -> Option<(u32, u32)> {
    let &[.., text, mut rest] = terms.args(goal) else {
        return None;
    };
    while let Some(&[_, tail]) = terms.matches(rest, CONS, 2) {
        rest = tail;
    }
    match (terms.get(text), terms.get(rest)) {
        (Term::Var(text), Term::Var(rest)) => Some((*text, *rest)),
        _ => None,
    }
}
