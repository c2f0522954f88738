//! Records runs of a validation for predictions (`--history`).
//!
//! Runs of generated inputs are recorded up to the first solution, as by `costlens run`. Inputs constructed as worst cases are not
//! recorded, because predictions assume calls similar to past calls.

use std::path::Path;
use std::time::{Duration, SystemTime};

use costlens_analysis::report::Functor;
use costlens_history::store::{Limits, keep_all};
use costlens_history::{Program, Run, inputs_of};
use costlens_machine::generate::Input;
use costlens_machine::{Block, Indexing, Machine};

use crate::cli::output::Log;
use crate::cli::recording::{RecordedOutcome, run_of};
use crate::prediction::call::code_of;

/// The maximum number of recorded runs, which is the number that a prediction uses; of more runs, an evenly spaced sample is recorded.
const MOST: usize = 500;

/// The runs to be recorded.
pub(super) struct RunSample {
    predicate: Functor,
    code: String,
    blocks: Vec<Block>,
    runs: Vec<Run>,
    /// The sampling step: one run in this many is kept.
    step: usize,
    /// The number of runs so far.
    seen: usize,
}

impl RunSample {
    /// Starts recording runs of a predicate of the program that a machine has loaded.
    pub(super) fn new(program: &Program, machine: &Machine, predicate: &Functor) -> Self {
        RunSample {
            predicate: predicate.clone(),
            code: code_of(program, predicate, Indexing::FirstArgument),
            blocks: machine.blocks(),
            runs: Vec::new(),
            step: 1,
            seen: 0,
        }
    }

    /// Records a run that has reached its first solution or failed.
    pub(super) fn note(
        &mut self,
        machine: &Machine,
        input: &Input,
        succeeded: bool,
        elapsed: Duration,
    ) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.step) {
            return;
        }
        let ended = RecordedOutcome {
            all: false,
            succeeded,
            elapsed,
            source: "validate",
        };
        let inputs = inputs_of(&input.terms, input.goal);
        let run = run_of(
            &self.predicate,
            self.code.clone(),
            inputs,
            &self.blocks,
            machine,
            &ended,
        );
        self.runs.push(run);
        if self.runs.len() >= 2 * MOST {
            // Keep every second run, among both current and later runs.
            let mut number = 0;
            self.runs.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.step *= 2;
        }
    }

    /// Writes the runs to a file, in order of size. Errors are reported and have no other effect.
    pub(super) fn write(mut self, path: &Path, log: &Log) {
        let over = self.runs.len().div_ceil(MOST).max(1);
        let mut number = 0;
        self.runs.retain(|_| {
            number += 1;
            number % over == 0
        });
        match keep_all(path, &self.runs, &Limits::default(), SystemTime::now()) {
            Ok(aside) => {
                if let Some(aside) = aside {
                    log.warning(&aside.to_string());
                }
                let (kept, path) = (self.runs.len(), path.display());
                log.progress(&format!("{kept} of the runs are kept in `{path}`"));
            }
            Err(error) => log.warning(&format!("the runs are not kept: {error}")),
        }
    }
}
