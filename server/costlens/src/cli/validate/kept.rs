//! Runs of a validation that are kept for predictions (`--history`).
//!
//! A run of generated inputs is kept up to its first solution, as `costlens run` keeps one. Inputs made to be the worst of their size leave none: a prediction is about
//! calls like the past ones.

use std::path::Path;
use std::time::{Duration, SystemTime};

use costlens_analysis::report::Functor;
use costlens_history::store::{Limits, keep_all};
use costlens_history::{Program, Run, inputs_of};
use costlens_machine::generate::Input;
use costlens_machine::{Block, Indexing, Machine};

use crate::cli::output::Log;
use crate::cli::recording::{Ended, run_of};
use crate::prediction::call::code_of;

/// As many runs are kept as a prediction looks at; of more, so many that lie evenly among them.
const MOST: usize = 500;

/// The runs that will be kept.
pub(super) struct Kept {
    predicate: Functor,
    code: String,
    blocks: Vec<Block>,
    runs: Vec<Run>,
    /// One run of so many is kept.
    step: usize,
    /// The runs that have come.
    seen: usize,
}

impl Kept {
    /// Begins to keep runs of a predicate of the program that a machine has loaded.
    pub(super) fn new(program: &Program, machine: &Machine, predicate: &Functor) -> Self {
        Kept {
            predicate: predicate.clone(),
            code: code_of(program, predicate, Indexing::FirstArgument),
            blocks: machine.blocks(),
            runs: Vec::new(),
            step: 1,
            seen: 0,
        }
    }

    /// Notes a run that is at its first solution, or has failed.
    pub(super) fn note(
        &mut self,
        machine: &Machine,
        input: &Input,
        (succeeded, elapsed): (bool, Duration),
    ) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.step) {
            return;
        }
        let ended = Ended {
            all: false,
            succeeded,
            elapsed,
            source: "validate",
        };
        let inputs = inputs_of(&input.terms, input.goal);
        let of = (&self.predicate, self.code.clone(), inputs);
        self.runs.push(run_of(of, &self.blocks, machine, &ended));
        if self.runs.len() >= 2 * MOST {
            // Every second one of those that are there, and of those that come.
            let mut number = 0;
            self.runs.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.step *= 2;
        }
    }

    /// Writes them to a file, the larger the later. What goes wrong is told, and changes nothing else.
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
