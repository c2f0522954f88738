//! Resources other than resolution steps: events, and time on a platform.

use std::sync::Arc;

use costlens_algebra::Rat;
pub(crate) use costlens_analysis::own_resources::own_names;
use costlens_analysis::report::{Functor, PredicateReport};
pub(crate) use costlens_analysis::resources::resource_of;
use costlens_analysis::resources::{Price, resource_report};
pub use costlens_analysis::resources::{Prices, Resource};
use costlens_platform::{Collection, Platform};
use costlens_program::{SourceFile, find};
use costlens_syntax::Dialect;

use crate::db::Db;

/// Converts a platform's constants for the analysis.
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

/// A platform, and the information about it that is displayed with times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibrated {
    /// The constants.
    pub prices: Arc<Prices>,
    /// The Prolog system, with its flags: `SWI-Prolog 9.0.4 -O`.
    pub engine: String,
    /// True if the platform was measured on this machine.
    pub here: bool,
    /// The factor within which predicted times lie in nine out of ten cases. `None` if unknown.
    pub factor: Option<Rat>,
    /// The garbage collector.
    pub collection: Option<Arc<Collection>>,
}

impl Calibrated {
    /// Creates the description of a platform. `here` is true if it was measured on this machine.
    #[must_use]
    pub fn new(platform: &Platform, here: bool) -> Self {
        let flags = platform.machine.get("flags");
        Calibrated {
            prices: prices(platform),
            engine: match flags {
                Some(flags) => format!("{} {flags}", platform.engine),
                None => platform.engine.clone(),
            },
            here,
            factor: platform.factor().cloned(),
            collection: platform.collection.clone().map(Arc::new),
        }
    }
}

/// Returns the default platform for times in a dialect: a platform measured on this machine, or else one of the user's platforms, or else a
/// platform that ships with Costlens. Among several, the newest platform without flags is chosen.
#[must_use]
pub fn preferred(
    platforms: &[Platform],
    dialect: Dialect,
    is_here: impl Fn(&Platform) -> bool,
) -> Option<&Platform> {
    let family = match dialect {
        Dialect::Swi => "SWI-Prolog ",
        Dialect::Gnu => "GNU Prolog ",
        Dialect::Scryer => "Scryer Prolog ",
        Dialect::Trealla => "Trealla Prolog ",
        Dialect::Ciao => "Ciao ",
        Dialect::Iso => return None,
    };
    let own = |p: &Platform| p.source == "user";
    let of_family = |p: &&Platform| p.engine.starts_with(family) && p.source != "paper";
    (platforms.iter().filter(of_family)).max_by_key(|p| {
        let plain = !p.machine.contains_key("flags");
        (is_here(p), own(p), plain, p.date.clone())
    })
}

/// Returns the number of cells that a predicate builds, with one report for each pattern of its report on steps. Returns `None` if the file
/// does not define the predicate.
pub fn cells(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    collection: &Collection,
) -> Option<Arc<PredicateReport>> {
    let predicate = find(db, file, predicate)?;
    let resource = Resource::alone(collection.cells.clone());
    Some(resource_report(db, predicate, &resource))
}

/// The time of a predicate on a platform, in nanoseconds, with one report for each pattern of its report on steps. Each report contains the
/// bounds in [`steps`], and the reasons for missing bounds in [`unknown`].
///
/// [`steps`]: costlens_analysis::report::PatternReport::steps
/// [`unknown`]: costlens_analysis::report::PatternReport::unknown
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Bounds based on the estimates of the constants.
    pub estimate: Arc<PredicateReport>,
    /// Lower bounds based on the minimum of each constant, and upper bounds based on the maximum.
    pub cautious: Arc<PredicateReport>,
}

/// Returns the time of a predicate on a platform. Returns `None` if the file does not define the predicate.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn platform(name: &str, engine: &str, source: &str, date: &str, flags: &str) -> Platform {
        let flags = (!flags.is_empty()).then(|| ("flags".to_owned(), flags.to_owned()));
        Platform {
            name: name.to_owned(),
            engine: engine.to_owned(),
            source: source.to_owned(),
            origin: String::new(),
            date: date.to_owned(),
            machine: flags.into_iter().collect(),
            constants: [].into(),
            errors: [].into(),
            programs: Vec::new(),
            collection: None,
        }
    }

    #[test]
    fn a_platform_of_this_machine_comes_first() {
        let all = [
            platform("paper", "SWI-Prolog 5.6", "paper", "2099", ""),
            platform("shipped", "SWI-Prolog 9.0.4", "shipped", "2026-11-25", ""),
            platform(
                "shipped-O",
                "SWI-Prolog 9.0.4",
                "shipped",
                "2026-11-26",
                "-O",
            ),
            platform("carried", "SWI-Prolog 9.2.1", "user", "2026-10-01", ""),
            platform("mine-O", "SWI-Prolog 9.2.1", "user", "2026-12-02", "-O"),
            platform("old", "SWI-Prolog 9.0.4", "user", "2026-11-01", ""),
            platform("mine", "SWI-Prolog 9.2.1", "user", "2026-12-01", ""),
        ];
        let chosen = |many: usize, dialect| {
            let here = |p: &Platform| p.name.starts_with("mine") || p.name == "old";
            preferred(&all[..many], dialect, here).map(|p| p.name.as_str())
        };
        assert_eq!(chosen(7, Dialect::Swi), Some("mine"));
        assert_eq!(chosen(6, Dialect::Swi), Some("old"));
        assert_eq!(chosen(5, Dialect::Swi), Some("mine-O"));
        assert_eq!(chosen(4, Dialect::Swi), Some("carried"));
        assert_eq!(chosen(3, Dialect::Swi), Some("shipped"));
        assert_eq!(chosen(1, Dialect::Swi), None);
        assert_eq!(chosen(7, Dialect::Scryer), None);
        assert_eq!(chosen(7, Dialect::Iso), None);
        assert_eq!(Calibrated::new(&all[4], true).engine, "SWI-Prolog 9.2.1 -O");
    }
}
