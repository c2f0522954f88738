//! Origins of recursive-call arguments whose size is unknown.
//!
//! ```prolog
//! strip(S) :- string_concat(" ", T, S), !, strip(T).     % the result of string_concat/3
//! halves(X, N) :- Y is X/2, halves(Y, M), N is M+1.      % a number of `/`
//! ```

use costlens_body::Goal;
use costlens_catalog::{Relation, is_control_construct, relation};
use costlens_program::language::{BodyCall, calls};
use costlens_syntax::term::{Term, TermId, Terms};

use super::names;
use crate::component::Component;
use crate::readers::LiteralPlace;
use crate::summary::node::Node;

/// The goal or function that produces an argument.
pub(super) enum Origin {
    /// An expression that divides, so that its value may be a float.
    Division,
    /// A goal or an arithmetic function, by its name.
    Goal(String),
}

/// Returns the goal of a clause that produces the argument (from 0) of a call. Returns `None` for values from the head, for terms written
/// in the clause, and for sums and differences.
pub(super) fn origin(
    component: &Component<'_>,
    node: &Node,
    LiteralPlace { clause, literal }: LiteralPlace,
    argument: usize,
) -> Option<Origin> {
    let clauses = component.shared.program.clauses(&node.name)?;
    let written = clauses.get(clause)?;
    let terms = &*written.terms;
    let passed = variable(terms, *terms.args(literal).get(argument)?)?;
    if terms.variables_of(written.head).contains(&passed) {
        return None;
    }
    let bodies = written.guard.into_iter().chain(written.body);
    let goals: Vec<BodyCall> = bodies.flat_map(|body| calls(terms, body)).collect();
    let holds = |call: &&BodyCall, inside: TermId| terms.subterms(call.goal).contains(&inside);
    let is_control = |call: &&BodyCall| {
        let (name, arity) = (call.callee.name.as_str(), call.callee.arity);
        let written = arity.saturating_sub(call.added);
        relation(name, arity) == Some(Relation::Phrase)
            || [arity, written]
                .iter()
                .any(|&n| is_control_construct(name, n))
    };
    let giver = (goals.iter())
        .filter(|call| !is_control(call) && !holds(call, literal))
        .find(|call| terms.variables_of(call.goal).contains(&passed))?;
    let is_phrase = |call: &&BodyCall| {
        relation(&call.callee.name, call.callee.arity) == Some(Relation::Phrase)
            && holds(call, giver.goal)
    };
    let (name, arity) = terms.functor(giver.goal)?;
    if goals.iter().any(|call| is_phrase(&call)) {
        return Some(Origin::Goal(format!("{name}//{arity}")));
    }
    if let Goal::Is { expression, .. } = Goal::lower(terms, giver.goal) {
        return of_expression(terms, expression);
    }
    if matches!((giver.callee.name.as_str(), giver.callee.arity), ("=", 2)) {
        return None;
    }
    let place = LiteralPlace {
        clause,
        literal: giver.goal,
    };
    Some(Origin::Goal(names::of_call(
        component,
        node,
        place,
        &giver.callee,
    )))
}

fn of_expression(terms: &Terms, expression: TermId) -> Option<Origin> {
    let divides = |&t: &TermId| terms.matches(t, "/", 2).is_some();
    if terms.subterms(expression).iter().any(divides) {
        return Some(Origin::Division);
    }
    let (name, arity) = terms.functor(expression)?;
    let is_sum = matches!(name.as_str(), "+" | "-");
    (arity > 0 && !is_sum).then(|| Origin::Goal(name.to_string()))
}

/// Returns whether the argument (from 0) of a call is a variable.
pub(super) fn passes_variable(
    component: &Component<'_>,
    node: &Node,
    LiteralPlace { clause, literal }: LiteralPlace,
    argument: usize,
) -> bool {
    let clauses = component.shared.program.clauses(&node.name);
    let clause = clauses.as_ref().and_then(|all| all.get(clause));
    clause.is_some_and(|clause| {
        let passed = clause.terms.args(literal).get(argument);
        passed.is_some_and(|&t| variable(&clause.terms, t).is_some())
    })
}

fn variable(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.get(term) {
        Term::Var(v) => Some(*v),
        _ => None,
    }
}
