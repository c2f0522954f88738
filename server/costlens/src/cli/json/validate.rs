//! The output of `costlens validate`.

use std::collections::BTreeMap;

use costlens_algebra::text::decimal;
use costlens_analysis::report::{Side, SizeVariable};
use costlens_ide::present::times::time_words;
use costlens_ide::present::{exact_text, headline, names_in, origin_text};
use num_bigint::BigInt;
use serde::Serialize;

use super::predicate::{At, values_at};
use super::{Integer, SCHEMA, integer};
use crate::cli::validate::compare::{ObservedViolation as Contradiction, SizesRow, named};
use crate::cli::validate::engine::{EngineClock, OfTime};
use crate::cli::validate::found::{OfPattern, Ran, Validated};
use crate::cli::validate::observe::{RunPart, Stopped};
use crate::cli::validate::resource::OfResource;

/// A predicate, its bounds, and the counts of runs on generated inputs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    /// `nrev/2`.
    predicate: String,
    /// The file's name.
    file: String,
    /// The line of its first clause, from 1.
    line: usize,
    /// The system on which times were measured: `swi`, `swi-O`, `gnu` or `scryer`; `embedded` if runs were only counted.
    engine: String,
    /// The random seed; the same seed gives the same runs.
    seed: u64,
    /// The number of all runs.
    runs: usize,
    /// True if no run contradicts a bound. Measured times are not considered.
    holds: bool,
    /// The reason why only times, not counts, are compared with bounds; null if counts are compared.
    not_counted: Option<String>,
    patterns: Vec<Pattern>,
}

/// The runs of a call pattern.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Pattern {
    /// The predicate's head with modes and types.
    pattern: String,
    /// `declared`, `entry`, `called` or `inferred`.
    origin: &'static str,
    /// The reason why nothing ran; null if there were runs.
    not_run: Option<String>,
    /// The requested sizes of inputs.
    sizes: Vec<Size>,
    runs: usize,
    /// The reasons why larger sizes were not tried: `enough`, `steps`, `memory`, `output` or `time`.
    stopped: Vec<&'static str>,
    /// The counted resources, by name.
    resources: BTreeMap<String, Resource>,
    /// Times on an engine; null if none were requested.
    time: Option<Time>,
}

/// Measured times on an engine, and the times predicted from the bounds and a platform's constants.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Time {
    /// The engine with its version: `SWI-Prolog 9.0.4 -O`.
    engine: String,
    /// The platform whose constants are used for the prediction.
    platform: String,
    /// True if the constants were measured on this machine.
    this_machine: bool,
    /// The factor within which nine in ten predictions lie; null if it is unknown.
    factor: Option<f64>,
    /// The reason why nothing was measured; null if there are measurements.
    not_measured: Option<String>,
    /// The number of measured inputs.
    inputs: usize,
    /// The maximum time of the call itself in each measurement, in nanoseconds; bounds attribute this time to the caller.
    call_ns: f64,
    /// The median relative difference between the times of two halves of the processes.
    noise: Option<f64>,
    /// Nanoseconds for all solutions. `runs` is the number of inputs; `holds` is false if one is outside the predicted range, including its error.
    /// Bounds are computed with the estimates of the constants.
    measured: Option<Resource>,
    /// The number of inputs whose times are outside the predicted range, including its error.
    outside: usize,
    /// Some of these inputs, with the smallest sizes.
    outsiders: Vec<Outsider>,
    /// Inputs without a measured time.
    failed: Vec<Failed>,
}

/// A time outside the predicted range.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Outsider {
    sizes: BTreeMap<String, Integer>,
    goal: String,
    ns: f64,
    /// The predicted time, without the error of the constants.
    lower_ns: Option<f64>,
    upper_ns: Option<f64>,
}

/// An input without a measured time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Failed {
    goal: String,
    reason: String,
}

/// A size of an argument.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Size {
    /// The argument, from 1.
    argument: usize,
    /// True if the size measures the elements of the argument.
    element: bool,
    /// `length`, `int`, …
    metric: String,
    /// Its name in bounds and rows.
    name: String,
}

/// The bounds on a resource, and the counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Resource {
    /// The bounds in the display syntax.
    display: String,
    /// The lower bound of the headline, in the exact syntax.
    lower: Option<String>,
    /// The upper bound of the headline.
    upper: Option<String>,
    /// The user's assertions on which the bounds depend: files and lines.
    asserted: Vec<String>,
    /// A function fitted to the highest counts; null if too few sizes were tried.
    fitted: Option<Fitted>,
    /// The largest ratio of a run's count to the upper bound.
    most_of_upper: Option<Ratio>,
    /// The largest ratio of the lower bound to a run's count.
    lower_of_least: Option<Ratio>,
    /// One observation for each combination of sizes.
    observations: Vec<Observation>,
    /// Runs that contradict a bound, with the smallest sizes.
    violations: Vec<Violation>,
}

/// A fitted function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Fitted {
    /// The display text.
    display: String,
    /// `obs`: the function is observed, not proved.
    status: &'static str,
    /// True if its terms are the monomials of the upper bound.
    of_bound: bool,
    /// The root mean square of the relative errors at sizes that were excluded from the fit.
    error: f64,
    /// The number of sizes used for the fit.
    points: usize,
}

/// A ratio, and the sizes at which it occurs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Ratio {
    ratio: f64,
    sizes: BTreeMap<String, Integer>,
}

/// The runs for one combination of sizes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Observation {
    sizes: BTreeMap<String, Integer>,
    runs: usize,
    /// The number of runs that a limit ended.
    cut: usize,
    #[serde(flatten)]
    at: At,
    /// The lowest count of a run to its first solution, except runs that ended in an exception or at a limit.
    least: Option<u64>,
    /// The highest count of a run over all solutions.
    most: u64,
    /// False if a run contradicts a bound.
    holds: bool,
}

/// A run that contradicts a bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Violation {
    /// `first` or `all`.
    part: &'static str,
    /// `lower` or `upper`.
    bound: &'static str,
    sizes: BTreeMap<String, Integer>,
    goal: String,
    counted: u64,
    /// The value of the bound; null if the bound claims divergence.
    value: Option<String>,
    /// `costlens`, or `assertion` if the bound depends on the user's assertions.
    whose: &'static str,
}

/// Returns the document.
pub(in crate::cli) fn document(validated: &Validated) -> Document {
    Document {
        schema: SCHEMA,
        predicate: validated.predicate.clone(),
        file: validated.file.clone(),
        line: validated.line,
        engine: { validated.clock.as_ref() }
            .map_or_else(|| "embedded".to_owned(), |clock| clock.word.clone()),
        seed: validated.seed,
        runs: validated.runs(),
        holds: !validated.is_violated(),
        not_counted: validated.not_counted.clone(),
        patterns: (validated.patterns.iter())
            .map(|of| pattern(of, validated.clock.as_ref()))
            .collect(),
    }
}

fn pattern(of: &OfPattern, clock: Option<&EngineClock>) -> Pattern {
    let ran = of.ran.as_ref().ok();
    let stopped = ran.map_or(&[][..], |ran| &ran.observed.stopped);
    Pattern {
        pattern: of.head.clone(),
        origin: origin_text(of.report.origin),
        not_run: of.ran.as_ref().err().cloned(),
        sizes: ran.map_or_else(Vec::new, |ran| ran.axes.iter().map(size).collect()),
        runs: ran.map_or(0, |ran| ran.observed.runs),
        stopped: stopped.iter().map(|s| stopped_word(*s)).collect(),
        resources: ran.map_or_else(BTreeMap::new, |ran| {
            let all = ran.resources.iter();
            all.map(|of| (of.compared.name.clone(), resource(ran, of)))
                .collect()
        }),
        time: ran.and_then(|ran| Some(time(ran, ran.time.as_ref()?, clock?))),
    }
}

fn time(ran: &Ran, time: &Result<OfTime, String>, clock: &EngineClock) -> Time {
    let found = time.as_ref().ok();
    Time {
        engine: clock.name.clone(),
        platform: clock.platform.clone(),
        this_machine: clock.here,
        factor: clock.factor,
        not_measured: time.as_ref().err().cloned(),
        inputs: found.map_or(0, |time| time.timed),
        call_ns: found.map_or(0.0, |time| time.call),
        noise: found.and_then(|time| time.noise),
        measured: found.map(|time| Resource {
            display: time_words(&time.of.report),
            ..resource(ran, &time.of)
        }),
        outside: found.map_or(0, |time| time.outside),
        outsiders: { found.iter() }
            .flat_map(|time| &time.told)
            .map(|one| Outsider {
                sizes: integers(&one.sizes),
                goal: one.goal.clone(),
                ns: one.ns,
                lower_ns: one.predicted.0,
                upper_ns: one.predicted.1,
            })
            .collect(),
        failed: { found.iter() }
            .flat_map(|time| &time.untimed)
            .map(|(goal, reason)| Failed {
                goal: goal.clone(),
                reason: reason.clone(),
            })
            .collect(),
    }
}

fn integers(sizes: &BTreeMap<String, BigInt>) -> BTreeMap<String, Integer> {
    let all = sizes.iter();
    all.map(|(name, value)| (name.clone(), integer(value)))
        .collect()
}

fn stopped_word(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Enough => "enough",
        Stopped::Limit(limit) => super::run::limit_word(limit),
        Stopped::Time => "time",
    }
}

fn size(s: &SizeVariable) -> Size {
    Size {
        argument: s.argument,
        element: s.element,
        metric: s.metric.to_string(),
        name: s.name.clone(),
    }
}

fn resource(ran: &Ran, of: &OfResource) -> Resource {
    let (names, compared) = (names_in(&of.report), &of.compared);
    let (lower, upper) = of.report.headline.envelope();
    let ratio = |found: &Option<(f64, Vec<BigInt>)>| {
        found.as_ref().map(|(ratio, sizes)| Ratio {
            ratio: *ratio,
            sizes: by_name(ran, sizes),
        })
    };
    let whose = match compared.asserted.is_empty() {
        true => "costlens",
        false => "assertion",
    };
    Resource {
        display: headline::display(&of.report, &names),
        lower: exact_text(lower, &names),
        upper: exact_text(upper, &names),
        asserted: compared.asserted.clone(),
        fitted: of.fitted.as_ref().map(|fitted| Fitted {
            display: fitted.shown.clone(),
            status: "obs",
            of_bound: fitted.of_bound,
            error: fitted.error,
            points: fitted.points,
        }),
        most_of_upper: ratio(&compared.of_upper),
        lower_of_least: ratio(&compared.of_least),
        observations: compared
            .rows
            .iter()
            .map(|row| observation(ran, row))
            .collect(),
        violations: (compared.violations.iter())
            .map(|found| violation(found, whose))
            .collect(),
    }
}

fn by_name(ran: &Ran, sizes: &[BigInt]) -> BTreeMap<String, Integer> {
    integers(&named(&ran.axes, sizes))
}

fn observation(ran: &Ran, row: &SizesRow) -> Observation {
    Observation {
        sizes: by_name(ran, &row.sizes),
        runs: row.runs,
        cut: row.cut,
        at: values_at(&row.at),
        least: row.least,
        most: row.most,
        holds: !row.violates,
    }
}

fn violation(of: &Contradiction, whose: &'static str) -> Violation {
    Violation {
        part: match of.part {
            RunPart::First => "first",
            RunPart::All => "all",
        },
        bound: match of.side {
            Side::Lower => "lower",
            Side::Upper => "upper",
        },
        sizes: integers(&of.sizes),
        goal: of.goal.clone(),
        counted: of.counted,
        value: of.bound.as_ref().map(decimal),
        whose,
    }
}
