//! Where the library of an installed Prolog and of packs is.

use std::path::{Path, PathBuf};

use costlens_ide::host::files::LibraryFolders;

use super::place::{Names, folder_place, slashes};

/// The folders in which SWI-Prolog is usually installed.
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

/// The place of a program's library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Libraries {
    /// The usual folder of an installed one, or nowhere.
    #[default]
    Installed,
    /// These folders.
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

/// The folder in which SWI-Prolog installs a user's packs.
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
