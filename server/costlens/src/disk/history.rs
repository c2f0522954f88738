//! The file of past runs that belongs to a program: `.costlens/history.db` of its workspace.

use std::path::{Path, PathBuf};

use costlens_history::store::FILE_NAME as FILE;

use super::place::folder_place;
use super::project;

/// The folder of a workspace that Costlens keeps things in.
const FOLDER: &str = ".costlens";
/// The folders from that of a file upwards, up to its repository.
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

/// The file of past runs, where the workspace has the folder for it already.
pub(crate) fn existing(file: &Path) -> Option<PathBuf> {
    let mut folders = folders(file).into_iter().map(|folder| folder.join(FOLDER));
    folders.find(|folder| folder.is_dir()).map(|f| f.join(FILE))
}

/// The file of past runs, where one is wanted: in the folder that is there; else in the folder of `costlens.toml`, in the repository, or beside
/// the program.
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
