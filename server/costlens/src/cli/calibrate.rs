//! `costlens calibrate`: measures what events cost on an engine of this machine, and stores a platform.

mod counted;
mod machine;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use costlens_calibrate::{
    Calibrator, Errors, Fit, Interval, Row, calibrators, errors, fit, resampled,
};
use costlens_engines::{
    Engine, GnuProlog, Outcome as Measured, Plan, Progress, SwiProlog, Workload,
};
use costlens_events::Event;
use costlens_platform::{
    Constant, FACTOR, Measured as Measurement, Platform, measured, priced, write,
};

use super::Outcome;
use super::output::{Log, print};
use crate::disk::platforms::store;

#[derive(Args)]
pub(super) struct Options {
    /// The engine.
    #[arg(long, value_enum, default_value = "swi")]
    engine: Which,
    /// The program that the engine is started with, where it is not on PATH under its own name.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Fewer and shorter windows: seconds instead of minutes, and wider intervals.
    #[arg(long)]
    quick: bool,
    /// Store the platform in this file. Without it: in your data folder, where `--platform` finds it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The engines that times are measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// SWI-Prolog.
    Swi,
    /// SWI-Prolog with `-O`, which compiles arithmetic.
    #[value(name = "swi-O")]
    SwiO,
    /// GNU Prolog, compiled by `gplc`.
    Gnu,
}

/// The model: constants of portable events.
const MODEL: &str = "portable";

/// Fits of resampled rows, from which intervals are taken.
const SAMPLES: usize = 200;

/// The share of calibrators that have to have a time; with fewer the constants would be those of something else.
const LEAST_SHARE: f64 = 0.9;

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let engine = options.engine.engine(options.program.as_ref());
    let version = engine.version().with_context(|| options.engine.advice())?;
    let (shared, calibrators) = calibrators()?;
    log.detail("counting events");
    let counts = counted::counted(&shared, &calibrators)?;
    let plan = match options.quick {
        true => Plan::quick(),
        false => Plan::default(),
    };
    let cancel = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&cancel))?;
    signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(&cancel))?;
    let mut progress = |at: Progress<'_>| match at {
        Progress::Process { number, of } => {
            log.progress(&format!(
                "{}: process {} of {of}",
                engine.name(),
                number + 1
            ));
        }
        Progress::Failed { workload, reason } => log.warning(&format!("{workload}: {reason}")),
        Progress::Measured { workload, ns, .. } => {
            log.detail(&format!("{workload}: {ns:.0} ns"));
        }
    };
    let workloads: Vec<Workload> = calibrators.iter().map(|c| workload(&shared, c)).collect();
    let measured = engine.time(&workloads, &plan, &mut progress, &cancel)?;
    if cancel.load(std::sync::atomic::Ordering::Relaxed) {
        bail!("cancelled: nothing was stored");
    }
    let (rows, noise) = rows(&measured, counts);
    if (rows.len() as f64) < LEAST_SHARE * calibrators.len() as f64 {
        bail!(
            "only {} of {} programs were measured: nothing was stored. Try again on a machine that does nothing else.",
            rows.len(),
            calibrators.len()
        );
    }
    let fitted = fit(&rows)?;
    let off = errors(&fitted.rows).context("no program was measured")?;
    let again = resampled(&rows, SAMPLES, 1);
    let platform = Platform {
        name: format!("{}-{MODEL}", options.engine.platform(&version.version)),
        engine: format!("{} {}", version.engine, version.version),
        source: "user".to_owned(),
        origin: format!(
            "Measured by `costlens calibrate`: {} programs, {} processes, 90% intervals by the bootstrap.",
            rows.len(),
            plan.processes
        ),
        date: machine::today(),
        machine: machine::described(&version),
        constants: constants(&again.intervals, &fitted),
        errors: stored_errors(off, noise, again.factor)?,
        programs: (fitted.rows.iter())
            .filter_map(|r| Measurement::new(&r.name, r.observed, r.predicted))
            .collect(),
    };
    let path = store(
        &platform.name,
        &write(&platform, MODEL),
        options.out.clone(),
    )?;
    print(&summary(
        &platform.name,
        &fitted,
        (off, noise, again.factor),
        &path,
    ))?;
    Ok(Outcome::Fine)
}

impl Which {
    fn engine(self, program: Option<&PathBuf>) -> Box<dyn Engine> {
        let swi = |optimise| {
            let mut engine = SwiProlog::new(optimise);
            if let Some(program) = program {
                engine.program = program.into();
            }
            Box::new(engine)
        };
        match self {
            Which::Swi => swi(false),
            Which::SwiO => swi(true),
            Which::Gnu => {
                let mut engine = GnuProlog::default();
                if let Some(program) = program {
                    engine.compiler = program.into();
                }
                Box::new(engine)
            }
        }
    }

    /// The platform's name without its model: `swi-9.0.4-O-x86_64`.
    fn platform(self, version: &str) -> String {
        let (name, flags) = match self {
            Which::Swi => ("swi", ""),
            Which::SwiO => ("swi", "-O"),
            Which::Gnu => ("gnu", ""),
        };
        format!("{name}-{version}{flags}-{}", std::env::consts::ARCH)
    }

    fn advice(self) -> &'static str {
        match self {
            Which::Swi | Which::SwiO => {
                "SWI-Prolog is not to be had; install it (`swipl` on PATH), or name it with `--program`"
            }
            Which::Gnu => {
                "GNU Prolog is not to be had; install it (`gplc` on PATH, and a C compiler), or name it with `--program`"
            }
        }
    }
}

fn workload(shared: &str, calibrator: &Calibrator) -> Workload {
    Workload {
        name: calibrator.name.clone(),
        clauses: format!("{shared}\n{}", calibrator.program()),
        goal: calibrator.goal.clone(),
        setup: calibrator.setup.clone(),
        inputs: calibrator.inputs(),
    }
}

/// The programs that have times, and the median of their noise.
fn rows(measured: &[Measured], counts: Vec<BTreeMap<Event, f64>>) -> (Vec<Row>, f64) {
    let mut rows = Vec::new();
    let mut noise: Vec<f64> = Vec::new();
    for (outcome, counts) in measured.iter().zip(counts) {
        let Measured::Timed(timing) = outcome else {
            continue;
        };
        noise.extend(timing.noise);
        rows.push(Row {
            name: timing.name.clone(),
            counts,
            ns: timing.median(),
        });
    }
    // A window that was shorter than the empty loop says nothing.
    rows.retain(|row| row.ns.is_finite() && row.ns > 0.0);
    (rows, costlens_engines::quantile(&noise, 0.5))
}

/// The constants with their intervals, which hold the estimate.
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
) -> anyhow::Result<BTreeMap<String, costlens_algebra::Rat>> {
    let named = [
        ("rms_harmonic", off.root_mean_square),
        ("mean_absolute", off.mean_absolute),
        ("worst", off.worst),
        ("noise", if noise.is_finite() { noise } else { 0.0 }),
    ];
    let named = named
        .into_iter()
        .chain(factor.map(|factor| (FACTOR, factor)));
    let exact = |(name, value): (&str, f64)| {
        let exact = measured(value).context("an error is no number")?;
        Ok((name.to_owned(), exact))
    };
    named.map(exact).collect()
}

fn summary(
    name: &str,
    fitted: &Fit,
    (off, noise, factor): (Errors, f64, Option<f64>),
    path: &std::path::Path,
) -> String {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let mut worst: Vec<_> = fitted.rows.iter().collect();
    let ratio = |r: &costlens_calibrate::Fitted| r.predicted / r.observed;
    worst.sort_by(|a, b| ratio(b).ln().abs().total_cmp(&ratio(a).ln().abs()));
    let mut out = format!(
        "{name}: {} programs, their times explained to {} (root mean square), {} at worst; noise {}\n",
        fitted.rows.len(),
        percent(off.root_mean_square),
        percent(off.worst),
        percent(noise)
    );
    if let Some(factor) = factor {
        out.push_str(&format!(
            "  programs left out of the fit: nine in ten predictions within a factor of {factor:.2}\n"
        ));
    }
    for row in worst.iter().take(5) {
        out.push_str(&format!(
            "  {}: {:.0} ns, predicted {:.0} ns ({:+.0}%)\n",
            row.name,
            row.observed,
            row.predicted,
            100.0 * (ratio(row) - 1.0)
        ));
    }
    out.push_str(&format!(
        "stored in {}\nhovers and `costlens bounds FILE --resource time` use it from now on\n",
        path.display()
    ));
    out
}
