//! Computes the summaries of the predicates that a query reaches, as a fixpoint.

use std::collections::BTreeMap;

use costlens_program::Functor;

use super::ArgumentBinding;
use super::modes::on_entry;
use super::summary::{ReachedSummaries, Summary};
use super::walk::Walk;

/// The maximum number of rounds. If they do not suffice, each result is assumed to depend on all inputs.
const ROUNDS: usize = 200;

/// Returns the summaries of the predicates that a query reaches. `call` contains the binding of its arguments; `reached` must contain no
/// summaries yet.
pub(super) fn summaries(
    mut reached: ReachedSummaries<'_>,
    predicate: &Functor,
    call: &[ArgumentBinding],
) -> BTreeMap<Functor, Summary> {
    let entry = on_entry(reached.modes, predicate).into_iter().zip(call);
    let entry = entry.map(|(every, this)| every.join(*this)).collect();
    reached.add(predicate, entry);
    for number in 0..ROUNDS {
        reached.changed = false;
        // Every second round proceeds from callees to callers, so that chains of calls need few rounds.
        match number % 2 {
            0 => forwards(&mut reached, 0),
            _ => backwards(&mut reached),
        }
        if !reached.changed {
            return reached.summaries;
        }
    }
    // No fixpoint was reached: assume that each result depends on all inputs.
    for summary in reached.summaries.values_mut() {
        summary.selects = u64::MAX;
    }
    reached.summaries
}

/// Updates the predicates from an index onwards, including predicates reached in the meantime.
fn forwards(reached: &mut ReachedSummaries<'_>, from: usize) {
    let mut place = from;
    while let Some(functor) = reached.order.get(place).cloned() {
        update(reached, &functor);
        place += 1;
    }
}

/// Updates the predicates from the last to the first, and then the predicates reached in the meantime.
fn backwards(reached: &mut ReachedSummaries<'_>) {
    let known = reached.order.clone();
    for functor in known.iter().rev() {
        update(reached, functor);
    }
    forwards(reached, known.len());
}

/// Computes the summary of a predicate from the summaries of its callees.
fn update(reached: &mut ReachedSummaries<'_>, functor: &Functor) {
    let clauses = reached.program.clauses.get(functor);
    let (Some(clauses), Some(known)) = (clauses, reached.summaries.get(functor)) else {
        return;
    };
    let mut summary = Summary {
        entry: known.entry.clone(),
        selects: known.selects,
        effect: known.effect.clone(),
        clauses: Vec::with_capacity(clauses.len()),
    };
    for (clause, number) in clauses.iter().zip(1..) {
        Walk::clause(reached, clause, (functor, number), &mut summary);
    }
    summary.effect.decides |= summary.selects;
    if reached.summaries.get(functor) != Some(&summary) {
        reached.changed = true;
        reached.summaries.insert(functor.clone(), summary);
    }
}
