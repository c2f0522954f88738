//! Reports for the command line: overviews, bounds, verdicts, derivations, code, lockfiles and changes since a lockfile, the files of a run,
//! and the bounds with which a validation compares runs.

pub mod bounds;
pub(crate) mod call_facts;
pub mod changes;
pub mod check;
pub mod code;
pub mod coverage;
pub mod crossover;
pub mod derivation;
pub mod estimates;
pub mod lock;
pub mod overview;
pub mod runnable;
pub mod validation;
