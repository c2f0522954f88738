//! Where files are on the disk, and what they are called.
//!
//! A file is known by one place, whatever it is called: absolute, with links to folders resolved, as SWI-Prolog does it. A link to a single
//! file is a file of its own, there as here, for what it loads is looked for beside the link. Names are what the user or the client wrote;
//! files that others load are called after those.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use costlens_ide::host::files::place as written;

/// Links to folders, resolved once each.
#[derive(Debug, Default)]
pub(crate) struct Places {
    folders: HashMap<PathBuf, String>,
}

impl Places {
    /// The place of a path. What does not exist has one, too.
    pub(crate) fn of(&mut self, path: &Path) -> String {
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

/// The place of a path, asked for once.
pub(crate) fn place_of(path: &Path) -> String {
    Places::default().of(path)
}

/// The place of a folder.
pub(crate) fn folder_place(folder: &Path) -> String {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let found = std::fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
    let place = slashes(&found.unwrap_or_else(|_| folder.to_owned()));
    // `\\?\C:\folder`, which is how Windows calls it when asked.
    let place = place.strip_prefix("//?/").unwrap_or(&place);
    written(place).map_or_else(|| place.to_owned(), |place| place.to_string())
}

/// A path with `/` between its parts.
pub(crate) fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Names for files that nobody named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Folders of libraries: their places and what they are called.
    libraries: Vec<(String, String)>,
}

impl Names {
    /// The names in folders of libraries, places and names.
    pub(crate) fn of_libraries(libraries: Vec<(String, String)>) -> Self {
        Names { libraries }
    }

    /// The name of a file at a place, seen from a file with a name and a place: `lib/b.pl` from `src/a.pl`, which loads `../lib/b`.
    pub(crate) fn name(&self, place: &str, from: &str, from_place: &str) -> String {
        for (folder, name) in &self.libraries {
            if let Some(rest) = within(place, folder) {
                return format!("{name}/{rest}");
            }
        }
        let Some(from) = written(from) else {
            return place.to_owned();
        };
        let (mut name, mut folder) = (above(&from).to_owned(), above(from_place));
        loop {
            if let Some(rest) = within(place, folder) {
                return match name.as_str() {
                    "" if from.starts_with('/') => format!("/{rest}"),
                    "" => rest.to_owned(),
                    _ => format!("{name}/{rest}"),
                };
            }
            // From here on all is relative to where the command was given; or it is somewhere else altogether.
            if name.is_empty() && !from.starts_with('/') || name.ends_with("..") {
                name = match name.as_str() {
                    "" => "..".to_owned(),
                    up => format!("{up}/.."),
                };
            } else if last(&name) == last(folder) {
                name = above(&name).to_owned();
            } else {
                return place.to_owned();
            }
            folder = above(folder);
            if folder.is_empty() {
                return place.to_owned();
            }
        }
    }
}

/// The folder of a path.
fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The rest of a path below a folder.
fn within<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_after_those_that_load_them() {
        let names = Names::of_libraries(vec![("/lib/pl".to_owned(), "../pl".to_owned())]);
        for (place, from, from_place, expected) in [
            ("/w/p/b.pl", "a.pl", "/w/p/a.pl", "b.pl"),
            ("/w/p/b.pl", "./a.pl", "/w/p/a.pl", "b.pl"),
            ("/w/p/lib/b.pl", "src/a.pl", "/w/p/src/a.pl", "lib/b.pl"),
            ("/w/b.pl", "a.pl", "/w/p/a.pl", "../b.pl"),
            ("/w/q/b.pl", "../q/a.pl", "/w/q/a.pl", "../q/b.pl"),
            ("/w/b.pl", "../q/a.pl", "/w/q/a.pl", "../b.pl"),
            // Through links to folders.
            ("/w/p/b.pl", "/link/a.pl", "/w/p/a.pl", "/link/b.pl"),
            ("/w/p/b.pl", "link/s/a.pl", "/w/p/s/a.pl", "link/b.pl"),
            ("/w/b.pl", "/link/a.pl", "/w/p/a.pl", "/w/b.pl"),
            ("/w/p/b.pl", "file:///link/a.pl", "/w/p/a.pl", "/link/b.pl"),
            // Elsewhere.
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
