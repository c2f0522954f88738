//! Analysis results about a call and the predicates that it may reach, for predictions from past runs.

use costlens_analysis::call_modes::{Modes, bindings, reached_modes, shown_modes};
use costlens_analysis::fits::fits;
use costlens_analysis::queries::report;
use costlens_analysis::report::PatternReport;
use costlens_program::{Functor, SourceFile, resolve};
use costlens_syntax::term::{TermId, Terms};

use crate::db::Db;

/// Returns the first pattern of the called predicate that a call matches.
pub(crate) fn fitting_pattern(
    db: &dyn Db,
    file: SourceFile,
    terms: &Terms,
    goal: TermId,
) -> Option<PatternReport> {
    let functor = Functor::from_term(terms, goal)?;
    let found = resolve(db, file, &functor)?.predicate();
    let report = report(db, found);
    let fitting = |p: &&PatternReport| fits(&p.pattern, terms, goal);
    report.patterns.iter().find(fitting).cloned()
}

/// Returns the modes of the calls to which a call leads. Other predicates are reported with the modes of the file's calls, or else with the
/// modes of their displayed pattern.
pub(crate) fn modes(
    db: &dyn Db,
    file: SourceFile,
    terms: &Terms,
    goal: TermId,
    others: &[Functor],
) -> Modes {
    let resolved = |functor: &Functor| Some(resolve(db, file, functor)?.predicate());
    let mut modes = match Functor::from_term(terms, goal).and_then(|functor| resolved(&functor)) {
        Some(predicate) => {
            let fitting = fitting_pattern(db, file, terms, goal).map(|report| report.pattern);
            let pattern = fitting.unwrap_or_else(|| bindings(terms, goal));
            reached_modes(db, predicate, &pattern)
        }
        None => Modes::default(),
    };
    for functor in others {
        if let Some(predicate) = resolved(functor) {
            (modes.entry(functor.clone())).or_insert_with(|| shown_modes(db, predicate));
        }
    }
    modes
}
