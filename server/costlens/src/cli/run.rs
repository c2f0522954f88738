//! `costlens run`.

mod estimates;

use std::collections::BTreeMap;

use clap::Args;
use costlens_analysis::report::Functor;
use costlens_ide::present::indicator;
use costlens_ide::present::markup::aligned;
use costlens_ide::reports::estimates::NoEstimates;
use costlens_machine::Ports;

use self::estimates::{Estimated, Predicted, RunEnd};
use super::output::{Log, print};
use super::recording::{Recording, RecordingOptions};
use super::running::{self, Ran, RunningOptions};
use super::{CommandOutcome, Format, json, resources};

#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    running: RunningOptions,
    /// The goal, as at a prompt: `nrev([1,2,3], X)`.
    #[arg(long, short)]
    goal: String,
    #[command(flatten)]
    recording: RecordingOptions,
    /// Also print the counts of the run.
    #[arg(long)]
    count: bool,
    /// Also compare the counts with the bounds of the goal's predicate at the sizes of its arguments.
    #[arg(long)]
    bounds: bool,
    /// The platform whose constants convert counts and bounds to time; `costlens platforms` lists the platforms.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The outcome of a run.
struct Report {
    ran: Ran,
    events: Vec<(String, u64)>,
    ports: Vec<Ports>,
    estimated: Option<Estimated>,
    predicted: Option<Predicted>,
    /// A called predicate whose steps are not counted, if any.
    uncounted: Option<Functor>,
}

impl Options {
    /// Returns true if the run has to count.
    fn counts(&self) -> bool {
        self.count || self.bounds || self.platform.is_some()
    }

    fn ended(&self, report: &Report) -> RunEnd {
        RunEnd {
            all: self.running.all,
            completely: matches!(report.ran.result, "success" | "failure")
                && report.uncounted.is_none(),
        }
    }
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let platform = resources::platform(options.platform.as_deref())?;
    // A recorded run must count.
    let counting = options.counts() || options.recording.file(&options.running.file).is_some();
    let Some(mut prepared) = running::prepare(&options.running, &options.goal, counting, log)?
    else {
        return Ok(CommandOutcome::Unusable);
    };
    // Compute the bounds before the goal runs, because solutions bind its variables.
    let estimated = match options.bounds {
        true if prepared.program.left_out.is_some() => {
            Some(Estimated::Not(NoEstimates::OfTheProgram))
        }
        true => Some(estimates::estimate(
            &prepared.host,
            prepared.file,
            &prepared.machine,
            prepared.goal,
            options.running.index,
            platform.as_ref(),
        )?),
        false => None,
    };
    let recording = Recording::begin(&options.recording, &options.running, &prepared, "run", log);
    if options.count {
        prepared.machine.count_ports();
    }
    prepared.machine.forget_counts();
    let ran = prepared.run(options.running.all);
    let machine = &prepared.machine;
    let events: Vec<(String, u64)> = match options.counts() {
        true => { machine.events().into_iter() }
            .map(|(name, count)| (name.to_string(), count))
            .collect(),
        false => Vec::new(),
    };
    let predicted = match &platform {
        Some(platform) => Some(Predicted::new(platform, &events)?),
        None => None,
    };
    let uncounted = { machine.uncounted_in_run().next() };
    let report = Report {
        ports: machine.ports(),
        uncounted: uncounted.map(|(name, arity)| Functor::new(name, arity)),
        ran,
        events,
        estimated,
        predicted,
    };
    warn_of_bounds(options, &report, log);
    match options.format {
        Format::Json => print(&json::lines(&as_json(options, &report))?)?,
        Format::Text => print(&as_text(options, &report))?,
    }
    // Print the answer whether or not the run can be recorded.
    if let Some(recording) = recording {
        recording.end(machine, &report.ran, log);
    }
    Ok(running::outcome(&report.ran))
}

/// Warns about violated bounds, and explains missing bounds.
fn warn_of_bounds(options: &Options, report: &Report, log: &Log) {
    match &report.estimated {
        Some(Estimated::At(estimates)) => {
            let ended = options.ended(report);
            let rows = estimates::rows(estimates, &report.events, ended);
            for violation in estimates::violations(&rows, ended, &estimates.asserted) {
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
    let ended = options.ended(report);
    json::run::Document {
        schema: json::SCHEMA,
        run: json::run::Run::new(&options.goal, &report.ran),
        events: (options.counts())
            .then(|| report.events.iter().cloned().collect::<BTreeMap<_, _>>()),
        predicates: (options.count).then(|| report.ports.iter().map(json::run::ports).collect()),
        estimates: (report.estimated.as_ref())
            .map(|estimated| estimates::as_json(estimated, &report.events, ended)),
        time: report.predicted.as_ref().map(Predicted::as_json),
    }
}

/// Formats a table of predicates with their ports.
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

/// Formats the run as at a prompt: first the output of the goal, then the solutions.
fn as_text(options: &Options, report: &Report) -> String {
    let mut out = report.ran.as_text();
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
