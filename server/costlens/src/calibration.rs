//! Calibration: measures the costs of events on an engine of this machine, and creates a platform from the results. Used by the command
//! line and the language server.

mod collector;
mod counted;
mod described;
mod embedded;
mod machine;
mod programs;
mod report;
mod unfinished;
mod which;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use costlens_calibrate::{
    Errors, Explored, Fit, Fitted, Interval, ProgramRow, errors, explore, fit, predict, resampled,
};
use costlens_engines::{
    Engine, Plan, Progress, Reason, Version, Workload, WorkloadOutcome as Measured,
};
use costlens_events::Event;
use costlens_platform::{
    Constant, FACTOR, Measured as Measurement, Platform, measured, priced, stored, write,
};

use self::programs::Programs;
use self::unfinished::Unfinished;
pub(crate) use self::which::Which;
use crate::disk::platforms::store;

/// The user's calibration settings.
#[derive(Clone, Debug)]
pub(crate) struct CalibrationRequest {
    /// The engine.
    pub(crate) engine: Which,
    /// The program that starts the engine, if it is not on PATH under its usual name; for a described engine, the path of its description.
    pub(crate) program: Option<PathBuf>,
    /// True for fewer and shorter windows.
    pub(crate) quick: bool,
    /// True to also fit the models of PADL'07.
    pub(crate) explore: bool,
    /// True to start over, ignoring the measurements of an earlier, cancelled run.
    pub(crate) fresh: bool,
}

/// A stage of a calibration.
pub(crate) enum Stage<'a> {
    /// Counting the events of calibrators.
    Counting,
    /// Reusing this number of processes of an earlier, cancelled run.
    Resumed(usize),
    /// Measuring times on the engine with this name.
    Measuring(&'a str, Progress<'a>),
}

/// A calibrated platform, and the data to which its constants were fitted.
pub(crate) struct Calibration {
    /// The name of the model.
    model: &'static str,
    pub(crate) platform: Platform,
    pub(crate) fit: Fit,
    pub(crate) errors: Errors,
    /// The control programs, which were held out of the fit.
    pub(crate) controls: Vec<Fitted>,
    /// The programs of PPDP'08 Table 7, which were also held out of the fit.
    pub(crate) targets: Vec<Fitted>,
    /// The models of PADL'07, best first; empty unless requested.
    pub(crate) explored: Vec<Explored>,
    /// The median noise of the programs.
    pub(crate) noise: f64,
}

/// The number of fits to resampled rows, from which intervals are computed.
const SAMPLES: usize = 200;

/// The minimum share of run calibrators with a time; below this share, the constants would not describe the engine.
const LEAST_SHARE: f64 = 0.8;

/// The minimum share of calibrators that an engine must run. Systems without strings, global variables and lambda expressions run three
/// quarters of them.
const LEAST_RUN: f64 = 0.6;

/// Measures, fits, and returns the platform, without storing it.
///
/// # Errors
/// Fails if the engine is missing, if too few programs are measured, or if the run is cancelled.
pub(crate) fn calibrate(
    wish: &CalibrationRequest,
    tell: &mut dyn FnMut(Stage<'_>),
    cancel: &AtomicBool,
) -> anyhow::Result<Calibration> {
    let engine = wish.engine.engine(wish.program.as_ref())?;
    let run = EngineCalibration {
        version: engine.version().with_context(|| wish.engine.advice())?,
        plan: match wish.quick {
            true => Plan::quick(),
            false => Plan::default(),
        },
        engine,
        wish,
    };
    let programs = Programs::stored()?;
    tell(Stage::Counting);
    let vocabulary = wish.engine.vocabulary();
    let counts = programs.counts_of_calibrators(vocabulary)?;
    let measured = run.measure(&programs.workloads(wish.engine), tell, cancel)?;
    let of_fit = programs.calibrators.programs.len() + programs.mixed.programs.len();
    let (measured, others) = measured.split_at(of_fit);
    let (of_controls, others) = others.split_at(programs.controls.programs.len());
    let (of_targets, of_collector) = others.split_at(programs.targets.programs.len());
    let of_runs = programs.counts_of_runs(vocabulary)?;
    let (controls, _) = rows(of_controls, &of_runs);
    let (targets, _) = rows(of_targets, &of_runs);
    let (rows, noise) = rows(measured, &of_runs.into_iter().chain(counts).collect());
    require_enough(measured, rows.len())?;
    let fit = fit(&rows)?;
    let errors = errors(&fit.rows).context("no program was measured")?;
    let again = resampled(&rows, SAMPLES, 1);
    let explored = match wish.explore {
        true => explore(&rows, &controls),
        false => Vec::new(),
    };
    let controls = predict(&fit, &controls);
    let targets = predict(&fit, &targets);
    let mut platform = run.platform(&fit, &again.intervals);
    platform.errors = stored_errors(errors, noise, again.factor, [&controls, &targets])?;
    platform.collection = collector::collection(wish.engine, of_collector);
    Ok(Calibration {
        model: wish.engine.model(),
        platform,
        fit,
        errors,
        controls,
        targets,
        explored,
        noise,
    })
}

/// A calibration on one engine.
struct EngineCalibration<'w> {
    wish: &'w CalibrationRequest,
    engine: Box<dyn Engine>,
    version: Version,
    plan: Plan,
}

impl EngineCalibration<'_> {
    /// Measures the workloads, resuming a cancelled run.
    fn measure(
        &self,
        workloads: &[Workload],
        tell: &mut dyn FnMut(Stage<'_>),
        cancel: &AtomicBool,
    ) -> anyhow::Result<Vec<Measured>> {
        let (plan, name) = (&self.plan, self.engine.name());
        let mut unfinished =
            Unfinished::open(None, &self.version, plan, workloads, self.wish.fresh);
        let before = unfinished.processes().to_vec();
        if !before.is_empty() {
            tell(Stage::Resumed(before.len()));
        }
        let mut is_kept = !before.is_empty();
        let mut progress = |at: Progress<'_>| {
            if let Progress::Complete { process } = at {
                is_kept = unfinished.add(process);
            }
            tell(Stage::Measuring(&name, at));
        };
        let measured = (self.engine).time(workloads, plan, &before, &mut progress, cancel);
        if cancel.load(Ordering::Relaxed) {
            bail!(cancelled(is_kept.then(|| unfinished.processes().len())));
        }
        let measured = measured?;
        unfinished.finish();
        Ok(measured)
    }

    /// Returns the platform of a fit, without its errors and its garbage collector.
    fn platform(&self, fit: &Fit, intervals: &BTreeMap<Event, Interval>) -> Platform {
        let (engine, version) = (self.wish.engine, &self.version);
        let measured = (fit.rows.iter())
            .filter_map(|row| Measurement::new(&row.name, row.observed, row.predicted));
        Platform {
            name: format!("{}-{}", engine.platform(version), engine.model()),
            engine: engine.described_as(version),
            source: "user".to_owned(),
            origin: format!(
                "Measured by `costlens calibrate`: {} programs, {} processes, 90% intervals by the bootstrap.",
                fit.rows.len(),
                self.plan.processes
            ),
            date: machine::today(),
            machine: machine::described(version),
            constants: constants(intervals, fit),
            errors: BTreeMap::new(),
            programs: measured.collect(),
            collection: None,
        }
    }
}

/// Fails if an engine runs too few of the programs, or if too few of the run programs have a time.
fn require_enough(measured: &[Measured], timed: usize) -> anyhow::Result<()> {
    let all = measured.len();
    let run = all - measured.iter().filter(|m| is_not_run(m)).count();
    if (run as f64) < LEAST_RUN * all as f64 {
        bail!(
            "the engine runs only {run} of {all} programs: nothing was stored. The warnings above say what it does not do."
        );
    }
    if (timed as f64) < LEAST_SHARE * run as f64 {
        bail!(
            "only {timed} of {run} programs were measured: nothing was stored. Try again on a machine that does nothing else."
        );
    }
    Ok(())
}

/// Returns the message for a cancelled run, with the number of processes that the next run can reuse.
fn cancelled(kept: Option<usize>) -> String {
    match kept {
        Some(kept) => format!(
            "cancelled: no platform was stored. What {} measured is kept for a day, and the next calibration goes on from there",
            processes_have(kept)
        ),
        None => "cancelled: nothing was stored".to_owned(),
    }
}

/// Formats a number of processes: "1 process has", "3 processes have".
pub(crate) fn processes_have(number: usize) -> String {
    match number {
        1 => "1 process has".to_owned(),
        _ => format!("{number} processes have"),
    }
}

impl Calibration {
    /// Renders a page about the calibration, which compares its constants with published ones.
    pub(crate) fn report(&self) -> anyhow::Result<String> {
        let papers: Vec<Platform> = (stored()?.into_iter())
            .filter(|platform| platform.source == "paper")
            .collect();
        Ok(report::page(self, &papers))
    }

    /// Stores the platform for the user, or in a file.
    pub(crate) fn store(&self, to: Option<PathBuf>) -> anyhow::Result<PathBuf> {
        store(&self.platform.name, &write(&self.platform, self.model), to)
    }
}

/// Returns whether an engine cannot run a program, excluding failures caused by the time limit.
fn is_not_run(measured: &Measured) -> bool {
    let Measured::Untimed { reason, .. } = measured else {
        return false;
    };
    matches!(
        reason,
        Reason::Malformed(_)
            | Reason::Refused(_)
            | Reason::Exception(_)
            | Reason::SetupFailed
            | Reason::Died(_)
    )
}

/// Returns the rows of the programs that have times, with their counts, and the median of their noise.
fn rows(
    measured: &[Measured],
    counts: &BTreeMap<String, BTreeMap<Event, f64>>,
) -> (Vec<ProgramRow>, f64) {
    let mut rows = Vec::new();
    let mut noise: Vec<f64> = Vec::new();
    for outcome in measured {
        let Measured::Timed(timing) = outcome else {
            continue;
        };
        noise.extend(timing.noise);
        rows.extend(counts.get(&timing.name).map(|counts| ProgramRow {
            name: timing.name.clone(),
            counts: counts.clone(),
            ns: timing.median(),
        }));
    }
    // A window shorter than the empty loop provides no information.
    rows.retain(|row| row.ns.is_finite() && row.ns > 0.0);
    (rows, costlens_engines::quantile(&noise, 0.5))
}

/// Returns the constants with their intervals, which are widened to contain the estimate.
fn constants(intervals: &BTreeMap<Event, Interval>, fitted: &Fit) -> BTreeMap<Event, Constant> {
    let constant = |(event, &ns): (&Event, &f64)| {
        let (low, high) = (intervals.get(event)).map_or((ns, ns), |i| (i.low, i.high));
        let constant = Constant::measured(ns, low.min(ns), high.max(ns))?;
        Some((event.clone(), constant))
    };
    priced(fitted.constants.iter().filter_map(constant).collect())
}

fn stored_errors(
    off: Errors,
    noise: f64,
    factor: Option<f64>,
    [controls, targets]: [&[Fitted]; 2],
) -> anyhow::Result<BTreeMap<String, costlens_algebra::Rat>> {
    let of_others = [
        (controls, ["controls_rms_harmonic", "controls_worst"]),
        (targets, ["targets_rms_harmonic", "targets_worst"]),
    ]
    .into_iter()
    .filter_map(|(programs, names)| {
        let off = errors(programs)?;
        Some(names.into_iter().zip([off.root_mean_square, off.worst]))
    });
    let named = [
        ("rms_harmonic", off.root_mean_square),
        ("mean_absolute", off.mean_absolute),
        ("worst", off.worst),
        ("noise", if noise.is_finite() { noise } else { 0.0 }),
    ];
    let named = (named.into_iter())
        .chain(factor.map(|factor| (FACTOR, factor)))
        .chain(of_others.flatten());
    let exact = |(name, value): (&str, f64)| {
        let exact = measured(value).context("an error is no number")?;
        Ok((name.to_owned(), exact))
    };
    named.map(exact).collect()
}
