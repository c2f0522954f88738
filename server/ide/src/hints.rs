//! Hints: what each predicate costs, at the end of its first clause's head.

use costlens_analysis::queries::{file_report, report};
use costlens_analysis::report::PredicateName;
use costlens_program::positions::positions;
use costlens_program::{Functor, Predicate, Role, SourceFile, find, predicates};

pub use crate::present::HintKind;
use crate::present::{hint_text, threshold};
use crate::reports::{Db, name};
use crate::settings::{Settings, Threshold};
use crate::sniff;
use crate::suppressed::{HINT, suppressions};

/// A hint in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The byte that it stands in front of: the end of the clause head, before `:-`.
    pub offset: usize,
    /// What it says.
    pub label: String,
    /// What it is about.
    pub kind: HintKind,
    /// Whose cost it is.
    pub predicate: PredicateName,
}

/// The hints of a file that the settings ask for, one for each predicate.
pub fn hints(db: &dyn Db, file: SourceFile, settings: &Settings) -> Vec<Hint> {
    let wanted = &settings.hints;
    if !settings.enable || !wanted.enable || sniff::is_perl(&file.parsed(db).text) {
        return Vec::new();
    }
    let suppressed = suppressions(db, file);
    let mut hints = Vec::new();
    file_report(db, file);
    for (p, &predicate) in positions(db, file).iter().zip(predicates(db, file)) {
        let (Some(first), Some(label)) = (p.clauses.first(), label(db, predicate)) else {
            continue;
        };
        let shown = match label.kind {
            HintKind::Steps => wanted.steps && label.reaches >= wanted.threshold,
            HintKind::Unknown => wanted.unknown,
        };
        if shown && !suppressed.covers(HINT, first.range.0) {
            hints.push(Hint {
                offset: first.head.1,
                label: label.text.clone(),
                kind: label.kind,
                predicate: name(&p.functor),
            });
        }
    }
    hints
}

/// What the hint of a predicate says; none for those of the library, of which only the patterns of calls are analysed.
pub(crate) fn cost(db: &dyn Db, home: SourceFile, functor: &Functor) -> Option<String> {
    if home.role(db) == Role::Library {
        return None;
    }
    // Its driver visits callees before callers.
    file_report(db, home);
    let label = label(db, find(db, home, functor)?)?;
    Some(label.text.clone())
}

/// What a predicate's hint says, wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    kind: HintKind,
    pub(crate) text: String,
    /// The threshold that the cost is at.
    reaches: Threshold,
}

/// The label of the most telling pattern's cost. A query, because every keystroke asks for those of a whole file, and to write a
/// bound as text takes longer than to find that it has not changed.
#[salsa::tracked(returns(as_ref))]
pub(crate) fn label<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Label> {
    let report = report(db, predicate);
    let pattern = report.telling()?;
    let (kind, text) = hint_text(pattern)?;
    let reaches = threshold(pattern);
    Some(Label {
        kind,
        text,
        reaches,
    })
}
