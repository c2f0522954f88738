//! Runs of goals: options and reading, shared by `run` and `profile`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use costlens_ide::host::Host;

use super::code::IndexOn;
use super::output::Log;
use super::{CommandOutcome, files, interrupted};
use crate::disk::reader::Reader;
use crate::profiling::running::{self, ProfiledGoal};

pub(super) use crate::profiling::running::{Prepared, Ran, Read};

#[derive(Args)]
pub(super) struct RunningOptions {
    /// The program.
    pub(super) file: PathBuf,
    /// Search for all solutions, not only the first.
    #[arg(long)]
    pub(super) all: bool,
    /// The arguments used for clause indexing; they do not affect the answers.
    #[arg(long, value_enum, default_value = "first")]
    pub(super) index: IndexOn,
    /// Seconds after which the run ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub(super) limit_time: f64,
    /// Megabytes of terms and stacks at which the run ends.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub(super) limit_memory: usize,
    /// Calls after which the run ends; unlimited by default.
    #[arg(long, value_name = "CALLS")]
    pub(super) limit_steps: Option<u64>,
}

/// On an interrupt, sets the flag instead of ending the process, so that children are ended first.
pub(super) fn set_on_interrupt(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        // Larger values would overflow a deadline.
        Ok(s) if (0.0..=1e9).contains(&s) => Ok(s),
        _ => Err("a number of seconds is expected".to_owned()),
    }
}

impl RunningOptions {
    /// Returns a goal with these limits.
    pub(super) fn goal(&self, text: &str) -> ProfiledGoal {
        ProfiledGoal {
            text: text.to_owned(),
            calls: Vec::new(),
            all: self.all,
            indexing: self.index.into(),
            seconds: self.limit_time,
            megabytes: self.limit_memory,
            steps: self.limit_steps,
        }
    }
}

/// Reads a program, with the files that it loads.
///
/// # Errors
/// Fails if the file cannot be read.
pub(super) fn read(options: &RunningOptions, log: &Log) -> anyhow::Result<Read> {
    read_file(&options.file, log)
}

/// Reads the program of a file.
///
/// # Errors
/// Returns the errors of [`read`].
pub(super) fn read_file(path: &Path, log: &Log) -> anyhow::Result<Read> {
    let source = files::read_file(path, log)?;
    let mut host = Host::unedited();
    let file = host.open_at(&source.name, &source.place, &source.text);
    // The machine has its own libraries.
    Reader::default().read(&mut host, &[file]);
    let program = host.snapshot().program(file).map_err(interrupted)?;
    Ok(Read {
        host,
        file,
        program,
        name: source.name,
        edited: Vec::new(),
    })
}

/// Loads a program. If the goal cannot be run, reports this and returns `None`.
///
/// # Errors
/// Fails if the file cannot be read.
pub(super) fn prepare(
    options: &RunningOptions,
    goal: &str,
    counting: bool,
    log: &Log,
) -> anyhow::Result<Option<Prepared>> {
    let read = read(options, log)?;
    Ok(loaded(&options.goal(goal), read, counting, log))
}

/// Loads a program that has been read. If the goal cannot be run, reports this and returns `None`.
pub(super) fn loaded(
    goal: &ProfiledGoal,
    read: Read,
    counting: bool,
    log: &Log,
) -> Option<Prepared> {
    let never = Arc::new(AtomicBool::new(false));
    match running::prepare(goal, read, counting, &never) {
        Ok(prepared) => {
            for line in &prepared.said {
                log.warning(line);
            }
            log.detail(&format!("loaded in {:?}", prepared.elapsed()));
            Some(prepared)
        }
        Err(reason) => {
            log.error(&reason.to_string());
            None
        }
    }
}

/// Returns the exit code, by the conventions of `swipl -g`.
pub(super) fn outcome(ran: &Ran) -> CommandOutcome {
    match ran.result {
        "success" => CommandOutcome::Fine,
        "halt" if ran.exit_code.as_deref() == Some("0") => CommandOutcome::Fine,
        _ => CommandOutcome::Wrong,
    }
}
