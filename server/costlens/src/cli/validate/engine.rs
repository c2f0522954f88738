//! Times on an engine: times inputs that have run on the embedded machine, and compares their times with the times computed from bounds and
//! a platform's constants.
//!
//! A time outside the prediction contradicts no proof. Constants are fitted: nine out of ten predictions are within the factor that the
//! platform states, on the machine on which it was measured.

mod program;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use costlens_analysis::report::{Functor, PatternReport, SizeVariable};
use costlens_engines::{
    Engine, Plan, Progress, Reason, Timing, Workload, WorkloadOutcome, quantile,
};
use costlens_ide::host::{File, Host};
use costlens_ide::present::values::{StepsAt, steps_at};
use costlens_ide::reports::runnable::Runnable;
use costlens_ide::resources::Resource;
use costlens_ide::resources::prices;
use costlens_machine::generate::Input;
use costlens_platform::Platform;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::compare::{AssertedBounds, Compared, SizesRow, given, named};
use super::fit::fit;
use super::resource::OfResource;
use crate::calibration::Which;
use crate::cli::interrupted;
use crate::cli::output::Log;
use crate::cli::running::set_on_interrupt;
use crate::disk::platforms;

/// The maximum number of reported times outside the prediction; the times at the smallest sizes are reported.
const MOST_OUTSIDE: usize = 3;

/// The engine and the platform that the user requested.
pub(super) struct EngineRequest<'w> {
    pub(super) engine: Which,
    /// The program that starts the engine, if it is not on PATH under its usual name.
    pub(super) program: Option<&'w PathBuf>,
    /// The platform used for predictions.
    pub(super) platform: Option<&'w str>,
    pub(super) predicate: &'w Functor,
}

/// The engine that measures times, and the source of predictions.
pub(in crate::cli) struct EngineClock {
    engine: Box<dyn Engine>,
    /// The engine's name: `SWI-Prolog 9.0.4 -O`.
    pub(in crate::cli) name: String,
    /// The engine's word on the command line: `swi-O`.
    pub(in crate::cli) word: String,
    /// The name of the platform used for predictions.
    pub(in crate::cli) platform: String,
    /// True if its constants were measured on this machine.
    pub(in crate::cli) here: bool,
    /// The factor within which nine out of ten predictions lie; `None` if unknown.
    pub(in crate::cli) factor: Option<f64>,
    /// Bounds on time, in nanoseconds.
    pub(super) on: AssertedBounds,
    /// The program's text, or the reason why the engine cannot load it.
    clauses: Result<String, String>,
    cancel: Arc<AtomicBool>,
}

/// The times of a pattern's inputs.
pub(in crate::cli) struct OfTime {
    /// The bounds, the rows in nanoseconds, and the fitted function.
    pub(in crate::cli) of: OfResource,
    pub(in crate::cli) timed: usize,
    /// The maximum time of the call itself, in nanoseconds, which bounds attribute to the caller.
    pub(in crate::cli) call: f64,
    /// The number of processes that measured each input.
    pub(in crate::cli) processes: usize,
    /// The median noise: the distance between two halves of the processes, relative to the time.
    pub(in crate::cli) noise: Option<f64>,
    /// The number of inputs with times outside the prediction and its error.
    pub(in crate::cli) outside: usize,
    /// The reported times outside the prediction, at the smallest sizes.
    pub(in crate::cli) told: Vec<Outside>,
    /// The goals without a time, each with the reason.
    pub(in crate::cli) untimed: Vec<(String, String)>,
    /// The numbers of inputs that are not timed: inputs whose runs threw or were cut off, and inputs whose runs were long.
    pub(in crate::cli) left_out: (usize, usize),
}

/// A time outside the prediction.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Outside {
    pub(in crate::cli) goal: String,
    /// The sizes, by name.
    pub(in crate::cli) sizes: BTreeMap<String, BigInt>,
    pub(in crate::cli) ns: f64,
    /// The predicted times, without the error of the constants.
    pub(in crate::cli) predicted: (Option<f64>, Option<f64>),
}

/// The time of an input.
struct Timed<'i> {
    sizes: &'i [BigInt],
    input: &'i Input,
    ns: f64,
}

impl EngineClock {
    /// Returns the requested engine. Returns `None` for the embedded machine, which is not timed.
    ///
    /// # Errors
    /// Fails if the engine is not installed, or no platform has constants for it.
    pub(super) fn new(
        wish: &EngineRequest<'_>,
        host: &Host,
        file: File,
        program: &Runnable,
    ) -> anyhow::Result<Option<Self>> {
        let which = wish.engine;
        if which == Which::Embedded {
            return Ok(None);
        }
        let engine = which.engine(wish.program)?;
        let version = engine.version().with_context(|| which.advice())?;
        let all = platforms::list().0;
        let platform: Platform = match wish.platform {
            Some(name) => platforms::named(name)?,
            None => { platforms::of_engine(&all, |p| which.is_of(p)) }
                .cloned()
                .with_context(|| {
                    format!(
                        "no platform has constants for this engine: `costlens calibrate --engine {}` measures them",
                        which.word()
                    )
                })?,
        };
        let time = Resource::Time(prices(&platform));
        let found = (host.snapshot()).bounds_on(file, wish.predicate, &time);
        let Some((bounds, asserted)) = found.map_err(interrupted)? else {
            bail!("no predicate of this name is defined");
        };
        Ok(Some(EngineClock {
            name: match which {
                Which::SwiO => format!("{} -O", which.described_as(&version)),
                _ => which.described_as(&version),
            },
            word: which.word(),
            here: platforms::calibrated(&platform).here,
            factor: platform.factor().and_then(|factor| factor.to_f64()),
            on: AssertedBounds {
                name: "time".to_owned(),
                bounds,
                asserted,
            },
            clauses: program::clauses(program, wish.predicate, which != Which::Gnu),
            cancel: Arc::default(),
            platform: platform.name,
            engine,
        }))
    }

    /// Describes the origin of the constants in a sentence.
    pub(in crate::cli) fn note(&self) -> String {
        let name = &self.platform;
        match self.here {
            true => format!("constants of {name}, measured on this machine"),
            false => format!("constants of {name}, of another machine"),
        }
    }

    /// Returns advice for times outside the prediction.
    pub(in crate::cli) fn advice(&self) -> String {
        let again = format!("`costlens calibrate --engine {}`", self.word);
        match self.here {
            true => format!(
                "One prediction in ten may be; of more, the constants miss what this program does, or the machine has changed: {again} measures it anew"
            ),
            false => format!(
                "The constants are another machine's, so this says nothing of the bounds: {again} measures this one"
            ),
        }
    }

    /// Times inputs of a pattern. Returns the reason if the engine cannot load the program.
    ///
    /// # Errors
    /// Fails if the engine does not run.
    pub(super) fn time(
        &self,
        index: usize,
        axes: &[SizeVariable],
        inputs: &[(Vec<BigInt>, Input)],
        left_out: (usize, usize),
        log: &Log,
    ) -> anyhow::Result<Result<OfTime, String>> {
        let clauses = match &self.clauses {
            Ok(clauses) => clauses,
            Err(why) => return Ok(Err(why.clone())),
        };
        let Some(report) = self.on.bounds.report.patterns.get(index) else {
            return Ok(Err("no bounds on time are known".to_owned()));
        };
        let Some((_, first)) = inputs.first() else {
            return Ok(Err("no input's run is short and ends by itself".to_owned()));
        };
        let workloads: Vec<Workload> = (inputs.iter().enumerate())
            .map(|(number, (_, input))| program::workload(&number.to_string(), clauses, input))
            .chain([program::idle(first)])
            .collect();
        set_on_interrupt(&self.cancel)?;
        let name = &self.name;
        let mut tell = |at: Progress<'_>| match at {
            Progress::Process { number, of } => {
                log.progress(&format!(
                    "{name}: {} inputs, process {} of {of}",
                    inputs.len(),
                    number + 1
                ));
            }
            Progress::Measured { workload, ns, .. } => {
                log.detail(&format!("input {workload}: {ns:.0} ns"));
            }
            Progress::Complete { .. } | Progress::Failed { .. } => {}
        };
        let measured = (self.engine).time(&workloads, &Plan::quick(), &[], &mut tell, &self.cancel);
        if self.cancel.load(Ordering::Relaxed) {
            log.warning("cancelled: what was timed until then is shown");
        }
        let measured = measured?;
        let (timed, timings, untimed) = sorted(inputs, &measured);
        let call = match measured.last() {
            Some(WorkloadOutcome::Timed(timing)) => timing.median().max(0.0),
            _ => 0.0,
        };
        if timed.is_empty() {
            let why = untimed.into_iter().next().map(|(_, why)| why);
            return Ok(Err(why.unwrap_or_else(|| "nothing was timed".to_owned())));
        }
        let noise: Vec<f64> = timings.iter().filter_map(|timing| timing.noise).collect();
        let (of, outside) = self.compared(index, report, axes, &timed, call);
        Ok(Ok(OfTime {
            of,
            timed: timed.len(),
            call,
            processes: timings.iter().map(|t| t.minima_ns.len()).max().unwrap_or(0),
            noise: (!noise.is_empty()).then(|| quantile(&noise, 0.5)),
            outside: outside.len(),
            told: outside.into_iter().take(MOST_OUTSIDE).collect(),
            untimed,
            left_out,
        }))
    }

    /// Compares the times with the bounds, and collects the times outside the prediction.
    fn compared(
        &self,
        index: usize,
        report: &PatternReport,
        axes: &[SizeVariable],
        timed: &[Timed<'_>],
        call: f64,
    ) -> (OfResource, Vec<Outside>) {
        let mut compared = Compared::new(
            self.on.name.clone(),
            self.on.asserted.get(index).map_or(&[], Vec::as_slice),
        );
        let mut by_size: BTreeMap<&[BigInt], Vec<&Timed<'_>>> = BTreeMap::new();
        for one in timed {
            by_size.entry(one.sizes).or_default().push(one);
        }
        let mut outside = Vec::new();
        let mut rows = Vec::new();
        for (sizes, group) in by_size {
            let at = steps_at(report, &given(axes, sizes));
            let before = outside.len();
            for one in &group {
                if let Some(predicted) = self.outlier(&at, one.ns, call) {
                    outside.push(Outside {
                        goal: one.input.text(),
                        sizes: named(axes, sizes),
                        ns: one.ns,
                        predicted,
                    });
                }
            }
            let times = || group.iter().map(|one| whole(one.ns));
            rows.push(SizesRow {
                sizes: sizes.to_vec(),
                at,
                runs: group.len(),
                cut: 0,
                least: times().min(),
                most: times().max().unwrap_or(0),
                violates: outside.len() > before,
            });
        }
        outside.sort_by_key(|one| {
            one.sizes
                .values()
                .map(|k| k.magnitude().clone())
                .sum::<num_bigint::BigUint>()
        });
        // The bound has the same shapes as the measured function, even if its constants differ.
        let plain: Vec<SizesRow> = { rows.iter().cloned() }
            .map(|row| SizesRow {
                violates: false,
                ..row
            })
            .collect();
        rows.into_iter().for_each(|row| compared.add(row));
        let of = OfResource {
            fitted: fit(report, axes, &plain),
            report: report.clone(),
            compared,
        };
        (of, outside)
    }

    /// Returns the predicted times over all solutions, if a measured time lies outside them by more than the constants' error and the cost
    /// of the call itself.
    fn outlier(&self, at: &StepsAt, ns: f64, call: f64) -> Option<(Option<f64>, Option<f64>)> {
        let factor = self.factor.unwrap_or(1.0).max(1.0);
        let (lower, upper) = (at.all.lower.at_most(), at.all.upper.at_least());
        let is_outside = lower.is_some_and(|lower| ns * factor < lower)
            || upper.is_some_and(|upper| ns - call > upper * factor);
        is_outside.then_some((lower, upper))
    }
}

/// Whole nanoseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a measured time: positive, and far below the largest number"
)]
fn whole(ns: f64) -> u64 {
    ns.round().max(1.0) as u64
}

/// Measured times, their timings, and goals without a time.
type Sorted<'i> = (Vec<Timed<'i>>, Vec<Timing>, Vec<(String, String)>);

/// Sorts the outcomes of inputs, in input order, into times and failures.
fn sorted<'i>(inputs: &'i [(Vec<BigInt>, Input)], outcomes: &[WorkloadOutcome]) -> Sorted<'i> {
    let (mut timed, mut timings, mut untimed) = (Vec::new(), Vec::new(), Vec::new());
    for (number, ((sizes, input), outcome)) in inputs.iter().zip(outcomes).enumerate() {
        match outcome {
            // A window shorter than the empty loop provides no information.
            WorkloadOutcome::Timed(timing) if timing.median() > 0.0 => {
                timed.push(Timed {
                    sizes,
                    input,
                    ns: timing.median(),
                });
                timings.push(timing.clone());
            }
            WorkloadOutcome::Timed(_) => untimed.push((
                input.text(),
                "it is too short to be told from the loop around it".to_owned(),
            )),
            WorkloadOutcome::Untimed { reason, .. } => {
                untimed.push((input.text(), why(reason, number)));
            }
        }
    }
    (timed, timings, untimed)
}

/// Returns the reason why an input has no time, with the program's own names.
fn why(reason: &Reason, number: usize) -> String {
    program::in_own_names(&reason.to_string(), number)
}
