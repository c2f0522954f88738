//! The database of the language server: the user's files, and snapshots that answer queries on them.

pub mod files;
mod inputs;
pub mod kin;
mod questions;
mod snapshot;
mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_analysis::kept::Store;
use costlens_analysis::queries::{Inference, LIBRARY};
use costlens_program::{Role, SourceFile};
use costlens_syntax::{Dialect, Parsed};
use salsa::{Durability, Setter as _};
use smol_str::SmolStr;

use crate::advice::AdviceCache;
use crate::db::Database;
pub use crate::file::{Cancelled, Edit, File};
use crate::fixes::Remembered;
pub use inputs::{InputTexts, Inputs};
pub use snapshot::Snapshot;

/// The number of simultaneous edits above which the text is parsed from scratch.
const MOST_EDITS: usize = 32;

/// The mutable state: the texts of the files. A write cancels the computations of every [`Snapshot`], and waits until all snapshots are
/// dropped.
pub struct Host {
    db: Database,
    files: BTreeMap<String, SourceFile>,
    /// Files of an installed library that are not open. They are analysed as needed, but do not count as the user's.
    aside: BTreeSet<String>,
    /// The places of files whose names do not determine them.
    places: BTreeMap<String, SmolStr>,
    /// The names of open files.
    opened: BTreeSet<String>,
    /// The dialect of the user's files, if set by the user.
    dialect: Option<Dialect>,
    /// True if texts are never edited.
    is_unedited: bool,
    /// Cached quick fixes.
    remembered: Arc<Remembered>,
    /// Cached results for separate texts.
    known: Arc<AdviceCache>,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// Creates a host without user files.
    #[must_use]
    pub fn new() -> Self {
        Self::from_database(Database::new())
    }

    fn from_database(db: Database) -> Self {
        let mut host = Host {
            db,
            files: BTreeMap::new(),
            aside: BTreeSet::new(),
            places: BTreeMap::new(),
            opened: BTreeSet::new(),
            dialect: None,
            is_unedited: false,
            remembered: Arc::default(),
            known: Arc::default(),
        };
        host.set_expansions(true);
        host
    }

    /// Creates a host for a command. Since its texts are never edited, nothing is kept for recomputation.
    #[must_use]
    pub fn unedited() -> Self {
        Host {
            is_unedited: true,
            ..Self::new()
        }
    }

    /// Sets where results of inference outlive the process. Call this before the first query.
    pub fn set_store(&self, store: Box<dyn Store>) {
        self.db.set_store(store);
    }

    /// Creates a host with another configuration of inference, such as less fuel for tests of many programs.
    #[must_use]
    pub fn with_inference(inference: Inference) -> Self {
        Self::from_database(Database::with_library(inference, LIBRARY, None))
    }

    /// Adds a file, or replaces the text of a known file, and marks the file as open. No file is read from disk; `name` appears in
    /// messages. A file that was only loaded by other files is renamed to `name`.
    pub fn open(&mut self, name: &str, text: &str) -> File {
        let mut parsed = self.parse(name, text);
        if self.is_unedited {
            parsed = parsed.read_once();
        }
        let known = self.known(name);
        self.aside.remove(name);
        self.opened.insert(name.to_owned());
        if let Some(file) = known {
            file.set_parsed(&mut self.db)
                .with_durability(Durability::LOW)
                .to(parsed);
            self.put(name, file);
            return File(file);
        }
        let file = SourceFile::new(&self.db, name.to_owned(), parsed, Role::User);
        self.files.insert(name.to_owned(), file);
        self.put(name, file);
        File(file)
    }

    /// Applies edits in sequence, each to the result of the previous edit.
    pub fn edit(&mut self, file: File, edits: &[Edit]) {
        let before = file.0.parsed(&self.db);
        let after = edits.iter().fold(before.clone(), |text, e| {
            if e.range == (0..text.text.len()) {
                self.parse(file.0.path(&self.db), &e.text)
            } else {
                text.edit(e.range.clone(), &e.text)
            }
        });
        file.0.set_parsed(&mut self.db).to(after);
    }

    /// Applies edits to a file, given the resulting text. If there are many edits, the result is parsed from scratch instead.
    pub fn edit_to(&mut self, file: File, edits: &[Edit], after: &str) {
        if edits.len() <= MOST_EDITS {
            return self.edit(file, edits);
        }
        let after = self.parse(file.0.path(&self.db), after);
        file.0.set_parsed(&mut self.db).to(after);
    }

    /// Drops the text of a file. Results computed from it are dropped with the next revision.
    pub fn close(&mut self, file: File) {
        self.opened.remove(file.0.path(&self.db));
        file.0.set_parsed(&mut self.db).to(Parsed::new(""));
    }

    /// Marks a file as no longer open. Its text is kept until the file is added again.
    pub fn set_aside(&mut self, file: File) {
        self.opened.remove(file.0.path(&self.db));
    }

    /// Returns a snapshot of the current state, for reading on any thread.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            db: self.db.clone(),
            files: self.own_files().map(|file| file.0).collect(),
            remembered: Arc::clone(&self.remembered),
            known: Arc::clone(&self.known),
        }
    }

    /// Returns the user's files by name, including files that other files load. Files of installed libraries are included only if they are
    /// open.
    pub fn own_files(&self) -> impl Iterator<Item = File> {
        let own = |(name, _): &(&String, _)| !self.aside.contains(*name);
        self.files.iter().filter(own).map(|(_, &file)| File(file))
    }
}

#[cfg(test)]
mod tests;
