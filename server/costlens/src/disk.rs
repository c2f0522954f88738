//! The disk: which Prolog files there are, where they are, and their texts.

pub(crate) mod around;
pub(crate) mod cache;
pub(crate) mod encoding;
pub(crate) mod folders;
pub(crate) mod history;
pub(crate) mod kin;
pub(crate) mod libraries;
pub(crate) mod listing;
pub(crate) mod place;
pub(crate) mod platforms;
pub(crate) mod project;
pub(crate) mod reader;
pub(crate) mod revision;

use std::path::Path;

use self::encoding::decoded;

/// More files than this are not read for one program, or in one session.
pub(crate) const MOST_FILES: usize = 4_000;
/// A longer file is no program that somebody wrote.
const MOST_BYTES: u64 = 32 << 20;

/// The extensions of Prolog files.
const EXTENSIONS: [&str; 4] = ["pl", "pro", "prolog", "plt"];

/// True for what is called as a Prolog file is.
pub(crate) fn is_called_prolog(path: &Path) -> bool {
    (path.extension().and_then(|e| e.to_str())).is_some_and(|e| EXTENSIONS.contains(&e))
}

/// The text of a file that a program may consist of.
pub(crate) fn text_of(path: &Path) -> Option<String> {
    let size = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?
        .len();
    if size > MOST_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(decoded(&bytes).0)
}
