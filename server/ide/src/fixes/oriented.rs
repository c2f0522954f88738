//! Rewrites comparisons and sums in clauses to a canonical form, so that definitions are [recognised](super::copies) in all their forms.
//!
//! ```text
//! up([X,Y|Xs]) :- \+ X > Y, up([Y|Xs]).          up([X,Y|Xs]) :- X =< Y, up([Y|Xs]).
//! len([_|Xs], N) :- len(Xs, M), N is 1+M.   →    len([_|Xs], N) :- len(Xs, M), N is M+1.
//! ```
//!
//! Comparisons become `<`, `=<`, `@<` or `@=<`, without negation. In a sum, the variable that occurs first in the clause is on the left, and
//! an integer is on the right. The canonical form is valid only for clauses that compare and add integers, and is never used for edits.

use std::borrow::Cow;
use std::sync::Arc;

use costlens_body::{Comparison, Goal, conjuncts};
use costlens_program::Clause;
use costlens_syntax::term::{Term, TermId, Terms};

use super::goals::{computed, variable};

/// Returns the clauses with comparisons and sums in canonical form.
pub(super) fn oriented(clauses: &[Clause]) -> Cow<'_, [Clause]> {
    let mut oriented = Cow::Borrowed(clauses);
    for (number, clause) in clauses.iter().enumerate() {
        let changes = changes(clause);
        if !changes.is_empty() {
            let mut terms = (*clause.terms).clone();
            for change in changes {
                terms.replace(change.term, change.name, &change.arguments);
            }
            oriented.to_mut()[number].terms = Arc::new(terms);
        }
    }
    oriented
}

/// A term to rewrite.
struct TermRewrite {
    term: TermId,
    name: &'static str,
    arguments: [TermId; 2],
}

fn changes(clause: &Clause) -> Vec<TermRewrite> {
    let terms = &*clause.terms;
    let goals = clause
        .body
        .map_or(Vec::new(), |body| conjuncts(terms, body));
    let mut changes = Vec::new();
    for goal in goals {
        match computed(terms, goal) {
            Some([_, expression]) => changes.extend(turned_sums(clause, expression)),
            None => changes.extend(turned(terms, goal)),
        }
    }
    changes
}

/// Returns the canonical form of a comparison. Returns `None` if it is already canonical.
fn turned(terms: &Terms, goal: TermId) -> Option<TermRewrite> {
    let (inner, is_negated) = match Goal::lower(terms, goal) {
        Goal::Not(inner) => (inner, true),
        _ => (goal, false),
    };
    let (comparison, left, right, of_terms) = match Goal::lower(terms, inner) {
        Goal::Compare(comparison, a, b) => (comparison, a, b, false),
        Goal::CompareTerms(comparison, a, b) => (comparison, a, b, true),
        _ => return None,
    };
    let holds = match is_negated {
        true => comparison.negated(),
        false => comparison,
    };
    let is_turned = matches!(holds, Comparison::Greater | Comparison::GreaterOrEqual);
    let (holds, arguments) = match is_turned {
        true => (holds.turned(), [right, left]),
        false => (holds, [left, right]),
    };
    (is_negated || is_turned).then(|| TermRewrite {
        term: goal,
        name: match of_terms {
            true => holds.term_predicate(),
            false => holds.arithmetic_predicate(),
        },
        arguments,
    })
}

/// Returns the sums in an expression whose operands must be swapped.
fn turned_sums(clause: &Clause, expression: TermId) -> Vec<TermRewrite> {
    let terms = &*clause.terms;
    let parts = [Some(clause.head), clause.body].into_iter().flatten();
    let order: Vec<u32> = parts.flat_map(|part| terms.variables_of(part)).collect();
    let first = |v: u32| order.iter().position(|&w| w == v);
    let is_turned = |left: TermId, right: TermId| match (terms.get(left), variable(terms, right)) {
        (Term::Integer(_), Some(_)) => true,
        (&Term::Var(v), Some(w)) => first(w) < first(v),
        _ => false,
    };
    let sums = terms.subterms(expression).into_iter();
    sums.filter_map(|term| {
        let &[left, right] = terms.matches(term, "+", 2)? else {
            return None;
        };
        is_turned(left, right).then_some(TermRewrite {
            term,
            name: "+",
            arguments: [right, left],
        })
    })
    .collect()
}
