//! What the command line reports: bounds, verdicts, derivations, code, and the files of a run.

pub mod bounds;
pub mod check;
pub mod code;
pub mod coverage;
pub mod derivation;
pub mod estimates;
pub mod runnable;
