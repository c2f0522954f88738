//! Files around a file that its own directives do not name: those of `trust` lines, and those that load it.

use std::path::{Path, PathBuf};

use costlens_ide::host::files::Around;

use super::place::slashes;
use super::{is_called_prolog, text_of};

/// The folder of a project for files of `trust` assertions.
const TRUST_FOLDER: &str = "costlens";

/// Returns the project's files of `trust` assertions in a fixed order: those of the nearest folder `costlens` next to the file or next to a
/// folder that contains it, within the repository.
pub(crate) fn trust_files(file: &Path) -> Vec<PathBuf> {
    let Some(own) = file.parent() else {
        return Vec::new();
    };
    for folder in own.ancestors() {
        let inside = std::fs::read_dir(folder.join(TRUST_FOLDER)).into_iter();
        let mut found: Vec<PathBuf> = (inside.flatten().flatten())
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "pl") && path.is_file())
            .collect();
        if !found.is_empty() {
            found.sort();
            return found;
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    Vec::new()
}

/// The number of files of a folder that are searched for one that loads another.
const MOST_AROUND: usize = 300;
/// A longer file is not a loader.
const LONGEST_LOADER: u64 = 1 << 20;
/// The number of parent folders that are searched for such files.
const FOLDERS_UP: usize = 3;

/// Returns the places and texts of files next to a file, or in a folder above it within the repository, that load it or define the folders
/// that it names. Only those of the nearest folder are returned.
pub(crate) fn loaders_around(file: &Path, around: Around) -> Vec<(String, String)> {
    let by = slashes(file);
    for folder in file.ancestors().skip(1).take(FOLDERS_UP) {
        let mut paths: Vec<PathBuf> = (std::fs::read_dir(folder).into_iter().flatten().flatten())
            .map(|entry| entry.path())
            .filter(|path| path != file && is_called_prolog(path))
            .collect();
        paths.sort();
        let short = |path: &PathBuf| {
            std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= LONGEST_LOADER)
        };
        let found: Vec<(String, String)> = (paths.into_iter().take(MOST_AROUND))
            .filter(short)
            .filter_map(|path| Some((slashes(&path), text_of(&path)?)))
            .filter(|(place, text)| around.is_found_in(text, place, &by))
            .collect();
        if !found.is_empty() || folder.join(".git").exists() {
            return found;
        }
    }
    Vec::new()
}
