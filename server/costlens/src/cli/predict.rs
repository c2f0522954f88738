//! `costlens predict`.

pub(in crate::cli) mod report;
mod text;

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use costlens_events::Event;
use costlens_history::predict::{FEWEST_RUNS, Knowledge, Prediction, With, predict};
use costlens_history::store::History;
use costlens_history::{Annotations, Blocks, HistoryError, Program, Runs, shape};
use costlens_ide::host::{File, Host};
use costlens_ide::reports::call_facts::Solutions;
use costlens_ide::resources::prices;
use costlens_machine::{Limits, Machine};
use costlens_program::Functor;
use costlens_syntax::FileTerms;
use rustc_hash::FxHashMap;

use self::report::Report;
use super::code::IndexOn;
use super::output::{Log, print};
use super::recording::{self, Call};
use super::running::{self, Read};
use super::{Format, Outcome, interrupted, json, resources};
use crate::disk;

#[derive(Args)]
pub(super) struct Options {
    /// The program. Nothing of it runs.
    file: PathBuf,
    /// The call, as at a prompt: `nrev([1,2,3], X)`.
    #[arg(long, short)]
    goal: String,
    /// Every solution, not only the first.
    #[arg(long)]
    all: bool,
    /// The file of past runs. Without it: `.costlens/history.db` of the workspace.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// The platform of bounds on time; `costlens platforms` lists them.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The events that are shown, in this order, and that bounds are asked for.
const EVENTS: [&str; 7] = [
    "steps",
    "head_unifications",
    "heap_cells",
    "choice_points",
    "environments",
    "trail_entries",
    "references",
];

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let platform = resources::platform(options.platform.as_deref())?;
    let read = running::read_file(&options.file, log)?;
    // Its clauses alone: they say what blocks there are, and which operators goals are read with.
    let mut machine = Machine::counting(Limits::default());
    let texts: Vec<_> = { read.program.parts.iter() }
        .map(|part| (part.text.as_str(), part.terms.as_ref()))
        .collect();
    // What cannot be loaded is told by `run`, whose runs these are.
    machine.load_clauses_in_order(&texts, &read.program.order);
    let goal = match machine.read_goal(&options.goal) {
        Ok((goal, _)) => goal,
        Err(message) => {
            log.error(&format!("the goal is no term: {message}"));
            return Ok(Outcome::Unusable);
        }
    };
    let program = recording::program(&read.program);
    let Some(call) = Call::new(&machine, goal, &program, IndexOn::First) else {
        log.error("the goal is no call of a predicate of the program");
        return Ok(Outcome::Unusable);
    };
    let events: Vec<Event> = EVENTS.iter().filter_map(|name| name.parse().ok()).collect();
    let prices = platform.as_ref().map(prices);
    let found = (read.host.snapshot()).estimates(
        read.file,
        (&call.terms, call.goal),
        &events,
        prices.as_ref(),
    );
    let path = match &options.history {
        Some(path) => path.clone(),
        None => disk::history::wanted(&options.file),
    };
    let past = past_runs(&path, &call, options.all);
    let prediction = match past {
        Ok(runs) => predicted(&read, &machine, &program, &call, &runs, log)?,
        // A file that was named and cannot be used is a mistake; one that nobody has begun is not.
        Err(Unread::Error(error @ HistoryError::Missing(_))) if options.history.is_none() => {
            Err(error.to_string())
        }
        Err(Unread::Error(error)) => return Err(anyhow!(error)),
        Err(Unread::Few(said)) => Err(said),
    };
    let report = Report {
        bounds: found.map_err(interrupted)?,
        all: options.all,
        call,
        prediction,
    };
    match options.format {
        Format::Json => print(&json::lines(&json::predict::Document::new(
            &options.goal,
            &report,
        ))?)?,
        Format::Text => print(&text::of(&report))?,
    }
    Ok(Outcome::Fine)
}

/// The reason that there are no past runs.
enum Unread {
    Error(HistoryError),
    Few(String),
}

fn past_runs(path: &std::path::Path, call: &Call, all: bool) -> Result<Runs, Unread> {
    let history = History::read(path).map_err(Unread::Error)?;
    let predicate = (call.predicate.name.clone(), call.predicate.arity);
    let runs = history
        .runs(&predicate, &call.code, all)
        .map_err(Unread::Error)?;
    let count = runs.runs.len();
    if count >= FEWEST_RUNS {
        return Ok(runs);
    }
    let (own, _) = history.known(&predicate).map_err(Unread::Error)?;
    let other = own.saturating_sub(u64::try_from(count).unwrap_or(0));
    let others = match other {
        0 => String::new(),
        n => format!(
            "; {n} others are of other code (another program's, or before an edit), with `--index all`, or looked for {} solution",
            if all { "the first" } else { "every" }
        ),
    };
    let has = match count {
        0 => "no run".to_owned(),
        1 => "one run".to_owned(),
        n => format!("{n} runs"),
    };
    Err(Unread::Few(format!(
        "`{}` has {has} of `{}` as it is now, and {FEWEST_RUNS} are needed{others}; `costlens run FILE --goal G --history{}` adds one",
        path.display(),
        call.predicate,
        if all { " --all" } else { "" }
    )))
}

/// The prediction of a call from past runs.
fn predicted(
    read: &Read,
    machine: &Machine,
    program: &Program,
    call: &Call,
    runs: &Runs,
    log: &Log,
) -> anyhow::Result<Result<Prediction, String>> {
    let files: Vec<&FileTerms> = { read.program.parts.iter() }
        .map(|part| part.terms.as_ref())
        .collect();
    let annotations = Annotations::of(&files, &call.predicate);
    for text in &annotations.malformed {
        log.warning(&format!("`{text}` is no annotation for predictions"));
    }
    let pattern = { read.host.snapshot() }
        .fitting_pattern(read.file, (&call.terms, call.goal))
        .map_err(interrupted)?;
    let known = solutions(&read.host, read.file, program)?;
    let solutions = |functor: &Functor| known.get(functor).cloned().unwrap_or_default();
    let blocks = Blocks::new(
        (machine.blocks(), runs),
        program,
        (&call.terms, call.goal),
        &solutions,
        annotations,
    );
    let knowledge = Knowledge {
        depends: &|block| blocks.depends(block),
        allows: &|input| blocks.allows(input),
        sizes: blocks.sizes(pattern.as_ref()),
        shapes: pattern.as_ref().map(shape).unwrap_or_default(),
        with: With::All,
    };
    let found = predict(runs, &call.inputs, &knowledge);
    Ok(found.ok_or_else(|| "there are too few past runs".to_owned()))
}

/// The analysis' knowledge of the solutions of all predicates that a program names.
fn solutions(
    host: &Host,
    file: File,
    program: &Program,
) -> anyhow::Result<FxHashMap<Functor, Solutions>> {
    let named = program.named();
    let known = host.snapshot().solutions(file, &named);
    Ok(named.into_iter().zip(known.map_err(interrupted)?).collect())
}
