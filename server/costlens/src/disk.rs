//! Files on disk: Prolog files, their canonical paths, and their texts.

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
pub(crate) mod summaries;

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use self::encoding::into_text;

/// The maximum number of files read for one program, or in one session.
pub(crate) const MOST_FILES: usize = 4_000;
/// The length above which a file is skipped, since it is not a hand-written program.
const MOST_BYTES: u64 = 32 << 20;

/// The extensions of Prolog files.
const EXTENSIONS: [&str; 4] = ["pl", "pro", "prolog", "plt"];

/// Returns whether a path has the extension of a Prolog file.
pub(crate) fn is_called_prolog(path: &Path) -> bool {
    (path.extension().and_then(|e| e.to_str())).is_some_and(|e| EXTENSIONS.contains(&e))
}

/// Returns the folder for user data: `~/.local/share` unless `XDG_DATA_HOME` names another folder; on Windows the system's folder.
fn user_data() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.data_dir())
}

/// Returns the folder for user caches, in the same way.
fn user_cache() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.cache_dir())
}

/// Returns the text of a file that may be part of a program.
pub(crate) fn text_of(path: &Path) -> Option<String> {
    let size = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?
        .len();
    if size > MOST_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(into_text(bytes).0)
}
