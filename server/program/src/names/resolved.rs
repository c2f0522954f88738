//! Calls that can be followed. Recursion through several files is cut.

use super::groups::is_cut;
use super::reach::{Reach, reach_written};
use crate::definitions::Predicate;
use crate::language::Functor;
use crate::workspace::{Db, SourceFile};

/// The predicate that a call from a file reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resolved<'db> {
    /// A predicate of the file itself.
    Own(Predicate<'db>),
    /// A predicate of a library file that ships with Costlens.
    Library(Predicate<'db>),
    /// A predicate of another file of the program.
    Other(Predicate<'db>),
}

impl<'db> Resolved<'db> {
    /// Returns the predicate.
    #[must_use]
    pub fn predicate(self) -> Predicate<'db> {
        match self {
            Resolved::Own(p) | Resolved::Library(p) | Resolved::Other(p) => p,
        }
    }

    /// Returns the resolved predicate if inference may follow the call to it. It may not if recursion through several files is cut.
    pub(crate) fn from_reach(
        db: &'db dyn Db,
        file: SourceFile,
        reached: Reach<'db>,
    ) -> Option<Self> {
        match reached {
            Reach::Own(p) => Some(Resolved::Own(p)),
            Reach::Shipped(p) => Some(Resolved::Library(p)),
            Reach::Other(p) => (!is_cut(db, file, p)).then_some(Resolved::Other(p)),
            Reach::Ambiguous(..)
            | Reach::Missing(..)
            | Reach::Conditional(..)
            | Reach::Unsettled(..)
            | Reach::Nothing => None,
        }
    }
}

/// Resolves a call, ignoring predicates made by specialisation.
pub(crate) fn resolve_written<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Resolved<'db>> {
    Resolved::from_reach(db, file, reach_written(db, file, functor))
}
