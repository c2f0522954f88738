//! Bounds on other events than resolution steps, as callers know them.

use std::collections::BTreeMap;

use costlens_algebra::Expr;
use costlens_algebra::linear::Region;
use costlens_events::{Event, OwnPart};
use costlens_program::SourceFile;
use costlens_recurrences::{SolvedPiece, Value, Why};

use super::Summary;
use super::pieces::Sides;
use crate::report::{Functor, Side, TrustLine, Unknown};

/// The bounds on one event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventBounds {
    /// Up to the first solution, the failure or the exception.
    pub first: Sides,
    /// Over all solutions.
    pub all: Sides,
    /// Why bounds are missing.
    pub unknown: Vec<Unknown>,
}

/// Bounds on the events of a predicate under a call pattern, over the size variables of its [`Summary`]. Resolution
/// steps are not repeated here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSummary {
    /// The events that may happen.
    pub columns: BTreeMap<Event, EventBounds>,
    /// Any other event: none, unless something is called of which nothing is known.
    pub rest: EventBounds,
    /// The trust lines that state events of what is called, at any depth.
    pub rests_on: Vec<TrustLine>,
}

impl EventSummary {
    /// The bounds on an event.
    #[must_use]
    pub fn column(&self, event: &Event) -> &EventBounds {
        self.columns.get(event).unwrap_or(&self.rest)
    }

    /// The same; none where the event is that clauses are entered, all of which count: the bounds are those on steps.
    #[must_use]
    pub fn own_column(&self, event: &Event) -> Option<&EventBounds> {
        match event {
            Event::Own(_, OwnPart::Heads) => self.columns.get(event),
            Event::Own(_, OwnPart::Literals) => {
                let own = self.columns.get(event);
                Some(own.unwrap_or_else(|| self.column(&Event::Literal)))
            }
            _ => Some(self.column(event)),
        }
    }

    /// The same as another file sees it: causes have the file that they are in.
    #[must_use]
    pub fn in_file(&self, home: SourceFile) -> Self {
        let mut seen = self.clone();
        for column in seen.columns.values_mut().chain([&mut seen.rest]) {
            for unknown in &mut column.unknown {
                unknown.home = unknown.home.or(Some(home));
            }
        }
        seen
    }

    /// Bounds that are always right.
    #[must_use]
    pub fn nothing_known(summary: &Summary) -> Self {
        let everywhere = |value| {
            vec![SolvedPiece {
                region: Region::default(),
                value,
            }]
        };
        let sides = Sides {
            lower: everywhere(Value::Known(Expr::zero())),
            upper: everywhere(Value::Unknown(Why::Unbounded)),
        };
        EventSummary {
            columns: BTreeMap::new(),
            rests_on: Vec::new(),
            rest: EventBounds {
                first: sides.clone(),
                all: sides,
                unknown: match summary.unknown.is_empty() {
                    true => vec![untold(&summary.predicate)],
                    false => summary.unknown.clone(),
                },
            },
        }
    }
}

/// Why nothing is known of the events of a predicate whose steps are trusted.
fn untold(predicate: &Functor) -> Unknown {
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: format!("what is trusted of `{predicate}` says nothing of other events than steps"),
        cause: predicate.clone(),
        literal: None,
        help: "Define the predicate, or look at its resolution steps.".to_owned(),
        types_help: false,
        declare: None,
    }
}
