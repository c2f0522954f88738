//! Access to the analysis: its database, and reports by predicate name.

use std::sync::Arc;

use costlens_analysis::driver::visit_some;
pub(crate) use costlens_analysis::queries::{Database, Db};
use costlens_analysis::queries::{file_report, report};
use costlens_analysis::report::{Functor, PredicateReport};
use costlens_program::{SourceFile, predicates, resolve};

/// Returns the report of the predicate to which a name resolves in the file, without computing other reports. Suited to a few reports from
/// many files, because the predicates around the requested one are recomputed each time.
pub(crate) fn reached_report_alone(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Arc<PredicateReport>> {
    let found = resolve(db, file, functor)?.predicate();
    let own = found.functor(db);
    visit_some(db, found.file(db), &|functor| functor == own);
    Some(report(db, found))
}

/// Returns the report of the predicate to which a name resolves in the file.
pub(crate) fn reached_report(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Arc<PredicateReport>> {
    let found = resolve(db, file, functor)?.predicate();
    let home = found.file(db);
    let place = predicates(db, home).iter().position(|&p| p == found)?;
    file_report(db, home).get(place).cloned()
}
