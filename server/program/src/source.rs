//! The inputs: texts of files, and which of them are library.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::sync::Arc;

use costlens_syntax::{FileTerms, Parsed, ReadOptions, read};
use salsa::Durability;

use crate::modules::known_files;

/// The database of this room and of all rooms above it.
#[salsa::db]
pub trait Db: salsa::Database {}

/// Whether the user owns a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A file of the workspace.
    User,
    /// A file that ships with Costlens.
    Library,
}

/// A file.
///
/// *Identity*: given by whoever creates it; one for each path. *Invalidated* by `set_parsed`.
#[salsa::input(debug)]
pub struct SourceFile {
    /// How the file is called in messages; never opened from here.
    #[returns(deref)]
    pub path: String,
    /// The text with its syntax tree, which the editor keeps up to date incrementally.
    pub parsed: Parsed,
    /// Whose file it is.
    #[returns(copy)]
    pub role: Role,
}

/// The library files that every file sees, in the order in which they are searched.
#[salsa::input(singleton)]
pub struct Library {
    /// The files.
    #[returns(deref)]
    pub files: Vec<SourceFile>,
}

/// Creates the library from names and texts, of high durability: an edit of a user's file never re-validates it.
///
/// To be called once, before the first query.
pub fn install_library(db: &mut dyn Db, texts: &[(&str, &str)]) -> Vec<SourceFile> {
    let files: Vec<SourceFile> = texts
        .iter()
        .map(|&(path, text)| {
            SourceFile::builder(path.to_owned(), Parsed::new(text), Role::Library)
                .durability(Durability::HIGH)
                .new(db)
        })
        .collect();
    let _: Library = Library::builder(files.clone())
        .durability(Durability::HIGH)
        .new(db);
    files
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
