//! The verdicts on a file's assertions, with their places in the text.

use std::ops::Range;
use std::sync::Arc;

use costlens_analysis::resources::Prices;
use costlens_analysis::verdict::{AssertionVerdict, Verdict, verdicts_on};
use costlens_program::positions::positions;
use costlens_program::{SourceFile, file_assertions};
use costlens_syntax::assertions::{Approximation, Origin};

use super::suppressions::suppressions;
use super::{Related, Severity, rules};
use crate::costs::calls::dominating_call;
use crate::db::{Db, reached_report};
use crate::predicate::trust_lines;

/// A checked property of an assertion, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertionCheck {
    /// The range of the property.
    pub range: Range<usize>,
    /// The range of the head of the predicate's first clause.
    pub head: Option<Range<usize>>,
    /// The call that contributes most of the cost, if the cost is higher than asserted.
    pub dominating: Option<Related>,
    /// The verdict of the analysis.
    pub judged: AssertionVerdict,
    /// The `trust` lines on which the verdict depends: `db.pl:12`.
    pub rests_on: Vec<String>,
    /// The verdict in a sentence, including those lines.
    pub message: String,
    /// The severity of a false assertion.
    pub severity: Severity,
    /// True if a comment or the project suppresses the verdict.
    pub suppressed: bool,
}

/// Returns the verdicts on a file's assertions in textual order, with their places. Assertions on time are checked for the platform of the
/// given prices.
pub(crate) fn verdicts(
    db: &dyn Db,
    file: SourceFile,
    prices: Option<&Arc<Prices>>,
) -> Vec<AssertionCheck> {
    let assertions = file_assertions(db, file);
    let positions = positions(db, file);
    let rows = verdicts_on(db, file, prices);
    let suppressed = suppressions(db, file);
    let checks = rows.iter().filter_map(|row| {
        let place = assertions.places.get(row.assertion)?;
        // A comment line states one property; a directive may state several.
        let range = match row.origin {
            Origin::Comment => place.range,
            Origin::Directive => *place.properties.get(row.property).unwrap_or(&place.range),
        };
        let clauses = positions.iter().find(|p| p.functor == row.predicate);
        let rests_on = trust_lines::places(db, &row.rests_on);
        Some(AssertionCheck {
            range: range.0..range.1,
            // Shares of calls are known only for steps.
            dominating: (row.verdict == Verdict::False
                && row.resource.as_deref().is_none_or(|r| r == "steps"))
            .then(|| dominating(db, file, row))
            .flatten(),
            head: (clauses.and_then(|p| p.clauses.first())).map(|c| c.head.0..c.head.1),
            message: on_trust(&row.message, &rests_on),
            rests_on,
            severity: Severity::Error,
            suppressed: suppressed.covers(&rules::ASSERTION_FALSE, range.0),
            judged: row.clone(),
        })
    });
    checks.collect()
}

/// Returns the call that makes a predicate more expensive than asserted.
fn dominating(db: &dyn Db, file: SourceFile, judged: &AssertionVerdict) -> Option<Related> {
    if matches!(
        judged.approximation,
        None | Some(Approximation::Lower | Approximation::OrderLower)
    ) {
        return None;
    }
    let report = reached_report(db, file, &judged.predicate)?;
    let pattern = report.patterns.first()?;
    let (at, message) = dominating_call(db, file, &judged.predicate, pattern)?;
    Some(Related {
        range: at..at,
        message,
    })
}

/// Adds to a verdict the assertions on which it depends.
fn on_trust(message: &str, lines: &[String]) -> String {
    match lines {
        [] => message.to_owned(),
        lines => format!("{message}; on trust: {}", lines.join(", ")),
    }
}
