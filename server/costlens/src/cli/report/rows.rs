//! The rows of a file: a report's data about its predicates and assertions, and their stored form.

use costlens_ide::diagnostics::Severity;
use costlens_ide::present::{indicator, verdict_text};
use costlens_ide::reports::overview::{FileOverview, Missing as Unbounded, PredicateOverview};
use serde::{Deserialize, Serialize};

use crate::cli::files::Source;
use crate::cli::json::report::{Assertion, Missing, Predicate, Problem};
use crate::cli::remembered::Cacheable;
use crate::lines::{Encoding, LineIndex};

/// The rows of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FileRows {
    pub(super) predicates: Vec<Predicate>,
    pub(super) assertions: Vec<Assertion>,
    pub(super) diagnostics: Vec<Problem>,
}

impl Cacheable for FileRows {
    fn read_back(&self) -> Option<Self> {
        Some(self.clone())
    }
}

/// Returns the rows of an analysed file.
pub(super) fn of_file(source: &Source, overview: &FileOverview) -> FileRows {
    let lines = LineIndex::new(&source.text);
    let line = |offset| lines.position(&source.text, offset, Encoding::Utf8).0 + 1;
    let assertions = overview.check.assertions.iter().map(|check| Assertion {
        file: source.name.clone(),
        line: line(check.range.start),
        predicate: indicator(&check.judged.predicate),
        property: check.judged.text.clone(),
        verdict: verdict_text(check.judged.verdict).to_owned(),
        message: check.message.clone(),
        rests_on: check.rests_on.clone(),
        suppressed: check.suppressed,
    });
    let diagnostics = overview.check.diagnostics.iter().map(|d| Problem {
        file: source.name.clone(),
        line: line(d.range.start),
        severity: match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
        .to_owned(),
        code: d.rule.id().to_owned(),
        message: d.message.clone(),
    });
    FileRows {
        predicates: (overview.predicates.iter())
            .map(|p| predicate(&source.name, line(p.offset), p))
            .collect(),
        assertions: assertions.collect(),
        diagnostics: diagnostics.collect(),
    }
}

fn predicate(file: &str, line: usize, of: &PredicateOverview) -> Predicate {
    Predicate {
        file: file.to_owned(),
        line,
        name: of.predicate.name.to_string(),
        arity: of.predicate.arity,
        pattern: of.head.clone(),
        class: of.class.name().to_owned(),
        cost: of.cost.clone(),
        guessed: of.guessed,
        loose: of.loose,
        rests_on: of.rests_on.clone(),
        time: of.time.clone(),
        time_assumes: (of.time.is_some().then_some(of.time_condition).flatten())
            .map(|condition| condition.name().to_owned()),
        unknown: of.missing.as_ref().map(missing),
        has_one_cause: of.missing.as_ref().is_some_and(|m| m.is_only_cause),
    }
}

fn missing(of: &Unbounded) -> Missing {
    Missing {
        kind: of.kind.clone(),
        cause: of.cause.clone(),
        file: of.place.as_ref().map(|place| place.file.clone()),
        line: of.place.as_ref().map(|place| place.line),
        reason: of.reason.clone(),
        help: of.help.clone(),
    }
}
