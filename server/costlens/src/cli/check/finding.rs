//! Findings of `check`: problems of a program, in a form that every output format uses.

use std::ops::Range;

use costlens_analysis::verdict::Verdict;
use costlens_ide::diagnostics::rules::{self, Rule};
use costlens_ide::diagnostics::{Diagnostic, Severity};
use costlens_ide::present::indicator;
use costlens_ide::reports::changes::Change;
use costlens_ide::reports::check::FileCheck;

use super::super::files::Source;
use crate::lines::{Encoding, LineIndex};

/// A problem of a program.
pub(super) struct Finding {
    pub(super) rule: &'static Rule,
    pub(super) severity: Severity,
    pub(super) message: String,
    pub(super) place: FileRange,
    /// Places that explain the problem, each with a message.
    pub(super) related: Vec<(FileRange, String)>,
    /// True if a comment suppresses the finding.
    pub(super) is_suppressed: bool,
    /// The subject without positions, so that the finding is recognised after lines have moved.
    identity: String,
}

/// A range of a file, in lines and characters from 1; the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileRange {
    pub(super) file: String,
    pub(super) start: (usize, usize),
    pub(super) end: (usize, usize),
}

impl Finding {
    /// Returns a fingerprint that does not change if lines move: FNV-1a of the rule, the file and the subject.
    pub(super) fn fingerprint(&self) -> String {
        let text = format!("{}\n{}\n{}", self.rule.id(), self.place.file, self.identity);
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }
}

/// Returns all findings of a file, including suppressed findings.
pub(super) fn of_file(source: &Source, check: &FileCheck) -> Vec<Finding> {
    let places = Places::new(source);
    let problems = check.diagnostics.iter().map(|d| problem(&places, d));
    let false_ones = check.assertions.iter();
    let false_ones = false_ones.filter(|a| a.judged.verdict == Verdict::False);
    let false_ones = false_ones.map(|a| {
        let predicate = indicator(&a.judged.predicate);
        let head = a.head.as_ref().map(|head| {
            let message = format!("`{predicate}` is defined here");
            (places.place(head), message)
        });
        let call =
            (a.dominating.as_ref()).map(|call| (places.place(&call.range), call.message.clone()));
        Finding {
            rule: &rules::ASSERTION_FALSE,
            severity: a.severity,
            message: format!("an assertion about `{predicate}` is {}", a.message),
            place: places.place(&a.range),
            related: head.into_iter().chain(call).collect(),
            is_suppressed: a.suppressed,
            identity: format!("{predicate} {}", a.judged.text),
        }
    });
    problems.chain(false_ones).collect()
}

fn problem(places: &Places<'_>, d: &Diagnostic) -> Finding {
    let related = d.related.iter();
    Finding {
        rule: d.rule,
        severity: d.severity,
        message: d.message.clone(),
        place: places.place(&d.range),
        related: related
            .map(|r| (places.place(&r.range), r.message.clone()))
            .collect(),
        is_suppressed: false,
        identity: d.message.clone(),
    }
}

/// Returns the finding for a predicate that became more expensive.
pub(super) fn of_change(source: &Source, change: &Change, severity: Severity) -> Finding {
    let places = Places::new(source);
    let at = |offset: usize| places.place(&(offset..word_end(&source.text, offset)));
    let because = change.because.as_ref();
    Finding {
        rule: &rules::REGRESSION,
        severity,
        message: change.sentence(),
        place: at(change.offset.unwrap_or(0)),
        related: because
            .and_then(|(text, offset)| Some((at((*offset)?), text.clone())))
            .into_iter()
            .collect(),
        is_suppressed: change.is_suppressed,
        identity: match (&change.calls, change.has_other_calls) {
            (Some(calls), true) => {
                format!("{} {calls} {}", change.predicate, change.kind.name())
            }
            _ => format!("{} {}", change.predicate, change.kind.name()),
        },
    }
}

/// Places of a file's text.
struct Places<'a> {
    source: &'a Source,
    lines: LineIndex,
}

impl<'a> Places<'a> {
    fn new(source: &'a Source) -> Self {
        let lines = LineIndex::new(&source.text);
        Self { source, lines }
    }

    fn place(&self, range: &Range<usize>) -> FileRange {
        let at = |offset| {
            let text = &self.source.text;
            let (line, column) = self.lines.position(text, offset, Encoding::Utf32);
            (line + 1, column + 1)
        };
        FileRange {
            file: self.source.name.clone(),
            start: at(range.start),
            end: at(range.end.max(range.start)),
        }
    }
}

/// Returns the end of the name at an offset of a text.
pub(super) fn word_end(text: &str, offset: usize) -> usize {
    let rest = text.get(offset..).unwrap_or_default();
    let length = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    offset + length.max(1)
}

/// Returns the line number of an offset, from 1.
pub(super) fn line_of(source: &Source, offset: Option<usize>) -> Option<usize> {
    Some(Places::new(source).place(&(offset?..offset?)).start.0)
}
