//! The search for worst cases: runs inputs of growing sizes, varies the worst input of each size, and records the counts of all runs.
//!
//! Its extent depends on counts, never on time, so that a seed produces the same runs on every machine. The time limit can only end it
//! early, which is reported.

use std::collections::{BTreeMap, BTreeSet};

use costlens_analysis::fits::{fits, measure};
use costlens_analysis::report::{PatternReport, Side, SizeVariable};
use costlens_machine::Limit;
use costlens_machine::generate::{Input, Random};
use num_bigint::BigInt;

use super::axes::Series;
use super::inputs::{Maker, changed};
use super::runs::{CountedRun, Ran, Runner};

/// The maximum number of steps for all runs of one size, and for all sizes of a series.
const MOST_OF_SIZE: u64 = 400_000;
const MOST_OF_SERIES: u64 = 6_000_000;
/// The minimum weight of a run, since generating its input also takes time.
const LEAST_WEIGHT: u64 = 200;
/// The minimum number of inputs of a size, however long they run.
const LEAST_INPUTS: usize = 3;

/// The part of a run that a bound covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::cli) enum RunPart {
    /// Up to the first solution.
    First,
    /// Over all solutions.
    All,
}

/// The least and the greatest count of runs, each with its goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) struct Seen {
    /// The least count of runs that ended in success or failure.
    pub(in crate::cli) least: Option<(u64, String)>,
    /// The greatest count of all runs.
    pub(in crate::cli) most: Option<(u64, String)>,
}

impl Seen {
    fn note(&mut self, count: u64, complete: bool, goal: &dyn Fn() -> String) {
        if complete && self.least.as_ref().is_none_or(|(least, _)| count < *least) {
            self.least = Some((count, goal()));
        }
        if self.most.as_ref().is_none_or(|(most, _)| count > *most) {
            self.most = Some((count, goal()));
        }
    }

    /// Returns the least or the greatest count.
    pub(in crate::cli) fn extreme(&self, side: Side) -> Option<&(u64, String)> {
        match side {
            Side::Lower => self.least.as_ref(),
            Side::Upper => self.most.as_ref(),
        }
    }
}

/// The runs of the same sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) struct SizeGroup {
    pub(in crate::cli) runs: usize,
    /// The number of runs that a limit cut off.
    pub(in crate::cli) cut: usize,
    /// For each resource, the counts up to the first solution and over all solutions.
    pub(in crate::cli) seen: Vec<[Seen; 2]>,
}

impl SizeGroup {
    /// Returns the observations of a resource.
    pub(in crate::cli) fn seen(&self, resource: usize, part: RunPart) -> &Seen {
        let [first, all] = &self.seen[resource];
        match part {
            RunPart::First => first,
            RunPart::All => all,
        }
    }

    fn note(&mut self, ran: &Ran, input: &Input) {
        self.runs += 1;
        self.cut += usize::from(ran.limit.is_some());
        let goal = || input.text();
        let parts: [&CountedRun; 2] = [&ran.first, &ran.all];
        self.seen.resize(ran.all.counts.len(), Default::default());
        for (resource, seen) in self.seen.iter_mut().enumerate() {
            for (seen, counted) in seen.iter_mut().zip(parts) {
                let count = counted.counts.get(resource).copied().unwrap_or(0);
                seen.note(count, counted.complete, &goal);
            }
        }
    }
}

/// The reason why larger sizes were not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Stopped {
    /// The maximum number of steps was reached.
    Enough,
    /// A run was cut off by a limit.
    Limit(Limit),
    /// The time limit was reached.
    Time,
}

/// All runs of a pattern.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct ObservedRuns {
    /// The observations by sizes, in the order of the axes.
    pub(in crate::cli) groups: BTreeMap<Vec<BigInt>, SizeGroup>,
    pub(in crate::cli) runs: usize,
    /// The reasons why some series ended before their last size.
    pub(in crate::cli) stopped: Vec<Stopped>,
}

/// A pattern to be observed.
pub(super) struct ObservedPattern<'s> {
    pub(super) report: &'s PatternReport,
    pub(super) axes: &'s [SizeVariable],
    pub(super) maker: Maker<'s>,
    /// The number of inputs of each size.
    pub(super) inputs: usize,
}

/// A callback for each run, with the input and its sizes.
pub(super) type Note<'n> = dyn FnMut(&[BigInt], &Ran, &Input) + 'n;

/// Runs inputs of all series, within limits.
pub(super) fn observe(
    subject: &ObservedPattern<'_>,
    series: &[Series],
    runner: &mut Runner<'_>,
    note: &mut Note<'_>,
) -> ObservedRuns {
    let mut observed = ObservedRuns::default();
    let mut done = BTreeSet::new();
    for series in series {
        let mut spent = 0;
        for sizes in &series.vectors {
            if !done.insert(sizes.clone()) {
                continue;
            }
            let size = one_size(subject, sizes, &mut *runner, &mut *note, &mut observed);
            spent += size.spent;
            let stopped = match size.limit {
                Some(Limit::Time) => Some(Stopped::Time),
                Some(limit) if series.growing.is_some() => Some(Stopped::Limit(limit)),
                _ if spent > MOST_OF_SERIES => Some(Stopped::Enough),
                _ => None,
            };
            if let Some(stopped) = stopped {
                if !observed.stopped.contains(&stopped) {
                    observed.stopped.push(stopped);
                }
                if stopped == Stopped::Time {
                    return observed;
                }
                break;
            }
        }
    }
    observed
}

/// The outcome of the runs of one size.
#[derive(Default)]
struct OfSize {
    spent: u64,
    limit: Option<Limit>,
}

/// Runs inputs of each family, then variations of the worst input.
fn one_size(
    subject: &ObservedPattern<'_>,
    sizes: &[BigInt],
    runner: &mut Runner<'_>,
    note: &mut Note<'_>,
    observed: &mut ObservedRuns,
) -> OfSize {
    let mut end = OfSize::default();
    let mut tried = BTreeSet::new();
    let mut worst: Option<(u64, Input)> = None;
    let mut random = Random(subject.maker.seed_of(sizes, usize::MAX));
    let mut ran = 0;
    for number in 0..subject.inputs * 2 {
        if runner.is_late() {
            end.limit = Some(Limit::Time);
            return end;
        }
        // The second half of the inputs are variations of the worst input in the first half.
        let input = match (number < subject.inputs, &worst) {
            (true, _) => subject.maker.input(sizes, number),
            (false, Some((_, worst))) => changed(worst, subject.maker.predicate, &mut random),
            (false, None) => None,
        };
        let Some(input) = input else {
            continue;
        };
        if !tried.insert(input.text()) {
            continue;
        }
        let Some(measured) = measured(subject, &input) else {
            continue;
        };
        // Variations are not recorded: predictions assume calls similar to past calls, and actual calls are unlike the worst cases.
        let Some(run) = runner.run(&input, number < subject.inputs) else {
            end.limit = Some(Limit::Time);
            return end;
        };
        let cost = run.all.counts.first().copied().unwrap_or(0);
        let group = observed.groups.entry(measured.clone()).or_default();
        group.note(&run, &input);
        note(&measured, &run, &input);
        observed.runs += 1;
        ran += 1;
        end.spent += cost + LEAST_WEIGHT;
        if run.limit.is_some() {
            end.limit = run.limit;
            return end;
        }
        // Changing an element may have changed the largest element size; only inputs of the same sizes are varied further.
        if measured == sizes && worst.as_ref().is_none_or(|(most, _)| cost >= *most) {
            worst = Some((cost, input));
        }
        if ran >= LEAST_INPUTS && end.spent > MOST_OF_SIZE {
            break;
        }
    }
    end
}

/// Returns the sizes of an input on the axes. Returns `None` if the input is not a call of the pattern.
fn measured(subject: &ObservedPattern<'_>, input: &Input) -> Option<Vec<BigInt>> {
    if !fits(&subject.report.pattern, &input.terms, input.goal) {
        return None;
    }
    (subject.axes.iter())
        .map(|size| measure(size, &input.terms, input.goal))
        .collect()
}
