//! A project's files of `trust` assertions: the files in a folder `costlens`.

use super::db::Db;
use super::places::{place_of, workspace};
use super::source_file::SourceFile;

/// The name of the folder that contains a project's files of `trust` assertions.
const TRUST_FOLDER: &str = "costlens";

/// Returns the files of trust assertions in the projects that contain a file: the files in a folder `costlens` next to the file or next to
/// one of its parent folders. Nearer folders come first.
///
/// *Invalidated* when a file is added or removed.
#[salsa::tracked(returns(clone))]
pub fn trust_files(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let (Some(workspace), Some(place)) = (workspace(db), place_of(db, file)) else {
        return Vec::new();
    };
    let mut found: Vec<(usize, SourceFile)> = Vec::new();
    for (other, &of) in workspace.files(db).iter() {
        if let Some(project) = trust_project(other)
            && is_below(place, project)
        {
            found.push((usize::MAX - project.len(), of));
        }
    }
    // The sort is stable: files of one folder remain sorted by name.
    found.sort_by_key(|&(distance, _)| distance);
    found.into_iter().map(|(_, file)| file).collect()
}

/// Returns whether a place is inside a folder; the empty folder is the base of relative places.
fn is_below(place: &str, folder: &str) -> bool {
    match folder {
        "" => !place.starts_with('/') && !place.starts_with("../"),
        folder => place.starts_with(folder),
    }
}

/// Returns the project's folder, with a trailing `/`, for a file of trust assertions. Returns `None` for other files.
fn trust_project(place: &str) -> Option<&str> {
    let (folder, name) = place.rsplit_once('/')?;
    let project = folder.strip_suffix(TRUST_FOLDER)?;
    let is_folder = project.is_empty() || project.ends_with('/');
    (is_folder && name.ends_with(".pl")).then_some(project)
}
