//! Which call patterns a predicate is shown for: declared ones, or else one that is guessed from how its clauses use their
//! arguments.
//!
//! A guess is never claimed to be how the predicate is called; it only says for which calls the shown bounds hold, and it is
//! marked as inferred.

mod declared;
mod library;
mod literals;
mod modes;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use costlens_program::{Clause, Functor};

pub use declared::{assertion_pattern, declared_patterns, refined};

use crate::types::{Pattern, Type};

/// After so many patterns the rest are joined into one.
pub const MOST_PATTERNS: usize = 8;

/// Clauses beyond this number are not looked at: a guess needs no more.
const MOST_CLAUSES: usize = 64;

/// Guesses the patterns of the members of one component of the call graph from their clauses.
///
/// `len([],0). len([_|T],N) :- len(T,N0), N is N0+1.` gives `(list(any), var)`: the first argument is taken apart, the second
/// is computed. `callee` gives the patterns of predicates outside the component that are known already.
#[must_use]
pub fn inferred_patterns(
    members: &[(Functor, Arc<[Clause]>)],
    callee: &dyn Fn(&Functor) -> Option<Pattern>,
) -> Vec<Pattern> {
    let compiled: Vec<literals::Predicate> = members
        .iter()
        .map(|(functor, clauses)| {
            literals::Predicate::compile(
                functor,
                &clauses[..clauses.len().min(MOST_CLAUSES)],
                members,
                callee,
            )
        })
        .collect();
    let inputs = modes::choose(&compiled);
    compiled
        .iter()
        .zip(&inputs)
        .map(|(predicate, inputs)| {
            Pattern(
                (0..predicate.arity)
                    .map(
                        |i| match (predicate.fixed.get(i).cloned().flatten(), inputs[i]) {
                            (Some(fixed), _) => fixed,
                            (None, true) => predicate.evidence(i),
                            (None, false) => Type::Free,
                        },
                    )
                    .collect(),
            )
        })
        .collect()
}
