//! Locates the libraries of an installed Prolog system and of packs.

use std::path::{Path, PathBuf};

use costlens_ide::host::files::{
    FolderLibrary, LibraryFolders, Version, is_released, ruled_names, shipped_names, stated_names,
};

use super::place::{FileNames, folder_place, slashes};
use super::{text_of, user_data};

/// The usual installation folders of SWI-Prolog.
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

/// The maximum number of searched packs.
const MOST_PACKS: usize = 1_000;

/// The subfolders of an installation that are searched for `library(…)`.
const LIBRARY_FOLDERS: [&str; 2] = ["library", "library/clp"];

/// The location of a program's libraries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Libraries {
    /// The usual folder of an installed system, if there is one.
    #[default]
    Installed,
    /// The given folders.
    In(Vec<PathBuf>),
    /// No folder: only the shipped library is known.
    None,
}

impl Libraries {
    /// Returns the existing folders with their indices, followed by packs in the folders of a workspace and the user's packs, and the names
    /// of files in them.
    ///
    /// If a version is requested, an installed Prolog system of another version is ignored.
    pub(crate) fn find(
        &self,
        roots: &[PathBuf],
        wanted: Option<Version>,
    ) -> (LibraryFolders, FileNames) {
        let folders: Vec<PathBuf> = match self {
            Libraries::None => Vec::new(),
            Libraries::In(folders) => folders.clone(),
            Libraries::Installed => {
                let own = std::env::var_os("SWI_HOME_DIR").map(PathBuf::from);
                let homes = own.into_iter().chain(HOMES.iter().map(PathBuf::from));
                let home = { homes }.find(|home| home.join("library/lists.pl").is_file());
                let is_wanted =
                    |home: &PathBuf| wanted.is_none_or(|version| version_of(home) == Some(version));
                let home = home.filter(is_wanted);
                let inside = |home: PathBuf| LIBRARY_FOLDERS.map(|f| home.join(f));
                home.map(inside).into_iter().flatten().collect()
            }
        };
        let mut found = LibraryFolders::default();
        let mut names = Vec::new();
        if let Libraries::In(folders) = self {
            found.edited = edited(folders);
        }
        found.version = Some(wanted.unwrap_or_default());
        for folder in folders.into_iter().filter(|f| f.is_dir()) {
            let name = folder_place(&folder);
            names.push((name.clone(), slashes(&folder)));
            if let Ok(index) = std::fs::read_to_string(folder.join("INDEX.pl")) {
                found.indices.push((name.clone(), index));
            }
            for library in shipped_names() {
                let path = folder.join(library).with_extension("pl");
                let is_known = found.shipped.iter().any(|f| f.name == library);
                if let Some(text) = text_of(&path).filter(|_| !is_known) {
                    // All folders of a Prolog system have the same version.
                    if found.shipped.is_empty() {
                        found.version = folder.parent().and_then(version_of).or(wanted);
                    }
                    found.shipped.push(FolderLibrary {
                        name: library.to_owned(),
                        path: slashes(&path),
                        text,
                    });
                }
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
        (found, FileNames::of_libraries(names))
    }
}

/// Returns the libraries with statements or rules ([`stated_names`], [`ruled_names`]) whose text in one of these folders differs from the
/// released text.
fn edited(folders: &[PathBuf]) -> Vec<String> {
    let is_edited = |library: &&str| {
        let mut places = folders.iter();
        let text = places.find_map(|f| text_of(&f.join(library).with_extension("pl")));
        text.is_some_and(|text| !is_released(library, &text))
    };
    stated_names()
        .chain(ruled_names())
        .filter(is_edited)
        .map(str::to_owned)
        .collect()
}

/// Returns the version of an installed SWI-Prolog, from the header in its installation folder.
fn version_of(home: &Path) -> Option<Version> {
    let header = text_of(&home.join("include/SWI-Prolog.h"))?;
    let number = header.lines().find_map(|line| {
        let rest = line.strip_prefix("#define PLVERSION ")?;
        rest.trim().parse().ok()
    });
    number.map(Version::numbered)
}

/// Returns the folder for a user's packs in SWI-Prolog.
fn user_packs() -> Option<PathBuf> {
    Some(user_data()?.join("swi-prolog/pack"))
}

/// Returns the folders `pack/NAME/prolog`, sorted by name; empty if there are no packs.
fn libraries_of_packs(packs: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(packs).into_iter().flatten();
    let mut found: Vec<PathBuf> = (entries.take(MOST_PACKS).flatten())
        .map(|entry| entry.path().join("prolog"))
        .filter(|folder| folder.is_dir())
        .collect();
    found.sort();
    found
}
