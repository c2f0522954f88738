//! The verdicts on a file's assertions, for diagnostics and the command line.

use std::ops::Range;
use std::sync::Arc;

use costlens_analysis::report::PredicateName;
use costlens_analysis::resources::Prices;
use costlens_program::SourceFile;
use num_bigint::BigInt;

use crate::at::Value;
use crate::diagnostics::Diagnostic;
use crate::reports::Db;

/// What is known of one property of an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved for every size that is admitted.
    Checked,
    /// Refuted for some size that is admitted.
    False,
    /// Not decided.
    Check,
    /// Not an assertion that can be read.
    Malformed,
}

impl Verdict {
    /// The word of the contract.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Checked => "checked",
            Verdict::False => "false",
            Verdict::Check => "check",
            Verdict::Malformed => "malformed",
        }
    }
}

/// The verdict for sizes from one to another; an open end has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeInterval {
    /// The size's name: `n`.
    pub size: String,
    /// The least size.
    pub from: Option<BigInt>,
    /// The greatest size.
    pub to: Option<BigInt>,
    /// The verdict there.
    pub verdict: Verdict,
}

/// Sizes for which an assertion is false.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// Each size by its name.
    pub sizes: Vec<(String, BigInt)>,
    /// The inferred bound there.
    pub inferred: Value,
    /// The asserted one.
    pub asserted: Value,
}

/// One property of an assertion, verified.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionCheck {
    /// Where the property stands.
    pub range: Range<usize>,
    /// Whose property it is.
    pub predicate: PredicateName,
    /// The head of the predicate's first clause.
    pub head: Option<Range<usize>>,
    /// As it is written.
    pub property: String,
    /// `steps`; none where it is about something else than a cost.
    pub resource: Option<String>,
    /// `ub`, `lb`, `eq`, `o`, …
    pub approximation: Option<String>,
    /// `call`, `allsols`, …
    pub cost_type: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it rests on the estimates of a platform's constants.
    pub observed: bool,
    /// The verdict by size, where there is one size.
    pub intervals: Vec<SizeInterval>,
    /// The asserted expression over the size names.
    pub asserted: Option<String>,
    /// The inferred bounds.
    pub inferred: (Option<String>, Option<String>),
    /// Sizes that refute it.
    pub witness: Option<Witness>,
    /// `trust` lines that the verdict rests on.
    pub rests_on: Vec<String>,
    /// Why it is not decided.
    pub reason: Option<String>,
    /// The verdict in a sentence.
    pub message: String,
    /// Whether a comment asks not to be told.
    pub suppressed: bool,
}

/// The assertions of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileCheck {
    /// Every property, in the order of the file.
    pub assertions: Vec<AssertionCheck>,
    /// Syntax errors and malformed assertions.
    pub diagnostics: Vec<Diagnostic>,
}

/// Verifies the assertions of a file; those on time for the platform of these prices.
pub fn check(db: &dyn Db, file: SourceFile, prices: Option<&Arc<Prices>>) -> FileCheck {
    FileCheck {
        assertions: crate::reports::verdicts(db, file, prices),
        diagnostics: crate::diagnostics::malformed(db, file),
    }
}
