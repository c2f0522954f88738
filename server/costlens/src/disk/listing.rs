//! The Prolog files of a workspace, as on disk.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::MOST_FILES;
use super::folders::{prolog_files, prolog_files_beside};
use super::place::Places;

/// A function that returns whether the answer is still wanted.
pub(crate) type IsWanted<'a> = &'a dyn Fn() -> bool;

/// A part of the disk that belongs to a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Area {
    /// A folder with all its subfolders.
    Tree(PathBuf),
    /// The files directly in a folder.
    Folder(PathBuf),
}

impl Area {
    /// Returns the workspace of a file that is in none of the client's folders: its repository, otherwise its folder.
    pub(crate) fn containing(file: &Path) -> Self {
        let folder = file.parent().unwrap_or(Path::new(""));
        let absolute = std::path::absolute(match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        let absolute = absolute.unwrap_or_else(|_| folder.to_owned());
        match absolute
            .ancestors()
            .find(|above| above.join(".git").exists())
        {
            Some(repository) => Area::Tree(repository.to_owned()),
            None => Area::Folder(absolute),
        }
    }
}

/// A file of the workspace.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) path: PathBuf,
    pub(crate) place: String,
}

/// Returns the Prolog files in these areas, by canonical path, up to a maximum number.
pub(crate) fn list(areas: &[Area], is_wanted: IsWanted<'_>) -> Vec<Listed> {
    let (mut places, mut seen) = (Places::default(), HashSet::new());
    let mut found = Vec::new();
    'areas: for area in areas {
        let files: Box<dyn Iterator<Item = PathBuf>> = match area {
            // Folders that cannot be listed count as empty. Pipes and devices are not read.
            Area::Tree(folder) => {
                Box::new(prolog_files(folder).flatten().filter(|path| path.is_file()))
            }
            Area::Folder(folder) => Box::new(prolog_files_beside(folder)),
        };
        for path in files {
            if found.len() >= MOST_FILES || !is_wanted() {
                break 'areas;
            }
            let place = places.canonical(&path);
            if seen.insert(place.clone()) {
                found.push(Listed { path, place });
            }
        }
    }
    found.sort_by(|a, b| a.place.cmp(&b.place));
    found
}

/// The modification time and the length of a file.
pub(crate) type Stamp = (Option<SystemTime>, u64);

/// Returns the current stamp of a file.
pub(crate) fn stamp(path: &Path) -> Stamp {
    match std::fs::metadata(path) {
        Ok(found) => (found.modified().ok(), found.len()),
        Err(_) => (None, 0),
    }
}
