//! Reads the files that open documents load: a worker reads them from disk, in rounds, until none is missing.
//!
//! A round determines the missing files and reads them; these may need further files. Between rounds, neither hints nor diagnostics are
//! computed, as they would describe an incomplete program.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use costlens_ide::host::File;
use costlens_ide::host::kin::Kin;
use tower_lsp::ls_types::Uri;

use super::Owner;
use crate::disk::kin::TextCache;
use crate::disk::libraries::Libraries;
use crate::disk::listing::Area;
use crate::disk::place::{FileNames, Places, place_of, slashes};
use crate::disk::{MOST_FILES, text_of};
use crate::lsp::event::{Event, WorkerOutcome};
use crate::lsp::outgoing::Outgoing;
use crate::lsp::workspace::round::{self, ReadFile, Round};

/// The progress of reading the files that documents load.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// Places at which no file was found; cleared if a file is added or removed.
    absent: BTreeSet<String>,
    /// The names of library files.
    names: Arc<FileNames>,
    /// Files near which loaders were searched for; cleared if a file is added or removed.
    looked_around: Vec<File>,
    /// Files whose kin was searched for in the workspace; cleared if a file is added, removed or changed.
    looked_for: Kin,
    /// True if the disk has changed, or a document was closed, during the current round, so that its results may be outdated.
    outdated: bool,
    /// The cached facts about texts of the workspace.
    texts: Arc<TextCache>,
    /// Files that may need further files.
    waiting: Vec<File>,
    /// Files of the current round.
    asked: Vec<File>,
    /// The number of files read.
    read: usize,
    /// True if rounds since the last pause have found a file.
    changed: bool,
}

impl Needed {
    /// Returns whether a round is in progress.
    pub(super) fn is_busy(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Returns whether another file may be read.
    pub(super) fn has_room(&self) -> bool {
        self.read < MOST_FILES
    }

    /// Records that a file was read for a question.
    pub(super) fn was_read(&mut self) {
        self.read += 1;
        self.changed = true;
    }
}

/// Returns the place of a document's file. Returns `None` for a document without a file.
pub(super) fn place_of_uri(uri: &Uri) -> Option<String> {
    Some(place_of(&uri.to_file_path()?))
}

impl Owner {
    /// Clears the remembered places, because files were added or removed.
    pub(super) fn forget_places(&mut self) {
        self.needed.outdated = true;
        self.needed.absent.clear();
        self.needed.looked_around.clear();
        self.needed.looked_for = Kin::default();
        let mut places = Places::default();
        (self.host).keep_links(|looked, place| {
            let path = Path::new(looked);
            path.is_file() && places.canonical(path) == place
        });
    }

    /// Returns the parts of the disk that belong to the workspace: the client's folders, and the workspaces of documents outside them.
    fn areas(&self) -> Vec<Area> {
        let roots = &self.session.roots;
        let mut areas: Vec<Area> = roots.iter().cloned().map(Area::Tree).collect();
        for uri in self.documents.keys() {
            if let Some(path) = uri.to_file_path()
                && !roots.iter().any(|root| path.starts_with(root))
            {
                let area = Area::containing(&path);
                if !areas.contains(&area) {
                    areas.push(area);
                }
            }
        }
        areas
    }

    /// Opens a document at its place.
    pub(super) fn open_in_host(&mut self, uri: &Uri, text: &str) -> File {
        match place_of_uri(uri) {
            Some(place) => self.host.open_at(uri.as_str(), &place, text),
            None => self.host.open(uri.as_str(), text),
        }
    }

    /// Restores a file's text from disk after its document was closed, and names it by its path as if it had never been open. Returns
    /// whether the file exists.
    pub(super) fn read_again(&mut self, file: File, uri: &Uri) -> bool {
        self.needed.outdated = true;
        self.host.set_aside(file);
        let path = uri.to_file_path().map(|path| slashes(&path));
        path.is_some_and(|name| self.read_again_as(&name, uri))
    }

    /// Reads the text of a known file from disk again; the file keeps its name in messages. Returns whether the file exists.
    pub(super) fn read_known(&mut self, file: File, uri: &Uri) -> bool {
        let name = self.host.name(file).to_owned();
        self.read_again_as(&name, uri)
    }

    fn read_again_as(&mut self, name: &str, uri: &Uri) -> bool {
        let (Some(place), Some(text)) = (place_of_uri(uri), on_disk(uri)) else {
            return false;
        };
        self.host.add_at(name, &place, &text);
        true
    }

    /// Locates the libraries.
    pub(super) fn find_libraries(&mut self) {
        let libraries = match self.session.settings.library.as_str() {
            "" | "installed" if !self.project.library.is_empty() => {
                Libraries::In(self.project.library.clone())
            }
            "" | "installed" => Libraries::Installed,
            "none" => Libraries::None,
            folder => Libraries::In(vec![folder.into()]),
        };
        let (libraries, names) = libraries.find(&self.session.roots, self.project.version);
        self.needed.names = Arc::new(names);
        self.host.set_libraries(&libraries);
    }

    /// Searches for the files that an open document needs. If the last edit has not named another file, this returns immediately.
    pub(super) fn gather_for(&mut self, uri: &Uri) {
        if let Some(file) = self.documents.get(uri).map(|d| d.file) {
            self.gather(file);
        }
    }

    /// Searches for the files that a document needs.
    pub(super) fn gather(&mut self, file: File) {
        if !self.needed.waiting.contains(&file) {
            self.needed.waiting.push(file);
        }
        self.next_round();
    }

    fn next_round(&mut self) {
        if self.needed.is_busy() || self.needed.waiting.is_empty() {
            return;
        }
        self.needed.asked = std::mem::take(&mut self.needed.waiting);
        self.needed.outdated = false;
        let (files, absent) = (self.needed.asked.clone(), self.needed.absent.clone());
        let names = Arc::clone(&self.needed.names);
        let is_open = |file: &File| self.documents.values().any(|d| d.file == *file);
        let around: Vec<File> = (files.iter().copied())
            .filter(|file| is_open(file) && !self.needed.looked_around.contains(file))
            .collect();
        self.needed.looked_around.extend(&around);
        let (areas, texts) = (self.areas(), Arc::clone(&self.needed.texts));
        let looked_for = self.needed.looked_for.clone();
        self.work(
            move |snapshot| {
                let task = round::RoundTask {
                    areas: &areas,
                    texts: &texts,
                    looked_for: &looked_for,
                    files: &files,
                    around: &around,
                    absent: &absent,
                    names: &names,
                };
                round::read(snapshot, &task)
            },
            Event::Gathered,
        );
    }

    /// Processes the results of a round.
    pub(super) fn gathered(&mut self, round: WorkerOutcome<Round>) {
        let asked = std::mem::take(&mut self.needed.asked);
        match round {
            WorkerOutcome::Done(_) if self.needed.outdated => self.needed.waiting.extend(asked),
            WorkerOutcome::Done(round) => {
                self.needed.absent.extend(round.absent);
                self.needed.looked_for.extend(round.looked_for);
                for (looked, place) in round.links {
                    self.host.link(&looked, &place);
                    self.needed.changed = true;
                }
                for ReadFile { name, place, text } in round.read {
                    if !self.needed.has_room() || self.host.file_at(&place).is_some() {
                        continue;
                    }
                    let file = self.host.add_at(&name, &place, &text);
                    self.needed.read += 1;
                    self.needed.waiting.push(file);
                    self.needed.changed = true;
                }
            }
            WorkerOutcome::Cancelled => self.needed.waiting.extend(asked),
            WorkerOutcome::Panicked => {
                self.log("a panic while files that are loaded were looked for")
            }
        }
        self.next_round();
        if self.needed.is_busy() {
            return;
        }
        if std::mem::take(&mut self.needed.changed) {
            self.stale();
        }
        self.catch_up();
    }

    /// Searches for the files that any document, or any file reached from a document, needs: such a file may have changed on disk, or a
    /// file that it loads may have been created.
    pub(super) fn gather_all(&mut self) {
        let waiting: HashSet<File> = self.needed.waiting.iter().copied().collect();
        let more = self.host.own_files().filter(|file| !waiting.contains(file));
        self.needed.waiting.extend(more);
        self.next_round();
    }

    /// Invalidates all results for the documents, so that they are computed again.
    pub(super) fn stale(&mut self) {
        let now = Instant::now();
        self.refresh_at = Some(now);
        if self.session.pulls_diagnostics && self.session.refreshes_diagnostics {
            self.send(Outgoing::RefreshDiagnostics);
        }
        for document in self.documents.values_mut() {
            self.serial += 1;
            Arc::make_mut(&mut document.view).serial = self.serial;
            document.hints.fresh = false;
            if !self.session.pulls_diagnostics {
                document.diagnose_at = Some(now);
            }
        }
    }

    /// Resumes the work that has waited for files.
    fn catch_up(&mut self) {
        let waiting: Vec<_> = self.waiting.iter().map(|w| w.uri.clone()).collect();
        for uri in waiting {
            self.compute_hints(&uri);
        }
        self.seek_again();
    }
}

/// Returns the text of a document's file on disk. Returns `None` for a document without a file.
fn on_disk(uri: &Uri) -> Option<String> {
    text_of(&uri.to_file_path()?)
}
