//! Calibration: computes the cost of each event from measured times of programs with known counts.
//!
//! ```text
//! suite      calibrators: clauses, a goal, sizes          (`calibrators.pl`)
//!            larger ones, as people write them            (`mixed.pl`)
//!            control programs, which are never fitted      (`controls.pl`)
//! fit        counts of events, times -> nanoseconds an event, with intervals
//! explore    the same for the 63 models of PADL'07
//! ```
//!
//! Inference proves the counts, and an engine measures the times; both are inputs of this crate.
//!
//! **Architecture invariant**: this crate only does arithmetic on its inputs. It starts no process, reads no file and reads no clock.
//! Floating-point numbers occur in this crate and in measurements, never in a bound.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bootstrap;
mod explore;
mod fit;
mod least_squares;
mod left_out;
mod non_negative;
mod suite;

pub use bootstrap::{Interval, Resampled, resampled};
pub use explore::{Explored, explore};
pub use fit::{Errors, Fit, Fitted, NoFit, ProgramRow, by_error, errors, fit, predict};
pub use least_squares::{Deficient, least_squares};
pub use left_out::{Described, described};
pub use non_negative::non_negative;
pub use suite::{
    Calibrator, MalformedBlock, RunCounts, calibrators, controls, counts_of_runs, mixed, targets,
};
