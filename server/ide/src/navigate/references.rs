//! The references to a predicate or a variable.

use std::ops::Range;

use costlens_program::language::split;
use costlens_program::names::names_of;
use costlens_program::{Functor, SourceFile};
use costlens_syntax::FileSpec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{Name, NameRole, name_at, names};
use super::variables::occurrences;
use super::{Destination, TargetPredicate, meant};
use crate::db::Db;
use crate::file::File;

/// Returns all references to the name at the offset. Clause heads are included only if `heads` is true.
pub fn references(
    db: &dyn Db,
    files: &[SourceFile],
    file: SourceFile,
    offset: usize,
    heads: bool,
) -> Vec<Destination> {
    let Some(name) = name_at(db, file, offset) else {
        let variable = occurrences(db, file, offset).into_iter();
        // `definition` returns the first occurrence.
        return variable
            .skip(usize::from(!heads))
            .map(|range| Destination {
                file: File(file),
                range: range.clone(),
                selection: range,
            })
            .collect();
    };
    let target = meant(db, file, &name);
    named(db, files, &target)
        .into_iter()
        .filter(|(_, name)| heads || name.role != NameRole::Head)
        .map(|(file, name)| Destination {
            file: File(file),
            range: name.range.clone(),
            selection: name.range,
        })
        .collect()
}

/// Returns the names in these files that resolve to a predicate. For an undefined predicate (a built-in), these are the unresolved names.
pub(crate) fn named(
    db: &dyn Db,
    files: &[SourceFile],
    wanted: &TargetPredicate,
) -> Vec<(SourceFile, Name)> {
    let mut found = Vec::new();
    let called = names_of(db, files, &wanted.functor);
    for &file in files {
        db.unwind_if_revision_cancelled();
        // A name resolves to the same predicate throughout a file.
        let mut reached: FxHashMap<(&Functor, Option<&FileSpec>), bool> = FxHashMap::default();
        for name in names(db, file).iter().filter(|n| is_among(&called, n)) {
            let is_it = *(reached.entry((&name.functor, name.listed_of.as_ref())))
                .or_insert_with(|| meant(db, file, name) == *wanted);
            if is_it {
                found.push((file, name.clone()));
            }
        }
    }
    found
}

/// Returns true for a name in the set, with or without a module qualification.
fn is_among(called: &FxHashSet<Functor>, name: &Name) -> bool {
    called.contains(&name.functor)
        || split(&name.functor).is_some_and(|(_, plain)| called.contains(&plain))
}

/// A range to highlight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The range.
    pub range: Range<usize>,
    /// True in a clause head, and for the first occurrence of a variable.
    pub defines: bool,
}

/// Returns the highlights in the file for the name at the offset.
pub fn highlights(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Highlight> {
    let Some(at) = name_at(db, file, offset) else {
        let all = occurrences(db, file, offset).into_iter().enumerate();
        return all
            .map(|(i, range)| Highlight {
                range,
                defines: i == 0,
            })
            .collect();
    };
    let all = names(db, file);
    let wanted = meant(db, file, &at);
    let mut called = names_of(db, &[file], &wanted.functor);
    called.insert(at.functor.clone());
    let mut reached: FxHashMap<(&Functor, Option<&FileSpec>), bool> = FxHashMap::default();
    all.iter()
        .filter(|name| is_among(&called, name))
        .filter(|name| {
            *(reached.entry((&name.functor, name.listed_of.as_ref())))
                .or_insert_with(|| meant(db, file, name) == wanted)
        })
        .map(|name| Highlight {
            range: name.range.clone(),
            defines: name.role == NameRole::Head,
        })
        .collect()
}
