//! Where what is named at a place is defined.

use costlens_program::SourceFile;

use super::names::{Role, name_at, names};
use super::variables::occurrences;
use super::{Place, Target, target, with_clauses};
use crate::host::File;
use crate::reports::Db;

/// The first clause of the predicate that is named at the offset, or its declaration where it has no clause; of a variable, its
/// first occurrence in the clause.
pub fn definition(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Place> {
    if let Some(name) = name_at(db, file, offset) {
        return defined(db, file, &target(db, file, &name.functor));
    }
    let first = occurrences(db, file, offset).into_iter().next()?;
    Some(Place {
        file: File(file),
        range: first.clone(),
        selection: first,
    })
}

/// The definition of a predicate. `from` is where its name stands: there a declaration of one without clauses is looked for.
pub(crate) fn defined(db: &dyn Db, from: SourceFile, target: &Target) -> Option<Place> {
    let Some(home) = target.home else {
        let all = names(db, from);
        let declared = |name: &&super::names::Name| {
            name.role == Role::Declaration && name.functor == target.functor
        };
        let name = all.iter().find(declared)?;
        return Some(Place {
            file: File(from),
            range: name.clause.clone(),
            selection: name.range.clone(),
        });
    };
    with_clauses(db, home, &target.functor, |p| {
        let first = p.clauses.first()?;
        let selection = first.name.0..first.name.1;
        Some(Place {
            file: File(home),
            range: first.range.0..first.range.1,
            selection,
        })
    })
}
