//! The results of a validation: plain data for text, JSON and pages, and the drawing.

use costlens_analysis::report::{PatternReport, SizeVariable};
use costlens_ide::plot::observed::{PlotData as Drawing, Seen, plot_observed};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::axes::number;
use super::compare::SizesRow;
use super::engine::{EngineClock, OfTime};
use super::observe::ObservedRuns;
use super::resource::OfResource;

/// A validated predicate.
pub(in crate::cli) struct Validated {
    pub(in crate::cli) predicate: String,
    pub(in crate::cli) file: String,
    pub(in crate::cli) line: usize,
    pub(in crate::cli) seed: u64,
    pub(in crate::cli) arguments: Vec<Option<String>>,
    /// The engine that measures times, if one was requested.
    pub(in crate::cli) clock: Option<EngineClock>,
    /// The reason why only times are compared, but not counts.
    pub(in crate::cli) not_counted: Option<String>,
    pub(in crate::cli) patterns: Vec<OfPattern>,
}

/// A call pattern and its result.
pub(in crate::cli) struct OfPattern {
    /// The predicate's head with modes and types.
    pub(in crate::cli) head: String,
    pub(in crate::cli) report: PatternReport,
    pub(in crate::cli) ran: Result<Ran, String>,
}

/// The runs of a pattern.
pub(in crate::cli) struct Ran {
    pub(in crate::cli) axes: Vec<SizeVariable>,
    pub(in crate::cli) base: Vec<BigInt>,
    pub(in crate::cli) observed: ObservedRuns,
    /// The results for each resource that is covered by bounds or runs.
    pub(in crate::cli) resources: Vec<OfResource>,
    /// Times on an engine, if one was requested, or the reason why there are none.
    pub(in crate::cli) time: Option<Result<OfTime, String>>,
}

impl Validated {
    /// Returns the runs of each pattern that ran.
    pub(super) fn runs_of_patterns(&self) -> impl Iterator<Item = &Ran> {
        self.patterns.iter().filter_map(|p| p.ran.as_ref().ok())
    }

    pub(super) fn resources(&self) -> impl Iterator<Item = &OfResource> {
        self.runs_of_patterns().flat_map(|ran| &ran.resources)
    }

    pub(in crate::cli) fn runs(&self) -> usize {
        self.runs_of_patterns().map(|ran| ran.observed.runs).sum()
    }

    pub(in crate::cli) fn times(&self) -> impl Iterator<Item = &OfTime> {
        self.runs_of_patterns()
            .filter_map(|ran| ran.time.as_ref()?.as_ref().ok())
    }

    pub(in crate::cli) fn is_violated(&self) -> bool {
        self.resources().any(|r| r.compared.violated > 0)
    }
}

/// Returns whether a row belongs to the series in which only the first size grows.
pub(super) fn is_main(ran: &Ran, row: &SizesRow) -> bool {
    row.sizes.get(1..).unwrap_or_default() == ran.base.get(1..).unwrap_or_default()
}

fn main_rows<'r>(ran: &'r Ran, of: &'r OfResource) -> impl Iterator<Item = &'r SizesRow> {
    of.compared.rows.iter().filter(|row| is_main(ran, row))
}

/// Draws bounds, observations and the fitted function over the first size; with an engine, draws times. Returns `None` if there is no size.
pub(super) fn drawing(
    ran: &Ran,
    of: &OfResource,
    arguments: &[Option<String>],
    clock: Option<&EngineClock>,
) -> Option<String> {
    let (axis, others) = ran.axes.split_first()?;
    let others: Vec<(&SizeVariable, BigInt)> = (others.iter())
        .zip(ran.base.iter().skip(1).cloned())
        .collect();
    let seen: Vec<Seen> = main_rows(ran, of)
        .filter_map(|row| {
            let most = row.most as f64;
            Some(Seen {
                // Larger integers cannot be distinguished on an axis.
                size: (row.sizes.first()?.to_i64()).filter(|size| size.unsigned_abs() < 1 << 50)?,
                least: row.least.map_or(most, |least| least as f64),
                most,
                violates: row.violates,
            })
        })
        .collect();
    let fitted: Vec<(f64, f64)> = main_rows(ran, of)
        .filter_map(|row| {
            let at = of.fitted.as_ref()?.value_at(&ran.axes, &row.sizes)?;
            Some((number(row.sizes.first()?), at))
        })
        .collect();
    plot_observed(&Drawing {
        report: &of.report,
        arguments,
        resource: &of.compared.name,
        error: clock.map(|clock| clock.factor.unwrap_or(1.0).max(1.0)),
        axis,
        others: &others,
        seen: &seen,
        fitted: &fitted,
    })
}
