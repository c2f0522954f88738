//! The file of past runs of a program: `.costlens/history.db` of its workspace.

use std::path::{Path, PathBuf};

use costlens_history::store::FILE_NAME as FILE;

use super::place::folder_place;
use super::project;

/// The name of a workspace's folder for files of Costlens.
const FOLDER: &str = ".costlens";
/// Returns the folder of a file and its parent folders, up to the root of its repository.
fn folders(file: &Path) -> Vec<PathBuf> {
    let folder = PathBuf::from(folder_place(file.parent().unwrap_or(Path::new(""))));
    let mut found = Vec::new();
    for above in folder.ancestors() {
        found.push(above.to_owned());
        if above.join(".git").exists() {
            break;
        }
    }
    found
}

/// Returns the file of past runs, if the workspace already has a folder for it.
pub(crate) fn existing(file: &Path) -> Option<PathBuf> {
    let mut folders = folders(file).into_iter().map(|folder| folder.join(FOLDER));
    folders.find(|folder| folder.is_dir()).map(|f| f.join(FILE))
}

/// Returns the file of past runs to be written: in the workspace's folder if it exists, otherwise in the folder of `costlens.toml`, in the
/// repository, or next to the program.
pub(crate) fn wanted(file: &Path) -> PathBuf {
    existing(file).unwrap_or_else(|| {
        let folders = folders(file);
        let root = |name: &str| folders.iter().find(|folder| folder.join(name).exists());
        let chosen = root(project::NAME)
            .or_else(|| root(".git"))
            .or_else(|| folders.first());
        chosen.cloned().unwrap_or_default().join(FOLDER).join(FILE)
    })
}
