//! Describes garbage collection: the sizes up to which there is none, and the time that it adds.

use costlens_algebra::Rat;
use costlens_analysis::report::PatternReport;
use costlens_platform::Collection;
use num_traits::{ToPrimitive as _, Zero as _};

use super::finite;
use super::reach::{BudgetReach, reach_in, rounded};
use super::times::{SIZES, at_size, error_of, range_text};
use super::values::steps_at_sizes;
use crate::resources::Calibrated;

/// Formats the size up to which the bound on built cells excludes garbage collection: `no garbage collection up to n ≈ 2,100`. Returns `None`
/// if the bound is unknown.
#[must_use]
pub fn none_up_to(cells: &PatternReport, collection: &Collection) -> Option<String> {
    let main = cells.main_piece()?;
    let bound = finite(cells.headline.where_bounded().1)?;
    if let Some(constant) = bound.as_constant() {
        return (constant <= collection.first).then(|| "no garbage collection".to_owned());
    }
    let (sizes, reach) = reach_in(cells, bound, &main.when, &collection.first)?;
    Some(match reach {
        BudgetReach::UpTo(k) => format!("no garbage collection up to {sizes} {}", rounded(&k)),
        BudgetReach::Everywhere | BudgetReach::Beyond => "no garbage collection".to_owned(),
        BudgetReach::Nowhere => return None,
    })
}

/// Formats the text that follows a time at a size ([`super::times::time_at`]): the size up to which there is no garbage collection, or the
/// maximum time with it.
#[must_use]
pub fn collected_at(
    time: &PatternReport,
    cells: &PatternReport,
    on: &Calibrated,
) -> Option<String> {
    let collection = on.collection.as_ref()?;
    let none = none_up_to(cells, collection);
    let at = at_size(time, on, &SIZES)?;
    let all = cells
        .sizes
        .iter()
        .map(|s| (s.var, at.size.into()))
        .collect();
    let most = steps_at_sizes(cells, &all).all.upper.at_least()?;
    let (times, ns) = collection.of_cells(&Rat::from_float(most)?);
    if times.is_zero() {
        return none;
    }
    let with = range_text(0.0, at.most + ns.to_f64()? * error_of(on, time));
    Some(match none {
        Some(none) => format!("{with} with garbage collection; {none}"),
        None => format!("{with} with garbage collection"),
    })
}

/// Returns the maximum time in nanoseconds, including garbage collection, for a known number of cells.
#[must_use]
pub fn with_collections(ns: f64, cells: f64, collection: &Collection) -> Option<f64> {
    let (_, more) = collection.of_cells(&Rat::from_float(cells)?);
    Some(ns + more.to_f64()?)
}
