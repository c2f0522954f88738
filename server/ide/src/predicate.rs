//! The statements of files about a predicate beside its clauses: the names of its arguments, its comment, and the lines that are
//! trusted.

pub(crate) mod arguments;
pub mod assertion;
pub(crate) mod documentation;
pub(crate) mod mode_line;
pub(crate) mod trust_lines;

use costlens_program::definitions::gathered_from;
use costlens_program::{Functor, SourceFile, facts};

use crate::db::Db;

/// The module that a file defines, `user` where it defines none.
pub(crate) fn module(db: &dyn Db, file: SourceFile) -> String {
    let module = facts(db, file).module.as_ref();
    module.map_or_else(|| "user".to_owned(), ToString::to_string)
}

/// The files that a multifile predicate has its clauses from, where there are several.
pub(crate) fn clauses_from(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<String> {
    let files = gathered_from(db, file, functor).into_iter();
    files.map(|f| f.path(db).to_owned()).collect()
}
