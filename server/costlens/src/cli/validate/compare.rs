//! Compares counts with bounds: which bounds held, their tightness, and the causes of violations.

use std::collections::BTreeMap;

use costlens_algebra::{Rat, Var};
use costlens_analysis::report::{PatternReport, Side, SizeVariable};
use costlens_ide::present::values::{BoundValue, GivenSize, StepsAt, steps_at};
use costlens_ide::reports::bounds::PredicateBounds;
use num_bigint::BigInt;

use super::observe::{ObservedRuns, RunPart};

/// The maximum number of reported violations per resource; the violations at the smallest sizes are reported.
const MOST_VIOLATIONS: usize = 3;

/// The bounds of a predicate on a resource.
pub(super) struct AssertedBounds {
    pub(super) name: String,
    pub(super) bounds: PredicateBounds,
    /// For each pattern, the user's assertions on which the bounds depend.
    pub(super) asserted: Vec<Vec<String>>,
}

/// The bounds on a resource for a pattern.
pub(in crate::cli) struct Bounded<'b> {
    pub(in crate::cli) name: &'b str,
    pub(in crate::cli) report: &'b PatternReport,
    /// The user's assertions on which the bounds depend: `db.pl:12`.
    pub(in crate::cli) asserted: &'b [String],
    /// The values of the bounds' parameters in the runs.
    pub(in crate::cli) parameters: &'b [GivenSize],
}

/// The bounds at some sizes, and the counts of runs at these sizes.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct SizesRow {
    /// The sizes, in the order of the axes.
    pub(in crate::cli) sizes: Vec<BigInt>,
    pub(in crate::cli) at: StepsAt,
    pub(in crate::cli) runs: usize,
    /// The number of runs that a limit cut off; they would have counted more.
    pub(in crate::cli) cut: usize,
    /// The least count of a run up to its first solution.
    pub(in crate::cli) least: Option<u64>,
    /// The greatest count of a run over all solutions.
    pub(in crate::cli) most: u64,
    pub(in crate::cli) violates: bool,
}

impl SizesRow {
    /// Returns the greatest count divided by the upper bound.
    pub(in crate::cli) fn of_upper(&self) -> Option<f64> {
        let upper = self.at.all.upper.at_least()?;
        (upper > 0.0).then(|| self.most as f64 / upper)
    }

    /// Returns the lower bound divided by the least count.
    pub(in crate::cli) fn of_least(&self) -> Option<f64> {
        let (lower, least) = (self.at.first.lower.at_most()?, self.least?);
        (least > 0).then(|| lower / least as f64)
    }
}

/// A run that violates a bound.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct ObservedViolation {
    pub(in crate::cli) part: RunPart,
    pub(in crate::cli) side: Side,
    /// The sizes, by name.
    pub(in crate::cli) sizes: BTreeMap<String, BigInt>,
    pub(in crate::cli) goal: String,
    pub(in crate::cli) counted: u64,
    /// The bound; `None` if the call was claimed to run forever.
    pub(in crate::cli) bound: Option<Rat>,
}

/// The bounds on a resource, compared with the observations.
pub(in crate::cli) struct Compared {
    pub(in crate::cli) name: String,
    pub(in crate::cli) rows: Vec<SizesRow>,
    /// The largest ratio of a count to its upper bound; 1 if the bound is attained.
    pub(in crate::cli) of_upper: Option<(f64, Vec<BigInt>)>,
    /// The largest ratio of a lower bound to a count.
    pub(in crate::cli) of_least: Option<(f64, Vec<BigInt>)>,
    pub(in crate::cli) violations: Vec<ObservedViolation>,
    /// The number of sizes with violations.
    pub(in crate::cli) violated: usize,
    pub(in crate::cli) asserted: Vec<String>,
}

impl Compared {
    /// Returns an empty comparison for a resource.
    pub(in crate::cli) fn new(name: String, asserted: &[String]) -> Self {
        Compared {
            name,
            rows: Vec::new(),
            of_upper: None,
            of_least: None,
            violations: Vec::new(),
            violated: 0,
            asserted: asserted.to_vec(),
        }
    }

    /// Adds a row.
    pub(in crate::cli) fn add(&mut self, row: SizesRow) {
        nearer(&mut self.of_upper, row.of_upper(), &row.sizes);
        nearer(&mut self.of_least, row.of_least(), &row.sizes);
        self.rows.push(row);
    }
}

/// Compares the counts of one resource with its bounds.
pub(in crate::cli) fn compare(
    bounded: &Bounded<'_>,
    resource: usize,
    axes: &[SizeVariable],
    observed: &ObservedRuns,
) -> Compared {
    let mut found = Compared::new(bounded.name.to_owned(), bounded.asserted);
    for (sizes, group) in &observed.groups {
        let mut all = given(axes, sizes);
        all.extend_from_slice(bounded.parameters);
        let at = steps_at(bounded.report, &all);
        let mut violates = false;
        for (part, side) in [
            (RunPart::First, Side::Lower),
            (RunPart::First, Side::Upper),
            (RunPart::All, Side::Lower),
            (RunPart::All, Side::Upper),
        ] {
            let Some((counted, goal)) = group.seen(resource, part).extreme(side) else {
                continue;
            };
            let Some(bound) = contradicted(&at, part, side, *counted) else {
                continue;
            };
            violates = true;
            found.violations.push(ObservedViolation {
                part,
                side,
                sizes: named(axes, sizes),
                goal: goal.clone(),
                counted: *counted,
                bound,
            });
        }
        let counted = |part, side| {
            group
                .seen(resource, part)
                .extreme(side)
                .map(|(count, _)| *count)
        };
        let row = SizesRow {
            sizes: sizes.clone(),
            at,
            runs: group.runs,
            cut: group.cut,
            least: counted(RunPart::First, Side::Lower),
            most: counted(RunPart::All, Side::Upper).unwrap_or(0),
            violates,
        };
        found.violated += usize::from(row.violates);
        found.add(row);
    }
    let extent = |v: &ObservedViolation| {
        v.sizes
            .values()
            .map(BigInt::magnitude)
            .sum::<num_bigint::BigUint>()
    };
    found.violations.sort_by_key(extent);
    // A violation by both parts of a run is reported once.
    found.violations.dedup_by(|b, a| {
        (a.side, &a.goal, a.counted, &a.bound) == (b.side, &b.goal, b.counted, &b.bound)
    });
    found.violations.truncate(MOST_VIOLATIONS);
    found
}

fn nearer(best: &mut Option<(f64, Vec<BigInt>)>, ratio: Option<f64>, sizes: &[BigInt]) {
    if let Some(ratio) = ratio
        && best.as_ref().is_none_or(|(before, _)| ratio > *before)
    {
        *best = Some((ratio, sizes.to_vec()));
    }
}

/// Returns the bound, if the count contradicts it.
fn contradicted(at: &StepsAt, part: RunPart, side: Side, counted: u64) -> Option<Option<Rat>> {
    let values = match part {
        RunPart::First => &at.first,
        RunPart::All => &at.all,
    };
    let counted = Rat::from_integer(counted.into());
    match (side, &values.lower, &values.upper) {
        (Side::Upper, _, BoundValue::Exact(bound)) if counted > *bound => Some(Some(bound.clone())),
        (Side::Lower, BoundValue::Exact(bound), _) if counted < *bound => Some(Some(bound.clone())),
        // The call was claimed to run forever, but the run has ended.
        (Side::Lower, BoundValue::Infinite, _) => Some(None),
        _ => None,
    }
}

/// Converts sizes to the form that users write.
pub(in crate::cli) fn given(axes: &[SizeVariable], sizes: &[BigInt]) -> Vec<GivenSize> {
    (axes.iter().zip(sizes))
        .map(|(size, value)| GivenSize {
            argument: size.argument,
            element: size.element,
            name: None,
            metric: Some(size.metric.to_string()),
            value: value.clone(),
        })
        .collect()
}

/// Returns sizes by name.
pub(in crate::cli) fn named(axes: &[SizeVariable], sizes: &[BigInt]) -> BTreeMap<String, BigInt> {
    let names = axes.iter().map(|size| size.name.clone());
    names.zip(sizes.iter().cloned()).collect()
}

/// Returns the values of a report's variables at the given sizes of the axes.
pub(in crate::cli) fn values(
    report: &PatternReport,
    axes: &[SizeVariable],
    sizes: &[BigInt],
) -> BTreeMap<Var, BigInt> {
    let of = |size: &SizeVariable| {
        let mut all = axes.iter().zip(sizes);
        let found = all.find(|(axis, _)| {
            (axis.argument, axis.element, axis.metric) == (size.argument, size.element, size.metric)
        });
        found.map(|(_, value)| value.clone())
    };
    let own = report.sizes.iter().filter_map(|s| Some((s.var, of(s)?)));
    let on_axes = axes.iter().zip(sizes).map(|(s, v)| (s.var, v.clone()));
    on_axes.chain(own).collect()
}
