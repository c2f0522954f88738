//! The verdicts on a file's assertions, for the command line.

use std::sync::Arc;

use costlens_analysis::resources::Prices;
use costlens_program::SourceFile;

use crate::db::Db;
use crate::diagnostics::verdicts::{AssertionCheck, verdicts};
use crate::diagnostics::{Diagnostic, apply, budgets, malformed, rules, severity};
use crate::project::Project;

/// The assertions of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileCheck {
    /// Every property, in the order of the file.
    pub assertions: Vec<AssertionCheck>,
    /// Syntax errors, malformed assertions, and budgets that are exceeded.
    pub diagnostics: Vec<Diagnostic>,
}

/// Verifies the assertions of a file; those on time for the platform of these prices.
/// Budgets and levels are those of the project.
pub fn check(
    db: &dyn Db,
    file: SourceFile,
    prices: Option<&Arc<Prices>>,
    project: Option<&Project>,
) -> FileCheck {
    let mut diagnostics = malformed(db, file);
    if let Some(project) = project {
        diagnostics.extend(budgets::exceeded(db, file, project));
        apply(project, &mut diagnostics);
    }
    let mut assertions = verdicts(db, file, prices);
    for check in &mut assertions {
        let found =
            project.map(|project| severity(project, &rules::ASSERTION_FALSE, check.severity));
        match found.unwrap_or(Some(check.severity)) {
            Some(severity) => check.severity = severity,
            None => check.suppressed = true,
        }
    }
    FileCheck {
        assertions,
        diagnostics,
    }
}
