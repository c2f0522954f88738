//! The known files, by their normalised paths (*places*).
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use salsa::Durability;
use smol_str::SmolStr;

use super::db::Db;
use super::source_file::SourceFile;
use crate::language::Functor;

/// The files of a program, by place.
///
/// A *place* is a path with `/` between its parts and without `.` and `..`, absolute or relative to a common base. Each file has one place,
/// whatever its name; callers that read files resolve links, and report the places that are links to other places. Files without a place
/// (such as unsaved documents) load nothing and are not loaded.
#[salsa::input(singleton)]
pub struct Workspace {
    /// The files, by place.
    pub files: Arc<BTreeMap<SmolStr, SourceFile>>,
    /// The links: places through which other files refer to files, with the actual places.
    pub links: Arc<BTreeMap<SmolStr, SmolStr>>,
    /// The folders to search for `library(…)`, in this order.
    pub libraries: Arc<[SmolStr]>,
    /// The library's index: autoloaded predicates, with the places of their files.
    pub autoload: Arc<FxHashMap<Functor, SmolStr>>,
}

/// Returns all known files.
pub fn files(db: &dyn Db) -> Vec<SourceFile> {
    Workspace::try_get(db).map_or_else(Vec::new, |workspace| {
        workspace.files(db).values().copied().collect()
    })
}

/// Returns the workspace, if one was set.
pub(crate) fn workspace(db: &dyn Db) -> Option<Workspace> {
    Workspace::try_get(db)
}

impl Workspace {
    /// Returns the workspace of a database, creating it if necessary.
    pub fn get_or_create(db: &mut dyn Db) -> Self {
        match Self::try_get(db) {
            Some(found) => found,
            None => Workspace::builder(
                Arc::default(),
                Arc::default(),
                Arc::default(),
                Arc::default(),
            )
            .durability(Durability::MEDIUM)
            .new(db),
        }
    }

    /// Returns the file at a place.
    pub fn file_at(self, db: &dyn Db, place: &str) -> Option<SourceFile> {
        let files = self.files(db);
        let known = files.get(place);
        known
            .or_else(|| files.get(self.links(db).get(place)?))
            .copied()
    }
}

/// Converts a path to a place: `a/./b/../c` becomes `a/c`.
#[must_use]
pub fn normal(path: &str) -> SmolStr {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute {
        format!("/{joined}").into()
    } else {
        joined.into()
    }
}

/// Returns the places of files. *Invalidated* when a file is added or removed.
#[salsa::tracked(returns(ref))]
fn places(db: &dyn Db, workspace: Workspace) -> FxHashMap<SourceFile, SmolStr> {
    (workspace.files(db).iter())
        .map(|(place, &file)| (file, place.clone()))
        .collect()
}

/// Returns the place of a file.
pub fn place_of(db: &dyn Db, file: SourceFile) -> Option<&SmolStr> {
    places(db, workspace(db)?).get(&file)
}

/// Returns whether a file is in a library folder.
pub fn is_installed(db: &dyn Db, file: SourceFile) -> bool {
    installed_as(db, file).is_some()
}

/// Returns the name of an installed file in `library(…)`: `dcg/basics`. Returns `None` for other files.
pub fn installed_as(db: &dyn Db, file: SourceFile) -> Option<&str> {
    let place = place_of(db, file)?;
    let folders = workspace(db)?.libraries(db);
    let name = folders
        .iter()
        .find_map(|f| place.strip_prefix(&**f)?.strip_prefix('/'))?;
    Some(name.strip_suffix(".pl").unwrap_or(name))
}

/// Returns the folders that are searched for libraries.
pub(crate) fn library_folders(db: &dyn Db) -> &[SmolStr] {
    workspace(db).map_or(&[], |workspace| workspace.libraries(db))
}

/// Returns whether a predicate is autoloaded from a library. Returns `None` if no library is known.
pub fn is_autoloaded(db: &dyn Db, functor: &Functor) -> Option<bool> {
    let index = workspace(db)?.autoload(db);
    (!index.is_empty()).then(|| index.contains_key(functor))
}

/// Returns the library file from which a predicate is autoloaded.
pub(crate) fn autoload(db: &dyn Db, functor: &Functor) -> Option<SourceFile> {
    let workspace = workspace(db)?;
    let place = workspace.autoload(db).get(functor)?;
    workspace.file_at(db, place)
}
