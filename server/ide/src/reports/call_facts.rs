//! The analysis' knowledge of a call and of the predicates that it may reach, for who predicts it from past runs.

use costlens_analysis::fits::fits;
use costlens_analysis::queries::report;
use costlens_analysis::report::{Determinism, PatternReport};
use costlens_analysis::types::Type;
use costlens_program::{Functor, SourceFile, resolve};
use costlens_syntax::term::{TermId, Terms};

use crate::db::Db;

/// The solutions of a predicate: for each call pattern which arguments are unbound, and how many solutions there are.
pub type Solutions = Vec<(Vec<bool>, Determinism)>;

/// The pattern of the predicate of a call that the call fits, the first of those that there are.
pub(crate) fn fitting_pattern(
    db: &dyn Db,
    file: SourceFile,
    terms: &Terms,
    goal: TermId,
) -> Option<PatternReport> {
    let functor = Functor::of(terms, goal)?;
    let found = resolve(db, file, &functor)?.predicate();
    let report = report(db, found);
    let fitting = |p: &&PatternReport| fits(&p.pattern, terms, goal);
    report.patterns.iter().find(fitting).cloned()
}

/// The solutions of predicates, as a file calls them.
pub(crate) fn solutions(db: &dyn Db, file: SourceFile, predicates: &[Functor]) -> Vec<Solutions> {
    let of = |functor: &Functor| {
        let Some(found) = resolve(db, file, functor) else {
            return Solutions::new();
        };
        let report = report(db, found.predicate());
        let pattern = |p: &PatternReport| {
            let free = p.pattern.0.iter().map(|ty| *ty == Type::Free);
            (free.collect(), p.determinism)
        };
        report.patterns.iter().map(pattern).collect()
    };
    predicates.iter().map(of).collect()
}
