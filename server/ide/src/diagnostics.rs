//! Problems: false and malformed assertions, clauses that cannot be read.

use std::ops::Range;

use costlens_program::SourceFile;
use costlens_program::workspace::terms;

use crate::check::Verdict;
use crate::markdown::indicator;
use crate::reports::{Db, assertion_errors, verdicts};
use crate::settings::{Chosen, Settings};
use crate::sniff;
use crate::suppressed::suppressions;

/// An assertion that is false for some sizes.
pub const ASSERTION_FALSE: &str = "assertion-false";
/// An assertion that cannot be read.
pub const ASSERTION_MALFORMED: &str = "assertion-malformed";
/// A clause that cannot be read.
pub const SYNTAX: &str = "syntax";

/// A file with more problems than this has one: its reader does not need a thousand.
const MOST: usize = 200;

/// How bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Wrong.
    Error,
    /// Suspicious.
    Warning,
}

/// A problem in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The bytes that it is about.
    pub range: Range<usize>,
    /// How bad.
    pub severity: Severity,
    /// The rule: [`ASSERTION_FALSE`], [`ASSERTION_MALFORMED`], [`SYNTAX`], [`SUPPRESSION`](crate::suppressed::SUPPRESSION).
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Places in the same file that explain it.
    pub related: Vec<Related>,
}

/// A place that explains a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it has to do with the problem.
    pub message: String,
}

/// The problems of a file, in the order of their places, as far as the settings want them.
pub fn diagnostics(db: &dyn Db, file: SourceFile, settings: &Settings) -> Vec<Diagnostic> {
    if !settings.enable || !settings.diagnostics || sniff::is_perl(&file.parsed(db).text) {
        return Vec::new();
    }
    let mut found = malformed(db, file);
    let prices = match &settings.platform {
        Some(Chosen::Stored(prices)) => Some(prices),
        _ => None,
    };
    for a in verdicts(db, file, prices) {
        if a.verdict != Verdict::False || a.suppressed {
            continue;
        }
        let related = a.head.map(|range| Related {
            range,
            message: format!("`{}` is defined here", indicator(&a.predicate)),
        });
        found.push(Diagnostic {
            range: a.range,
            severity: Severity::Error,
            code: ASSERTION_FALSE,
            message: a.message,
            related: related.into_iter().collect(),
        });
    }
    found.sort_by_key(|d| (d.range.start, d.range.end));
    found.truncate(MOST);
    found
}

/// What cannot be read and is not to be ignored: clauses, assertions, and comments on what to ignore.
pub(crate) fn malformed(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let read = terms(db, file);
    let syntax = read.clauses.iter().filter_map(|clause| {
        let error = clause.error.as_ref()?;
        let at = |offset: u32| clause.range.0 + usize::try_from(offset).unwrap_or(0);
        Some(Diagnostic {
            range: at(error.range.0)..at(error.range.1),
            severity: Severity::Error,
            code: SYNTAX,
            message: error.message.clone(),
            related: Vec::new(),
        })
    });
    let assertions = assertion_errors(db, file)
        .into_iter()
        .map(|error| Diagnostic {
            range: error.range.0..error.range.1,
            severity: if error.warning {
                Severity::Warning
            } else {
                Severity::Error
            },
            code: ASSERTION_MALFORMED,
            message: error.message,
            related: Vec::new(),
        });
    let suppressed = suppressions(db, file);
    let mut found: Vec<Diagnostic> = syntax
        .chain(assertions)
        .filter(|d| !suppressed.covers(d.code, d.range.start))
        .chain(suppressed.errors().iter().cloned())
        .collect();
    found.sort_by_key(|d| (d.range.start, d.range.end));
    found.truncate(MOST);
    found
}
