//! The Prolog files in a folder and its subfolders.

use std::path::{Path, PathBuf};

use super::is_called_prolog;

/// Returns the Prolog files below a folder in the order found. Hidden folders and files that `.gitignore` and `.ignore` exclude are
/// omitted, and links to folders are not followed. The user's own git settings are ignored, so that all users see the same files. Dangling
/// links, pipes and devices are also listed, so that the reader of a file can report them.
pub(crate) fn prolog_files(
    folder: &Path,
) -> impl Iterator<Item = Result<PathBuf, ignore::Error>> + use<> {
    let all = ignore::WalkBuilder::new(folder)
        .git_global(false)
        .require_git(false)
        .build();
    all.filter_map(|entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        let path = entry.path();
        (is_called_prolog(path) && !path.is_dir()).then(|| Ok(path.to_owned()))
    })
}

/// Returns the Prolog files directly in a folder, excluding subfolders.
pub(crate) fn prolog_files_beside(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let all = ignore::WalkBuilder::new(folder)
        .git_global(false)
        .require_git(false)
        .max_depth(Some(1))
        .build();
    (all.flatten().map(|entry| entry.path().to_owned()))
        .filter(|path| is_called_prolog(path) && path.is_file())
}
