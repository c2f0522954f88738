//! Past runs, and predictions from them: *hybrid prediction* of execution times from profiles and history, for Prolog
//! (`docs/prediction.md`).
//!
//! ```text
//! store         runs in a file: inputs, counts of blocks, times
//! program       the clauses of a program, and the fingerprint of the code that a predicate reaches
//! depends       which arguments the counts of a block can depend on, inferred     annotations   and as the programmer says
//! shape         the terms of a bound, for fits
//! times         the times of blocks, from an ill-conditioned system
//! predict       counts for new inputs, events and time with intervals
//! ```
//!
//! **Architecture invariant**: the file of past runs is the only file that this crate reads and writes. The crate runs nothing and reads no
//! clock. A prediction is an observation, and is never presented as a bound: no floating-point number of this crate affects a bound.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod annotations;
mod blocks;
pub mod depends;
mod error;
mod inputs;
pub mod predict;
mod program;
mod run;
mod shape;
mod shown;
pub mod store;
#[cfg(test)]
mod testing;
pub mod times;

/// The SWI-Prolog library that records runs: a Prolog file that users load.
pub const SUPPORT: &str = include_str!("../support/costlens_history.pl");

pub use annotations::Annotations;
pub use blocks::Blocks;
pub use error::HistoryError;
pub use inputs::inputs_of;
pub use program::Program;
pub use run::{InputName, InputValue, Inputs, Measure, PastRun, Predicate, Run, RunBlock, Runs};
pub use shape::{ShapeTerm, input_of, shape};
