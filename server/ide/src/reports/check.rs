//! The verdicts on a file's assertions, for the command line.

use std::sync::Arc;

use costlens_analysis::resources::Prices;
use costlens_program::SourceFile;

use crate::db::Db;
use crate::diagnostics::verdicts::{AssertionCheck, verdicts};
use crate::diagnostics::{Diagnostic, malformed};

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
        assertions: verdicts(db, file, prices),
        diagnostics: malformed(db, file),
    }
}
