//! Recursions that end by something that has no size: by what is read, or by facts without a circle.
//!
//! ```prolog
//! read_all(In) :- read(In, T), ( T == end_of_file -> true ; read_all(In) ).
//! ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
//! ```

use costlens_catalog::reads_input;
use costlens_program::Clause;
use costlens_program::language::{Call, calls};
use costlens_syntax::term::{Term, TermId};

use crate::component::Component;
use crate::lattice::types::Type;
use crate::summary::node::Node;

/// The end of a loop that has no size.
pub(super) enum End {
    /// A built-in that reads.
    Input(String),
    /// Facts without a circle.
    Facts(String),
}

/// Finds what ends a recursion through a call in a clause, where no argument that comes in is taken apart in its head.
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
    let bodies = clause.guard.into_iter().chain(clause.body);
    let goals: Vec<Call> = bodies.flat_map(|body| calls(&clause.terms, body)).collect();
    let mut all = goals.iter();
    let reader = all.find(|goal| reads_input(&goal.callee.name, goal.callee.arity));
    if let Some(reader) = reader {
        return Some(End::Input(reader.callee.to_string()));
    }
    let hands_on = |goal: &&Call| shares_variable(clause, goal.goal, literal);
    let facts = (goals.iter())
        .filter(|goal| goal.goal != literal)
        .filter(hands_on)
        .find(|goal| are_facts(component, goal))?;
    Some(End::Facts(facts.callee.to_string()))
}

/// True where the head has a term that is no variable for an argument that is not an output.
fn takes_apart(clause: &Clause, node: &Node) -> bool {
    let mut arguments = clause.terms.args(clause.head).iter().zip(&node.pattern.0);
    arguments.any(|(&a, ty)| *ty != Type::Free && !matches!(clause.terms.get(a), Term::Var(_)))
}

fn are_facts(component: &Component<'_>, goal: &Call) -> bool {
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
