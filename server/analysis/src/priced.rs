//! The last step: multiplies the bounds on events by the constants of a platform (PADL'07 §2.2, equation 6).
//!
//! A sum of upper bounds, each multiplied by its price, is an upper bound on the sum, since prices are not negative. It is tight if the
//! columns are tight and a single run reaches the maximum of each column.

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Rat, rat};
use costlens_events::{Event, OwnPart, Vocabulary};
use costlens_infer::report::{Side, Unknown};
use costlens_infer::{EventBounds, EventSummary, Pieces, Sides, Summary};
use costlens_recurrences::{SolvedPiece, Value, Why};
use num_traits::Zero as _;

use crate::prices::{Price, Prices};
use costlens_infer::time_shapes::{Growth, growing};

/// The maximum number of pieces; beyond it, the sum is abandoned.
const MOST_PIECES: usize = 60;

/// The total time of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) first: Sides,
    pub(crate) all: Sides,
}

/// The times for a predicate under a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Priced {
    /// At the estimated prices.
    pub(crate) estimate: Sums,
    /// Lower bounds at the minimum prices, upper bounds at the maximum prices.
    pub(crate) cautious: Sums,
    pub(crate) unknown: Vec<Unknown>,
}

/// The bounds of one event, and its price.
struct EventColumn<'a> {
    first: &'a Sides,
    all: &'a Sides,
    unknown: &'a [Unknown],
    price: Option<&'a Price>,
    event: &'a Event,
}

impl<'a> EventColumn<'a> {
    fn new(event: &'a Event, bounds: &'a EventBounds, price: Option<&'a Price>) -> Self {
        EventColumn {
            first: &bounds.first,
            all: &bounds.all,
            unknown: &bounds.unknown,
            price,
            event,
        }
    }
}

/// Multiplies the bounds by the prices and adds them up.
pub(crate) fn price(steps: &Summary, events: &EventSummary, prices: &Prices) -> Priced {
    // A resource that a program declares is not a time.
    let is_time = prices.vocabulary() != Vocabulary::Own;
    let timed = events.timed.as_deref().filter(|_| is_time);
    let of_steps = match timed.and_then(|timed| timed.columns.get(&Event::Step)) {
        Some(beside) => EventColumn::new(&Event::Step, beside, prices.of.get(&Event::Step)),
        None => EventColumn {
            first: &steps.first,
            all: &steps.all,
            unknown: &steps.unknown,
            price: prices.of.get(&Event::Step),
            event: &Event::Step,
        },
    };
    // A single price per call does not fit a built-in whose time grows with its arguments, unless its work is also counted.
    let counts_work = prices.vocabulary().counts_work();
    let beside = timed.map_or(&events.columns, |timed| &timed.columns);
    let others = beside.iter().filter(|(event, _)| **event != Event::Step);
    let of_events = others.map(|(event, bounds)| {
        let price = prices.of.get(event);
        let price = price.filter(|_| counts_work || why_uneven(event).is_none());
        EventColumn::new(event, bounds, price)
    });
    // Stated times are in nanoseconds.
    let nanosecond = Price {
        estimate: rat(1),
        least: rat(1),
        most: rat(1),
    };
    let stated = Event::Own("time".into(), OwnPart::Stated);
    let of_stated = timed.map(|timed| EventColumn::new(&stated, &timed.stated, Some(&nanosecond)));
    // No callee states these parts of a declared resource, so all clauses and literals count.
    let absent = prices
        .of
        .keys()
        .filter(|event| !events.columns.contains_key(event));
    let of_parts = absent
        .filter(|event| matches!(event, Event::Own(..)))
        .map(|event| {
            let own = events.own_column(event);
            EventColumn {
                first: own.map_or(&steps.first, |bounds| &bounds.first),
                all: own.map_or(&steps.all, |bounds| &bounds.all),
                unknown: own.map_or(&steps.unknown, |bounds| &bounds.unknown),
                price: prices.of.get(event),
                event,
            }
        });
    // The platform does not model a named event without a price.
    let columns: Vec<EventColumn<'_>> = std::iter::once(of_steps)
        .chain(of_events)
        .chain(of_parts)
        .chain(of_stated)
        .filter(|c| c.price.is_some() || !c.event.is_optional())
        .collect();
    let sums = |low: fn(&Price) -> &Rat, high: fn(&Price) -> &Rat| {
        let sides = |which: fn(&EventColumn<'_>) -> Sides| Sides {
            lower: sum(&columns, steps, which, true, low),
            upper: sum(&columns, steps, which, false, high),
        };
        Sums {
            first: sides(|c| c.first.clone()),
            all: sides(|c| c.all.clone()),
        }
    };
    Priced {
        estimate: sums(|p| &p.estimate, |p| &p.estimate),
        cautious: sums(|p| &p.least, |p| &p.most),
        unknown: why_unknown(&columns, steps, prices),
    }
}

fn sum(
    columns: &[EventColumn<'_>],
    steps: &Summary,
    which: fn(&EventColumn<'_>) -> Sides,
    is_lower: bool,
    price: fn(&Price) -> &Rat,
) -> Pieces {
    let mut total = vec![SolvedPiece {
        region: steps.domain.clone(),
        value: Value::Known(Expr::zero()),
    }];
    for column in columns {
        let sides = which(column);
        let pieces = if is_lower { sides.lower } else { sides.upper };
        let factor = match column.price.map(price) {
            Some(factor) if factor.is_zero() => continue,
            Some(factor) => factor.clone(),
            // The time of an event without a price is unknown; it is zero if the event does not occur.
            None if is_lower => continue,
            None => Rat::zero(),
        };
        let known = column.price.is_some();
        total = plus(&total, &pieces, &|value| match value {
            Value::Known(e) if known || e.is_zero() => Value::Known(e.scale(&factor)),
            Value::Known(_) => Value::Unknown(Why::Unbounded),
            other => other.clone(),
        });
        if total.len() > MOST_PIECES || total.is_empty() {
            let value = if is_lower {
                Value::Known(Expr::zero())
            } else {
                Value::Unknown(Why::NoForm)
            };
            let region = steps.domain.clone();
            return vec![SolvedPiece { region, value }];
        }
    }
    total
}

/// Adds piecewise functions on the common refinement of their pieces.
fn plus(a: &Pieces, b: &Pieces, of: &dyn Fn(&Value) -> Value) -> Pieces {
    let mut sum = Pieces::new();
    for x in a {
        for y in b {
            let Some(region) = common(&x.region, &y.region) else {
                continue;
            };
            let value = match (&x.value, of(&y.value)) {
                (Value::Known(e), Value::Known(f)) => Value::Known(e + &f),
                (Value::Unknown(why), _) => Value::Unknown(why.clone()),
                (_, Value::Unknown(why)) => Value::Unknown(why),
                _ => Value::Diverges,
            };
            sum.push(SolvedPiece { region, value });
        }
    }
    sum
}

fn common(a: &Region, b: &Region) -> Option<Region> {
    if a == b || a.implies_all(b) {
        return Some(a.clone());
    }
    let both = a.and_all(b);
    (!both.is_empty()).then_some(both)
}

/// Returns the built-in of an event with a varying time, and a description of how the time grows.
fn why_uneven(event: &Event) -> Option<(String, String)> {
    let (Event::Builtin(name, arity) | Event::Work(name, arity)) = event else {
        return None;
    };
    let shape = growing(name, *arity)?;
    let how = match shape.growth() {
        Growth::Constant => return None,
        Growth::Sizes => format!("grows with its arguments, O({})", shape.function(&[])),
        Growth::Unbounded => "is not bounded by its arguments".to_owned(),
    };
    Some((format!("{name}/{arity}"), how))
}

/// Returns the events without a price, and the reasons why bounds on events are missing.
fn why_unknown(columns: &[EventColumn<'_>], steps: &Summary, prices: &Prices) -> Vec<Unknown> {
    let mut causes: Vec<Unknown> = Vec::new();
    for column in columns {
        let happens = column
            .all
            .upper
            .iter()
            .any(|p| !matches!(&p.value, Value::Known(e) if e.is_zero()));
        if column.price.is_none() && happens {
            let cause = Unknown {
                home: None,
                side: Side::Upper,
                fuel: false,
                reason: match why_uneven(column.event) {
                    Some((of, how)) => format!(
                        "the time of `{of}` {how}, and the platform `{}` has no constant for that",
                        prices.platform
                    ),
                    None => format!(
                        "the platform `{}` has no constant for `{}`",
                        prices.platform, column.event
                    ),
                },
                cause: steps.predicate.clone(),
                literal: None,
                help: match why_uneven(column.event) {
                    Some(_) => "Ask for the steps, or for how often it is called (`--resource`).",
                    None => "Choose another platform with `--platform`.",
                }
                .to_owned(),
                types_help: false,
                declare: None,
                missing: None,
            };
            // Calls to a built-in and the built-in's work share one cause.
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        if column.price.is_some_and(|p| p.most > rat(0)) {
            for cause in column.unknown {
                let cause = of_work(column.event, cause);
                if !causes.contains(&cause) {
                    causes.push(cause);
                }
            }
        }
    }
    causes
}

/// Converts the cause of a missing bound on a built-in's work to the cause of a missing time. If no literal is the cause, the built-in's
/// arguments are the cause.
fn of_work(event: &Event, cause: &Unknown) -> Unknown {
    match event {
        Event::Work(name, arity) if cause.literal.is_none() => Unknown {
            reason: format!(
                "what is known of the arguments of `{name}/{arity}` does not bound its time"
            ),
            help: "Ask for the steps, or for how often it is called (`--resource`).".to_owned(),
            ..cause.clone()
        },
        _ => cause.clone(),
    }
}
