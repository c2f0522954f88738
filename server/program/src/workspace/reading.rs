//! Clauses and comments of a file, read with the operators that other files declare for it.

use std::sync::Arc;

use costlens_syntax::{FileOperators, FileTerms, KnownFiles, ReadOptions, read, read_directives};

use super::candidates::candidates;
use super::db::Db;
use super::folder_names::folders;
use super::places::{place_of, workspace};
use super::source_file::SourceFile;
use crate::language::is_library;

/// The operators that a file declares for others. *Invalidated* by every edit, mostly equal.
#[salsa::tracked(returns(clone))]
fn operators_of(db: &dyn Db, file: SourceFile) -> FileOperators {
    read_directives(file.parsed(db), &ReadOptions::default()).operators
}

/// Collects the operators of the files that a file names. Those of libraries the reader knows by itself.
fn known_files(db: &dyn Db, file: SourceFile) -> KnownFiles {
    let mut known = KnownFiles::default();
    let (Some(workspace), Some(from)) = (workspace(db), place_of(db, file)) else {
        return known;
    };
    if workspace.files(db).len() < 2 {
        return known;
    }
    for import in read_directives(file.parsed(db), &ReadOptions::default()).imports {
        // Of the libraries the reader has tables of its own.
        if is_library(&import.file) {
            continue;
        }
        let named = match import.file.alias {
            Some(_) => folders(db, file),
            None => &[],
        };
        let mut places = candidates(from, &import.file, &[], named).into_iter();
        if let Some(other) = places.find_map(|p| workspace.at(db, &p))
            && other != file
        {
            known.0.insert(import.file, operators_of(db, other));
        }
    }
    known
}

/// The clauses and comments of a file, positions included.
///
/// *Invalidated* by every edit; only the queries that take positions away, and [`crate::positions`], read it.
#[salsa::tracked(returns(clone), no_eq)]
pub fn terms(db: &dyn Db, file: SourceFile) -> Arc<FileTerms> {
    let options = ReadOptions {
        files: known_files(db, file),
        ..ReadOptions::default()
    };
    Arc::new(read(file.parsed(db), &options))
}
