//! Runs that are kept for predictions: what `run` and `profile` do with `--history`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use costlens_history::store::{Limits, keep};
use costlens_history::{Inputs, Program, Run, RunBlock, inputs_of};
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::{Cell, Machine};
use costlens_program::Functor;
use costlens_syntax::term::{TermId, Terms};

use super::code::IndexOn;
use super::output::Log;
use super::running::{Prepared, Ran, RunningOptions};
use crate::disk;

/// The engine whose runs are kept.
const PLATFORM: &str = "embedded";

/// A word for the file of the workspace: no file is called so.
const WORKSPACE: &str = "/";

#[derive(Args)]
pub(super) struct RecordingOptions {
    /// Keep the run for `costlens predict`: inputs, counts, time. Without a file: in `.costlens/history.db` of the workspace, which is begun. Where a
    /// workspace has a folder `.costlens`, runs are kept without this.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = WORKSPACE)]
    history: Option<PathBuf>,
    /// Keep no run, though the workspace has a folder `.costlens`.
    #[arg(long, conflicts_with = "history")]
    no_history: bool,
}

impl RecordingOptions {
    /// The file that the run of a program is kept in; none where it is not kept.
    pub(super) fn file(&self, program: &Path) -> Option<PathBuf> {
        match &self.history {
            _ if self.no_history => None,
            None => disk::history::existing(program),
            Some(file) if file.as_os_str() == WORKSPACE => Some(disk::history::wanted(program)),
            Some(file) => Some(file.clone()),
        }
    }

    /// True where it was asked for in so many words.
    pub(super) fn is_asked(&self) -> bool {
        self.history.is_some()
    }
}

/// A call of a predicate of the program, with what predictions know calls by.
pub(super) struct Call {
    pub(super) terms: Terms,
    pub(super) goal: TermId,
    pub(super) predicate: Functor,
    pub(super) inputs: Inputs,
    /// The fingerprint of the code that it reaches.
    pub(super) code: String,
}

/// The clauses of a program.
pub(super) fn program(runnable: &Runnable) -> Program {
    let files: Vec<_> = runnable
        .parts
        .iter()
        .map(|part| part.terms.as_ref())
        .collect();
    Program::new(&files, &runnable.order)
}

impl Call {
    /// The call that a goal is; none where it is none of a predicate of the program.
    pub(super) fn new(
        machine: &Machine,
        goal: Cell,
        program: &Program,
        index: IndexOn,
    ) -> Option<Self> {
        let mut terms = Terms::default();
        let goal = machine.store.write_out(goal, &mut terms, &mut Vec::new())?;
        let predicate = Functor::of(&terms, goal)?;
        if !program.clauses.contains_key(&predicate) {
            return None;
        }
        // Blocks are those of this compiler.
        let salt = format!("{} {index:?}", env!("CARGO_PKG_VERSION"));
        Some(Call {
            inputs: inputs_of(&terms, goal),
            code: program.code_of(&predicate, &salt),
            terms,
            goal,
            predicate,
        })
    }
}

/// A run that will be kept.
pub(super) struct Recording {
    path: PathBuf,
    call: Call,
    all: bool,
    source: &'static str,
}

impl Recording {
    /// Looks at the goal before it runs: solutions bind its variables. None where it cannot be kept, which is told where it was asked for.
    pub(super) fn begin(
        options: &RecordingOptions,
        running: &RunningOptions,
        prepared: &Prepared,
        source: &'static str,
        log: &Log,
    ) -> Option<Self> {
        let path = options.file(&running.file)?;
        let program = program(&prepared.program);
        let call = Call::new(&prepared.machine, prepared.goal, &program, running.index);
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

    /// Keeps the run, if it has ended by itself. What goes wrong is told, and changes nothing else.
    pub(super) fn end(self, machine: &Machine, ran: &Ran, log: &Log) {
        if !matches!(ran.result, "success" | "failure") {
            log.detail(&format!("the run is not kept: it ended by {}", ran.result));
            return;
        }
        let now = SystemTime::now();
        let seconds = now.duration_since(SystemTime::UNIX_EPOCH);
        let seconds = seconds.map_or(0, |d| d.as_secs());
        let counts = machine.blocks().into_iter().zip(machine.block_counts());
        let reached = counts.filter(|(_, count)| count.reached > 0);
        let run = Run {
            predicate: (self.call.predicate.name, self.call.predicate.arity),
            code: self.call.code,
            at: i64::try_from(seconds).unwrap_or(i64::MAX),
            source: self.source.to_owned(),
            all: self.all,
            succeeded: ran.result == "success",
            platform: PLATFORM.to_owned(),
            ns: u64::try_from(ran.elapsed.as_nanos()).unwrap_or(u64::MAX),
            inputs: self.call.inputs,
            counts: reached
                .map(|(block, count)| {
                    let kept = RunBlock {
                        name: block.name,
                        events: block.events,
                        fails: block.fails,
                    };
                    (kept, count.reached, count.failed)
                })
                .collect(),
            amounts: machine.amounts(),
        };
        match keep(&self.path, &run, &Limits::default(), now) {
            Ok(None) => log.detail(&format!("the run is kept in `{}`", self.path.display())),
            Ok(Some(aside)) => log.warning(&aside.to_string()),
            Err(error) => log.warning(&format!("the run is not kept: {error}")),
        }
    }
}
