//! One round of reading needed files: queries a snapshot for the missing files, and reads them from disk.

use std::collections::BTreeSet;
use std::path::Path;

use costlens_ide::host::kin::Kin;
use costlens_ide::host::{Cancelled, File, Snapshot};

use crate::disk::around::{loaders_around, trust_files};
use crate::disk::kin::{self, TextCache};
use crate::disk::listing::Area;
use crate::disk::place::{FileNames, Places, slashes};
use crate::disk::text_of;
use crate::lsp::threads;

/// The result of one round.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Round {
    pub(in crate::lsp) read: Vec<ReadFile>,
    /// Searched places, each with the place of the file that was found for it.
    pub(in crate::lsp) links: Vec<(String, String)>,
    /// Places at which no file exists.
    pub(in crate::lsp) absent: Vec<String>,
    /// Files whose kin was searched for.
    pub(in crate::lsp) looked_for: Kin,
}

/// A file that was read.
#[derive(Debug)]
pub(in crate::lsp) struct ReadFile {
    pub(in crate::lsp) name: String,
    pub(in crate::lsp) place: String,
    pub(in crate::lsp) text: String,
}

impl From<kin::KinFile> for ReadFile {
    fn from(kin::KinFile { name, place, text }: kin::KinFile) -> Self {
        ReadFile { name, place, text }
    }
}

/// The task of a round.
pub(in crate::lsp) struct RoundTask<'t> {
    /// The files that may need other files.
    pub(in crate::lsp) files: &'t [File],
    /// The files near which loaders are searched for.
    pub(in crate::lsp) around: &'t [File],
    /// Places at which no file was found before.
    pub(in crate::lsp) absent: &'t BTreeSet<String>,
    /// The names of library files.
    pub(in crate::lsp) names: &'t FileNames,
    /// The parts of the disk that belong to the workspace, and the cached facts about their texts.
    pub(in crate::lsp) areas: &'t [Area],
    pub(in crate::lsp) texts: &'t TextCache,
    /// Files whose kin has already been searched for.
    pub(in crate::lsp) looked_for: &'t Kin,
}

/// A file that needs other files, with its name and its place.
struct Asking {
    file: File,
    name: String,
    place: String,
}

/// Reads the files that some files need.
///
/// # Errors
/// Fails if a write interrupts the round.
pub(in crate::lsp) fn read(snapshot: &Snapshot, task: &RoundTask<'_>) -> Result<Round, Cancelled> {
    let (mut round, mut places) = (Round::default(), Places::default());
    let mut kin = snapshot.kin()?;
    kin.drop_all_of(task.looked_for);
    if !kin.is_empty() {
        let found = task.texts.kin(task.areas, &kin, snapshot, &|| true)?;
        round.read.extend(found.into_iter().map(ReadFile::from));
        round.looked_for = kin;
    }
    let missing = snapshot.missing(task.files, threads())?;
    for (&file, missing) in task.files.iter().zip(missing) {
        // The place has no folder, so it does not exist on disk: the client's names are absolute.
        let place = snapshot.place(file)?;
        let Some(place) = place.filter(|own| Path::new(own).is_absolute()) else {
            continue;
        };
        let (name, _) = snapshot.document(file)?;
        let asking = Asking { file, name, place };
        round.read_around(snapshot, task, &asking)?;
        round.read_missing(snapshot, task, &asking, missing, &mut places)?;
    }
    Ok(round)
}

impl Round {
    fn has(&self, place: &str) -> bool {
        (self.read.iter().any(|f| f.place == place))
            || self.links.iter().any(|(looked, _)| looked == place)
    }

    /// Adds a file that was read. Its name is derived from `at`, the place at which it was searched for.
    fn keep(&mut self, task: &RoundTask<'_>, by: &Asking, place: String, at: &str, text: String) {
        self.read.push(ReadFile {
            name: task.names.name(at, &by.name, &by.place),
            place,
            text,
        });
    }

    /// Reads the files with `trust` lines for a file, and nearby files that load it.
    fn read_around(
        &mut self,
        snapshot: &Snapshot,
        task: &RoundTask<'_>,
        by: &Asking,
    ) -> Result<(), Cancelled> {
        let own = Path::new(&by.place);
        for path in trust_files(own) {
            let place = slashes(&path);
            if !snapshot.is_known(&place)?
                && !self.has(&place)
                && let Some(text) = text_of(&path)
            {
                self.keep(task, by, place.clone(), &place, text);
            }
        }
        let around = snapshot.surroundings(by.file)?;
        if task.around.contains(&by.file) && around.is_any() {
            for (place, text) in loaders_around(own, around) {
                if !snapshot.is_known(&place)? && !self.has(&place) {
                    self.keep(task, by, place.clone(), &place, text);
                }
            }
        }
        Ok(())
    }

    /// Reads the unread files that a file loads: for each, the first existing candidate.
    fn read_missing(
        &mut self,
        snapshot: &Snapshot,
        task: &RoundTask<'_>,
        by: &Asking,
        missing: Vec<Vec<String>>,
        places: &mut Places,
    ) -> Result<(), Cancelled> {
        for wanted in missing {
            for looked in wanted {
                if self.has(&looked) {
                    break;
                }
                if task.absent.contains(&looked) {
                    continue;
                }
                let path = Path::new(&looked);
                if !path.is_file() {
                    self.absent.push(looked);
                    continue;
                }
                let place = places.canonical(path);
                if place != looked {
                    self.links.push((looked.clone(), place.clone()));
                    if self.has(&place) || snapshot.is_known(&place)? {
                        break;
                    }
                }
                if let Some(text) = text_of(path) {
                    self.keep(task, by, place, &looked, text);
                    break;
                }
                self.absent.push(looked);
            }
        }
        Ok(())
    }
}
