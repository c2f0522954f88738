//! Reading what a program needs from the disk: the files that its directives name, and the library of an installed Prolog.
//!
//! Files are read as text, never run, and only those that a directive or a call leads to.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use costlens_ide::files::{Around, LibraryFolders};
use costlens_ide::host::{File, Host};

use crate::encoding::decoded;
use crate::place::{Names, Places, folder_place, slashes};

/// More files than this are not read for one program, or in one session.
pub(crate) const MOST_FILES: usize = 4_000;
/// A longer file is no program that somebody wrote.
const MOST_BYTES: u64 = 32 << 20;

/// The folder of a project in which files of `trust` assertions stand.
const TRUST_FOLDER: &str = "costlens";

/// Where SWI-Prolog is usually installed.
const HOMES: [&str; 8] = [
    "/usr/lib/swi-prolog",
    "/usr/lib/swipl",
    "/usr/lib64/swipl",
    "/usr/local/lib/swi-prolog",
    "/usr/local/lib/swipl",
    "/opt/homebrew/lib/swipl",
    "/Applications/SWI-Prolog.app/Contents/swipl",
    "C:/Program Files/swipl",
];

/// Packs beyond these are not looked at.
const MOST_PACKS: usize = 1_000;

/// Folders of a home that `library(…)` is searched in.
const LIBRARY_FOLDERS: [&str; 2] = ["library", "library/clp"];

/// Where a program's library is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Libraries {
    /// Where it is usually installed, or nowhere.
    #[default]
    Installed,
    /// In these folders.
    In(Vec<PathBuf>),
    /// Nowhere: only what ships with Costlens is known.
    None,
}

impl Libraries {
    /// The folders that are there, and their indices; those of packs in the folders of a workspace, and of the user's packs, come last.
    /// Also what files in them are called.
    pub(crate) fn find(&self, roots: &[PathBuf]) -> (LibraryFolders, Names) {
        let folders: Vec<PathBuf> = match self {
            Libraries::None => Vec::new(),
            Libraries::In(folders) => folders.clone(),
            Libraries::Installed => {
                let own = std::env::var_os("SWI_HOME_DIR").map(PathBuf::from);
                let homes = own.into_iter().chain(HOMES.iter().map(PathBuf::from));
                let home = { homes }.find(|home| home.join("library/lists.pl").is_file());
                let inside = |home: PathBuf| LIBRARY_FOLDERS.map(|f| home.join(f));
                home.map(inside).into_iter().flatten().collect()
            }
        };
        let mut found = LibraryFolders::default();
        let mut names = Vec::new();
        for folder in folders.into_iter().filter(|f| f.is_dir()) {
            let name = folder_place(&folder);
            names.push((name.clone(), slashes(&folder)));
            if let Ok(index) = std::fs::read_to_string(folder.join("INDEX.pl")) {
                found.indices.push((name.clone(), index));
            }
            found.folders.push(name);
        }
        if *self != Libraries::None {
            let own = roots.iter().map(|root| root.join("pack"));
            let users = matches!(self, Libraries::Installed)
                .then(user_packs)
                .flatten();
            let folders = own
                .chain(users)
                .flat_map(|packs| libraries_of_packs(&packs));
            for folder in folders {
                let name = folder_place(&folder);
                found.folders.push(name.clone());
                names.push((name, slashes(&folder)));
            }
        }
        (found, Names::of_libraries(names))
    }
}

/// Where SWI-Prolog installs a user's packs.
fn user_packs() -> Option<PathBuf> {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/share"));
    Some(data.or_else(home)?.join("swi-prolog/pack"))
}

/// The folders `pack/NAME/prolog`, sorted by name; nothing where there are no packs.
fn libraries_of_packs(packs: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(packs).into_iter().flatten();
    let mut found: Vec<PathBuf> = (entries.take(MOST_PACKS).flatten())
        .map(|entry| entry.path().join("prolog"))
        .filter(|folder| folder.is_dir())
        .collect();
    found.sort();
    found
}

/// What was read, and what was looked for in vain.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// Places that were tried and hold nothing.
    absent: HashSet<String>,
    names: Names,
    places: Places,
}

impl Reader {
    /// One that calls files of libraries so.
    pub(crate) fn new(names: Names) -> Self {
        Reader {
            names,
            ..Self::default()
        }
    }

    /// What a file at a place is called, seen from a file of the host.
    pub(crate) fn name(&self, host: &Host, place: &str, from: File) -> String {
        match name_and_place(host, from) {
            Some((called, own)) => self.names.name(place, &called, &own),
            None => place.to_owned(),
        }
    }

    /// Reads what files need, and what those need, and adds it to the host. How many files were read; those that are not there are not
    /// looked for again.
    pub(crate) fn read(&mut self, host: &mut Host, files: &[File]) -> usize {
        let mut waiting: Vec<File> = files.to_vec();
        let mut count = 0;
        for &file in files {
            let Some((called, own)) = name_and_place(host, file) else {
                continue;
            };
            for path in trust_files(Path::new(&own)) {
                let place = slashes(&path);
                if host.at(&place).is_none()
                    && let Some(text) = text_of(&path)
                {
                    let name = self.names.name(&place, &called, &own);
                    waiting.push(host.add_at(&name, &place, &text));
                    count += 1;
                }
            }
        }
        while let Some(file) = waiting.pop() {
            let Some((called, own)) = name_and_place(host, file) else {
                continue;
            };
            for places in host.missing(file) {
                if places.iter().any(|p| host.at(p).is_some()) {
                    continue;
                }
                for looked in places {
                    if count >= MOST_FILES || self.absent.contains(&looked) {
                        continue;
                    }
                    let path = Path::new(&looked);
                    if !path.is_file() {
                        self.absent.insert(looked);
                        continue;
                    }
                    let place = self.places.of(path);
                    if place != looked {
                        host.link(&looked, &place);
                        if host.at(&place).is_some() {
                            break;
                        }
                    }
                    let Some(text) = text_of(path) else {
                        self.absent.insert(looked);
                        continue;
                    };
                    let name = self.names.name(&looked, &called, &own);
                    waiting.push(host.add_at(&name, &place, &text));
                    count += 1;
                    break;
                }
            }
        }
        count
    }
}

/// What a file is called, and where it is; none for one that is nowhere.
fn name_and_place(host: &Host, file: File) -> Option<(String, String)> {
    let snapshot = host.snapshot();
    let place = snapshot.place(file).ok().flatten()?;
    Some((snapshot.document(file).ok()?.0, place))
}

/// The project's files of `trust` assertions: those of the nearest folder `costlens` beside the file or beside a folder that it is in, within
/// the repository. In a fixed order.
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

/// Files of a folder beyond these are not looked at for one that loads another.
const MOST_AROUND: usize = 300;
/// A longer file loads no others.
const LONGEST_LOADER: u64 = 1 << 20;
/// How many folders up is looked for such files.
const FOLDERS_UP: usize = 3;

/// The files beside a file, or in a folder above it within the repository, that load it or say where the folders are which it names: places and
/// texts. Those of the nearest folder alone.
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

/// What Prolog files are called.
pub(crate) const EXTENSIONS: [&str; 4] = ["pl", "pro", "prolog", "plt"];

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
