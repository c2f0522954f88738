//! Bounds on events other than resolution steps, as callers use them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use costlens_algebra::Expr;
use costlens_algebra::linear::Region;
use costlens_events::{Event, OwnPart};
use costlens_program::SourceFile;
use costlens_recurrences::{SolvedPiece, Value, Why};

use super::Summary;
use super::integers::Integers;
use super::pieces::Sides;
use crate::report::{Functor, Side, TrustLine, Unknown};

/// The bounds on one event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventBounds {
    /// The events up to the first solution, failure or exception.
    pub first: Sides,
    /// The events over all solutions.
    pub all: Sides,
    /// The reasons why bounds are missing.
    pub unknown: Vec<Unknown>,
}

/// The events of a vocabulary whose bounds a query needs. Other events are not solved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum EventSelection {
    /// Every event of the vocabulary, as needed for times.
    #[default]
    Every,
    /// Only these events.
    Only(Arc<BTreeSet<Event>>),
}

impl EventSelection {
    /// Returns whether the bounds on an event are needed.
    #[must_use]
    pub fn includes(&self, event: &Event) -> bool {
        match self {
            EventSelection::Every => true,
            EventSelection::Only(events) => events.contains(event),
        }
    }
}

/// Bounds on the events of a predicate with a call pattern, over the size variables of its [`Summary`]. Resolution steps are not repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSummary {
    /// The requested events. The bounds on other events are undefined.
    pub wanted: EventSelection,
    /// The bounds on the events that may occur.
    pub columns: BTreeMap<Event, EventBounds>,
    /// The bounds on any other event: zero, unless something unknown is called.
    pub rest: EventBounds,
    /// The trust lines that specify events of direct or indirect callees.
    pub rests_on: Vec<TrustLine>,
    /// The bounds on the integers of arithmetic, which are required for times.
    pub integers: Integers,
    /// True if clauses are tried one after another with an unbound first argument.
    pub searches_unbound: bool,
    /// The participating predicates, up to [`MOST_TOLD`].
    pub predicates: BTreeSet<Functor>,
    /// The bounds separated from asserted time, if trust lines specify the time of a direct or indirect callee.
    pub timed: Option<Box<Timed>>,
}

/// The maximum number of listed predicates; beyond it, the exact number does not matter.
pub const MOST_TOLD: usize = 3;

/// A time cost that trust lines partly specify.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timed {
    /// The asserted part, in nanoseconds.
    pub stated: EventBounds,
    /// The events, including resolution steps, excluding the asserted part.
    pub columns: BTreeMap<Event, EventBounds>,
    /// Any other event, excluding the asserted part.
    pub rest: EventBounds,
}

impl EventSummary {
    /// Returns the bounds on an event, excluding costs asserted as time. Returns `None` for resolution steps if no time is asserted.
    pub(crate) fn beside_timed(&self, event: Option<&Event>) -> Option<&EventBounds> {
        match (&self.timed, event) {
            (Some(timed), Some(event)) => Some(timed.columns.get(event).unwrap_or(&timed.rest)),
            (Some(timed), None) => Some(&timed.rest),
            (None, Some(Event::Step)) => None,
            (None, Some(event)) => Some(self.column(event)),
            (None, None) => Some(&self.rest),
        }
    }

    /// Returns the bounds on an event.
    #[must_use]
    pub fn column(&self, event: &Event) -> &EventBounds {
        match self.wanted.includes(event) {
            true => self.columns.get(event).unwrap_or(&self.rest),
            false => &NOT_ASKED,
        }
    }

    /// Returns the bounds on an event. Returns `None` for clause entries: their bounds are those on steps.
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

    /// Returns the bounds of all columns.
    pub(crate) fn all_bounds_mut(&mut self) -> impl Iterator<Item = &mut EventBounds> {
        let timed = self.timed.iter_mut().flat_map(|timed| {
            let others = [&mut timed.rest, &mut timed.stated];
            timed.columns.values_mut().chain(others)
        });
        (self.columns.values_mut())
            .chain([&mut self.rest])
            .chain(timed)
    }

    /// Returns the summary for use in another file: causes contain the file from which they come.
    #[must_use]
    pub fn in_file(&self, home: SourceFile) -> Self {
        let mut seen = self.clone();
        for column in seen.all_bounds_mut() {
            for unknown in &mut column.unknown {
                unknown.home = unknown.home.or(Some(home));
            }
        }
        seen
    }

    /// Returns bounds that hold for every predicate.
    #[must_use]
    pub fn nothing_known(summary: &Summary) -> Self {
        EventSummary {
            wanted: EventSelection::Every,
            columns: BTreeMap::new(),
            rests_on: Vec::new(),
            integers: Integers::default(),
            searches_unbound: false,
            predicates: BTreeSet::new(),
            timed: None,
            rest: EventBounds {
                unknown: match summary.unknown.is_empty() {
                    true => vec![untold(&summary.predicate)],
                    false => summary.unknown.clone(),
                },
                ..EventBounds::unbounded()
            },
        }
    }
}

/// The bounds on an event that was not requested.
static NOT_ASKED: LazyLock<EventBounds> = LazyLock::new(EventBounds::unbounded);

impl EventBounds {
    /// Returns trivial bounds: at least 0, with neither an upper bound nor a reason.
    fn unbounded() -> Self {
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
        EventBounds {
            first: sides.clone(),
            all: sides,
            unknown: Vec::new(),
        }
    }

    /// Returns the bounds on an event that never occurs.
    #[must_use]
    pub fn nothing() -> Self {
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
}

/// Returns the cause for an event that a predicate's `trust` lines do not mention.
pub(crate) fn untold(predicate: &Functor) -> Unknown {
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: format!("what is trusted of `{predicate}` says nothing of this resource"),
        cause: predicate.clone(),
        literal: None,
        help: "State it in the `trust` assertion, or define the predicate.".to_owned(),
        types_help: false,
        declare: None,
        missing: None,
    }
}
