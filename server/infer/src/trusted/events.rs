//! Bounds on events other than resolution steps, from `trust` assertions.
//!
//! ```prolog
//! :- trust pred send(X) : ground(X) + (cost(exact, bits, 8*size(X)), cost(ub, giunif, 3), is_det).
//! ```

use std::collections::{BTreeMap, BTreeSet};

use costlens_events::{Event, OwnPart};
use costlens_recurrences::Value;
use costlens_syntax::assertions::{Assertion, Property, StatedProperty};

use super::{Admitted, Reader, TrustedAssertion, admitted_of, node_alone};
use crate::builtins;
use crate::report::TrustLine;
use crate::summary::Summary;
use crate::summary::event_bounds::{EventBounds, EventSummary, Timed, untold};
use crate::summary::pieces::at_most_one;

/// Returns the event for a resource in trust lines, or `None` for time.
#[must_use]
pub fn event_of(resource: &str) -> Option<Event> {
    let own = || Event::Own(resource.into(), OwnPart::Stated);
    (resource != "time").then(|| resource.parse().unwrap_or_else(|_| own()))
}

/// The events that trust lines specify for the calls of a summary.
#[derive(Clone, Debug, Default)]
pub struct StatedEvents {
    /// The events with their bounds. For a resource that the program declares, the asserted cost is the whole cost, so no other costs are
    /// counted.
    pub columns: BTreeMap<Event, EventBounds>,
    /// The time in nanoseconds.
    pub time: Option<EventBounds>,
    /// The lines that contribute to these bounds.
    pub lines: Vec<TrustLine>,
}

/// Reads the event costs from trust lines.
#[must_use]
pub fn stated_events(summary: &Summary, lines: &[TrustedAssertion<'_>]) -> StatedEvents {
    let node = node_alone(&summary.predicate, &summary.pattern);
    let admitted = admitted_of(lines, &node);
    let built_in = builtins::shipped::summary(&summary.predicate, &summary.pattern);
    let reader = Reader {
        node: &node,
        admitted: &admitted,
        is_single: built_in.is_some_and(|known| at_most_one(&known.solutions)),
        states_work: false,
    };
    let bounds = |resource: &str| {
        let (first, all) = reader.cost_sides(resource);
        let is_open = (all.upper.iter()).any(|p| matches!(p.value, Value::Unknown(_)));
        EventBounds {
            first,
            all,
            unknown: is_open
                .then(|| reader.no_upper_bound(resource))
                .into_iter()
                .collect(),
        }
    };
    let mut found = StatedEvents::default();
    for resource in resources(&admitted) {
        match event_of(resource) {
            None => found.time = Some(bounds(resource)),
            Some(Event::Step) => {}
            Some(event) => {
                if let Event::Own(name, _) = &event {
                    for part in [OwnPart::Heads, OwnPart::Literals] {
                        let part = Event::Own(name.clone(), part);
                        found.columns.insert(part, EventBounds::nothing());
                    }
                }
                found.columns.insert(event, bounds(resource));
            }
        }
    }
    let stating = admitted.iter().filter(|a| states_events(a.line.assertion));
    found.lines = stating.filter_map(|a| a.line.id.clone()).collect();
    found
}

/// Returns whether an assertion specifies a cost for a resource other than steps.
fn states_events(assertion: &Assertion) -> bool {
    let mut properties = assertion.properties.iter();
    properties.any(|p| matches!(&p.property, Property::Cost(cost) if cost.resource != "steps"))
}

/// The events of a call that trust lines do not specify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Any events.
    Unknown,
    /// Calls of unknown goals, but no direct use of a declared resource: a library predicate.
    CallsOnly,
    /// No events: a built-in.
    Nothing,
}

/// Returns the bounds on events for a call without visible clauses.
#[must_use]
pub fn trusted_events(
    summary: &Summary,
    lines: &[TrustedAssertion<'_>],
    otherwise: Otherwise,
) -> EventSummary {
    let mut found = EventSummary::nothing_known(summary);
    found.rest.unknown = vec![untold(&summary.predicate)];
    if otherwise != Otherwise::Unknown {
        let unknown = std::mem::replace(&mut found.rest, EventBounds::nothing());
        let calls = (otherwise == Otherwise::CallsOnly).then_some((Event::Literal, unknown));
        found.columns.extend(calls);
    }
    let stated = stated_events(summary, lines);
    found.columns.extend(stated.columns);
    found.rests_on = stated.lines;
    found.timed = stated.time.map(|stated| {
        Box::new(Timed {
            stated,
            columns: BTreeMap::new(),
            rest: EventBounds::nothing(),
        })
    });
    found
}

fn resources<'a>(admitted: &'a [Admitted<'a>]) -> BTreeSet<&'a str> {
    let properties = admitted.iter().flat_map(|a| &a.line.assertion.properties);
    let resource = |p: &'a StatedProperty| match &p.property {
        Property::Cost(cost) => Some(cost.resource.as_str()),
        _ => None,
    };
    properties.filter_map(resource).collect()
}
