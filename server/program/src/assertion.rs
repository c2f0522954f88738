//! What a file asserts of its predicates, positions apart.

use std::sync::Arc;

use costlens_syntax::assertions::{Assertion, Assertions, assertions};
use rustc_hash::FxHashMap;

use crate::clause::Functor;
use crate::predicate::{FunctorKey, Predicate};
use crate::source::{Db, SourceFile, terms};

/// The assertions of a file with their places and errors. Only presentation and [`stated`] read it.
///
/// *Invalidated* by every edit.
#[salsa::tracked(returns(clone), no_eq)]
pub fn file_assertions(db: &dyn Db, file: SourceFile) -> Arc<Assertions> {
    Arc::new(assertions(&file.parsed(db).text, &terms(db, file)))
}

/// The assertions of a file without places: the same as long as none changes.
#[salsa::tracked(returns(deref))]
pub fn stated(db: &dyn Db, file: SourceFile) -> Vec<Assertion> {
    file_assertions(db, file).list.clone()
}

#[salsa::tracked]
fn stated_by_functor(db: &dyn Db, file: SourceFile) -> FxHashMap<Functor, Vec<Assertion>> {
    let mut found: FxHashMap<Functor, Vec<Assertion>> = FxHashMap::default();
    for assertion in stated(db, file) {
        let functor = Functor::new(assertion.name.clone(), assertion.arity);
        found.entry(functor).or_default().push(assertion.clone());
    }
    found
}

/// The assertions of a file about a name, whether it has clauses there or not, in the order of the file.
///
/// *Invalidated* when one of them changes.
#[salsa::tracked(returns(deref))]
pub fn about<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Vec<Assertion> {
    stated_by_functor(db, file)
        .get(key.functor(db))
        .cloned()
        .unwrap_or_default()
}

/// The assertions of one predicate, in the order of the file: the projection that stays the same when those of other
/// predicates change.
#[salsa::tracked(returns(deref))]
pub fn assertions_of<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Vec<Assertion> {
    stated_by_functor(db, predicate.file(db))
        .get(predicate.functor(db))
        .cloned()
        .unwrap_or_default()
}
