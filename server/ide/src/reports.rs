//! The reports of the command line: bounds, verdicts, derivations, code, and the files of a run.

pub mod bounds;
pub mod check;
pub mod code;
pub mod coverage;
pub mod crossover;
pub mod derivation;
pub mod estimates;
pub mod runnable;
