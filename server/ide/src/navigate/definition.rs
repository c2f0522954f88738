//! Where what is named at a place is defined.

use costlens_program::language::split;
use costlens_program::names::given_in;
use costlens_program::{SourceFile, find};

use super::names::{Name, Role, name_at, names};
use super::variables::occurrences;
use super::{Destination, Target, meant, with_clauses};
use crate::db::Db;
use crate::file::File;

/// The first clause of the predicate that is named at the offset, in each file that gives it clauses, or its declaration where it has none; of
/// a variable, its first occurrence in the clause.
pub fn definition(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Destination> {
    if let Some(name) = name_at(db, file, offset) {
        return defined(db, file, &meant(db, file, &name));
    }
    let first = occurrences(db, file, offset).into_iter().next();
    let destination = first.map(|first| Destination {
        file: File(file),
        range: first.clone(),
        selection: first,
    });
    destination.into_iter().collect()
}

/// The definitions of a predicate. `from` is where its name stands: there a declaration of one that is known nowhere is looked for.
pub(crate) fn defined(db: &dyn Db, from: SourceFile, target: &Target) -> Vec<Destination> {
    let home = target.home.unwrap_or(from);
    let Some(predicate) = target.home.and_then(|h| find(db, h, &target.functor)) else {
        let is_it = |name: &Name| name.role == Role::Declaration && name.functor == target.functor;
        return first_name(db, home, is_it).into_iter().collect();
    };
    let places = given_in(db, predicate).into_iter().filter_map(|part| {
        with_clauses(db, part, &target.functor, |p| {
            let first = p.clauses.first()?;
            Some(Destination {
                file: File(part),
                range: first.range.0..first.range.1,
                selection: first.name.0..first.name.1,
            })
        })
        .or_else(|| {
            let is_it = |name: &Name| {
                name.role == Role::Head
                    && split(&name.functor).is_some_and(|(_, plain)| plain == target.functor)
            };
            first_name(db, part, is_it)
        })
    });
    places.collect()
}

/// The first name of a file that is such a one.
fn first_name(db: &dyn Db, file: SourceFile, is_it: impl Fn(&Name) -> bool) -> Option<Destination> {
    let all = names(db, file);
    let name = all.iter().find(|name| is_it(name))?;
    Some(Destination {
        file: File(file),
        range: name.clause.clone(),
        selection: name.range.clone(),
    })
}
