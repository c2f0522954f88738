//! Reading what a program needs from the disk: the files that its directives name, and those of libraries.
//!
//! Files are read as text, never run, and only those that a directive or a call leads to.

use std::collections::HashSet;
use std::path::Path;

use costlens_ide::host::{File, Host};

use super::around::trust_files;
use super::place::{Names, Places, slashes};
use super::{MOST_FILES, text_of};

/// A reader of files; it knows what it looked for in vain.
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

    /// The name of a file at a place, seen from a file of the host.
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

/// The name and the place of a file. None for one that is nowhere.
fn name_and_place(host: &Host, file: File) -> Option<(String, String)> {
    let snapshot = host.snapshot();
    let place = snapshot.place(file).ok().flatten()?;
    Some((snapshot.document(file).ok()?.0, place))
}
