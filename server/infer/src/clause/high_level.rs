//! Counts of the events of PADL'07, which follow from the text of a clause.

use costlens_compile::events;
use costlens_events::{Counts, Event};
use costlens_program::Clause;

use super::Runner;
use super::head::modes;
use super::point::model::{CostModel, Head, Literal, unified};
use super::point::{ClauseScope, Point};
use crate::world::questions::{Split, Truth};

/// The model that counts the events of PADL'07.
pub(super) struct HighLevel;

impl CostModel for HighLevel {
    fn head(
        &self,
        _: &ClauseScope<'_>,
        point: &mut Point,
        truths: &[Truth],
    ) -> Result<Head, Split> {
        let head = unified(point, truths);
        if head == Head::Unifies {
            point.count(Counts::once(Event::HeadUnification));
        }
        Ok(head)
    }

    fn enters(&self, scope: &ClauseScope<'_>, point: &mut Point, clause: &Clause) {
        point.count(head_events(scope.runner, clause));
    }

    /// Counts the terms that a literal builds if it is written in the clause and, if it is a built-in, the literal itself and the
    /// expressions that it evaluates.
    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let goal = literal.goal;
        scope.runner.note_integers(point, scope.terms, goal);
        let mut counts = Counts::default();
        if literal.is_written() {
            counts.extend(&events::written(scope.terms, goal));
        }
        counts.extend(&scope.runner.built_in(scope.terms, goal));
        point.count(counts);
    }
}

/// Returns the events of PADL'07 for the head of an entered clause.
pub(super) fn head_events(runner: &Runner<'_>, clause: &Clause) -> Counts {
    let modes = modes(&runner.nodes[runner.node].pattern);
    events::head(&clause.terms, clause.head, &modes)
}
