//! `costlens validate`: runs a predicate on generated inputs of growing sizes and compares its counts with its bounds.

mod axes;
pub(super) mod compare;
pub(super) mod engine;
mod fit;
pub(super) mod found;
mod inputs;
mod kept;
pub(super) mod observe;
mod report;
pub(super) mod resource;
mod runs;
mod sample;
mod sections;
mod validation;
mod wanted;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use costlens_analysis::report::Functor;
use costlens_events::Event;
use costlens_ide::host::{File, Host};
use costlens_ide::present::indicator;
use costlens_ide::reports::runnable::Runnable;
use costlens_ide::reports::validation::Grounds;
use costlens_ide::resources::Resource;
use costlens_machine::generate::Vocabulary;
use costlens_machine::{Limits, Machine};

use self::compare::AssertedBounds;
use self::engine::{EngineClock, EngineRequest as EngineWish};
use self::found::{OfPattern, Validated, drawing};
use self::kept::RunSample;
use self::validation::Validation;
use self::wanted::{CountedResources, counted, events};
use super::output::{Log, print};
use super::recording::{self, WORKSPACE};
use super::running;
use super::sizes::{SizeList, parse_at, parse_indicator};
use super::{CommandOutcome, Format, ReadingOptions, files, interrupted, json};
use crate::calibration::Which;
use crate::lines::{Encoding, LineIndex};
use crate::prediction;
use crate::profiling::running::{Clock, load};

#[derive(Args)]
pub(super) struct Options {
    /// The file that defines the predicate.
    file: PathBuf,
    /// The predicate.
    #[arg(value_name = "NAME/ARITY", value_parser = parse_indicator)]
    predicate: Functor,
    /// The counted resource: `steps` (the default), `head_unifications`, an instruction such as `get_list`, or `all` resources that the machine
    /// counts and that have bounds. May be given several times.
    #[arg(long, value_name = "NAME", value_parser = counted)]
    resource: Vec<CountedResources>,
    /// The values of growing sizes: `10,20,50`. Default: from 0 upwards, as long as runs are short.
    #[arg(
        long,
        value_name = "VALUES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    sizes: Option<Vec<i64>>,
    /// Sizes that do not grow: `2=5` gives argument 2 the size 5.
    #[arg(long, value_name = "SIZES", value_parser = |s: &str| parse_at(s).map(SizeList))]
    at: Option<SizeList>,
    /// The number of generated inputs per size. The same number of inputs is added by varying the worst of them.
    #[arg(long, value_name = "N", default_value_t = 28, value_parser = clap::value_parser!(u32).range(1..))]
    inputs: u32,
    /// The random seed: the same number gives the same inputs.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run the predicate even if it has effects. On the embedded machine, which has no files, processes or network, each run uses its own copy. With
    /// `--engine`, the predicate also runs on that engine, with all its effects.
    #[arg(long)]
    run_anyway: bool,
    /// The engine. A few inputs of each size are timed on it and compared with the times that the bounds and the platform's constants predict.
    /// `embedded` only counts.
    #[arg(long, value_enum, default_value = "embedded")]
    engine: Which,
    /// The executable of the engine, if it is not on PATH under its usual name.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// The platform whose constants predict times. Default: the engine's platform that was measured on this machine, or else one that ships with
    /// Costlens.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Seconds after which no further input is run.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = running::seconds)]
    limit_time: f64,
    /// Megabytes of terms and stacks at which a run ends.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    limit_memory: usize,
    /// Calls after which a run ends.
    #[arg(long, value_name = "CALLS", default_value_t = 1_000_000)]
    limit_steps: u64,
    /// Keep up to 500 runs for `costlens predict`, except runs of varied worst inputs. Default file: `.costlens/history.db` in the workspace, which
    /// is created if needed.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = WORKSPACE)]
    history: Option<PathBuf>,
    /// Draw the bounds, observations and fitted function of the first resource for the first pattern that ran; with `--engine`, draw times.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write an HTML page with plots, tables and violated bounds.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let begun = Instant::now();
    let source = files::read_file(&options.file, log)?;
    let mut host = Host::unedited();
    let paths = std::slice::from_ref(&options.file);
    let project = options.reading.project(paths)?;
    let opened = files::open(
        &mut host,
        std::slice::from_ref(&source),
        &files::areas(paths),
        &options.reading,
        &project,
        log,
    );
    let Some(&file) = opened.first() else {
        return Ok(CommandOutcome::Unusable);
    };
    let what = indicator(&options.predicate);
    let grounds = host.snapshot().grounds(file, &options.predicate);
    let Some(grounds) = grounds.map_err(interrupted)? else {
        bail!("`{}` does not define `{what}`", source.name);
    };
    let program = host.snapshot().program(file).map_err(interrupted)?;
    refuse(options, &what, &grounds, &program)?;
    let wish = EngineWish {
        engine: options.engine,
        program: options.program.as_ref(),
        platform: options.platform.as_deref(),
        predicate: &options.predicate,
    };
    let clock = EngineClock::new(&wish, &host, file, &program)?;
    let events = events(&options.resource);
    let all = on_resources(&host, file, options, &events, &grounds)?;
    let deadline = begun + Duration::from_secs_f64(options.limit_time);
    let machine = loaded(options, &program, &source.name, deadline, log);
    let vocabulary = vocabulary(&program);
    let kept = (options.history.as_ref()).map(|_| {
        let clauses = prediction::call::program(&program);
        RefCell::new(RunSample::new(&clauses, &machine, &options.predicate))
    });
    let patterns = grounds.bounds.report.patterns.len();
    let of_pattern = |index: usize| {
        // Divide the remaining time among the remaining patterns.
        let left = deadline.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(patterns - index).unwrap_or(1);
        let validation = Validation {
            options,
            all: &all,
            clock: clock.as_ref(),
            is_compared: grounds.not_counted.is_none(),
            log,
            machine: &machine,
            vocabulary: &vocabulary,
            fresh: grounds.effect.is_some(),
            kept: kept.as_ref(),
            deadline: Instant::now() + share,
        };
        validation.of_pattern(index)
    };
    let found: Vec<OfPattern> = (0..patterns).map(of_pattern).collect::<Result<_, _>>()?;
    let lines = LineIndex::new(&source.text);
    let (line, _) = lines.position(&source.text, grounds.bounds.offset, Encoding::Utf8);
    let validated = Validated {
        line: line + 1,
        predicate: what,
        file: source.name.clone(),
        seed: options.seed,
        arguments: grounds.bounds.arguments.clone(),
        patterns: found,
        not_counted: grounds.not_counted.clone(),
        clock,
    };
    require_runs(&validated)?;
    if let (Some(file), Some(kept)) = (&options.history, kept) {
        let path = recording::named(file, &options.file);
        kept.into_inner().write(&path, log);
    }
    present(options, &validated)
}

/// Fails if no pattern ran, or if times were requested and none was measured.
fn require_runs(validated: &Validated) -> anyhow::Result<()> {
    let what = &validated.predicate;
    if validated.runs_of_patterns().next().is_none() {
        let why = validated.patterns.iter().find_map(|p| p.ran.as_ref().err());
        let why = why.map_or("no call pattern is known", String::as_str);
        bail!("`{what}` was not run: {why}");
    }
    if let Some(clock) = &validated.clock
        && validated.times().next().is_none()
    {
        let mut whys = validated
            .runs_of_patterns()
            .filter_map(|ran| ran.time.as_ref()?.as_ref().err());
        let why = whys.next().map_or("nothing was measured", String::as_str);
        bail!("`{what}` has no times on {}: {why}", clock.name);
    }
    Ok(())
}

/// Prints and writes the findings.
fn present(options: &Options, validated: &Validated) -> anyhow::Result<CommandOutcome> {
    let report = || report::report(validated);
    match options.format {
        Format::Text => print(&report().text())?,
        Format::Json => print(&json::lines(&json::validate::document(validated))?)?,
    }
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
    };
    if let Some(path) = &options.html {
        write(path, &report().html())?;
    }
    if let Some(path) = &options.svg {
        let clock = validated.clock.as_ref();
        let drawn = validated.runs_of_patterns().find_map(|ran| {
            let of = match &ran.time {
                Some(time) => &time.as_ref().ok()?.of,
                None => ran.resources.first()?,
            };
            drawing(ran, of, &validated.arguments, clock)
        });
        let drawn = drawn.context("there is nothing to draw: no size of an argument was varied")?;
        write(path, &drawn)?;
    }
    Ok(match validated.is_violated() {
        true => CommandOutcome::Wrong,
        false => CommandOutcome::Fine,
    })
}

/// Explains why a predicate is not run, if it is not.
fn refuse(
    options: &Options,
    what: &str,
    grounds: &Grounds,
    program: &Runnable,
) -> anyhow::Result<()> {
    if let Some(reason) = &program.left_out {
        bail!(
            "`{what}` is not run: bounds are those of the whole program, of which a run would have one file alone, since a run has no modules: {reason}"
        );
    }
    // Bounds on time describe the engine's work, regardless of the events that the machine counts.
    let not_counted = grounds.not_counted.as_ref();
    let not_counted = not_counted.filter(|_| options.engine == Which::Embedded);
    if let Some(reason) = grounds.not_comparable.as_ref().or(not_counted) {
        bail!("`{what}` is not run: {reason}, so that counts say nothing of its bounds");
    }
    if let Some(name) = &grounds.effect
        && !options.run_anyway
    {
        let there = match options.engine {
            Which::Embedded => {
                "the embedded machine, which has no files, processes and network".to_owned()
            }
            engine => format!("`{}` of this machine, with all that it does", engine.word()),
        };
        bail!(
            "`{what}` is not run: it may call `{name}`, which has an effect. `--run-anyway` runs it on {there}"
        );
    }
    Ok(())
}

/// Returns the bounds of the predicate on each of the events.
fn on_resources(
    host: &Host,
    file: File,
    options: &Options,
    events: &[Event],
    grounds: &Grounds,
) -> anyhow::Result<Vec<AssertedBounds>> {
    let snapshot = host.snapshot();
    let mut all = Vec::new();
    for event in events {
        let (bounds, asserted) = match event {
            Event::Step => (grounds.bounds.clone(), grounds.asserted.clone()),
            event => {
                let resource = Resource::Event(event.clone());
                let found = snapshot.bounds_on(file, &options.predicate, &resource);
                let Some(found) = found.map_err(interrupted)? else {
                    continue;
                };
                found
            }
        };
        all.push(AssertedBounds {
            name: event.to_string(),
            bounds,
            asserted,
        });
    }
    Ok(all)
}

/// Loads the program on a counting machine. Directives run, as in `costlens run`.
fn loaded(
    options: &Options,
    program: &Runnable,
    name: &str,
    deadline: Instant,
    log: &Log,
) -> Machine {
    let mut machine = Machine::counting(limits(options));
    let left = deadline.saturating_duration_since(Instant::now());
    let clock = Clock::with_limit(&machine, left);
    for line in load(&mut machine, program, name) {
        log.warning(&line);
    }
    clock.stop();
    machine
}

fn limits(options: &Options) -> Limits {
    Limits {
        steps: Some(options.limit_steps),
        cells: options.limit_memory.saturating_mul((1 << 20) / 8),
        ..Limits::default()
    }
}

/// Returns the constants and functors of the requested file, which comes after the files that it loads.
fn vocabulary(program: &Runnable) -> Vocabulary {
    let last = program.parts.last();
    last.map_or_else(Vocabulary::default, |part| Vocabulary::of_file(&part.terms))
}
