//! The verdicts on a file's assertions, for the command line.

use std::sync::Arc;

use costlens_analysis::resources::Prices;
use costlens_program::SourceFile;

use crate::db::Db;
use crate::diagnostics::verdicts::{AssertionCheck, verdicts};
use crate::diagnostics::{
    Diagnostic, apply, budgets, malformed, rules, severity, unused_suppressions,
};
use crate::project::Project;

/// The assertions of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileCheck {
    /// Every property, in the order of the file.
    pub assertions: Vec<AssertionCheck>,
    /// Syntax errors, malformed assertions, and budgets that are exceeded.
    pub diagnostics: Vec<Diagnostic>,
    /// The lines of the project's budgets that some predicate of the file is meant by.
    pub met_budgets: Vec<usize>,
}

/// Verifies the assertions of a file; those on time for the platform of these prices.
/// Budgets and levels are those of the project.
pub fn check(
    db: &dyn Db,
    file: SourceFile,
    prices: Option<&Arc<Prices>>,
    project: Option<&Project>,
) -> FileCheck {
    let mut assertions = verdicts(db, file, prices);
    let mut diagnostics = malformed(db, file);
    diagnostics.extend(unused_suppressions(db, file, &assertions));
    diagnostics.sort_by_key(|d| (d.range.start, d.range.end));
    let mut met_budgets = Vec::new();
    if let Some(project) = project {
        diagnostics.extend(budgets::exceeded(db, file, project));
        met_budgets = budgets::met(db, file, project);
        apply(project, &mut diagnostics);
    }
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
        met_budgets,
    }
}
