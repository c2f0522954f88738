//! Records runs for predictions: the option `--history` of `run` and `profile`.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;
use costlens_history::store::{EMBEDDED, Limits, keep};
use costlens_history::{Inputs, Run, RunBlock};
use costlens_machine::{Block, Machine};
use costlens_program::Functor;

use super::output::Log;
use super::running::{Prepared, Ran, RunningOptions};
use crate::disk;
use crate::prediction::call::{PredictedCall, program};

/// A placeholder that denotes the workspace's file; no file can have this name.
pub(super) const WORKSPACE: &str = "/";

#[derive(Args)]
pub(super) struct RecordingOptions {
    /// Keep the run for `costlens predict`: inputs, counts and time. Default file: `.costlens/history.db` in the workspace, which is created if
    /// needed. If the workspace has a folder `.costlens`, runs are kept even without this option.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = WORKSPACE)]
    history: Option<PathBuf>,
    /// Do not keep the run, even if the workspace has a folder `.costlens`.
    #[arg(long, conflicts_with = "history")]
    no_history: bool,
}

impl RecordingOptions {
    /// Returns the file in which the run of a program is recorded, or `None` if the run is not recorded.
    pub(super) fn file(&self, program: &Path) -> Option<PathBuf> {
        match &self.history {
            _ if self.no_history => None,
            None => disk::history::existing(program),
            Some(file) => Some(named(file, program)),
        }
    }

    /// Returns true if recording was requested explicitly.
    pub(super) fn is_asked(&self) -> bool {
        self.history.is_some()
    }
}

/// Returns the file given by `--history`; without a name, the file of the program's workspace.
pub(super) fn named(file: &Path, program: &Path) -> PathBuf {
    match file.as_os_str() == WORKSPACE {
        true => disk::history::wanted(program),
        false => file.to_owned(),
    }
}

/// A run to be recorded.
pub(super) struct Recording {
    path: PathBuf,
    call: PredictedCall,
    all: bool,
    source: &'static str,
}

impl Recording {
    /// Inspects the goal before it runs, because solutions bind its variables. Returns `None` if the run cannot be recorded, and reports
    /// this if recording was requested.
    pub(super) fn begin(
        options: &RecordingOptions,
        running: &RunningOptions,
        prepared: &Prepared,
        source: &'static str,
        log: &Log,
    ) -> Option<Self> {
        let path = options.file(&running.file)?;
        let program = program(&prepared.program);
        let call = PredictedCall::new(
            &prepared.machine,
            prepared.goal,
            &program,
            running.index.into(),
        );
        if call.is_none() {
            let said = "the run is not kept: the goal is no call of a predicate of the program";
            match options.is_asked() {
                true => log.warning(said),
                false => log.detail(said),
            }
        }
        Some(Recording {
            path,
            call: call?,
            all: running.all,
            source,
        })
    }

    /// Records the run if it ended in success or failure. Errors are reported and have no other effect.
    pub(super) fn end(self, machine: &Machine, ran: &Ran, log: &Log) {
        if !matches!(ran.result, "success" | "failure") {
            log.detail(&format!("the run is not kept: it ended by {}", ran.result));
            return;
        }
        let ended = RecordedOutcome {
            all: self.all,
            succeeded: ran.result == "success",
            elapsed: ran.elapsed,
            source: self.source,
        };
        let run = run_of(
            &self.call.predicate,
            self.call.code,
            self.call.inputs,
            &machine.blocks(),
            machine,
            &ended,
        );
        let now = SystemTime::now();
        match keep(&self.path, &run, &Limits::default(), now) {
            Ok(None) => log.detail(&format!("the run is kept in `{}`", self.path.display())),
            Ok(Some(aside)) => log.warning(&aside.to_string()),
            Err(error) => log.warning(&format!("the run is not kept: {error}")),
        }
    }
}

/// The outcome of a run.
pub(super) struct RecordedOutcome {
    /// True if all solutions were requested.
    pub(super) all: bool,
    pub(super) succeeded: bool,
    pub(super) elapsed: Duration,
    /// The command that ran the goal.
    pub(super) source: &'static str,
}

/// Returns the stored form of a run, with the machine's counts: the predicate, the fingerprint of its code, and the call's inputs. `blocks`
/// are the blocks of the machine's program.
pub(super) fn run_of(
    predicate: &Functor,
    code: String,
    inputs: Inputs,
    blocks: &[Block],
    machine: &Machine,
    ended: &RecordedOutcome,
) -> Run {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = seconds.map_or(0, |d| d.as_secs());
    let counts = blocks.iter().zip(machine.block_counts());
    let reached = counts.filter(|(_, count)| count.reached > 0);
    Run {
        predicate: (predicate.name.clone(), predicate.arity),
        code,
        at: i64::try_from(seconds).unwrap_or(i64::MAX),
        source: ended.source.to_owned(),
        all: ended.all,
        succeeded: ended.succeeded,
        platform: EMBEDDED.to_owned(),
        ns: u64::try_from(ended.elapsed.as_nanos()).unwrap_or(u64::MAX),
        inputs,
        counts: reached
            .map(|(block, count)| {
                let kept = RunBlock {
                    name: block.name.clone(),
                    events: block.events.clone(),
                    fails: block.fails.clone(),
                };
                (kept, count.reached, count.failed)
            })
            .collect(),
        amounts: machine.amounts(),
    }
}
