//! The effects of goals that directives build from data, and of clauses that directives call.
//!
//! ```prolog
//! :- maplist(abolish, [p/1]).             % p/1
//! :- G =.. [consult, more], call(G).      % by assumption, loads no clauses of the file's predicates
//! :- run(abolish, p/1).                   % p, and by assumption no other predicate
//! ```

use std::collections::BTreeSet;

use costlens_body::Goal;
use costlens_catalog::{clause_change, find as find_system, opening};
use costlens_syntax::term::{CONS, TermId, Terms};
use costlens_syntax::write_term;

use super::kinds::{ChangedPart, EffectClaim, Runner, head, kind, text_changed, throws};
use super::reading::{changes_reading, is_any_flag};
use crate::language::{Functor, goals_run, indicators};

/// Returns the goals with an effect that a directive runs once its data is written out, with the parts of the program that they change.
pub(super) fn effects_from_data(
    original: &Terms,
    written: &Terms,
    goal: TermId,
) -> Vec<(TermId, ChangedPart)> {
    let mut found = Vec::new();
    for run in goals_run(written, goal) {
        let text = |terms: &Terms| write_term(terms, run.goal, None);
        let is_new = !original.holds(run.goal) || text(original) != text(written);
        if run.at_end || !is_new {
            continue;
        }
        let kind = changed(written, run.goal)
            .or_else(|| kind(written, run.goal, Runner::Directive))
            .or_else(|| {
                let is_of_text =
                    changes_reading(written, run.goal) || is_any_flag(written, run.goal);
                is_of_text.then(|| text_changed(written, run.goal))
            });
        found.extend(kind.map(|kind| (run.goal, kind)));
    }
    found
}

/// Returns what a goal changes that the directive would be known to change if the goal was written in it.
fn changed(terms: &Terms, goal: TermId) -> Option<ChangedPart> {
    if let Goal::Throw(ball) = Goal::lower(terms, goal) {
        return throws(terms, ball).then_some(ChangedPart::Program);
    }
    let (name, arity) = terms.functor(goal)?;
    let first = *terms.args(goal).first()?;
    if opening(name, arity).is_some() {
        let named: BTreeSet<Functor> = indicators(terms, first).into_iter().collect();
        return Some(match named.is_empty() {
            true => ChangedPart::Named(EffectClaim::DeclaresNone),
            false => ChangedPart::Predicates(named),
        });
    }
    if clause_change(name, arity).is_some() {
        let neck = terms.matches(first, ":-", 2);
        let of = head(terms, neck.map_or(first, |args| args[0]));
        return Some(of.map_or(ChangedPart::Named(EffectClaim::AddsNone), |of| {
            ChangedPart::Predicates([of].into())
        }));
    }
    let loads = find_system(name, arity).is_some_and(|p| p.loads_files);
    loads.then_some(ChangedPart::Assumed(EffectClaim::LoadsNone))
}

/// Returns the part of a program that a goal changes in a clause that a directive calls, and that is known only by assumption: a load, or a
/// ball that ends the loading of the file.
pub(super) fn assumed_in_called(terms: &Terms, goal: TermId) -> Option<ChangedPart> {
    if let Goal::Throw(ball) = Goal::lower(terms, goal) {
        return throws(terms, ball).then_some(ChangedPart::Assumed(EffectClaim::DoesNotRun));
    }
    let (name, arity) = terms.functor(goal)?;
    // A list is data in most places.
    let loads = name != CONS && find_system(name, arity).is_some_and(|p| p.loads_files);
    loads.then_some(ChangedPart::Assumed(EffectClaim::LoadsNone))
}

/// Returns whether an atom among the data of a directive names a predicate that opens or changes predicates: `:- run(abolish, p/1)`.
pub(super) fn names_a_change(terms: &Terms, id: TermId) -> bool {
    let name = terms.as_atom(id);
    name.is_some_and(|name| {
        (1..=2).any(|arity| opening(name, arity).is_some() || clause_change(name, arity).is_some())
    })
}
