//! Files near a file that its own directives do not name: files of `trust` lines, and files that load it.

use std::path::{Path, PathBuf};

use costlens_ide::host::files::SurroundingFiles;

use super::place::slashes;
use super::{is_called_prolog, text_of};

/// The name of a project's folder for files with `trust` assertions.
const TRUST_FOLDER: &str = "costlens";

/// Returns the project's files with `trust` assertions in a fixed order: the files in the nearest folder `costlens` in the file's folder or
/// a parent folder, within the repository.
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

/// The maximum number of files in a folder that are searched for a loader.
const MOST_AROUND: usize = 300;
/// The length above which a file is not searched for a loader.
const LONGEST_LOADER: u64 = 1 << 20;
/// The maximum number of parent folders that are searched for loaders.
const FOLDERS_UP: usize = 3;

/// Returns the paths and texts of files in a file's folder, or in a parent folder within the repository, that load the file or define the
/// folders that the file names. Only files in the nearest such folder are returned.
pub(crate) fn loaders_around(file: &Path, around: SurroundingFiles) -> Vec<(String, String)> {
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
