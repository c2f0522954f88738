//! Calibration: measures what events cost on an engine of this machine, and makes a platform from the results. Both the command line and the
//! language server use it.

mod collector;
mod counted;
mod described;
mod embedded;
mod machine;
mod report;
mod unfinished;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use costlens_calibrate::{
    Calibrator, Errors, Explored, Fit, Fitted, Interval, Row, calibrators, controls,
    counts_of_runs, errors, explore, fit, mixed, predict, resampled, targets,
};
use costlens_engines::{
    Engine, GnuProlog, Outcome as Measured, Plan, Progress, Reason, SwiProlog, Version, Workload,
};
use costlens_events::{Event, Vocabulary};
use costlens_platform::{
    Constant, FACTOR, Measured as Measurement, Platform, measured, priced, stored, write,
};

use self::embedded::Embedded;
use self::unfinished::Unfinished;
use crate::disk::platforms::store;

/// The engines that times are measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// SWI-Prolog.
    Swi,
    /// SWI-Prolog with `-O`, which compiles arithmetic.
    #[value(name = "swi-O")]
    SwiO,
    /// GNU Prolog, compiled by `gplc`.
    Gnu,
    /// Scryer Prolog.
    Scryer,
    /// The machine inside Costlens, which `costlens run` runs programs on.
    Embedded,
    /// An engine that a file describes.
    #[value(skip)]
    Described,
}

/// The user's calibration settings.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    /// The engine.
    pub(crate) engine: Which,
    /// The program to start the engine with, if it is not on PATH under its own name; for a described engine, the path of its description.
    pub(crate) program: Option<PathBuf>,
    /// Fewer and shorter windows.
    pub(crate) quick: bool,
    /// Also fit the models of PADL'07.
    pub(crate) explore: bool,
    /// Start over, ignoring what an earlier, cancelled run has measured.
    pub(crate) fresh: bool,
}

/// A stage of the work.
pub(crate) enum Stage<'a> {
    /// Counting the events of calibrators.
    Counting,
    /// Processes of an earlier, cancelled run are reused and need not run again.
    Resumed(usize),
    /// Measuring times on the engine of this name.
    Measuring(&'a str, Progress<'a>),
}

/// A calibrated platform, and the data that its constants were fitted to.
pub(crate) struct Calibration {
    /// The name of the model.
    model: &'static str,
    pub(crate) platform: Platform,
    pub(crate) fit: Fit,
    pub(crate) errors: Errors,
    /// The control programs, which were not part of the fit.
    pub(crate) controls: Vec<Fitted>,
    /// The programs of PPDP'08 Table 7, which were not part of the fit either.
    pub(crate) targets: Vec<Fitted>,
    /// The models of PADL'07, the best first; empty unless requested.
    pub(crate) explored: Vec<Explored>,
    /// The median of the programs' noise.
    pub(crate) noise: f64,
}

/// The number of fits of resampled rows that intervals are taken from.
const SAMPLES: usize = 200;

/// The share of the calibrators run by an engine that must have a time; with fewer, the constants would describe something else.
const LEAST_SHARE: f64 = 0.8;

/// The share of calibrators that an engine has to run. Systems without strings, global variables and lambda expressions run three quarters of them.
const LEAST_RUN: f64 = 0.6;

/// Measures, fits, and returns the platform. Stores nothing.
///
/// # Errors
/// Fails if the engine is missing, measures too little, or the run is cancelled.
pub(crate) fn calibrate(
    wish: &Wish,
    tell: &mut dyn FnMut(Stage<'_>),
    cancel: &AtomicBool,
) -> anyhow::Result<Calibration> {
    let engine = wish.engine.engine(wish.program.as_ref())?;
    let version = engine.version().with_context(|| wish.engine.advice())?;
    let (shared, calibrators) = calibrators()?;
    tell(Stage::Counting);
    let vocabulary = wish.engine.vocabulary();
    let counts = match vocabulary {
        Vocabulary::Machine => counted::on_machine(&shared, &calibrators)?,
        _ => counted::counted(&shared, &calibrators, vocabulary)?,
    };
    let plan = match wish.quick {
        true => Plan::quick(),
        false => Plan::default(),
    };
    let larger = [mixed()?, controls()?, targets()?];
    let workloads: Vec<Workload> = (calibrators.iter().map(|c| workload(&shared, c)))
        .chain((larger.iter()).flat_map(|(shared, all)| all.iter().map(|c| workload(shared, c))))
        .chain(collector::workloads(wish.engine))
        .collect();
    let name = engine.name();
    let mut unfinished = Unfinished::open(None, &version, &plan, &workloads, wish.fresh);
    let before = unfinished.processes().to_vec();
    if !before.is_empty() {
        tell(Stage::Resumed(before.len()));
    }
    let mut goes_on = !before.is_empty();
    let mut progress = |at: Progress<'_>| {
        if let Progress::Complete { process } = at {
            goes_on = unfinished.add(process);
        }
        tell(Stage::Measuring(&name, at));
    };
    let measured = engine.time(&workloads, &plan, &before, &mut progress, cancel);
    if cancel.load(Ordering::Relaxed) {
        bail!(cancelled(goes_on.then(|| unfinished.processes().len())));
    }
    let measured = measured?;
    unfinished.finish();
    let [(_, mixed), (_, controls), (_, targets)] = &larger;
    let of_fit = calibrators.len() + mixed.len();
    let (measured, others) = measured.split_at(of_fit);
    let (of_controls, others) = others.split_at(controls.len());
    let (of_targets, of_collector) = others.split_at(targets.len());
    let runs = counts_of_runs(vocabulary)?;
    let of_run = |shared: &str, program: &Calibrator| {
        let run = runs.get(&program.name)?;
        let counts = counted::of_run(shared, program, run, vocabulary);
        Some((program.name.clone(), counts))
    };
    let of_runs: BTreeMap<_, _> = (larger.iter())
        .flat_map(|(shared, all)| all.iter().filter_map(|p| of_run(shared, p)))
        .collect();
    let counts = (calibrators.iter().map(|c| c.name.clone())).zip(counts);
    let (controls, _) = rows(of_controls, &of_runs);
    let (targets, _) = rows(of_targets, &of_runs);
    let (rows, noise) = rows(measured, &of_runs.into_iter().chain(counts).collect());
    let run = of_fit - measured.iter().filter(|m| is_not_run(m)).count();
    if (run as f64) < LEAST_RUN * of_fit as f64 {
        bail!(
            "the engine runs only {run} of {of_fit} programs: nothing was stored. The warnings above say what it does not do."
        );
    }
    if (rows.len() as f64) < LEAST_SHARE * run as f64 {
        bail!(
            "only {} of {run} programs were measured: nothing was stored. Try again on a machine that does nothing else.",
            rows.len(),
        );
    }
    let fit = fit(&rows)?;
    let errors = errors(&fit.rows).context("no program was measured")?;
    let again = resampled(&rows, SAMPLES, 1);
    let explored = match wish.explore {
        true => explore(&rows, &controls),
        false => Vec::new(),
    };
    let controls = predict(&fit, &controls);
    let targets = predict(&fit, &targets);
    let platform = Platform {
        name: format!("{}-{}", wish.engine.platform(&version), wish.engine.model()),
        engine: wish.engine.described_as(&version),
        source: "user".to_owned(),
        origin: format!(
            "Measured by `costlens calibrate`: {} programs, {} processes, 90% intervals by the bootstrap.",
            rows.len(),
            plan.processes
        ),
        date: machine::today(),
        machine: machine::described(&version),
        constants: constants(&again.intervals, &fit),
        errors: stored_errors(errors, noise, again.factor, [&controls, &targets])?,
        programs: (fit.rows.iter())
            .filter_map(|r| Measurement::new(&r.name, r.observed, r.predicted))
            .collect(),
        collection: collector::collection(wish.engine, of_collector),
    };
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

/// Returns the message of a cancelled run, with the number of processes that the next run need not repeat.
fn cancelled(kept: Option<usize>) -> String {
    match kept {
        Some(kept) => format!(
            "cancelled: no platform was stored. What {} measured is kept for a day, and the next calibration goes on from there",
            processes_have(kept)
        ),
        None => "cancelled: nothing was stored".to_owned(),
    }
}

/// Returns "1 process has", "3 processes have".
pub(crate) fn processes_have(number: usize) -> String {
    match number {
        1 => "1 process has".to_owned(),
        _ => format!("{number} processes have"),
    }
}

impl Calibration {
    /// Returns a page about the calibration, which compares its constants with those printed in papers.
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

impl Which {
    /// Returns the engine, started with a program of its own name or with another one.
    ///
    /// # Errors
    /// Fails if a description is missing or unusable.
    pub(crate) fn engine(self, program: Option<&PathBuf>) -> anyhow::Result<Box<dyn Engine>> {
        let swi = |optimise| {
            let mut engine = SwiProlog::new(optimise);
            if let Some(program) = program {
                engine.program = program.into();
            }
            Box::new(engine)
        };
        Ok(match self {
            Which::Swi => swi(false),
            Which::SwiO => swi(true),
            Which::Gnu => {
                let mut engine = GnuProlog::default();
                if let Some(program) = program {
                    engine.compiler = program.into();
                }
                Box::new(engine)
            }
            Which::Embedded => Box::new(Embedded),
            Which::Scryer => Box::new(described::scryer(program)),
            Which::Described => {
                let path = program.context("an engine is described by a file")?;
                Box::new(described::described(path)?)
            }
        })
    }

    /// Returns the events that times are explained by: instructions, if the engine's code is known.
    fn vocabulary(self) -> Vocabulary {
        match self {
            Which::Swi => Vocabulary::Swi,
            Which::SwiO => Vocabulary::SwiOptimised,
            Which::Gnu => Vocabulary::Gnu,
            Which::Embedded => Vocabulary::Machine,
            // Their code is unknown. Most systems look at more than the first argument.
            Which::Scryer | Which::Described => Vocabulary::Portable,
        }
    }

    /// Returns the name of these events.
    fn model(self) -> &'static str {
        match self {
            Which::Swi | Which::SwiO | Which::Gnu | Which::Embedded => "instructions",
            Which::Scryer | Which::Described => "portable",
        }
    }

    /// Returns the platform's name without its model: `swi-9.0.4-O-x86_64`.
    fn platform(self, version: &Version) -> String {
        let (name, flags) = match self {
            Which::Swi => ("swi", ""),
            Which::SwiO => ("swi", "-O"),
            Which::Gnu => ("gnu", ""),
            Which::Embedded => ("embedded", ""),
            Which::Scryer | Which::Described => {
                let name = described::short(&version.engine, &version.version);
                return format!("{name}-{}", std::env::consts::ARCH);
            }
        };
        let version = &version.version;
        format!("{name}-{version}{flags}-{}", std::env::consts::ARCH)
    }

    /// Returns the engine with its version. The version text of an engine may begin with its name.
    pub(crate) fn described_as(self, version: &Version) -> String {
        let Version {
            engine, version, ..
        } = version;
        match (self, version.as_str()) {
            (Which::Described, "unknown") => engine.clone(),
            (Which::Scryer, said) => {
                format!("{engine} {}", described::number(said).unwrap_or(said))
            }
            (Which::Described, said) if said.starts_with(engine.as_str()) => said.to_owned(),
            _ => format!("{engine} {version}"),
        }
    }

    /// Returns the word of the command line for it: `swi-O`.
    pub(crate) fn word(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns true for a platform with constants of this engine, compiled with the same flags. Platforms from papers describe systems of their time.
    pub(crate) fn is_of(self, platform: &Platform) -> bool {
        let optimised = platform.machine.get("flags").is_some_and(|f| f == "-O");
        let is_it = match self {
            Which::Swi => platform.engine.starts_with("SWI-Prolog ") && !optimised,
            Which::SwiO => platform.engine.starts_with("SWI-Prolog ") && optimised,
            Which::Gnu => platform.engine.starts_with("GNU Prolog "),
            Which::Scryer => platform.engine.starts_with("Scryer Prolog "),
            Which::Embedded | Which::Described => false,
        };
        is_it && platform.source != "paper"
    }

    /// Returns advice for when the engine does not run.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Which::Swi | Which::SwiO => {
                "SWI-Prolog is not to be had; install it (`swipl` on PATH), or name it with `--program`"
            }
            Which::Embedded => "the embedded machine does not run",
            Which::Scryer => {
                "Scryer Prolog is not to be had; install it (`scryer-prolog` on PATH), or name it with `--program`"
            }
            Which::Described => {
                "the engine does not say its version; mend `version` of its description, or leave it out"
            }
            Which::Gnu => {
                "GNU Prolog is not to be had; install it (`gplc` on PATH, and a C compiler), or name it with `--program`"
            }
        }
    }
}

/// Returns a calibrator or control program as a workload.
fn workload(shared: &str, calibrator: &Calibrator) -> Workload {
    Workload {
        name: calibrator.name.clone(),
        clauses: format!("{shared}\n{}", calibrator.program()),
        goal: calibrator.goal.clone(),
        setup: calibrator.setup.clone(),
        inputs: calibrator.inputs(),
    }
}

/// Returns whether an engine does not run a program, regardless of the time limit.
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

/// Returns the programs that have times, with the counts of their names, and the median of their noise.
fn rows(measured: &[Measured], counts: &BTreeMap<String, BTreeMap<Event, f64>>) -> (Vec<Row>, f64) {
    let mut rows = Vec::new();
    let mut noise: Vec<f64> = Vec::new();
    for outcome in measured {
        let Measured::Timed(timing) = outcome else {
            continue;
        };
        noise.extend(timing.noise);
        rows.extend(counts.get(&timing.name).map(|counts| Row {
            name: timing.name.clone(),
            counts: counts.clone(),
            ns: timing.median(),
        }));
    }
    // A window shorter than the empty loop carries no information.
    rows.retain(|row| row.ns.is_finite() && row.ns > 0.0);
    (rows, costlens_engines::quantile(&noise, 0.5))
}

/// Returns the constants with their intervals, which contain the estimate.
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
