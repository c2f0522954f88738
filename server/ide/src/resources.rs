//! Other resources than resolution steps: events, and time on a platform.

use std::sync::Arc;

use costlens_analysis::report::{Functor, PredicateReport};
use costlens_analysis::resources::{Price, resource_report};
pub use costlens_analysis::resources::{Prices, Resource};
use costlens_platform::Platform;
use costlens_program::{SourceFile, find};

use crate::db::Db;

/// A platform's constants as the analysis takes them.
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

/// The time of a predicate on a platform, in nanoseconds, one report for each pattern of its report on steps. The bounds are in
/// [`steps`] of each, the missing ones' reasons in [`unknown`].
///
/// [`steps`]: costlens_analysis::report::PatternReport::steps
/// [`unknown`]: costlens_analysis::report::PatternReport::unknown
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Bounds by the estimates of the constants.
    pub estimate: Arc<PredicateReport>,
    /// Lower bounds by the least that each constant may be, upper bounds by the most.
    pub cautious: Arc<PredicateReport>,
}

/// The time of a predicate on a platform. None if the file does not define it.
pub fn time(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    prices: &Arc<Prices>,
) -> Option<Times> {
    let predicate = find(db, file, predicate)?;
    let on = |resource| resource_report(db, predicate, &resource);
    Some(Times {
        estimate: on(Resource::Time(Arc::clone(prices))),
        cautious: on(Resource::CautiousTime(Arc::clone(prices))),
    })
}
