//! The interface and the results of engines.

use std::sync::atomic::AtomicBool;

use crate::child::NotRun;
use crate::text::MalformedWorkload;
use crate::timed::{Plan, Process, Timing, Workload};

/// The engine on which a time was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The engine.
    pub engine: String,
    /// The version, as reported by the engine.
    pub version: String,
    /// The build, if reported.
    pub build: String,
    /// The options with which code is compiled or run.
    pub flags: String,
}

/// The result for a workload.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkloadOutcome {
    /// The time of an execution.
    Timed(Timing),
    /// The workload has no time.
    Untimed {
        /// The name of the workload.
        name: String,
        /// The reason for it.
        reason: Reason,
    },
}

/// The reason why a workload has no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The workload cannot be combined with other workloads in a file.
    #[error(transparent)]
    Malformed(#[from] MalformedWorkload),
    /// The engine does not compile the workload.
    #[error("it does not compile: {0}")]
    Refused(String),
    /// The goal or the setup threw an exception.
    #[error("it has thrown {0}")]
    Exception(String),
    /// The setup failed.
    #[error("its setup has failed")]
    SetupFailed,
    /// The workload ended the process.
    #[error("it has ended the process: {0}")]
    Died(String),
    /// The process was silent for longer than the plan permits.
    #[error("it has taken longer than the plan allows")]
    TooSlow,
    /// The process wrote more than is permitted.
    #[error("it has written too much")]
    Flooded,
    /// The run was cancelled before the workload was measured.
    #[error("the run was cancelled")]
    Cancelled,
}

/// The progress of a run, from which a listener can store the results so far.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// A process begins.
    Process {
        /// Its number, from 0.
        number: u32,
        /// The total number of processes.
        of: u32,
    },
    /// A round of windows has ended.
    Measured {
        /// The number of the process.
        process: u32,
        /// The name of the workload.
        workload: &'a str,
        /// The least time of one execution in this round, in nanoseconds, including the surrounding loop.
        ns: f64,
    },
    /// A process is complete. If it is passed to [`Engine::time`] in `before`, it need not run again.
    Complete {
        /// The measurements of the process.
        process: &'a Process,
    },
    /// A workload has failed and will have no time.
    Failed {
        /// The name of the workload.
        workload: &'a str,
        /// The reason.
        reason: &'a Reason,
    },
}

/// The reason why no workload was measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine, or a program that it needs, could not be run.
    #[error(transparent)]
    NotRun(#[from] NotRun),
    /// The engine runs, but does not behave as expected.
    #[error("{engine} is of no use: {said}")]
    Broken {
        /// The engine.
        engine: String,
        /// The end of its output.
        said: String,
    },
    /// The folder for programs could not be created, or a file in it could not be written.
    #[error("a temporary folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
    /// The run was cancelled before there were any results.
    #[error("cancelled")]
    Cancelled,
}

/// A Prolog system that times workloads.
pub trait Engine {
    /// The name for users.
    fn name(&self) -> String;

    /// Returns the version and the build.
    ///
    /// # Errors
    /// Returns an error if the engine is missing or does not answer.
    fn version(&self) -> Result<Version, Error>;

    /// Times one execution of each workload's goal. Returns a result for each workload, in order. A cancelled run returns its results so
    /// far. The processes in `before` were measured by an earlier run of the same workloads and plan; this run continues after them.
    ///
    /// # Errors
    /// Returns an error if the engine is missing or measures no workload at all.
    fn time(
        &self,
        workloads: &[Workload],
        plan: &Plan,
        before: &[Process],
        progress: &mut dyn FnMut(Progress),
        cancel: &AtomicBool,
    ) -> Result<Vec<WorkloadOutcome>, Error>;
}
