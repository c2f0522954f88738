//! Engines: the questions that they are asked, and their answers.

use std::sync::atomic::AtomicBool;

use crate::child::NotRun;
use crate::text::Malformed;
use crate::timed::{Plan, Process, Timing, Workload};

/// The engine that a time was measured on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The engine.
    pub engine: String,
    /// Its version, as it says itself.
    pub version: String,
    /// Its build, as far as it tells.
    pub build: String,
    /// The options that code is compiled or run with.
    pub flags: String,
}

/// The answer for a workload.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The time of an execution.
    Timed(Timing),
    /// Nothing, and why.
    Untimed {
        /// The name of the workload.
        name: String,
        /// The reason.
        reason: Reason,
    },
}

/// Why a workload has no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It cannot stand in a file with others.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The engine does not compile it.
    #[error("it does not compile: {0}")]
    Refused(String),
    /// Its goal or its setup has thrown.
    #[error("it has thrown {0}")]
    Exception(String),
    /// Its setup has failed.
    #[error("its setup has failed")]
    SetupFailed,
    /// It has ended the process.
    #[error("it has ended the process: {0}")]
    Died(String),
    /// It has been silent for longer than the plan allows.
    #[error("it has taken longer than the plan allows")]
    TooSlow,
    /// It has written more than is allowed.
    #[error("it has written too much")]
    Flooded,
    /// The run was cancelled before it had its turn.
    #[error("the run was cancelled")]
    Cancelled,
}

/// The progress of a run. Whoever listens can keep what there is.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// A process begins.
    Process {
        /// Its number, from 0.
        number: u32,
        /// The number of all.
        of: u32,
    },
    /// A round of windows is over.
    Measured {
        /// The number of the process.
        process: u32,
        /// The name of the workload.
        workload: &'a str,
        /// The least time of one execution in this round, in nanoseconds, with the loop around it.
        ns: f64,
    },
    /// A process has measured all there is. Handed to [`Engine::time`] as one of `before`, it need not run again.
    Complete {
        /// Its measurements.
        process: &'a Process,
    },
    /// A workload will have no time.
    Failed {
        /// The name of the workload.
        workload: &'a str,
        /// The reason.
        reason: &'a Reason,
    },
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine, or a program that it needs, did not run.
    #[error(transparent)]
    NotRun(#[from] NotRun),
    /// The engine runs, and does not do what it should.
    #[error("{engine} is of no use: {said}")]
    Broken {
        /// The engine.
        engine: String,
        /// The end of what it said.
        said: String,
    },
    /// The folder for programs could not be made or written to.
    #[error("a temporary folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
    /// Cancelled before anything was known.
    #[error("cancelled")]
    Cancelled,
}

/// A Prolog system that times workloads.
pub trait Engine {
    /// The name for users.
    fn name(&self) -> String;

    /// Version and build.
    ///
    /// # Errors
    /// The engine is not there, or does not answer.
    fn version(&self) -> Result<Version, Error>;

    /// Times one execution of each workload's goal: an answer for each workload, in their order. A run that is cancelled
    /// answers with what it has. The processes `before` were measured by an earlier run of the same workloads and plan: this one goes on behind
    /// them.
    ///
    /// # Errors
    /// The engine is not there or measures nothing at all.
    fn time(
        &self,
        workloads: &[Workload],
        plan: &Plan,
        before: &[Process],
        progress: &mut dyn FnMut(Progress),
        cancel: &AtomicBool,
    ) -> Result<Vec<Outcome>, Error>;
}
