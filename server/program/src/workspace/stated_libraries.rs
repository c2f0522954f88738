//! Libraries with known costs: one file of `trust` assertions for each library.
//!
//! A program may load a library whose text is not available, because no Prolog system is installed on the machine. The assertions about the
//! library then replace its text; if the text is available, both are used.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use salsa::{Durability, Setter as _};
use smol_str::SmolStr;

use super::db::Db;
use super::places::installed_as;
use super::shipped::parsed_once;
use super::source_file::{Role, SourceFile};

/// The files of assertions, by library name: `assoc`, `dcg/basics`.
#[salsa::input(singleton)]
pub struct StatedLibraries {
    /// The files.
    pub files: Arc<BTreeMap<SmolStr, SourceFile>>,
    /// The libraries whose text in a user-named folder differs from the text to which the assertions apply, so that the assertions do not
    /// hold.
    pub edited: Arc<BTreeSet<SmolStr>>,
}

/// Creates the files from library names and texts, with high durability like [`crate::install_library`].
pub fn install_stated(db: &mut dyn Db, texts: &[(&str, &str)]) {
    let files = texts.iter().map(|&(name, text)| {
        let file =
            SourceFile::builder(format!("costlens:{name}"), parsed_once(text), Role::Library)
                .durability(Durability::HIGH)
                .new(db);
        (SmolStr::new(name), file)
    });
    let files = Arc::new(files.collect());
    let _: StatedLibraries = StatedLibraries::builder(files, Arc::default())
        .durability(Durability::HIGH)
        .new(db);
}

/// Stops trusting the assertions about a library. Returns whether there were any.
pub fn distrust(db: &mut dyn Db, library: &str) -> bool {
    let Some(stated) = StatedLibraries::try_get(db) else {
        return false;
    };
    let mut files = BTreeMap::clone(stated.files(db).as_ref());
    let known = files.remove(library).is_some();
    stated
        .set_files(db)
        .with_durability(Durability::HIGH)
        .to(Arc::new(files));
    known
}

/// Sets the libraries whose text has been edited. Assertions about them are ignored until this changes.
pub fn set_edited(db: &mut dyn Db, libraries: &[String]) {
    let Some(stated) = StatedLibraries::try_get(db) else {
        return;
    };
    let edited: BTreeSet<SmolStr> = libraries.iter().map(SmolStr::from).collect();
    if *stated.edited(db).as_ref() != edited {
        stated
            .set_edited(db)
            .with_durability(Durability::HIGH)
            .to(Arc::new(edited));
    }
}

/// Returns the libraries with assertions.
pub fn stated_libraries(db: &dyn Db) -> Vec<SmolStr> {
    StatedLibraries::try_get(db)
        .map(|s| s.files(db).keys().cloned().collect())
        .unwrap_or_default()
}

/// Returns whether assertions about a library exist.
pub(crate) fn is_stated(db: &dyn Db, library: &str) -> bool {
    file_of(db, library).is_some()
}

/// Returns whether the text of a library in a user-named folder differs from the text to which assertions and rules apply.
pub fn is_edited(db: &dyn Db, library: &str) -> bool {
    StatedLibraries::try_get(db).is_some_and(|stated| stated.edited(db).contains(library))
}

/// Returns whether a file is the edited text of a library.
pub fn is_edited_library(db: &dyn Db, file: SourceFile) -> bool {
    installed_as(db, file).is_some_and(|library| is_edited(db, library))
}

pub(crate) fn file_of(db: &dyn Db, library: &str) -> Option<SourceFile> {
    let stated = StatedLibraries::try_get(db)?;
    if stated.edited(db).contains(library) {
        return None;
    }
    stated.files(db).get(library).copied()
}
