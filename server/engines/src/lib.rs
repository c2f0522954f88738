//! Engines: the Prolog systems that people run, and what goals take on them.
//!
//! An engine ([`Engine`]) is given workloads and a plan, and answers for each workload with a time or with the reason why there
//! is none. It runs programs of its own making ([`file`], `driver.pl`) in child processes within limits ([`child`]).
//! `docs/calibration.md` says how is measured, and why.
//!
//! **Architecture invariant**: the only room that starts processes. However a run ends, no process and no file of it is left
//! behind. It knows neither costs nor bounds nor what a time is used for, and uses no other room.
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

pub use engine::{Engine, Error, Outcome, Progress, Reason, Version};
pub use found::find;
pub use gnu::GnuProlog;
pub use profile_clock::profile_clock;
pub use swi::SwiProlog;
pub use template::Template;
pub use thread_time::thread_time;
pub use timed::{Least, Plan, Process, Timing, Workload, quantile};
