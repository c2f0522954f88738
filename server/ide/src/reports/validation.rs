//! The basis of a validation: the bounds with which runs of a predicate are compared, and whether runs measure what the bounds describe.

use costlens_analysis::report::TrustLine;
use costlens_analysis::resources::resource_report;
use costlens_program::positions::positions;
use costlens_program::{Functor, Role, SourceFile, find};

use super::bounds::{PredicateBounds, bounds_of_predicate, with_places};
use super::runnable::files_of;
use crate::attained::program::{effect_of, not_comparable};
use crate::db::Db;
use crate::predicate::trust_lines;
use crate::resources::Resource;

/// The bounds of a predicate, and the obstacles to comparing runs with them.
#[derive(Clone, Debug)]
pub struct Grounds {
    /// The bounds on steps.
    pub bounds: PredicateBounds,
    /// The reason why runs behave differently from what the bounds describe.
    pub not_comparable: Option<String>,
    /// The reason why the machine counts steps differently, although it behaves the same.
    pub not_counted: Option<String>,
    /// The name of a built-in with a side effect that a call may run: a built-in that writes, or changes more than bindings.
    pub effect: Option<String>,
    /// For each pattern, the user's own assertions on which the bounds depend: `db.pl:12`.
    pub asserted: Vec<Vec<String>>,
}

/// Returns the basis for validating a predicate. Returns `None` if the file does not define the predicate.
pub(crate) fn grounds(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Grounds> {
    let bounds = bounds_of_predicate(db, file, functor, head(db, file, functor)?)?;
    let files = files_of(db, file);
    let (not_comparable, not_counted) = not_comparable(db, &files, functor);
    Some(Grounds {
        not_comparable,
        not_counted,
        effect: effect_of(db, &files, functor).map(|name| name.to_string()),
        asserted: asserted(db, &bounds),
        bounds,
    })
}

/// Returns the bounds on another resource, in the order of the bounds on steps, with the user's assertions on which they depend. Returns
/// `None` if the file does not define the predicate.
pub(crate) fn on_resource(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    resource: &Resource,
) -> Option<(PredicateBounds, Vec<Vec<String>>)> {
    let report = resource_report(db, find(db, file, functor)?, resource);
    let bounds = with_places(db, file, functor, head(db, file, functor)?, report);
    let asserted = asserted(db, &bounds);
    Some((bounds, asserted))
}

/// Returns the offset of the predicate's first clause.
fn head(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<usize> {
    let positions = positions(db, file);
    let own = positions.iter().find(|p| p.functor == *functor)?;
    Some(own.clauses.first()?.head.0)
}

fn asserted(db: &dyn Db, bounds: &PredicateBounds) -> Vec<Vec<String>> {
    let patterns = bounds.report.patterns.iter();
    patterns.map(|p| written_by_user(db, &p.rests_on)).collect()
}

/// Returns the places of the trusted assertions that the user wrote.
pub(super) fn written_by_user(db: &dyn Db, lines: &[TrustLine]) -> Vec<String> {
    let own = lines.iter().filter(|l| l.home.role(db) == Role::User);
    trust_lines::places(db, &own.cloned().collect::<Vec<_>>())
}
