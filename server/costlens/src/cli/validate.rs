//! `costlens validate`: runs a predicate on generated inputs of growing sizes and compares its counts with its bounds.

mod axes;
pub(super) mod compare;
pub(super) mod engine;
mod fit;
pub(super) mod found;
mod inputs;
mod kept;
pub(super) mod observe;
mod page;
pub(super) mod resource;
mod runs;
mod sample;
mod text;
mod wanted;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use costlens_analysis::report::{Functor, PatternReport};
use costlens_events::Event;
use costlens_ide::attained::generated_types;
use costlens_ide::host::{File, Host};
use costlens_ide::present::{indicator, pattern_head};
use costlens_ide::reports::runnable::Runnable;
use costlens_ide::reports::validation::Grounds;
use costlens_ide::resources::Resource;
use costlens_machine::generate::{Input, Vocabulary};
use costlens_machine::{Limits, Machine};
use num_bigint::BigInt;

use self::axes::{Wish, axes, base, series};
use self::compare::{Bounded, On, compare};
use self::engine::{EngineClock, Wish as EngineWish};
use self::fit::fit;
use self::found::{OfPattern, Ran, Validated, drawing};
use self::inputs::Maker;
use self::kept::Kept;
use self::observe::{Stopped, Subject, observe};
use self::resource::OfResource;
use self::runs::Runner;
use self::sample::Sample;
use self::wanted::{Wanted, counted, events};
use super::output::{Log, print};
use super::recording::{self, WORKSPACE};
use super::running;
use super::sizes::{parse_at, parse_indicator};
use super::{Format, Outcome, ReadingOptions, files, interrupted, json};
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
    /// The resource that is counted: `steps` (the default), `head_unifications`, an instruction such as `get_list`, or `all` of what the machine counts and bounds
    /// speak of. May be given several times.
    #[arg(long, value_name = "NAME", value_parser = counted)]
    resource: Vec<Wanted>,
    /// The sizes that grow take these values: `10,20,50`. Without it: from 0 on, as far as runs are short.
    #[arg(
        long,
        value_name = "VALUES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    sizes: Option<Vec<i64>>,
    /// Sizes that do not grow: `2=5` gives argument 2 the size 5.
    #[arg(long, value_name = "SIZES", value_parser = |s: &str| parse_at(s).map(At))]
    at: Option<At>,
    /// Inputs of each size, and as many that come of changing the worst of them.
    #[arg(long, value_name = "N", default_value_t = 28, value_parser = clap::value_parser!(u32).range(1..))]
    inputs: u32,
    /// The beginning of all that is random: the same number gives the same inputs.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run the predicate although it has effects: on the embedded machine, which has no files, processes and network, each run on a copy of its own. With `--engine`
    /// it runs there as well, with all that it does.
    #[arg(long)]
    run_anyway: bool,
    /// The engine: a few of the inputs of each size are timed there, beside the times that the bounds and the platform's constants give. `embedded`
    /// counts, and times nothing.
    #[arg(long, value_enum, default_value = "embedded")]
    engine: Which,
    /// The program that the engine is started with, where it is not on PATH under its own name.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// The platform whose constants predict times. Without it: that of the engine which was measured on this machine, else one that ships.
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
    /// Keep runs for `costlens predict`: up to 500 of those whose inputs were not made to be the worst. Without a file: in `.costlens/history.db` of the workspace, which is begun.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = WORKSPACE)]
    history: Option<PathBuf>,
    /// Draw bounds, observations and the fitted function of the first resource under the first pattern that ran; of times with `--engine`.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a page: drawings, tables, what did not hold.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A list of sizes as one argument.
#[derive(Clone, Debug)]
struct At(Vec<costlens_ide::present::values::GivenSize>);

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let source = files::read_file(&options.file, log)?;
    let mut host = Host::unedited();
    let paths = std::slice::from_ref(&options.file);
    let project = options.reading.project(paths)?;
    let opened = files::open(
        &mut host,
        std::slice::from_ref(&source),
        &files::areas(paths),
        (&options.reading, &project),
        log,
    );
    let Some(&file) = opened.first() else {
        return Ok(Outcome::Unusable);
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
    let clock = EngineClock::new(&wish, (&host, file), &program)?;
    let events = events(&options.resource);
    let all = on_resources(&host, file, options, &events, &grounds)?;
    let deadline = begun + Duration::from_secs_f64(options.limit_time);
    let machine = loaded(options, &program, &source.name, deadline, log);
    let vocabulary = vocabulary(&program);
    let kept = (options.history.as_ref()).map(|_| {
        let clauses = prediction::call::program(&program);
        RefCell::new(Kept::new(&clauses, &machine, &options.predicate))
    });
    let patterns = grounds.bounds.report.patterns.len();
    let of_pattern = |index: usize| {
        // The remaining patterns share the remaining time.
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
    let offset = grounds.bounds.offset;
    let lines = LineIndex::new(&source.text);
    let found: Vec<OfPattern> = (0..patterns).map(of_pattern).collect::<Result<_, _>>()?;
    let validated = Validated {
        line: lines.position(&source.text, offset, Encoding::Utf8).0 + 1,
        predicate: what.clone(),
        file: source.name.clone(),
        seed: options.seed,
        arguments: grounds.bounds.arguments.clone(),
        patterns: found,
        not_counted: grounds.not_counted.clone(),
        clock,
    };
    if !validated.patterns.iter().any(|p| p.ran.is_ok()) {
        let why = validated.patterns.iter().find_map(|p| p.ran.as_ref().err());
        let why = why.map_or("no call pattern is known", String::as_str);
        bail!("`{what}` was not run: {why}");
    }
    if let Some(clock) = &validated.clock
        && validated.times().next().is_none()
    {
        let ran = validated
            .patterns
            .iter()
            .filter_map(|p| p.ran.as_ref().ok());
        let mut whys = ran.filter_map(|ran| ran.time.as_ref()?.as_ref().err());
        let why = whys.next().map_or("nothing was measured", String::as_str);
        bail!("`{what}` has no times on {}: {why}", clock.name);
    }
    if let (Some(file), Some(kept)) = (&options.history, kept) {
        let path = recording::named(file, &options.file);
        kept.into_inner().write(&path, log);
    }
    report(options, &validated)
}

/// Prints and writes the findings.
fn report(options: &Options, validated: &Validated) -> anyhow::Result<Outcome> {
    match options.format {
        Format::Text => print(&text::text(validated))?,
        Format::Json => print(&json::lines(&json::validate::document(validated))?)?,
    }
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
    };
    if let Some(path) = &options.html {
        write(path, &page::html(validated))?;
    }
    if let Some(path) = &options.svg {
        let mut ran = validated
            .patterns
            .iter()
            .filter_map(|p| p.ran.as_ref().ok());
        let clock = validated.clock.as_ref();
        let drawn = ran.find_map(|ran| {
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
        true => Outcome::Wrong,
        false => Outcome::Fine,
    })
}

/// Explains why a predicate is not run, if so.
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
    // Bounds on time describe the engine's work, whatever the machine counts.
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
) -> anyhow::Result<Vec<On>> {
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
        all.push(On {
            name: event.to_string(),
            bounds,
            asserted,
        });
    }
    Ok(all)
}

/// Loads the program on a machine that counts. Directives run, as for `costlens run`.
fn loaded(
    options: &Options,
    program: &Runnable,
    name: &str,
    deadline: Instant,
    log: &Log,
) -> Machine {
    let mut machine = Machine::counting(limits(options));
    let left = deadline.saturating_duration_since(Instant::now());
    let clock = Clock::within(&machine, left);
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

/// Returns the constants and functors of the requested file, which comes after those that it loads.
fn vocabulary(program: &Runnable) -> Vocabulary {
    let last = program.parts.last();
    last.map_or_else(Vocabulary::default, |part| Vocabulary::of_file(&part.terms))
}

/// The validation of a predicate.
struct Validation<'v> {
    options: &'v Options,
    all: &'v [On],
    clock: Option<&'v EngineClock>,
    /// True if counts are what the bounds are about.
    is_compared: bool,
    log: &'v Log,
    machine: &'v Machine,
    vocabulary: &'v Vocabulary,
    fresh: bool,
    kept: Option<&'v RefCell<Kept>>,
    deadline: Instant,
}

impl Validation<'_> {
    /// Runs inputs of one of the patterns.
    fn of_pattern(&self, index: usize) -> anyhow::Result<OfPattern> {
        let timed = self.clock.map(|clock| &clock.on);
        let reports: Vec<&PatternReport> = (self.all.iter().chain(timed))
            .filter_map(|on| on.bounds.report.patterns.get(index))
            .collect();
        let (Some(&report), Some(first)) = (reports.first(), self.all.first()) else {
            bail!("no resource is counted");
        };
        let name = &self.options.predicate.name;
        Ok(OfPattern {
            head: pattern_head(name, &report.pattern, &first.bounds.arguments),
            report: report.clone(),
            ran: self.ran(index, report, &reports)?,
        })
    }

    fn ran(
        &self,
        index: usize,
        report: &PatternReport,
        reports: &[&PatternReport],
    ) -> anyhow::Result<Result<Ran, String>> {
        let Some(types) = generated_types(&report.pattern) else {
            return Ok(Err("no inputs of its types can be made".to_owned()));
        };
        let axes = axes(reports, &types);
        let wish = Wish {
            values: self.options.sizes.clone(),
            fixed: self.options.at.clone().map(|at| at.0).unwrap_or_default(),
        };
        if let Some(unmet) = wish.unmet(&axes) {
            let names: Vec<String> = (axes.iter())
                .map(|s| format!("{}, the {} of argument {}", s.name, s.metric, s.argument))
                .collect();
            let names = match names.is_empty() {
                true => "it depends on no size".to_owned(),
                false => format!("it depends on {}", names.join("; ")),
            };
            let which = match &unmet.name {
                Some(name) => format!("`{name}`"),
                None => format!("argument {}", unmet.argument),
            };
            bail!("nothing that is counted depends on the size of {which}: {names}");
        }
        let subject = Subject {
            report,
            axes: &axes,
            maker: Maker {
                predicate: &self.options.predicate.name,
                types: &types,
                axes: &axes,
                vocabulary: self.vocabulary,
                seed: self.options.seed,
            },
            inputs: self.options.inputs as usize,
        };
        let names: Vec<String> = self.all.iter().map(|on| on.name.clone()).collect();
        let limits = limits(self.options);
        let mut runner = Runner::new(
            self.machine,
            (limits, self.fresh),
            self.deadline,
            &names,
            self.kept,
        );
        let mut sample = Sample::default();
        let mut note = |sizes: &[BigInt], run: &runs::Ran, input: &Input| {
            if self.clock.is_some() {
                sample.note(sizes, run, input);
            }
        };
        let observed = observe(&subject, &series(&axes, &wish), &mut runner, &mut note);
        if observed.runs == 0 {
            let why = match observed.stopped.contains(&Stopped::Time) {
                true => "the limit on time was reached before the first run",
                false => "no input of these sizes was found that is a call of the pattern",
            };
            return Ok(Err(why.to_owned()));
        }
        let resources = self.all.iter().enumerate().filter_map(|(resource, on)| {
            let report = on.bounds.report.patterns.get(index)?;
            let bounded = Bounded {
                name: &on.name,
                report,
                asserted: on.asserted.get(index).map_or(&[], Vec::as_slice),
            };
            let compared = compare(&bounded, resource, &axes, &observed);
            // With all events, many are ones the predicate never causes.
            let is_silent = compared.rows.iter().all(|row| row.most == 0) && resource > 0;
            (!is_silent || compared.violated > 0).then(|| OfResource {
                fitted: fit(report, &axes, &compared.rows),
                report: report.clone(),
                compared,
            })
        });
        let resources = match self.is_compared {
            true => resources.collect(),
            false => Vec::new(),
        };
        let base = base(&axes, &wish);
        let time = self.clock.map(|clock| {
            let left_out = (sample.left_out, sample.long);
            let inputs = sample.chosen(&base, wish.values.is_some());
            clock.time(index, &axes, &inputs, left_out, self.log)
        });
        Ok(Ok(Ran {
            base,
            axes,
            observed,
            resources,
            time: time.transpose()?,
        }))
    }
}
