//! The directives of a file for which other files matter.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_syntax::{FileOperators, Import, ReadOptions, read_directives};
use smol_str::SmolStr;

use super::db::Db;
use super::places::Workspace;
use super::source_file::SourceFile;

/// Returns the files that a file names, and the operators that it declares for other files. *Invalidated* by every edit; the result is
/// usually equal.
///
/// A single query returns both, because the tree of a library file is dropped after its clauses are read, and a later query would have to
/// parse it again.
#[salsa::tracked(returns(ref))]
pub(super) fn said_of_files(db: &dyn Db, file: SourceFile) -> (Vec<Import>, FileOperators) {
    let read = read_directives(file.parsed(db), &ReadOptions::default());
    (read.imports, read.operators)
}

/// Returns the modules of all known files.
pub(crate) fn module_names(db: &dyn Db) -> Option<Arc<BTreeSet<SmolStr>>> {
    Some(all_module_names(db, Workspace::try_get(db)?))
}

/// *Invalidated* when the header of a module changes, or a file is added or removed.
#[salsa::tracked(returns(clone))]
fn all_module_names(db: &dyn Db, workspace: Workspace) -> Arc<BTreeSet<SmolStr>> {
    let files = workspace.files(db).values();
    let names = files.filter_map(|&file| said_of_files(db, file).1.name.clone());
    Arc::new(names.collect())
}
