//! Bounds on events other than resolution steps, as callers know them.

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
    /// Up to the first solution, failure or exception.
    pub first: Sides,
    /// Over all solutions.
    pub all: Sides,
    /// The reasons why bounds are missing.
    pub unknown: Vec<Unknown>,
}

/// The events of a vocabulary whose bounds a question needs. The others are not solved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// Every event of the vocabulary, as times need them.
    #[default]
    Every,
    /// These events only.
    Only(Arc<BTreeSet<Event>>),
}

impl Wanted {
    /// Returns whether the bounds on an event are needed.
    #[must_use]
    pub fn includes(&self, event: &Event) -> bool {
        match self {
            Wanted::Every => true,
            Wanted::Only(events) => events.contains(event),
        }
    }
}

/// Bounds on the events of a predicate under a call pattern, over the size variables of its [`Summary`]. Resolution
/// steps are not repeated here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSummary {
    /// The events that were asked for. Nothing is claimed of any other event.
    pub wanted: Wanted,
    /// The events that may happen.
    pub columns: BTreeMap<Event, EventBounds>,
    /// Any other event: none, unless something unknown is called.
    pub rest: EventBounds,
    /// The trust lines that state events of direct or indirect callees.
    pub rests_on: Vec<TrustLine>,
    /// The bounds on the integers of arithmetic, without which times are not known.
    pub integers: Integers,
    /// True if clauses are tried one after the other with the first argument unbound.
    pub searches_unbound: bool,
    /// The predicates that take part, up to [`MOST_TOLD`] of them.
    pub predicates: BTreeSet<Functor>,
    /// The same bounds if trust lines state the time of a direct or indirect callee.
    pub timed: Option<Box<Timed>>,
}

/// With more predicates than this, the exact number does not matter.
pub const MOST_TOLD: usize = 3;

/// A cost in time that trust lines state in part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timed {
    /// The stated part, in nanoseconds.
    pub stated: EventBounds,
    /// The events, including resolution steps, excluding the stated part.
    pub columns: BTreeMap<Event, EventBounds>,
    /// Any other event, excluding the stated part.
    pub rest: EventBounds,
}

impl EventSummary {
    /// Returns the bounds on an event excluding what is stated in time. Returns `None` for resolution steps if no time is stated.
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

    /// Returns the bounds on an event. Returns `None` if the event is the entry of clauses: every entry counts, so its bounds are those on
    /// steps.
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

    /// Returns the summary as another file sees it: causes have the file that they come from.
    #[must_use]
    pub fn in_file(&self, home: SourceFile) -> Self {
        let mut seen = self.clone();
        let timed = seen.timed.iter_mut().flat_map(|timed| {
            let others = [&mut timed.rest, &mut timed.stated];
            timed.columns.values_mut().chain(others)
        });
        for column in (seen.columns.values_mut())
            .chain([&mut seen.rest])
            .chain(timed)
        {
            for unknown in &mut column.unknown {
                unknown.home = unknown.home.or(Some(home));
            }
        }
        seen
    }

    /// Returns bounds that always hold.
    #[must_use]
    pub fn nothing_known(summary: &Summary) -> Self {
        EventSummary {
            wanted: Wanted::Every,
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

/// The bounds on an event that was not asked for.
static NOT_ASKED: LazyLock<EventBounds> = LazyLock::new(EventBounds::unbounded);

impl EventBounds {
    /// Returns bounds that always hold: at least 0, without an upper bound and without a reason.
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

    /// Returns the bounds of an event that never happens.
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

/// Returns the cause if `trust` lines about a predicate do not mention an event.
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
