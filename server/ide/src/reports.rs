//! The reports of the command line: bounds, verdicts, derivations, code, lockfiles and what changed since, and the files of a run.

pub mod bounds;
pub mod call_facts;
pub mod changes;
pub mod check;
pub mod code;
pub mod coverage;
pub mod crossover;
pub mod derivation;
pub mod estimates;
pub mod lock;
pub mod runnable;
