//! Where a predicate or a variable is named.

use std::ops::Range;

use costlens_program::SourceFile;

use super::names::{Name, Role, name_at, names};
use super::variables::occurrences;
use super::{Place, Target, target};
use crate::host::File;
use crate::reports::Db;

/// All places at which what is named at the offset is named; clause heads only if `heads` are wanted.
pub fn references(
    db: &dyn Db,
    files: &[SourceFile],
    file: SourceFile,
    offset: usize,
    heads: bool,
) -> Vec<Place> {
    let Some(name) = name_at(db, file, offset) else {
        let variable = occurrences(db, file, offset).into_iter();
        // The first occurrence is what `definition` gives.
        return variable
            .skip(usize::from(!heads))
            .map(|range| Place {
                file: File(file),
                range: range.clone(),
                selection: range,
            })
            .collect();
    };
    let target = target(db, file, &name.functor);
    named(db, files, &target)
        .into_iter()
        .filter(|(_, name)| heads || name.role != Role::Head)
        .map(|(file, name)| Place {
            file: File(file),
            range: name.range.clone(),
            selection: name.range,
        })
        .collect()
}

/// The names of one predicate in these files. Those of a predicate that is defined nowhere (a built-in one) are those that
/// reach nothing.
pub(crate) fn named(db: &dyn Db, files: &[SourceFile], wanted: &Target) -> Vec<(SourceFile, Name)> {
    let mut found = Vec::new();
    for &file in files {
        db.unwind_if_revision_cancelled();
        let all = names(db, file);
        let mut same = all
            .iter()
            .filter(|name| name.functor == wanted.functor)
            .peekable();
        // What a name reaches is the same in all of a file.
        if same.peek().is_some() && target(db, file, &wanted.functor) == *wanted {
            found.extend(same.map(|name| (file, name.clone())));
        }
    }
    found
}

/// A place to be highlighted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The bytes.
    pub range: Range<usize>,
    /// Whether this is where the thing is made: a clause head, the first occurrence of a variable.
    pub defines: bool,
}

/// What is to be highlighted with the name at the offset, in its own file.
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
    all.iter()
        .filter(|name| name.functor == at.functor)
        .map(|name| Highlight {
            range: name.range.clone(),
            defines: name.role == Role::Head,
        })
        .collect()
}
