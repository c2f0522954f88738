//! Information about a predicate in files other than its clauses: argument names, comments, and trusted lines.

pub(crate) mod arguments;
pub mod assertion;
pub(crate) mod documentation;
pub(crate) mod mode_line;
pub(crate) mod trust_lines;

use costlens_program::definitions::gathered_from;
use costlens_program::{Functor, SourceFile, facts};

use crate::db::Db;

/// Returns the module that a file defines, or `user`.
pub(crate) fn module(db: &dyn Db, file: SourceFile) -> String {
    let module = facts(db, file).module.as_ref();
    module.map_or_else(|| "user".to_owned(), ToString::to_string)
}

/// Returns the files with clauses of a multifile predicate, if there are several.
pub(crate) fn clauses_from(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<String> {
    let files = gathered_from(db, file, functor).into_iter();
    files.map(|f| f.path(db).to_owned()).collect()
}
