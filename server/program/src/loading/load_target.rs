//! Determines the file that a directive loads.

use costlens_syntax::FileSpec;
use smol_str::SmolStr;

use crate::directives::{Imports, loads};
use crate::language::is_library;
use crate::workspace::{
    Db, SourceFile, candidates, folders, is_stated, place_of, shipped_library, workspace,
};

/// Returns the candidate places for the file in a directive.
pub(crate) fn candidates_of(db: &dyn Db, file: SourceFile, spec: &FileSpec) -> Vec<SmolStr> {
    let (Some(workspace), Some(from)) = (workspace(db), place_of(db, file)) else {
        return Vec::new();
    };
    candidates(from, spec, workspace.libraries(db), folders(db, file))
}

/// Returns the file to which a file specification in another file refers.
pub(crate) fn file_named(db: &dyn Db, from: SourceFile, spec: &FileSpec) -> Option<SourceFile> {
    let workspace = workspace(db)?;
    let mut places = candidates_of(db, from, spec).into_iter();
    places.find_map(|p| workspace.file_at(db, &p))
}

/// Returns the files that the directives of a file load, in order, with `None` for unknown files.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(deref))]
pub(crate) fn targets(db: &dyn Db, file: SourceFile) -> Vec<Option<SourceFile>> {
    (loads(db, file).loads.iter())
        .map(|load| file_named(db, file, &load.spec))
        .collect()
}

/// Returns the file loaded by a directive, by the directive's index among [`loads`].
pub fn target(db: &dyn Db, file: SourceFile, load: usize) -> Option<SourceFile> {
    targets(db, file).get(load).copied().flatten()
}

/// Returns the known files that a file loads, without duplicates, in the order of the directives.
pub fn dependencies(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut found: Vec<SourceFile> = Vec::new();
    for other in targets(db, file).iter().copied().flatten() {
        if other != file && !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

/// Returns a missing library that the file loads as a whole.
pub(crate) fn unread_library(db: &dyn Db, file: SourceFile) -> Option<&FileSpec> {
    let mut all = loads(db, file).loads.iter().zip(targets(db, file));
    let (load, _) = all.find(|(load, target)| {
        target.is_none()
            && is_library(&load.spec)
            && !matches!(load.imports, Imports::Only(_))
            && shipped_library(db, &load.spec.path).is_none()
            && !is_stated(db, &load.spec.path)
    })?;
    Some(&load.spec)
}

/// Returns whether a file loads a missing file from a folder with an alias other than `library`, such as `app(…)`.
pub fn names_unknown_folder(db: &dyn Db, file: SourceFile) -> bool {
    let mut all = loads(db, file).loads.iter().zip(targets(db, file));
    all.any(|(load, target)| {
        target.is_none() && load.spec.alias.is_some() && !is_library(&load.spec)
    })
}
