//! Engines: Prolog systems, and the times of goals on them.
//!
//! An engine ([`Engine`]) receives workloads and a plan, and returns for each workload a time or the reason why there is none. It runs
//! generated programs ([`file`], `driver.pl`) in child processes within limits ([`child`]). `docs/calibration.md` describes the measurement
//! and its rationale.
//!
//! **Architecture invariant**: no other crate starts processes, except that the binary runs Git. However a run ends, it leaves no process
//! and no file. This crate knows neither costs, nor bounds, nor the purpose of a time, and uses no other crate of the workspace.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod child;
mod engine;
mod file;
mod found;
mod gnu;
mod group;
mod heard;
mod limits;
mod profile_clock;
pub mod profiled;
mod random;
mod runner;
mod swi;
mod template;
pub mod text;
mod thread_time;
mod timed;

pub use engine::{Engine, Error, Progress, Reason, Version, WorkloadOutcome};
pub use found::find;
pub use gnu::GnuProlog;
pub use profile_clock::profile_clock;
pub use swi::SwiProlog;
pub use template::Template;
pub use thread_time::thread_time;
pub use timed::{Least, Plan, Process, Timing, Workload, quantile};
