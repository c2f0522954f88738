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
    /// The verdict on each property, in textual order.
    pub assertions: Vec<AssertionCheck>,
    /// Syntax errors, malformed assertions, and exceeded budgets.
    pub diagnostics: Vec<Diagnostic>,
    /// The line numbers of the project's budgets that cover some predicate of the file.
    pub met_budgets: Vec<usize>,
}

/// Checks the assertions of a file. Assertions on time are checked for the platform of the given prices. Budgets and severity levels are
/// those of the project.
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
