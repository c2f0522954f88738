//! Navigation: the predicate at a place, its definition, and its references.
//!
//! All navigation is based on the places in a file at which predicates are named (`names`), and on a single function that resolves names
//! (`target`).

pub mod beyond;
pub mod definition;
pub mod hierarchy;
pub mod names;
pub mod references;
pub mod variables;

use std::ops::Range;

use costlens_program::graph::reach;
use costlens_program::names::{Reach, declared_in, given_in, in_programs_of, reach_listed};
use costlens_program::positions::{PredicatePositions, positions};
use costlens_program::{Functor, Predicate, SourceFile, find};

use self::names::Name;

use crate::db::Db;
use crate::file::File;

/// A place to which an editor can navigate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The file. [`crate::host::Snapshot::document`] returns its name and text.
    pub file: File,
    /// The range to display.
    pub range: Range<usize>,
    /// The range of the name within it.
    pub selection: Range<usize>,
}

/// A predicate with its file. For an undefined predicate, only the name is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetPredicate {
    /// The defining file. If several files contain clauses, the first file that belongs to the predicate's module.
    pub(crate) home: Option<SourceFile>,
    pub(crate) functor: Functor,
}

/// Resolves a name in a file.
pub(crate) fn target(db: &dyn Db, file: SourceFile, functor: &Functor) -> TargetPredicate {
    match reach(db, file, functor) {
        // An ambiguous target is better than none.
        Reach::Ambiguous(one, _) => target_of(db, file, find(db, one, functor), functor),
        Reach::Nothing => target_of(db, file, in_programs_of(db, file, functor), functor),
        reached => target_of(db, file, reached.predicate(), functor),
    }
}

/// Resolves a name at a place.
pub(crate) fn meant(db: &dyn Db, file: SourceFile, name: &Name) -> TargetPredicate {
    let Some(spec) = &name.listed_of else {
        return target(db, file, &name.functor);
    };
    match reach_listed(db, file, spec, &name.functor) {
        Reach::Nothing => {
            let here = target(db, file, &name.functor);
            // A name in an import list does not refer to the file's own predicate.
            match here.home == Some(file) {
                true => TargetPredicate { home: None, ..here },
                false => here,
            }
        }
        reached => target_of(db, file, reached.predicate(), &name.functor),
    }
}

fn target_of(
    db: &dyn Db,
    file: SourceFile,
    predicate: Option<Predicate<'_>>,
    functor: &Functor,
) -> TargetPredicate {
    let Some(predicate) = predicate else {
        return TargetPredicate {
            home: declared_in(db, file, functor),
            functor: functor.clone(),
        };
    };
    let of = predicate.functor(db);
    let mut all = given_in(db, predicate).into_iter();
    let home = all.find(|&part| find(db, part, of).is_some());
    TargetPredicate {
        home: home.or(Some(predicate.file(db))),
        functor: of.clone(),
    }
}

/// Calls a function with the clauses of a predicate in its defining file.
pub(crate) fn with_clauses<T>(
    db: &dyn Db,
    home: SourceFile,
    functor: &Functor,
    read: impl FnOnce(&PredicatePositions) -> Option<T>,
) -> Option<T> {
    let all = positions(db, home);
    read(all.iter().find(|p| p.functor == *functor)?)
}
