//! Looks up predicates by name and arity, except those made by specialisation.

use costlens_catalog::is_of_swi_prolog;

use super::damage::lost;
use super::in_file::{index, predicates};
use super::multifile::hosted;
use super::predicate::Predicate;
use super::records::generated;
use crate::directives::facts;
use crate::language::{Functor, FunctorKey};
use crate::workspace::{Db, Library, SourceFile, shipped_names};

/// Returns the predicates of a file, those that its record declarations generate, and the multifile predicates of its module that have
/// clauses only in other files.
pub(crate) fn all_predicates<'db>(
    db: &'db dyn Db,
    file: SourceFile,
) -> impl Iterator<Item = Predicate<'db>> {
    let unwritten = generated(db, file).iter().chain(hosted(db, file));
    predicates(db, file).iter().chain(unwritten).copied()
}

/// Returns the predicate with this name and arity in the given file only. *Invalidated* when it is added or removed.
#[salsa::tracked(returns(copy))]
fn find_in<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Option<Predicate<'db>> {
    let written = index(db, file).get(key.functor(db)).copied();
    written.or_else(|| {
        let unwritten = generated(db, file).iter().chain(hosted(db, file));
        let mut unwritten = unwritten.chain(lost(db, file)).copied();
        unwritten.find(|p| p.functor(db) == key.functor(db))
    })
}

/// Returns the predicate with this name and arity that is written in the given file itself.
pub(crate) fn find_written<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    find_in(db, file, FunctorKey::new(db, functor.clone()))
}

/// Returns the predicate with this name in the library files that ship with Costlens.
pub(crate) fn shipped<'db>(db: &'db dyn Db, functor: &Functor) -> Option<Predicate<'db>> {
    shipped_as(db, FunctorKey::new(db, functor.clone()))
}

/// *Invalidated* when a library that ships defines the name, or ceases to. A name is looked up once for each directive that loads a library.
#[salsa::tracked(returns(copy))]
fn shipped_as<'db>(db: &'db dyn Db, key: FunctorKey<'db>) -> Option<Predicate<'db>> {
    let functor = key.functor(db);
    let files = Library::try_get(db)?.files(db);
    files
        .iter()
        .find_map(|&other| find_exported(db, other, functor))
}

/// Returns the predicate with this name that a library file exports; its auxiliary predicates are private. Shipped texts contain only
/// clauses, and export the predicates in the catalogue.
pub(crate) fn find_exported<'db>(
    db: &'db dyn Db,
    library: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    let found = find_written(db, library, functor)?;
    let facts = facts(db, library);
    let is_exported = match facts.module {
        Some(_) => facts.is_exported(functor),
        None => {
            let ships = shipped_names().any(|name| name == library.path(db));
            !ships || is_of_swi_prolog(&functor.name, functor.arity)
        }
    };
    is_exported.then_some(found)
}

/// Returns the predicate with this name in the other library files.
pub(crate) fn shipped_in<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    let files = Library::try_get(db)?.files(db).iter();
    files
        .filter(|&&other| other != file)
        .find_map(|&other| find_exported(db, other, functor))
}
