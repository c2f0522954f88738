//! Places (canonical paths) and names of files on disk.
//!
//! A file has one place, regardless of its names: an absolute path with links to folders resolved, as in SWI-Prolog. A link to a single
//! file is a separate file, again as in SWI-Prolog: the files that it loads are searched for next to the link. Names are written by the
//! user or the client; files loaded by other files are named relative to the loading file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use costlens_ide::host::files::place as written;

/// A cache of resolved links to folders.
#[derive(Debug, Default)]
pub(crate) struct Places {
    folders: HashMap<PathBuf, String>,
}

impl Places {
    /// Returns the canonical form of a path, whether or not the path exists.
    pub(crate) fn canonical(&mut self, path: &Path) -> String {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return folder_place(path);
        };
        let folder =
            (self.folders.entry(folder.to_owned())).or_insert_with_key(|f| folder_place(f));
        format!(
            "{}/{}",
            folder.trim_end_matches('/'),
            name.to_string_lossy()
        )
    }
}

/// Returns the canonical form of a single path, without a cache.
pub(crate) fn place_of(path: &Path) -> String {
    Places::default().canonical(path)
}

/// Returns the canonical path of a folder.
pub(crate) fn folder_place(folder: &Path) -> String {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let found = std::fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
    let place = slashes(&found.unwrap_or_else(|_| folder.to_owned()));
    // `\\?\C:\folder` is the canonical form on Windows.
    let place = place.strip_prefix("//?/").unwrap_or(&place);
    written(place).map_or_else(|| place.to_owned(), |place| place.to_string())
}

/// Returns a path with `/` as the separator.
pub(crate) fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Names for files that the user has not named.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileNames {
    /// The folders of libraries: their canonical paths and names.
    libraries: Vec<(String, String)>,
}

impl FileNames {
    /// Creates names for files in library folders, given with their canonical paths and names.
    pub(crate) fn of_libraries(libraries: Vec<(String, String)>) -> Self {
        FileNames { libraries }
    }

    /// Returns the name of the file with the canonical path `place`, relative to a file with the name `from` and the canonical path
    /// `from_place`: `lib/b.pl` relative to `src/a.pl`, which loads `../lib/b`.
    pub(crate) fn name(&self, place: &str, from: &str, from_place: &str) -> String {
        for (folder, name) in &self.libraries {
            if let Some(rest) = relative_to(place, folder) {
                return format!("{name}/{rest}");
            }
        }
        let Some(from) = written(from) else {
            return place.to_owned();
        };
        let (mut name, mut folder) = (parent(&from).to_owned(), parent(from_place));
        loop {
            if let Some(rest) = relative_to(place, folder) {
                return match name.as_str() {
                    "" if from.starts_with('/') => format!("/{rest}"),
                    "" => rest.to_owned(),
                    _ => format!("{name}/{rest}"),
                };
            }
            // The remaining parts are relative to the command's working directory, or unrelated.
            if name.is_empty() && !from.starts_with('/') || name.ends_with("..") {
                name = match name.as_str() {
                    "" => "..".to_owned(),
                    up => format!("{up}/.."),
                };
            } else if last(&name) == last(folder) {
                name = parent(&name).to_owned();
            } else {
                return place.to_owned();
            }
            folder = parent(folder);
            if folder.is_empty() {
                return place.to_owned();
            }
        }
    }
}

/// Returns the parent folder of a path.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the last component of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns the part of a path below a folder.
fn relative_to<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_after_those_that_load_them() {
        let names = FileNames::of_libraries(vec![("/lib/pl".to_owned(), "../pl".to_owned())]);
        for (place, from, from_place, expected) in [
            ("/w/p/b.pl", "a.pl", "/w/p/a.pl", "b.pl"),
            ("/w/p/b.pl", "./a.pl", "/w/p/a.pl", "b.pl"),
            ("/w/p/lib/b.pl", "src/a.pl", "/w/p/src/a.pl", "lib/b.pl"),
            ("/w/b.pl", "a.pl", "/w/p/a.pl", "../b.pl"),
            ("/w/q/b.pl", "../q/a.pl", "/w/q/a.pl", "../q/b.pl"),
            ("/w/b.pl", "../q/a.pl", "/w/q/a.pl", "../b.pl"),
            // Paths through links to folders.
            ("/w/p/b.pl", "/link/a.pl", "/w/p/a.pl", "/link/b.pl"),
            ("/w/p/b.pl", "link/s/a.pl", "/w/p/s/a.pl", "link/b.pl"),
            ("/w/b.pl", "/link/a.pl", "/w/p/a.pl", "/w/b.pl"),
            ("/w/p/b.pl", "file:///link/a.pl", "/w/p/a.pl", "/link/b.pl"),
            // Unrelated paths.
            ("/usr/b.pl", "a.pl", "/w/p/a.pl", "/usr/b.pl"),
            ("/usr/b.pl", "/w/p/a.pl", "/w/p/a.pl", "/usr/b.pl"),
            ("/lib/pl/b.pl", "a.pl", "/w/p/a.pl", "../pl/b.pl"),
            ("/lib/plus/b.pl", "a.pl", "/w/p/a.pl", "/lib/plus/b.pl"),
        ] {
            assert_eq!(
                names.name(place, from, from_place),
                expected,
                "{place} {from}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_one_place_and_a_link_to_it_another() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink("real", folder.path().join("link")).unwrap();
        std::fs::write(real.join("a.pl"), "").unwrap();
        std::os::unix::fs::symlink("a.pl", real.join("b.pl")).unwrap();
        let at = |name: &str| place_of(&folder.path().join(name));
        for same in ["link/a.pl", "real/./a.pl", "real/../link/a.pl"] {
            assert_eq!(at("real/a.pl"), at(same), "{same}");
        }
        assert_ne!(at("real/a.pl"), at("real/b.pl"));
        assert!(at("none/c.pl").ends_with("/none/c.pl"));
    }
}
