//! `costlens run`.

mod estimates;

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Args;
use costlens_analysis::report::Functor;
use costlens_ide::host::Host;
use costlens_ide::present::indicator;
use costlens_ide::present::markup::aligned;
use costlens_ide::reports::estimates::NoEstimates;
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::{Answer, Cell, Limit, Limits, Machine, Ports};
use smol_str::SmolStr;

use self::estimates::{Ended, Estimated, Predicted};
use super::code::IndexOn;
use super::output::{Log, print};
use super::{Format, Outcome, files, interrupted, json, resources};
use crate::disk::reader::Reader;

#[derive(Args)]
pub(super) struct Options {
    /// The program.
    file: PathBuf,
    /// The goal, as at a prompt: `nrev([1,2,3], X)`.
    #[arg(long, short)]
    goal: String,
    /// Every solution, not only the first.
    #[arg(long)]
    all: bool,
    /// Also say what the run counted.
    #[arg(long)]
    count: bool,
    /// Which arguments of a call choose clauses; the answers are the same.
    #[arg(long, value_enum, default_value = "first")]
    index: IndexOn,
    /// Also compare what the run counted with the bounds of the goal's predicate at the sizes of its arguments.
    #[arg(long)]
    bounds: bool,
    /// The platform whose constants make times of what was counted, and of the bounds; `costlens platforms` lists them.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Seconds after which the run ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    limit_time: f64,
    /// Megabytes of terms and stacks at which the run ends.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    limit_memory: usize,
    /// Calls after which the run ends; no limit unless given.
    #[arg(long, value_name = "CALLS")]
    limit_steps: Option<u64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        // More would overflow a deadline.
        Ok(s) if (0.0..=1e9).contains(&s) => Ok(s),
        _ => Err("a number of seconds is expected".to_owned()),
    }
}

/// The outcome of a run.
#[derive(Default)]
struct Report {
    result: &'static str,
    limit: Option<Limit>,
    /// The variables of the goal and their terms, for each solution.
    bindings: Vec<Vec<(String, String)>>,
    exception: Option<String>,
    elapsed: Duration,
    events: Vec<(String, u64)>,
    ports: Vec<Ports>,
    estimated: Option<Estimated>,
    predicted: Option<Predicted>,
    /// A predicate whose steps are not counted, where the program calls one.
    uncounted: Option<Functor>,
    output: String,
}

impl Options {
    /// True where the run has to count.
    fn counts(&self) -> bool {
        self.count || self.bounds || self.platform.is_some()
    }

    fn ended(&self, report: &Report) -> Ended {
        Ended {
            all: self.all,
            completely: matches!(report.result, "success" | "failure")
                && report.uncounted.is_none(),
        }
    }
}

impl Report {
    fn succeeded(&self) -> bool {
        self.result == "success"
    }
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let source = files::read_file(&options.file, log)?;
    let platform = resources::platform(options.platform.as_deref())?;
    let mut machine = machine(options);
    let begun = Instant::now();
    // Directives count towards the time, too.
    let clock = Clock::start(&machine, Duration::from_secs_f64(options.limit_time));
    let mut host = Host::unedited();
    let file = host.open_at(&source.name, &source.place, &source.text);
    // What the machine has of libraries is its own.
    Reader::default().read(&mut host, &[file]);
    let program = host.snapshot().program(file).map_err(interrupted)?;
    load(&mut machine, &program, &source.name, log);
    let (goal, variables) = match machine.read_goal(&options.goal) {
        Ok(read) => read,
        Err(message) => {
            log.error(&format!("the goal is no term: {message}"));
            return Ok(Outcome::Unusable);
        }
    };
    log.detail(&format!("loaded in {:?}", begun.elapsed()));
    // Before it runs: solutions bind its variables.
    let estimated = match options.bounds {
        true if program.left_out.is_some() => Some(Estimated::Not(NoEstimates::OfTheProgram)),
        true => Some(estimates::estimate(
            (&host, file),
            &machine,
            goal,
            options.index,
            platform.as_ref(),
        )?),
        false => None,
    };
    let mut report = answers(options, &mut machine, goal, &variables);
    clock.stop();
    if let Some(platform) = &platform {
        report.predicted = Some(Predicted::new(platform, &report.events)?);
    }
    report.estimated = estimated;
    warn_of_bounds(options, &report, log);
    match options.format {
        Format::Json => print(&json::lines(&as_json(options, &report))?)?,
        Format::Text => print(&as_text(options, &report))?,
    }
    // As `swipl -g` has it.
    Ok(match report.succeeded() {
        true => Outcome::Fine,
        false => Outcome::Wrong,
    })
}

/// A machine with the limits that are asked for.
fn machine(options: &Options) -> Machine {
    let limits = Limits {
        steps: options.limit_steps,
        cells: options.limit_memory.saturating_mul((1 << 20) / 8),
        ..Limits::default()
    };
    let mut machine = match options.counts() {
        true => Machine::counting(limits),
        false => Machine::new(limits),
    };
    machine.set_indexing(options.index.into());
    machine
}

/// A thread that interrupts a machine after some time.
struct Clock {
    done: mpsc::Sender<()>,
    thread: std::thread::JoinHandle<()>,
}

impl Clock {
    fn start(machine: &Machine, deadline: Duration) -> Self {
        let interrupt = machine.interrupt();
        let (done, waiting) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            if waiting.recv_timeout(deadline) == Err(mpsc::RecvTimeoutError::Timeout) {
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        Clock { done, thread }
    }

    fn stop(self) {
        drop(self.done);
        let _ = self.thread.join();
    }
}

/// Loads a program; what cannot be loaded is told.
fn load(machine: &mut Machine, program: &Runnable, name: &str, log: &Log) {
    if let Some(reason) = &program.left_out {
        log.warning(&format!(
            "only `{name}` is loaded, since a run has no modules: {reason}"
        ));
    }
    let texts: Vec<_> = (program.parts.iter())
        .map(|part| (part.text.as_str(), part.terms.as_ref()))
        .collect();
    for (number, error) in machine.load_in_order(&texts, &program.order) {
        let name = (program.parts.get(number)).map_or(name, |part| &part.name);
        log.warning(&format!("{name}: {error}"));
    }
}

/// Runs a goal to its first answer, or for all of them.
fn answers(
    options: &Options,
    machine: &mut Machine,
    goal: Cell,
    variables: &[(SmolStr, Cell)],
) -> Report {
    if options.count {
        machine.count_ports();
    }
    machine.forget_counts();
    machine.start(goal);
    let mut report = Report {
        result: "failure",
        ..Report::default()
    };
    let started = Instant::now();
    loop {
        match machine.next_answer() {
            Answer::Yes { more } => {
                report.result = "success";
                report.elapsed = started.elapsed();
                let shown = variables.iter().map(|(name, cell)| {
                    let text = machine.text_of(*cell, variables);
                    (name.to_string(), text)
                });
                report.bindings.push(shown.collect());
                if options.all && more {
                    continue;
                }
                break;
            }
            Answer::No => {}
            Answer::Error(ball) => {
                report.result = "exception";
                report.exception = Some(machine.text_of(ball, variables));
            }
            Answer::Limit(limit) => {
                report.result = "limit";
                report.limit = Some(limit);
            }
        }
        report.elapsed = started.elapsed();
        break;
    }
    report.output.clone_from(&machine.output);
    if options.counts() {
        let events = machine.events().into_iter();
        report.events = events
            .map(|(name, count)| (name.to_string(), count))
            .collect();
    }
    report.ports = machine.ports();
    report.uncounted =
        { machine.uncounted(false).next() }.map(|(name, arity)| Functor::new(name, arity));
    report
}

/// Tells of bounds that the run has gone beyond, and why there are none.
fn warn_of_bounds(options: &Options, report: &Report, log: &Log) {
    match &report.estimated {
        Some(Estimated::At(estimates)) => {
            let ended = options.ended(report);
            let rows = estimates::rows(estimates, &report.events, ended);
            for violation in estimates::violations(&rows, ended) {
                log.warning(&violation);
            }
            if let Some(name) = &report.uncounted {
                log.warning(&format!(
                    "the steps of `{name}` are not counted, so that counts may lie below the lower bounds"
                ));
            }
        }
        Some(Estimated::Not(reason)) => log.warning(&format!("no bounds: {reason}")),
        None => {}
    }
}

fn as_json(options: &Options, report: &Report) -> json::run::Document {
    let bindings = report.bindings.iter();
    let ended = options.ended(report);
    json::run::Document {
        schema: json::SCHEMA,
        goal: options.goal.clone(),
        result: report.result,
        solutions: report.bindings.len(),
        bindings: bindings
            .map(|solution| solution.iter().cloned().collect())
            .collect(),
        output: report.output.clone(),
        exception: report.exception.clone(),
        elapsed_ns: u64::try_from(report.elapsed.as_nanos()).unwrap_or(u64::MAX),
        limit: report.limit.map(limit_name),
        events: (options.counts()).then(|| report.events.iter().cloned().collect()),
        predicates: (options.count).then(|| report.ports.iter().map(json::run::ports).collect()),
        estimates: (report.estimated.as_ref())
            .map(|estimated| estimates::as_json(estimated, &report.events, ended)),
        time: report.predicted.as_ref().map(Predicted::as_json),
    }
}

/// A row for each predicate, below their heads.
fn ports_text(all: &[Ports]) -> String {
    let head = ["predicate", "call", "exit", "redo", "fail"].map(ToOwned::to_owned);
    let mut rows = vec![head.to_vec()];
    rows.extend(all.iter().map(|p| {
        let name = Functor::new(p.name.clone(), p.arity);
        let mut row = vec![indicator(&name)];
        row.extend([p.call, p.exit, p.redo, p.fail].map(|n| n.to_string()));
        row
    }));
    aligned(&rows, "  ")
}

fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "steps",
        Limit::Memory => "memory",
        Limit::Output => "output",
        Limit::Time => "time",
    }
}

/// The text as at a prompt: what was written, then the solutions.
fn as_text(options: &Options, report: &Report) -> String {
    let mut out = report.output.clone();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    for (number, solution) in report.bindings.iter().enumerate() {
        // A variable that is still itself says nothing.
        let said: Vec<String> = (solution.iter())
            .filter(|(name, term)| name != term)
            .map(|(name, term)| format!("{name} = {term}"))
            .collect();
        let last = number + 1 == report.bindings.len();
        let said = match said.is_empty() {
            true => "true".to_owned(),
            false => said.join(",\n"),
        };
        out.push_str(&format!("{said}{}\n", if last { "" } else { " ;" }));
    }
    match report.result {
        "failure" => out.push_str("false\n"),
        "exception" => {
            let exception = report.exception.as_deref().unwrap_or_default();
            out.push_str(&format!("exception: {exception}\n"));
        }
        "limit" => {
            let limit = report.limit.map(|l| l.to_string()).unwrap_or_default();
            out.push_str(&format!("{limit} reached\n"));
        }
        _ => {}
    }
    if let Some(Estimated::At(estimates)) = &report.estimated {
        let ended = options.ended(report);
        let rows = estimates::rows(estimates, &report.events, ended);
        let table = estimates::as_text(estimates, &rows, &report.events, ended);
        out.push_str(&table);
    } else if options.count || options.bounds {
        let rows: Vec<Vec<String>> = (report.events.iter())
            .map(|(name, count)| vec![name.clone(), count.to_string()])
            .collect();
        out.push_str(&aligned(&rows, "  "));
    }
    if !report.ports.is_empty() {
        out.push_str(&ports_text(&report.ports));
    }
    if let Some(predicted) = &report.predicted {
        out.push_str(&predicted.as_text());
    }
    out
}
