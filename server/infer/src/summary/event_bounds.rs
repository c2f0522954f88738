//! Bounds on other events than resolution steps, as callers know them.

use std::collections::{BTreeMap, BTreeSet};

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
    /// What bounds the integers of arithmetic, for which alone times are known.
    pub integers: Integers,
    /// True where clauses are tried one after the other with the first argument unbound.
    pub searches_unbound: bool,
    /// The predicates that take part, up to [`MOST_TOLD`] of them.
    pub predicates: BTreeSet<Functor>,
    /// The same where trust lines state the time of something that is called, at any depth.
    pub timed: Option<Box<Timed>>,
}

/// More predicates than this are not told apart.
pub const MOST_TOLD: usize = 3;

/// A cost in time of which trust lines state a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timed {
    /// The stated part, in nanoseconds.
    pub stated: EventBounds,
    /// The events of everything else, resolution steps among them.
    pub columns: BTreeMap<Event, EventBounds>,
    /// Any other event of everything else.
    pub rest: EventBounds,
}

impl EventSummary {
    /// The bounds on an event beside what is stated in time; none for resolution steps where nothing is.
    pub(crate) fn beside_timed(&self, event: Option<&Event>) -> Option<&EventBounds> {
        match (&self.timed, event) {
            (Some(timed), Some(event)) => Some(timed.columns.get(event).unwrap_or(&timed.rest)),
            (Some(timed), None) => Some(&timed.rest),
            (None, Some(Event::Step)) => None,
            (None, Some(event)) => Some(self.column(event)),
            (None, None) => Some(&self.rest),
        }
    }

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
            integers: Integers::default(),
            searches_unbound: false,
            predicates: BTreeSet::new(),
            timed: None,
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

impl EventBounds {
    /// It never happens.
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

/// The cause where `trust` lines about a predicate say nothing of an event.
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
