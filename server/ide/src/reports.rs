//! The bridge to the analysis: its database, and what it says of a predicate.

use std::sync::Arc;

use costlens_analysis::report::{PredicateName, PredicateReport};
use costlens_program::source::terms;
use costlens_program::{Db, Functor, SourceFile};
use costlens_syntax::assertions::{Assertion, AssertionError, assertions};

use crate::check::AssertionCheck;

/// The database of all rooms.
#[salsa::db]
#[derive(Clone, Default)]
pub(crate) struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {}

impl Database {
    /// A database.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self::default()
    }
}

/// What the analysis says of the predicate that a call of this functor reaches from the file.
pub(crate) fn report(_: &dyn Db, _: SourceFile, _: &Functor) -> Option<Arc<PredicateReport>> {
    None
}

/// The name of a functor in reports.
pub(crate) fn name(functor: &Functor) -> PredicateName {
    PredicateName {
        name: functor.name.clone(),
        arity: functor.arity,
    }
}

/// The functor of a name in reports.
pub(crate) fn functor(name: &PredicateName) -> Functor {
    Functor::new(name.name.clone(), name.arity)
}

/// What the declarations of a predicate call its arguments.
pub(crate) fn declared_names(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Vec<Option<String>> {
    let all = assertions(&file.parsed(db).text, &terms(db, file));
    let of = |a: &&Assertion| a.name == functor.name && a.arity == functor.arity;
    let mut names = vec![None; functor.arity];
    for assertion in all.list.iter().filter(of) {
        for (slot, argument) in names.iter_mut().zip(&assertion.arguments) {
            if slot.is_none() {
                *slot = argument.name.as_ref().map(ToString::to_string);
            }
        }
    }
    names
}

/// The malformed assertions of a file.
pub(crate) fn assertion_errors(db: &dyn Db, file: SourceFile) -> Vec<AssertionError> {
    assertions(&file.parsed(db).text, &terms(db, file)).errors
}

/// The verdicts on a file's assertions.
pub(crate) fn verdicts(_: &dyn Db, _: SourceFile) -> Vec<AssertionCheck> {
    Vec::new()
}
