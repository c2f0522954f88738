//! Calibration: from measured times of programs with known counts to what each event costs.
//!
//! ```text
//! suite      calibrators: clauses, a goal, sizes          (`calibrators.pl`)
//!            larger ones, as people write them            (`mixed.pl`)
//!            control programs, which no fit has           (`controls.pl`)
//! fit        counts of events, times -> nanoseconds an event, with intervals
//! explore    the same for the 63 models of PADL'07
//! ```
//!
//! Counts are those that inference proves, times those that an engine took; both are given to this room.
//!
//! **Architecture invariant**: arithmetic on what it is given. It starts no process, reads no file and asks no clock. Floating-point numbers
//! live here and in what is measured, never in a bound.
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
pub use fit::{Errors, Fit, Fitted, NoFit, Row, errors, fit, predict};
pub use least_squares::{Deficient, least_squares};
pub use left_out::{Described, described};
pub use non_negative::non_negative;
pub use suite::{
    Calibrator, Malformed, Run, calibrators, controls, counts_of_runs, mixed, targets,
};
