//! Computes the possible places of a file that a directive names.

use costlens_catalog::is_library as is_known_library;
use costlens_syntax::FileSpec;
use smol_str::SmolStr;

use super::folder_names::{Folder, folder_of, is_within};
use super::places::normal;
use crate::language::is_library;

/// Returns the possible places of a file that another file names, in order of preference. `libraries` contains the folders of `library(…)`,
/// `folders` the folders with aliases ([`Folder`]).
#[must_use]
pub fn candidates(
    from: &str,
    spec: &FileSpec,
    libraries: &[SmolStr],
    folders: &[Folder],
) -> Vec<SmolStr> {
    let mut found = Vec::new();
    for base in bases(folder_of(from), from, spec, libraries, folders) {
        let name = base.rsplit('/').next().unwrap_or_default();
        let has_extension = name
            .rsplit_once('.')
            .is_some_and(|(stem, _)| !stem.is_empty());
        let with = [".pl", ".prolog", ".pro"].map(|e| normal(&format!("{base}{e}")));
        // A directive in an opened text must not give access to arbitrary files on the disk: a file without the extension of a Prolog file
        // is only searched for below the folder of the file that names it.
        let is_prolog = PROLOG.iter().any(|e| base.ends_with(e));
        let plain = normal(&base);
        let goes_elsewhere = spec.path.starts_with('/') || spec.path.split('/').any(|p| p == "..");
        let is_below = is_within(&plain, folder_of(from))
            || is_library(spec) && libraries.iter().any(|l| is_within(&plain, l));
        let stays = is_below && !goes_elsewhere;
        let as_written = (is_prolog || stays).then_some(plain);
        if has_extension {
            found.extend(as_written);
            found.extend(with);
        } else {
            found.extend(with);
            found.extend(as_written);
        }
    }
    found
}

/// The maximum number of aliases followed in sequence, because they may be cyclic.
const MOST_NAMES: usize = 8;

/// Returns the paths that a file name may denote, without an extension. `here` is the folder to which paths are relative.
fn bases(
    here: &str,
    from: &str,
    spec: &FileSpec,
    libraries: &[SmolStr],
    folders: &[Folder],
) -> Vec<String> {
    let beside = |here: &str, path: &str| match path.strip_prefix('/') {
        Some(_) => path.to_owned(),
        None if here.is_empty() && !from.starts_with('/') => path.to_owned(),
        None => format!("{here}/{path}"),
    };
    let mut found = Vec::new();
    // The file name, the folder to which it is relative, and the number of aliases followed so far.
    let mut waiting = vec![(spec.clone(), here.to_owned(), 0)];
    while let Some((spec, here, depth)) = waiting.pop() {
        let Some(alias) = &spec.alias else {
            found.push(beside(&here, &spec.path));
            continue;
        };
        // SWI-Prolog has clauses of its own for `library`, and a clause in a file comes after them.
        let is_known = is_library(&spec) && is_known_library(&spec.path);
        if depth < MOST_NAMES {
            // The first folder is visited next.
            let named = folders.iter().rev().filter(|f| f.alias == *alias);
            for folder in named.filter(|f| f.is_first || !is_known) {
                let path = format!("{}/{}", folder.to.path, spec.path).into();
                let alias = folder.to.alias.clone();
                let start = folder.from.as_deref().unwrap_or(&here).to_owned();
                waiting.push((FileSpec { alias, path }, start, depth + 1));
            }
        }
        if is_library(&spec) {
            found.extend(libraries.iter().map(|l| format!("{l}/{}", spec.path)));
            let own = own_libraries(from, is_known);
            found.extend(own.map(|l| beside("", &format!("{l}/{}", spec.path))));
        }
    }
    found
}

/// The folders with a project's own library: `prolog` in a pack, `lib` or `library` elsewhere.
pub(crate) const OWN_LIBRARIES: [&str; 3] = ["prolog", "lib", "library"];

/// Returns the possible library folders of the project to which a file belongs: `prolog/`, then `lib/` and `library/`, next to the file or
/// next to one of its parent folders. A library of SWI-Prolog is only searched for in packs.
fn own_libraries(from: &str, is_known: bool) -> impl Iterator<Item = String> {
    let folders = std::iter::successors(Some(folder_of(from).to_owned()), |folder| {
        match folder.as_str() {
            "" if from.starts_with('/') => None,
            // The folder is relative to the common base of all places.
            "" => Some("..".to_owned()),
            above if above.ends_with("..") => Some(format!("{above}/..")),
            folder => Some(folder_of(folder).to_owned()),
        }
    });
    let folders: Vec<String> = folders.take(MOST_NAMES).collect();
    let of_library = move |library: &'static str| {
        let inside = folders.iter().map(move |folder| match folder.as_str() {
            "" if from.starts_with('/') => format!("/{library}"),
            "" => library.to_owned(),
            folder => format!("{folder}/{library}"),
        });
        inside.collect::<Vec<_>>()
    };
    let searched = if is_known { 1 } else { OWN_LIBRARIES.len() };
    OWN_LIBRARIES
        .into_iter()
        .take(searched)
        .flat_map(of_library)
}

/// The extensions of Prolog files.
const PROLOG: [&str; 4] = [".pl", ".prolog", ".pro", ".plt"];
