//! Reads a program's files from disk: the files that its directives name, and the files of libraries.
//!
//! Files are read as text, never run, and only if a directive or a call refers to them.

use std::collections::HashSet;
use std::path::Path;

use costlens_ide::host::{File, Host};

use super::around::trust_files;
use super::place::{FileNames, Places, slashes};
use super::{MOST_FILES, text_of};

/// Reads files, and remembers unsuccessful searches.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// Paths at which no file was found.
    absent: HashSet<String>,
    names: FileNames,
    places: Places,
}

impl Reader {
    /// Creates a reader that uses these names for library files.
    pub(crate) fn new(names: FileNames) -> Self {
        Reader {
            names,
            ..Self::default()
        }
    }

    /// Returns the display name of the file with the canonical path `place`, relative to `from`, a file that the host knows.
    pub(crate) fn name(&self, host: &Host, place: &str, from: File) -> String {
        match name_and_place(host, from) {
            Some((called, own)) => self.names.name(place, &called, &own),
            None => place.to_owned(),
        }
    }

    /// Reads the files that the given files need, recursively, and adds them to the host. Missing files are not searched for again. Returns
    /// the number of files read.
    pub(crate) fn read(&mut self, host: &mut Host, files: &[File]) -> usize {
        let mut waiting: Vec<File> = files.to_vec();
        let mut count = 0;
        for &file in files {
            let Some((called, own)) = name_and_place(host, file) else {
                continue;
            };
            for path in trust_files(Path::new(&own)) {
                let place = slashes(&path);
                if host.file_at(&place).is_none()
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
                if places.iter().any(|p| host.file_at(p).is_some()) {
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
                    let place = self.places.canonical(path);
                    if place != looked {
                        host.link(&looked, &place);
                        if host.file_at(&place).is_some() {
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

/// Returns the name and the canonical path of a file, or `None` if the file does not exist.
fn name_and_place(host: &Host, file: File) -> Option<(String, String)> {
    let snapshot = host.snapshot();
    let place = snapshot.place(file).ok().flatten()?;
    Some((snapshot.document(file).ok()?.0, place))
}
