//! Places at which a file may be that a directive names.

use costlens_syntax::FileSpec;
use smol_str::SmolStr;

use super::folder_names::{Folder, folder_of, is_within};
use super::places::normal;
use crate::language::is_library;

/// The places where a file may be that is named in another, best first. `libraries` are the folders of `library(…)`, `folders` those that have
/// names ([`Folder`]).
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
        // A directive in a text that somebody opens must not lead to any file of the disk: what is not called like a Prolog file is
        // looked for only below the folder of the file that names it.
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

/// The most names of folders that are followed from one to the next: they may form a circle.
const MOST_NAMES: usize = 8;

/// The paths that a name of a file stands for, without an extension added. `here` is the folder that paths start from.
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
    // Name, what stands behind it, the folder that a path starts from, and how many names came before.
    let mut waiting = vec![(spec.clone(), here.to_owned(), 0)];
    while let Some((spec, here, depth)) = waiting.pop() {
        let Some(alias) = &spec.alias else {
            found.push(beside(&here, &spec.path));
            continue;
        };
        if depth < MOST_NAMES {
            // The first one is to be looked at next.
            for folder in folders.iter().rev().filter(|f| f.alias == *alias) {
                let path = format!("{}/{}", folder.to.path, spec.path).into();
                let alias = folder.to.alias.clone();
                let start = folder.from.as_deref().unwrap_or(&here).to_owned();
                waiting.push((FileSpec { alias, path }, start, depth + 1));
            }
        }
        if is_library(&spec) {
            found.extend(libraries.iter().map(|l| format!("{l}/{}", spec.path)));
            found.extend(own_packs(from).map(|l| beside("", &format!("{l}/{}", spec.path))));
        }
    }
    found
}

/// The folder that a pack has its library in.
const PACK_LIBRARY: &str = "prolog";

/// Where the library of the pack that a file belongs to would be: in `prolog/` beside the file or beside a folder that it is in.
fn own_packs(from: &str) -> impl Iterator<Item = String> {
    let folders = std::iter::successors(Some(folder_of(from).to_owned()), |folder| {
        match folder.as_str() {
            "" if from.starts_with('/') => None,
            // Relative to wherever all are.
            "" => Some("..".to_owned()),
            above if above.ends_with("..") => Some(format!("{above}/..")),
            folder => Some(folder_of(folder).to_owned()),
        }
    });
    folders
        .take(MOST_NAMES)
        .map(|folder| match folder.as_str() {
            "" if from.starts_with('/') => format!("/{PACK_LIBRARY}"),
            "" => PACK_LIBRARY.to_owned(),
            folder => format!("{folder}/{PACK_LIBRARY}"),
        })
}

/// How names of Prolog files end.
const PROLOG: [&str; 4] = [".pl", ".prolog", ".pro", ".plt"];
