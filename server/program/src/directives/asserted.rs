//! The assertions of a file about its predicates, without positions.

use std::sync::Arc;

use costlens_syntax::assertions::{Assertion, Assertions, assertions};
use rustc_hash::FxHashMap;

use crate::language::{Functor, FunctorKey};
use crate::workspace::{Db, SourceFile, file_of, installed_as, terms};

/// Returns the assertions of a file with their positions and errors. Only presentation code and [`stated`] may read them.
///
/// *Invalidated* by every edit.
#[salsa::tracked(returns(clone), no_eq)]
pub fn file_assertions(db: &dyn Db, file: SourceFile) -> Arc<Assertions> {
    Arc::new(assertions(&file.parsed(db).text, &terms(db, file)))
}

/// Returns the assertions of a file without positions; equal as long as no assertion changes.
#[salsa::tracked(returns(deref))]
pub fn stated(db: &dyn Db, file: SourceFile) -> Vec<Assertion> {
    file_assertions(db, file).list.clone()
}

#[salsa::tracked]
pub(crate) fn stated_by_functor(
    db: &dyn Db,
    file: SourceFile,
) -> FxHashMap<Functor, Vec<Assertion>> {
    let mut found: FxHashMap<Functor, Vec<Assertion>> = FxHashMap::default();
    for assertion in stated(db, file) {
        let functor = Functor::new(assertion.name.clone(), assertion.arity);
        found.entry(functor).or_default().push(assertion.clone());
    }
    found
}

/// Returns a file's assertions about a name, whether or not the file contains clauses for it, in the order of the file.
///
/// *Invalidated* when one of these assertions changes.
#[salsa::tracked(returns(deref))]
pub fn assertions_about<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    key: FunctorKey<'db>,
) -> Vec<Assertion> {
    stated_by_functor(db, file)
        .get(key.functor(db))
        .cloned()
        .unwrap_or_default()
}

/// Returns whether assertions about a predicate of a library exist.
pub(crate) fn is_stated_in(db: &dyn Db, library: &str, functor: &Functor) -> bool {
    file_of(db, library).is_some_and(|home| is_stated_at(db, home, functor))
}

/// Returns whether assertions about a predicate of an installed library file exist.
pub(crate) fn is_stated_of(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let home = installed_as(db, file).and_then(|library| file_of(db, library));
    home.is_some_and(|home| is_stated_at(db, home, functor))
}

/// Returns whether a file of assertions about a library names a predicate. The text is searched before it is parsed: most names occur in no
/// such file, and parsing all of them takes a fifth of the time of a small program's analysis.
pub(crate) fn is_stated_at(db: &dyn Db, home: SourceFile, functor: &Functor) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = functor.name.as_str();
    let may_occur = !name.chars().all(is_plain) || home.parsed(db).text.contains(name);
    may_occur && !assertions_about(db, home, FunctorKey::new(db, functor.clone())).is_empty()
}
