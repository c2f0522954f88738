//! The output of `costlens bounds`.

use serde::Serialize;

use super::predicate::Predicate;
use super::{Diagnostic, SCHEMA};

/// The bounds of files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    pub(in crate::cli) schema: u32,
    /// The platform for times.
    pub(in crate::cli) platform: Option<String>,
    /// The library whose predicates are used.
    pub(in crate::cli) library: LibraryInUse,
    pub(in crate::cli) files: Vec<File>,
    pub(in crate::cli) predicates: Vec<Predicate>,
    /// Problems found while reading the files.
    pub(in crate::cli) diagnostics: Vec<Diagnostic>,
}

/// The library on which bounds are based.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct LibraryInUse {
    /// The SWI-Prolog version of the library; null if the folder does not state it.
    pub(in crate::cli) version: Option<String>,
    /// The files that are read instead of those that ship with Costlens.
    pub(in crate::cli) files: Vec<String>,
}

/// A file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct File {
    /// Its name.
    pub(in crate::cli) file: String,
    /// The module that the file defines; `user` if there is none.
    pub(in crate::cli) module: String,
    /// Assumptions of the file's bounds that no known file confirms or refutes.
    pub(in crate::cli) rests_on: Vec<String>,
}

impl Document {
    /// Returns a document without files.
    pub(in crate::cli) fn new(platform: Option<&str>, library: LibraryInUse) -> Self {
        Document {
            schema: SCHEMA,
            platform: platform.map(str::to_owned),
            library,
            files: Vec::new(),
            predicates: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

/// The document of `costlens bounds --summary`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Summary {
    /// 1.
    pub(in crate::cli) schema: u32,
    /// Null: a summary covers only steps.
    pub(in crate::cli) platform: Option<String>,
    pub(in crate::cli) shares: Shares,
}

/// Counts of predicates with bounds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Shares {
    pub(in crate::cli) files: usize,
    pub(in crate::cli) predicates: usize,
    /// Bounded above.
    pub(in crate::cli) upper: usize,
    /// Bounded above by an exponential that a lower bound or runs confirm.
    pub(in crate::cli) exponential: usize,
    /// Bounded above by an exponential that may be loose.
    pub(in crate::cli) loose: usize,
    /// Bounded below by more than 0.
    pub(in crate::cli) lower: usize,
    /// Proved not to terminate.
    pub(in crate::cli) diverges: usize,
    /// Not analysed completely, because the fuel of the analysis was used up.
    pub(in crate::cli) fuel: usize,
    /// Root causes of missing upper bounds, the most frequent first.
    pub(in crate::cli) causes: Vec<Cause>,
}

/// A kind of root cause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Cause {
    pub(in crate::cli) reason: String,
    /// The number of predicates without an upper bound for this cause.
    pub(in crate::cli) predicates: usize,
}
