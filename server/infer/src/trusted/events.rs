//! Bounds on other events than resolution steps from what `trust` assertions state of them.
//!
//! ```prolog
//! :- trust pred send(X) : ground(X) + (cost(exact, bits, 8*size(X)), cost(ub, giunif, 3), is_det).
//! ```

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::Expr;
use costlens_algebra::linear::Region;
use costlens_events::{Event, OwnPart};
use costlens_recurrences::{SolvedPiece, Value};
use costlens_syntax::assertions::{Assertion, Property, Stated};

use super::{Admitted, Line, Reader, admitted_of, node_alone};
use crate::builtins;
use crate::report::TrustLine;
use crate::summary::Summary;
use crate::summary::event_bounds::{EventBounds, EventSummary};
use crate::summary::pieces::{Sides, at_most_one};

/// The event that is what trust lines state of a resource; none for time.
#[must_use]
pub fn event_of(resource: &str) -> Option<Event> {
    let own = || Event::Own(resource.into(), OwnPart::Stated);
    (resource != "time").then(|| resource.parse().unwrap_or_else(|_| own()))
}

/// The events that trust lines state of calls which a summary is about, and their bounds: of a resource that a program declares the whole, so
/// that nothing is counted beside it. And which lines speak of these calls.
#[must_use]
pub fn stated_events(
    summary: &Summary,
    lines: &[Line<'_>],
) -> (BTreeMap<Event, EventBounds>, Vec<TrustLine>) {
    let node = node_alone(&summary.predicate, &summary.pattern);
    let admitted = admitted_of(lines, &node);
    let built_in = builtins::shipped::summary(&summary.predicate, &summary.pattern);
    let reader = Reader {
        node: &node,
        admitted: &admitted,
        is_single: built_in.is_some_and(|known| at_most_one(&known.solutions)),
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
    let mut found = BTreeMap::new();
    for resource in resources(&admitted) {
        let Some(event) = event_of(resource).filter(|event| *event != Event::Step) else {
            continue;
        };
        if let Event::Own(name, _) = &event {
            for part in [OwnPart::Heads, OwnPart::Literals] {
                found.insert(Event::Own(name.clone(), part), nothing());
            }
        }
        found.insert(event, bounds(resource));
    }
    let lines = match found.is_empty() {
        true => Vec::new(),
        false => (admitted.iter())
            .filter(|a| states_events(a.line.assertion))
            .filter_map(|a| a.line.id.clone())
            .collect(),
    };
    (found, lines)
}

/// Tells whether an assertion states a cost that is not one of steps.
fn states_events(assertion: &Assertion) -> bool {
    let mut properties = assertion.properties.iter();
    properties.any(|p| matches!(&p.property, Property::Cost(cost) if cost.resource != "steps"))
}

/// What a call does beside what trust lines state of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Anything.
    Unknown,
    /// It calls goals that are not seen, and counts nothing of a resource that a program declares: a library's predicate.
    CallsOnly,
    /// Nothing: a built-in.
    Nothing,
}

/// The bounds on events of a call of which no clauses are seen.
#[must_use]
pub fn trusted_events(summary: &Summary, lines: &[Line<'_>], otherwise: Otherwise) -> EventSummary {
    let mut found = EventSummary::nothing_known(summary);
    if otherwise != Otherwise::Unknown {
        let unknown = std::mem::replace(&mut found.rest, nothing());
        let calls = (otherwise == Otherwise::CallsOnly).then_some((Event::Literal, unknown));
        found.columns.extend(calls);
    }
    let (columns, rests_on) = stated_events(summary, lines);
    found.columns.extend(columns);
    found.rests_on = rests_on;
    found
}

fn nothing() -> EventBounds {
    let zero = || {
        vec![SolvedPiece {
            region: Region::default(),
            value: Value::Known(Expr::zero()),
        }]
    };
    let sides = Sides {
        lower: zero(),
        upper: zero(),
    };
    EventBounds {
        first: sides.clone(),
        all: sides,
        unknown: Vec::new(),
    }
}

fn resources<'a>(admitted: &'a [Admitted<'a>]) -> BTreeSet<&'a str> {
    let properties = admitted.iter().flat_map(|a| &a.line.assertion.properties);
    let resource = |p: &'a Stated| match &p.property {
        Property::Cost(cost) => Some(cost.resource.as_str()),
        _ => None,
    };
    properties.filter_map(resource).collect()
}
