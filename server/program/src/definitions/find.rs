//! Predicates by name and arity, those that specialisation makes left out.

use super::damage::lost;
use super::in_file::{index, predicates};
use super::multifile::hosted;
use super::predicate::Predicate;
use crate::language::{Functor, FunctorKey};
use crate::workspace::{Db, Library, SourceFile};

/// The predicates of a file, and the multifile ones of its module that have clauses in other files alone.
pub(crate) fn all_predicates<'db>(
    db: &'db dyn Db,
    file: SourceFile,
) -> impl Iterator<Item = Predicate<'db>> {
    let hosted = hosted(db, file).iter();
    predicates(db, file).iter().chain(hosted).copied()
}

/// The predicate of this name and arity in this very file. *Invalidated* when it comes or goes.
#[salsa::tracked(returns(copy))]
fn find_in<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Option<Predicate<'db>> {
    let written = index(db, file).get(key.functor(db)).copied();
    written.or_else(|| {
        let mut elsewhere = hosted(db, file).iter().chain(lost(db, file)).copied();
        elsewhere.find(|p| p.functor(db) == key.functor(db))
    })
}

/// The predicate of this name and arity that is written in this very file.
pub(crate) fn find_written<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    find_in(db, file, FunctorKey::new(db, functor.clone()))
}

/// The predicate of this name in the library files that ship with Costlens.
pub(crate) fn shipped<'db>(db: &'db dyn Db, functor: &Functor) -> Option<Predicate<'db>> {
    let files = Library::try_get(db)?.files(db);
    files
        .iter()
        .find_map(|&other| find_written(db, other, functor))
}

/// The predicate of this name in the library files before one of them.
pub(crate) fn shipped_in<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    let files = Library::try_get(db)?.files(db).iter();
    files
        .take_while(|&&other| other != file)
        .find_map(|&other| find_written(db, other, functor))
}
