//! Names of predicates in messages, in the notation that programs use.

use costlens_program::CopyName;
use costlens_program::language::nonterminals::is_nonterminal;

use crate::component::Component;
use crate::readers::LiteralPlace;
use crate::report::Functor;
use crate::summary::node::Node;

/// Returns the name of a node's predicate: `words//1` for a grammar rule.
pub(super) fn of_node(component: &Component<'_>, node: &Node) -> String {
    match node.name.arity.checked_sub(2) {
        Some(arity) if is_grammar(component, node) => format!("{}//{arity}", node.name.name),
        _ => of_functor(&node.name),
    }
}

fn is_grammar(component: &Component<'_>, node: &Node) -> bool {
    let clauses = component.shared.program.clauses(&node.name);
    clauses.is_some_and(|all| !all.is_empty() && all.iter().all(|c| c.grammar_rule))
}

/// Returns the name of a predicate that a clause of a node calls, in the clause's notation: `words//1` for a goal of a grammar rule.
pub(super) fn of_call(
    component: &Component<'_>,
    node: &Node,
    place: LiteralPlace,
    callee: &Functor,
) -> String {
    let arity = callee.arity.checked_sub(2);
    match arity.filter(|_| is_in_text(component, node, place, callee)) {
        Some(arity) => format!("{}//{arity}", callee.name),
        None => of_functor(callee),
    }
}

/// Returns whether a grammar rule calls a goal as a nonterminal, whose last two arguments are implicit.
pub(super) fn is_in_text(
    component: &Component<'_>,
    node: &Node,
    LiteralPlace { clause, literal }: LiteralPlace,
    callee: &Functor,
) -> bool {
    let clauses = component.shared.program.clauses(&node.name);
    let clause = clauses.as_ref().and_then(|all| all.get(clause));
    let mut nodes = component.nodes.iter();
    clause.is_some_and(|clause| is_nonterminal(clause, literal))
        || clause.is_some_and(|clause| clause.grammar_rule)
            && nodes.any(|of| of.name == *callee && is_grammar(component, of))
}

/// Returns the name of a predicate: `maplist/3` for a specialised copy with a closure.
pub(super) fn of_functor(predicate: &Functor) -> String {
    CopyName::read(predicate).map_or_else(|| predicate.to_string(), |copy| copy.told())
}

/// Returns the number (from 1) of an argument in a call of the predicate, or `None` for a part of a closure.
pub(super) fn argument(predicate: &Functor, from_zero: usize) -> Option<usize> {
    match CopyName::read(predicate) {
        Some(copy) => copy.argument(from_zero).map(|i| i + 1),
        None => Some(from_zero + 1),
    }
}
