//! Other resources than resolution steps: events, and time on a platform.

use std::sync::Arc;

use costlens_algebra::display::{Outward, display_decimal};
use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Rat};
use costlens_analysis::report::{Bound, PatternReport, PredicateName, PredicateReport};
use costlens_analysis::resources::{Price, resource_report};
pub use costlens_analysis::resources::{Prices, Resource};
use costlens_events::Event;
use costlens_platform::Platform;
use costlens_program::{SourceFile, find};

use crate::reports::{Db, functor};

/// What a platform's constants are to the analysis.
#[must_use]
pub fn prices(platform: &Platform) -> Arc<Prices> {
    let of = platform.constants.iter().map(|(event, c)| {
        let price = Price {
            estimate: c.ns.clone(),
            least: c.low.clone(),
            most: c.high.clone(),
        };
        (event.clone(), price)
    });
    Arc::new(Prices {
        platform: platform.name.clone(),
        of: of.collect(),
    })
}

/// What one calls a resource on the command line and in assertions: `steps`, `giunif`, `time`.
#[must_use]
pub fn resource_name(resource: &Resource) -> String {
    match resource {
        Resource::Event(event) => event.to_string(),
        Resource::Time(_) | Resource::CautiousTime(_) => "time".to_owned(),
    }
}

/// The resource of an event.
#[must_use]
pub fn event(event: Event) -> Resource {
    Resource::Event(event)
}

/// What a predicate takes on a platform, in nanoseconds, one report for each pattern of its report on steps. The bounds are in
/// [`PatternReport::steps`], the missing ones' reasons in [`PatternReport::unknown`].
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// By the estimates of the constants.
    pub estimate: Arc<PredicateReport>,
    /// Lower bounds by the least that each constant may be, upper bounds by the most.
    pub cautious: Arc<PredicateReport>,
}

/// What a predicate of a file takes on a platform; none if the file does not define it.
pub fn time(
    db: &dyn Db,
    file: SourceFile,
    predicate: &PredicateName,
    prices: &Arc<Prices>,
) -> Option<Times> {
    let predicate = find(db, file, &functor(predicate))?;
    let on = |resource| resource_report(db, predicate, &resource);
    Some(Times {
        estimate: on(Resource::Time(Arc::clone(prices))),
        cautious: on(Resource::CautiousTime(Arc::clone(prices))),
    })
}

/// Bounds on time as a person reads them, in the unit that suits the largest coefficient: `≤ 0.12n²+0.3n+0.05 µs`. Rounded
/// outward.
#[must_use]
pub fn time_text(lower: &Bound, upper: &Bound, names: &Names<'_>) -> String {
    match (lower, upper) {
        (Bound::Infinite, _) => "diverges".to_owned(),
        (_, Bound::Infinite) => "diverges on redo".to_owned(),
        (Bound::Finite(e), Bound::Unknown) => {
            let (unit, factor) = unit_of(e);
            let text = display_decimal(&e.scale(&factor), names, Outward::Down);
            format!("at least {text} {unit}")
        }
        (_, Bound::Unknown) => "time ?".to_owned(),
        (lower, Bound::Finite(e)) => {
            let (unit, factor) = unit_of(e);
            let text = display_decimal(&e.scale(&factor), names, Outward::Up);
            if *lower == Bound::Finite(e.clone()) {
                format!("{text} {unit}")
            } else {
                format!("≤ {text} {unit}")
            }
        }
    }
}

/// Nanoseconds in a unit.
const UNITS: [(&str, i64); 4] = [
    ("ns", 1),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
];

fn unit_of(e: &Expr) -> (&'static str, Rat) {
    let number = |n: i64| Rat::from_integer(n.into());
    let largest = e.terms().map(|(_, k)| k.clone()).max().unwrap_or_default();
    let (unit, ns) = UNITS
        .into_iter()
        .rev()
        .find(|&(_, ns)| largest >= number(ns))
        .unwrap_or(UNITS[0]);
    (unit, number(1) / number(ns))
}

/// A time in nanoseconds as a person reads it: `131.3 µs`. To four digits.
#[must_use]
pub fn duration_text(ns: f64) -> String {
    let (unit, per) = match ns {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        ns if ns < 1e9 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let value = ns / per;
    let digits = match value {
        v if v < 10.0 => 3,
        v if v < 100.0 => 2,
        v if v < 1000.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// The report on the same pattern, which has the same place.
#[must_use]
pub fn pattern(report: &PredicateReport, index: usize) -> Option<&PatternReport> {
    report.patterns.get(index)
}
