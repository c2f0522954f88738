//! Files: texts with their syntax trees, and their roles.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::cell::RefCell;

use costlens_syntax::Parsed;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The role of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A file of the workspace.
    User,
    /// A file that ships with Costlens.
    Library,
}

/// A file.
///
/// *Identity*: assigned at creation; one for each path. *Invalidated* by `set_parsed`.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The file's name in messages; never used to open it.
    #[returns(deref)]
    pub path: String,
    /// The text with its syntax tree, which the editor keeps up to date incrementally.
    pub parsed: Parsed,
    /// The role of the file.
    #[returns(copy)]
    pub role: Role,
}

thread_local! {
    /// The files that the values being written or read mention; `None` outside [`written_with_files`] and [`read_with_files`].
    static MENTIONED: RefCell<Option<Vec<SourceFile>>> = const { RefCell::new(None) };
}

/// Writes a value that mentions files. Each file is written as its index in the returned list.
pub fn written_with_files<T>(write: impl FnOnce() -> T) -> (T, Vec<SourceFile>) {
    let before = MENTIONED.replace(Some(Vec::new()));
    let written = write();
    let files = MENTIONED.replace(before).unwrap_or_default();
    (written, files)
}

/// Reads a value that mentions these files by their indices.
pub fn read_with_files<T>(files: Vec<SourceFile>, read: impl FnOnce() -> T) -> T {
    let before = MENTIONED.replace(Some(files));
    let found = read();
    MENTIONED.set(before);
    found
}

impl Serialize for SourceFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let index = MENTIONED.with_borrow_mut(|files| {
            let files = files.as_mut()?;
            let known = files.iter().position(|file| file == self);
            Some(known.unwrap_or_else(|| {
                files.push(*self);
                files.len() - 1
            }))
        });
        match index {
            Some(index) => index.serialize(serializer),
            None => Err(serde::ser::Error::custom("a file without a list of files")),
        }
    }
}

impl<'de> Deserialize<'de> for SourceFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = usize::deserialize(deserializer)?;
        let file = MENTIONED.with_borrow(|files| files.as_ref()?.get(index).copied());
        file.ok_or_else(|| serde::de::Error::custom("no file has this index"))
    }
}
