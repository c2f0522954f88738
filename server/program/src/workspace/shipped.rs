//! The library predicates that are written in Prolog, clause by clause as SWI-Prolog counts them. Bounds are inferred from these
//! texts, and the machine runs them: what is counted is what is bounded.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use costlens_syntax::Parsed;
use salsa::Durability;

use super::db::Db;
use super::source_file::{Role, SourceFile};

/// The files that ship with Costlens: name and text.
pub const TEXTS: &[(&str, &str)] = &[
    ("lists", include_str!("../../library/lists.pl")),
    ("apply", include_str!("../../library/apply.pl")),
    ("pairs", include_str!("../../library/pairs.pl")),
    ("sort", include_str!("../../library/sort.pl")),
    (
        "solution_sequences",
        include_str!("../../library/solution_sequences.pl"),
    ),
];

/// The file of a library that ships with Costlens, by the name of the library.
pub(crate) fn shipped_library(db: &dyn Db, name: &str) -> Option<SourceFile> {
    let mut files = Library::try_get(db)?.files(db).iter().copied();
    files.find(|file| file.path(db) == name)
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
