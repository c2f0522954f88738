//! Finding one's way: which predicate is meant at a place, where it is defined, and where else it is named.
//!
//! Everything here works on the places of a file at which predicates are named (`names`), and on one function that alone
//! knows what a name reaches (`target`).

pub mod definition;
pub mod hierarchy;
pub mod names;
pub mod references;
pub mod variables;

use std::ops::Range;

use costlens_program::modules::{Reach, reach};
use costlens_program::positions::{PredicatePositions, positions};
use costlens_program::{Functor, SourceFile, find};

use crate::host::File;
use crate::reports::Db;

/// A place that an editor can go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where: [`crate::host::Snapshot::document`] has the file's name and text.
    pub file: File,
    /// What is shown of it.
    pub range: Range<usize>,
    /// The name inside.
    pub selection: Range<usize>,
}

/// A predicate, wherever it is defined; of one that is defined nowhere, only the name is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) home: Option<SourceFile>,
    pub(crate) functor: Functor,
}

/// What a name that stands in a file reaches.
pub(crate) fn target(db: &dyn Db, file: SourceFile, functor: &Functor) -> Target {
    let found = match reach(db, file, functor) {
        // One of them is better than none.
        Reach::Ambiguous(one, _) => find(db, one, functor),
        reached => reached.predicate(),
    };
    Target {
        home: found.map(|p| p.file(db)),
        functor: found.map_or_else(|| functor.clone(), |p| p.functor(db).clone()),
    }
}

/// The clauses of a predicate in its own file.
pub(crate) fn with_clauses<T>(
    db: &dyn Db,
    home: SourceFile,
    functor: &Functor,
    read: impl FnOnce(&PredicatePositions) -> Option<T>,
) -> Option<T> {
    let all = positions(db, home);
    read(all.iter().find(|p| p.functor == *functor)?)
}
