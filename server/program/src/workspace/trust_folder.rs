//! Files of `trust` assertions of a project: those in a folder `costlens`.

use super::db::Db;
use super::places::{place_of, workspace};
use super::source_file::SourceFile;

/// The folder of a project in which files of `trust` assertions stand.
const TRUST_FOLDER: &str = "costlens";

/// The files of trust assertions of the projects that a file is part of: those in a folder `costlens` beside it or beside a folder that it is
/// in. Nearer folders come first.
///
/// *Invalidated* when a file comes or goes.
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
    // Stable: files of one folder stay in the order of their names.
    found.sort_by_key(|&(distance, _)| distance);
    found.into_iter().map(|(_, file)| file).collect()
}

/// Returns whether a place lies in a folder, which is empty for the one that relative places are relative to.
fn is_below(place: &str, folder: &str) -> bool {
    match folder {
        "" => !place.starts_with('/') && !place.starts_with("../"),
        folder => place.starts_with(folder),
    }
}

/// The project's folder, `/` at its end, of a file of trust assertions; none for other files.
fn trust_project(place: &str) -> Option<&str> {
    let (folder, name) = place.rsplit_once('/')?;
    let project = folder.strip_suffix(TRUST_FOLDER)?;
    let is_folder = project.is_empty() || project.ends_with('/');
    (is_folder && name.ends_with(".pl")).then_some(project)
}
