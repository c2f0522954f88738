//! Hints: what each predicate costs, at the end of its first clause's head.

use costlens_analysis::report::PredicateName;
use costlens_program::SourceFile;
use costlens_program::positions::positions;

pub use crate::present::HintKind;
use crate::present::{hint_text, reaches};
use crate::reports::{Db, name, reports};
use crate::settings::Settings;
use crate::sniff;

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
    let mut hints = Vec::new();
    let reports = reports(db, file);
    for (p, report) in positions(db, file).iter().zip(reports.iter()) {
        let (Some(first), Some(pattern)) = (p.clauses.first(), report.patterns.first()) else {
            continue;
        };
        let Some((kind, label)) = hint_text(pattern) else {
            continue;
        };
        let shown = match kind {
            HintKind::Steps => wanted.steps && reaches(pattern, wanted.threshold),
            HintKind::Unknown => wanted.unknown,
        };
        if shown {
            hints.push(Hint {
                offset: first.head.1,
                label,
                kind,
                predicate: name(&p.functor),
            });
        }
    }
    hints
}
