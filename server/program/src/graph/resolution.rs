//! Resolution of calls, predicates that specialisation makes included.

use crate::definitions::{Predicate, find_written};
use crate::language::Functor;
use crate::names::{Reach, Resolved, reach_written};
use crate::rewriting::find_made;
use crate::workspace::{Db, SourceFile};

/// Resolves a name in a file. The order is SWI-Prolog's: the predicates of the file's module, what it imports, what it
/// inherits from `user` and `system`; then the library, loaded on the first call.
pub fn reach<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Reach<'db> {
    // Made predicates are found apart: what is made depends on what is reached.
    if let Some(own) = find(db, file, functor) {
        return Reach::Own(own);
    }
    reach_written(db, file, functor)
}

/// The predicate of this name and arity in this very file, made ones ([`crate::rewriting`]) included.
pub fn find<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Predicate<'db>> {
    find_written(db, file, functor).or_else(|| find_made(db, file, functor))
}

/// The predicate that a call in `file` reaches, as far as it can be followed. Shipped library files see themselves and the library files
/// before them.
pub fn resolve<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Resolved<'db>> {
    Resolved::of(db, file, reach(db, file, functor))
}
