//! Resolution of calls, including predicates made by specialisation.

use crate::definitions::{Predicate, find_written};
use crate::language::Functor;
use crate::names::{Reach, Resolved, reach_written};
use crate::rewriting::find_made;
use crate::workspace::{Db, SourceFile};

/// Resolves a name in a file. The order is SWI-Prolog's: the predicates of the file's module, its imports, predicates inherited from `user`
/// and `system`; then library predicates, which are loaded on the first call.
pub fn reach<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Reach<'db> {
    // Predicates made by specialisation are looked up separately, since they depend on the results of name resolution.
    if let Some(own) = find(db, file, functor) {
        return Reach::Own(own);
    }
    reach_written(db, file, functor)
}

/// Returns the predicate with this name and arity in the given file only, including those made by [`crate::rewriting`].
pub fn find<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Predicate<'db>> {
    find_written(db, file, functor).or_else(|| find_made(db, file, functor))
}

/// Returns the predicate that a call in `file` reaches, if it can be followed. A shipped library file sees itself and the library files
/// before it.
pub fn resolve<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Resolved<'db>> {
    Resolved::from_reach(db, file, reach(db, file, functor))
}
