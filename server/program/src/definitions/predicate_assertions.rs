//! Assertions about a known predicate.

use costlens_syntax::assertions::Assertion;

use super::predicate::Predicate;
use crate::directives::stated_by_functor;
use crate::workspace::{Db, SourceFile, file_of, installed_as};

/// Returns the assertions about one predicate, in the order of the file, as a projection that stays equal when those about other predicates
/// change.
#[salsa::tracked(returns(deref))]
pub fn assertions_of<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Vec<Assertion> {
    stated_by_functor(db, predicate.file(db))
        .get(predicate.functor(db))
        .cloned()
        .unwrap_or_default()
}

/// Returns the file with the assertions about a predicate of an installed library.
pub fn stated_beside(db: &dyn Db, predicate: Predicate<'_>) -> Option<SourceFile> {
    file_of(db, installed_as(db, predicate.file(db))?)
}
