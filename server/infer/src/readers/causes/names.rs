//! Names of predicates in messages, as programs have them.

use costlens_program::CopyName;

use crate::component::Component;
use crate::report::Functor;
use crate::summary::node::Node;

/// The name of a node: `words//1` for a grammar rule.
pub(super) fn of_node(component: &Component<'_>, node: &Node) -> String {
    let clauses = component.shared.program.clauses(&node.name);
    let is_grammar =
        clauses.is_some_and(|all| !all.is_empty() && all.iter().all(|c| c.grammar_rule));
    match node.name.arity.checked_sub(2).filter(|_| is_grammar) {
        Some(arity) => format!("{}//{arity}", node.name.name),
        None => of_functor(&node.name),
    }
}

/// The name of a predicate: `maplist/3` for a copy of it with a closure.
pub(super) fn of_functor(predicate: &Functor) -> String {
    CopyName::read(predicate).map_or_else(|| predicate.to_string(), |copy| copy.told())
}

/// The number of an argument as a call of the predicate has it, from 1; none for a part of a closure.
pub(super) fn argument(predicate: &Functor, from_zero: usize) -> Option<usize> {
    match CopyName::read(predicate) {
        Some(copy) => copy.argument(from_zero).map(|i| i + 1),
        None => Some(from_zero + 1),
    }
}
