//! Finds the definition of the name at an offset.

use std::ops::Range;
use std::sync::Arc;

use costlens_program::language::split;
use costlens_program::names::given_in;
use costlens_program::positions::positions;
use costlens_program::{Clause, Functor, SourceFile, find};
use costlens_syntax::read_text;

use super::names::{Name, NameRole, name_at, names};
use super::variables::occurrences;
use super::{Destination, TargetPredicate, meant, with_clauses};
use crate::db::Db;
use crate::file::File;

/// Returns the first clause of the predicate named at the offset, in each file with clauses of the predicate. For a predicate without
/// clauses, returns its declaration; for a variable, its first occurrence in the clause.
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

/// Returns the definitions of a predicate. If it is undefined, its declaration is searched for in `from`, the file that names it.
pub(crate) fn defined(db: &dyn Db, from: SourceFile, target: &TargetPredicate) -> Vec<Destination> {
    let home = target.home.unwrap_or(from);
    let Some(predicate) = target.home.and_then(|h| find(db, h, &target.functor)) else {
        let is_it =
            |name: &Name| name.role == NameRole::Declaration && name.functor == target.functor;
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
                name.role == NameRole::Head
                    && split(&name.functor).is_some_and(|(_, plain)| plain == target.functor)
            };
            first_name(db, part, is_it)
        })
    });
    places.collect()
}

/// Returns the predicate whose first clause is at a destination.
pub(crate) fn defined_at(db: &dyn Db, place: &Destination) -> Option<Functor> {
    let positions = positions(db, place.file.0);
    let mut all = positions.iter();
    let found =
        all.find(|p| (p.clauses.first()).is_some_and(|c| (c.name.0..c.name.1) == place.selection));
    Some(found?.functor.clone())
}

/// Returns the range of a predicate's name in its first clause, in a text that is not open.
#[must_use]
pub fn first_head(text: &str, functor: &Functor) -> Option<Range<usize>> {
    let read = read_text(text);
    read.clauses.iter().find_map(|clause| {
        let terms = Arc::new(clause.terms.clone());
        let (of, read) = Clause::from_term(&terms, clause.root)?;
        let &(from, _) = clause
            .spans
            .ranges
            .get(read.head.index())
            .filter(|_| of == *functor)?;
        let from = clause.range.0 + from as usize;
        let is_it = text.get(from..)?.starts_with(&*functor.name);
        is_it.then(|| from..from + functor.name.len())
    })
}

/// Returns the first name in a file that satisfies a condition.
fn first_name(db: &dyn Db, file: SourceFile, is_it: impl Fn(&Name) -> bool) -> Option<Destination> {
    let all = names(db, file);
    let name = all.iter().find(|name| is_it(name))?;
    Some(Destination {
        file: File(file),
        range: name.clause.clone(),
        selection: name.range.clone(),
    })
}
