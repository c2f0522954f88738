//! `declare-modes`: proposes a mode line for a predicate that has no bound without it.
//!
//! ```text
//! in2(F, T, X) :- …            →       %! in2(+F:int, +T:int, -X).
//!                                      in2(F, T, X) :- …
//! ```
//!
//! An existing mode line is narrowed; its determinism is kept.

use costlens_analysis::report::Functor;
use costlens_program::positions::positions;
use costlens_program::{SourceFile, file_assertions};
use costlens_syntax::assertions::Origin;

use super::proposal::{Proposal, ShortRuns};
use crate::db::{Db, reached_report};
use crate::file::Edit;
use crate::predicate::mode_line::to_declare;

/// Returns the edit that adds a declaration under which the predicate has a bound.
pub(super) fn propose(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Proposal> {
    let line = to_declare(db, file, &*reached_report(db, file, functor)?)?;
    let edit = match narrowed(db, file, functor, &line) {
        Some(edit) => edit,
        None => {
            let positions = positions(db, file);
            let place = positions.iter().find(|p| p.functor == *functor)?;
            let (start, _) = place.clauses.first()?.range;
            Edit {
                range: start..start,
                text: format!("%! {line}.\n"),
            }
        }
    };
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Declare what it is called with",
        short_runs: ShortRuns::Open,
        edits: vec![edit],
        needs: Vec::new(),
    })
}

/// Returns the edit that narrows the predicate's existing mode line.
pub(super) fn narrowed(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    line: &str,
) -> Option<Edit> {
    let assertions = file_assertions(db, file);
    let mut all = assertions.list.iter().zip(&assertions.places);
    let (_, place) = all.find(|(a, _)| {
        a.origin == Origin::Comment && a.name == functor.name && a.arity == functor.arity
    })?;
    let (from, to) = place.range;
    let written = file.parsed(db).text.get(from..to)?;
    // The arguments may be followed by `is det.`
    let end = written.rfind(')')? + 1;
    let is_mode_line = written.starts_with(&*functor.name);
    is_mode_line.then(|| Edit {
        range: from..from + end,
        text: line.to_owned(),
    })
}
