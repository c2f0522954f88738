//! The directives of a file for which other files matter.

use costlens_syntax::{FileOperators, Import, ReadOptions, read_directives};

use super::db::Db;
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
