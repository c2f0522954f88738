//! The output of `costlens validate`.

use std::collections::BTreeMap;

use costlens_algebra::text::decimal;
use costlens_analysis::report::{Side, SizeVariable};
use costlens_ide::present::times::time_words;
use costlens_ide::present::{exact_text, headline, names, origin_text};
use num_bigint::BigInt;
use serde::Serialize;

use super::predicate::{At, at};
use super::{Integer, SCHEMA, integer};
use crate::cli::validate::compare::{Row, Violation as Contradiction, named};
use crate::cli::validate::engine::{EngineClock, OfTime};
use crate::cli::validate::found::{OfPattern, Ran, Validated};
use crate::cli::validate::observe::{Part, Stopped};
use crate::cli::validate::resource::OfResource;

/// A predicate, its bounds, and what runs on generated inputs counted.
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
    /// The system whose times were measured: `swi`, `swi-O`, `gnu`, `scryer`; `embedded` where runs were counted alone.
    engine: String,
    /// The seed that gives the same runs again.
    seed: u64,
    /// The number of all runs.
    runs: usize,
    /// True where no run contradicts a bound. Times contradict none.
    holds: bool,
    /// The reason that counts are not compared with bounds, though times are; null where they are.
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
    /// The reason that nothing ran; null where something did.
    not_run: Option<String>,
    /// The sizes that inputs were asked to have.
    sizes: Vec<Size>,
    runs: usize,
    /// The reasons that larger sizes were not tried: `enough`, `steps`, `memory`, `output` or `time`.
    stopped: Vec<&'static str>,
    /// The resource that was counted, by its name.
    resources: BTreeMap<String, Resource>,
    /// Times on an engine; null where none was asked for.
    time: Option<Time>,
}

/// Times on an engine, beside those that the bounds and the constants of a platform give.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Time {
    /// The engine with its version: `SWI-Prolog 9.0.4 -O`.
    engine: String,
    /// The platform whose constants predict.
    platform: String,
    /// True where they were measured on this machine.
    this_machine: bool,
    /// The factor that nine in ten predictions are off by at most; null where that is not known.
    factor: Option<f64>,
    /// The reason that nothing was measured; null where something was.
    not_measured: Option<String>,
    /// The number of inputs that were measured.
    inputs: usize,
    /// The most that the call itself may take of each, in nanoseconds: bounds leave that to the caller.
    call_ns: f64,
    /// The median of how far two halves of the processes are apart, as a part of the time.
    noise: Option<f64>,
    /// Nanoseconds of all solutions: `runs` counts inputs, `holds` is false where one is outside of what is predicted and its error. Bounds are those by
    /// the estimates of the constants.
    measured: Option<Resource>,
    /// Inputs whose times are outside of what is predicted and its error.
    outside: usize,
    /// Those of the smallest sizes.
    outsiders: Vec<Outsider>,
    /// Inputs that have no time.
    failed: Vec<Failed>,
}

/// A time outside of what is predicted.
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

/// An input that has no time.
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
    /// True where the elements of the argument are measured.
    element: bool,
    /// `length`, `int`, …
    metric: String,
    /// Its name in bounds and rows.
    name: String,
}

/// The bounds on a resource beside what was counted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Resource {
    /// The bounds as a person reads them.
    display: String,
    /// The lower bound of the headline, in the exact syntax.
    lower: Option<String>,
    /// The upper bound of the headline.
    upper: Option<String>,
    /// The user's assertions that the bounds rest on: files and lines.
    asserted: Vec<String>,
    /// A function that was fitted to the most that was counted; null where too few sizes were tried.
    fitted: Option<Fitted>,
    /// The largest part of an upper bound that a run used.
    most_of_upper: Option<Ratio>,
    /// The largest part of what a run used that a lower bound is.
    lower_of_least: Option<Ratio>,
    /// One for each vector of sizes.
    observations: Vec<Observation>,
    /// Runs that contradict a bound, those of the smallest sizes.
    violations: Vec<Violation>,
}

/// A fitted function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Fitted {
    /// The text that a person reads.
    display: String,
    /// `obs`: it was observed, and proves nothing.
    status: &'static str,
    /// True where its shapes are the monomials of the upper bound.
    of_bound: bool,
    /// The root mean square of the relative errors at sizes that were left out of the fit.
    error: f64,
    /// The number of sizes that it was fitted to.
    points: usize,
}

/// A part of a bound, and where it is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Ratio {
    ratio: f64,
    sizes: BTreeMap<String, Integer>,
}

/// The runs of some sizes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Observation {
    sizes: BTreeMap<String, Integer>,
    runs: usize,
    /// Runs that a limit cut off.
    cut: usize,
    #[serde(flatten)]
    at: At,
    /// The least that a run to its first solution counted, which neither an exception nor a limit ended.
    least: Option<u64>,
    /// The most that a run counted over all solutions.
    most: u64,
    /// False where a run contradicts a bound.
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
    /// The value of the bound; null where the call is said to run for ever.
    value: Option<String>,
    /// `costlens`, or `assertion` where the bound rests on what the user asserts.
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
    let (names, compared) = (names(&of.report.sizes), &of.compared);
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

fn observation(ran: &Ran, row: &Row) -> Observation {
    Observation {
        sizes: by_name(ran, &row.sizes),
        runs: row.runs,
        cut: row.cut,
        at: at(&row.at),
        least: row.least,
        most: row.most,
        holds: !row.violates,
    }
}

fn violation(of: &Contradiction, whose: &'static str) -> Violation {
    Violation {
        part: match of.part {
            Part::First => "first",
            Part::All => "all",
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
