//! Recursions whose termination depends not on a size, but on the input that they read, on changing clauses, or on acyclic facts.
//!
//! ```prolog
//! read_all(In) :- read(In, T), ( T == end_of_file -> true ; read_all(In) ).
//! step :- retract(counter(N)), N > 0, M is N-1, assertz(counter(M)), step.
//! ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
//! ```

use costlens_body::Goal;
use costlens_catalog::{Brought, ClauseChange, brought, clause_change, reads_input};
use costlens_program::Clause;
use costlens_program::language::{BodyCall, calls};
use costlens_syntax::term::{Term, TermId};

use crate::component::Component;
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::summary::node::Node;

/// The reason why a loop ends, if it is not a decreasing size.
pub(super) enum End {
    /// The result of a built-in that reads or waits, with its description.
    Input(String),
    /// Clauses that the program adds and removes.
    Dynamic(String),
    /// Acyclic facts.
    Facts(String),
}

/// Returns the reason why a recursion ends, for a recursive call in a clause whose head does not decompose an input argument.
pub(super) fn end(
    component: &Component<'_>,
    node: &Node,
    clause: usize,
    literal: TermId,
) -> Option<End> {
    let clauses = component.shared.program.clauses(&node.name)?;
    let clause = clauses.get(clause)?;
    if takes_apart(clause, node) {
        return None;
    }
    let goals = goals(clause);
    if let Some(end) = external_end(component, clause, &goals) {
        return Some(end);
    }
    // `next(Job) :- retract(job(Job)).`
    let helpers = goals.iter().filter(|goal| goal.goal != literal);
    let helpers = helpers.filter(|goal| {
        !component
            .shared
            .program
            .same_component(&node.name, &goal.callee)
    });
    for helper in helpers.filter(|_| node.success.is_some()) {
        let clauses = component.shared.program.clauses(&helper.callee);
        let mut all = clauses.iter().flat_map(|clauses| clauses.iter());
        if let Some(end) =
            all.find_map(|clause| external_end(component, clause, &self::goals(clause)))
        {
            return Some(end);
        }
    }
    let hands_on = |goal: &&BodyCall| shares_variable(clause, goal.goal, literal);
    let facts = (goals.iter())
        .filter(|goal| goal.goal != literal)
        .filter(hands_on)
        .find(|goal| are_facts(component, goal))?;
    Some(End::Facts(facts.callee.to_string()))
}

fn goals(clause: &Clause) -> Vec<BodyCall> {
    let bodies = clause.guard.into_iter().chain(clause.body);
    bodies.flat_map(|body| calls(&clause.terms, body)).collect()
}

/// Describes the input that a clause reads, or the event for which it waits.
pub(super) fn input(component: &Component<'_>, node: &Node, clause: usize) -> Option<String> {
    let clauses = component.shared.program.clauses(&node.name)?;
    read_by(&goals(clauses.get(clause)?))
}

/// Returns whether a clause contains a cut.
pub(super) fn is_cut_after(component: &Component<'_>, node: &Node, clause: usize) -> bool {
    let clauses = component.shared.program.clauses(&node.name);
    let clause = clauses.as_ref().and_then(|all| all.get(clause));
    clause.is_some_and(|clause| {
        let terms = &*clause.terms;
        let parts = clause
            .body
            .into_iter()
            .flat_map(|body| terms.subterms(body));
        parts
            .into_iter()
            .any(|t| matches!(Goal::lower(terms, t), Goal::Cut | Goal::Once(_)))
    })
}

/// Describes the input that goals read, or the events for which they wait: ``what `read/1` reads``.
fn read_by(goals: &[BodyCall]) -> Option<String> {
    goals.iter().find_map(|goal| {
        let (name, arity) = (goal.callee.name.as_str(), goal.callee.arity);
        let gives = match brought(name, arity) {
            _ if reads_input(name, arity) => "reads",
            Some(Brought::Message) => "receives",
            Some(Brought::Time) => "gives",
            None => return None,
        };
        Some(format!("what `{}` {gives}", goal.callee))
    })
}

/// Returns the input that the goals of a clause read, or the changing clauses that they query.
fn external_end(component: &Component<'_>, clause: &Clause, goals: &[BodyCall]) -> Option<End> {
    if let Some(given) = read_by(goals) {
        return Some(End::Input(given));
    }
    let found = goals
        .iter()
        .find_map(|goal| changing(component, clause, goal))?;
    Some(End::Dynamic(found.to_string()))
}

/// Returns the dynamic predicate whose clauses a goal queries or removes.
fn changing(component: &Component<'_>, clause: &Clause, goal: &BodyCall) -> Option<Functor> {
    let program = component.shared.program;
    let terms = &*clause.terms;
    let named = match clause_change(&goal.callee.name, goal.callee.arity) {
        Some(ClauseChange::Remove) => {
            let of = *terms.args(goal.goal).first()?;
            let head = terms.matches(of, ":-", 2).map_or(of, |parts| parts[0]);
            Functor::from_term(terms, head)?
        }
        _ => goal.callee.clone(),
    };
    program.is_dynamic(&named).then_some(named)
}

/// Returns whether the head contains a non-variable term for an argument that is not an output.
fn takes_apart(clause: &Clause, node: &Node) -> bool {
    let mut arguments = clause.terms.args(clause.head).iter().zip(&node.pattern.0);
    arguments.any(|(&a, ty)| *ty != Type::Free && !matches!(clause.terms.get(a), Term::Var(_)))
}

fn are_facts(component: &Component<'_>, goal: &BodyCall) -> bool {
    let clauses = component.shared.program.clauses(&goal.callee);
    clauses.is_some_and(|clauses| {
        let is_fact = |c: &Clause| c.body.is_none() && c.guard.is_none();
        clauses.len() > 1 && clauses.iter().all(is_fact)
    })
}

fn shares_variable(clause: &Clause, one: TermId, other: TermId) -> bool {
    let variables = |goal: TermId| {
        let parts = clause.terms.subterms(goal).into_iter();
        parts.filter_map(|t| match clause.terms.get(t) {
            Term::Var(v) => Some(*v),
            _ => None,
        })
    };
    variables(one).any(|v| variables(other).any(|w| v == w))
}
