//! The bridge to the analysis: its database, and what it says of a predicate.

use std::sync::Arc;

use costlens_analysis::queries::file_report;
pub(crate) use costlens_analysis::queries::{Database, Db};
use costlens_analysis::report::{PredicateName, PredicateReport};
use costlens_program::{
    Functor, SourceFile, assertions_of, file_assertions, find, predicates, resolve,
};
use costlens_syntax::assertions::AssertionError;

use crate::check::AssertionCheck;

/// What the analysis says of the predicate that a call of this functor reaches from the file.
pub(crate) fn report(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Arc<PredicateReport>> {
    let home = resolve(db, file, functor)?.predicate().file(db);
    let place = (predicates(db, home).iter()).position(|p| p.functor(db) == functor)?;
    file_report(db, home).get(place).cloned()
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
    let mut names = vec![None; functor.arity];
    let Some(predicate) = find(db, file, functor) else {
        return names;
    };
    for assertion in assertions_of(db, predicate) {
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
    file_assertions(db, file).errors.clone()
}

/// The verdicts on a file's assertions.
pub(crate) fn verdicts(_: &dyn Db, _: SourceFile) -> Vec<AssertionCheck> {
    Vec::new()
}
