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
    /// The platform that times are for.
    pub(in crate::cli) platform: Option<String>,
    /// The library whose predicates count.
    pub(in crate::cli) library: LibraryInUse,
    pub(in crate::cli) files: Vec<File>,
    pub(in crate::cli) predicates: Vec<Predicate>,
    /// Problems that were found on reading.
    pub(in crate::cli) diagnostics: Vec<Diagnostic>,
}

/// The library that bounds are about.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct LibraryInUse {
    /// The version of SWI-Prolog that it is of; none for folders that do not say so.
    pub(in crate::cli) version: Option<String>,
    /// The files that are read in place of those that ship with Costlens.
    pub(in crate::cli) files: Vec<String>,
}

/// A file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct File {
    /// Its name.
    pub(in crate::cli) file: String,
    /// The module that it defines, `user` where it defines none.
    pub(in crate::cli) module: String,
    /// Assumptions of its bounds that no known file decides.
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
    /// None: a summary is about steps.
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
    /// Bounded above by an exponential that a lower bound or runs bear out.
    pub(in crate::cli) exponential: usize,
    /// Bounded above by an exponential that may be loose.
    pub(in crate::cli) loose: usize,
    /// Bounded below by more than 0.
    pub(in crate::cli) lower: usize,
    /// Proved to run for ever.
    pub(in crate::cli) diverges: usize,
    /// Out of fuel.
    pub(in crate::cli) fuel: usize,
    /// Root causes of missing upper bounds, the most frequent first.
    pub(in crate::cli) causes: Vec<Cause>,
}

/// A kind of root cause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Cause {
    pub(in crate::cli) reason: String,
    /// The number of predicates that have no upper bound for it.
    pub(in crate::cli) predicates: usize,
}
