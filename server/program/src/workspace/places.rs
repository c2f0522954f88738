//! The files that are known, by their places.
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

/// The files of a program, by their places.
///
/// A *place* is a path with `/` between its parts and without `.` and `..` in it, absolute or relative to wherever all are. Each file has
/// one, whatever it is called; whoever reads files resolves links, and says which places lead to others. Files without a place (a document
/// that was never saved) load nothing and are loaded by nothing.
#[salsa::input(singleton)]
pub struct Workspace {
    /// The files by their places.
    pub files: Arc<BTreeMap<SmolStr, SourceFile>>,
    /// Places under which others look for files, through links, and where these are.
    pub links: Arc<BTreeMap<SmolStr, SmolStr>>,
    /// The folders that `library(…)` is searched in, in this order.
    pub libraries: Arc<[SmolStr]>,
    /// The library's index: predicates that are loaded when they are first called, and their places.
    pub autoload: Arc<FxHashMap<Functor, SmolStr>>,
}

/// The workspace, empty where none was set.
pub(crate) fn workspace(db: &dyn Db) -> Option<Workspace> {
    Workspace::try_get(db)
}

impl Workspace {
    /// The workspace of a database; made where there is none.
    pub fn of(db: &mut dyn Db) -> Self {
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

    /// The file at a place.
    pub fn at(self, db: &dyn Db, place: &str) -> Option<SourceFile> {
        let files = self.files(db);
        let known = files.get(place);
        known
            .or_else(|| files.get(self.links(db).get(place)?))
            .copied()
    }
}

/// A path as a place: `a/./b/../c` is `a/c`.
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

/// The places of files. *Invalidated* when a file comes or goes.
#[salsa::tracked(returns(ref))]
fn places(db: &dyn Db, workspace: Workspace) -> FxHashMap<SourceFile, SmolStr> {
    (workspace.files(db).iter())
        .map(|(place, &file)| (file, place.clone()))
        .collect()
}

/// Where a file is.
pub fn place_of(db: &dyn Db, file: SourceFile) -> Option<&SmolStr> {
    places(db, workspace(db)?).get(&file)
}

/// Returns whether a file stands in a folder of the library.
pub fn is_installed(db: &dyn Db, file: SourceFile) -> bool {
    installed_as(db, file).is_some()
}

/// The name of an installed file in `library(…)`: `dcg/basics`; none for a file that stands elsewhere.
pub fn installed_as(db: &dyn Db, file: SourceFile) -> Option<&str> {
    let place = place_of(db, file)?;
    let folders = workspace(db)?.libraries(db);
    let name = folders
        .iter()
        .find_map(|f| place.strip_prefix(&**f)?.strip_prefix('/'))?;
    Some(name.strip_suffix(".pl").unwrap_or(name))
}

/// The folders that are searched for libraries.
pub(crate) fn library_folders(db: &dyn Db) -> &[SmolStr] {
    workspace(db).map_or(&[], |workspace| workspace.libraries(db))
}

/// True for a predicate that a library defines which is loaded when it is first called; none where no library is known.
pub fn is_autoloaded(db: &dyn Db, functor: &Functor) -> Option<bool> {
    let index = workspace(db)?.autoload(db);
    (!index.is_empty()).then(|| index.contains_key(functor))
}

/// The library file that is loaded when a predicate is first called.
pub(crate) fn autoload(db: &dyn Db, functor: &Functor) -> Option<SourceFile> {
    let workspace = workspace(db)?;
    let place = workspace.autoload(db).get(functor)?;
    workspace.at(db, place)
}
