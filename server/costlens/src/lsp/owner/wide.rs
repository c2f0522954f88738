//! Questions that may require unread files: references, callers, symbols of the workspace.
//!
//! A worker searches for these files on disk ([`unread`](crate::lsp::workspace::unread)). They and the files that they load are read like
//! files that documents load ([`gathering`](super::gathering)), and the question is answered when none is missing. A newly found file may
//! rename the predicate, so the search is repeated until it finds no more files.

use std::sync::Arc;

use tower_lsp::ls_types::Uri;

use super::Owner;
use crate::disk::MOST_FILES;
use crate::lsp::event::{Event, WorkerOutcome};
use crate::lsp::question::{PendingQuestion, PendingSearch, SearchSubject, Unanswered};
use crate::lsp::workspace::search::{SearchResult, What, Wide, look};
use crate::lsp::workspace::unread::RelatedFile;

/// The maximum number of searches for one question.
const MOST_TURNS: usize = 4;

impl Owner {
    /// Handles a question about one document that also requires workspace files.
    pub(super) fn ask_widely(&mut self, uri: &Uri, question: Box<dyn PendingQuestion>) {
        let Some(version) = self.documents.get(uri).map(|d| d.view.version) else {
            return question.end(Unanswered::NotOpen);
        };
        self.seek(Wide {
            what: What::About(uri.clone(), version, question),
            turn: 0,
        });
    }

    /// Handles a question about all files.
    pub(super) fn search_widely(&mut self, search: Box<dyn PendingSearch>) {
        self.seek(Wide {
            what: What::All(search),
            turn: 0,
        });
    }

    /// Searches for the workspace files that a question requires.
    fn seek(&mut self, wide: Wide) {
        if self.session.roots.is_empty() || wide.turn >= MOST_TURNS {
            return self.answer_widely(wide, SearchResult::default());
        }
        let subject = match &wide.what {
            What::About(uri, _, question) => (self.documents.get(uri))
                .and_then(|d| Some((d.file, d.view.offset(question.place()?))))
                .map(|(file, offset)| SearchSubject::Place(file, offset)),
            What::All(search) => search.subject(),
        };
        let Some(subject) = subject else {
            return self.answer_widely(wide, SearchResult::default());
        };
        let (snapshot, session) = (self.host.snapshot(), Arc::clone(&self.session));
        let (disk, known) = (Arc::clone(&self.disk), self.host.own_places());
        let sender = self.sender.clone();
        self.runtime.spawn_blocking(move || {
            let found = WorkerOutcome::run(|| {
                let is_wanted = || wide.is_wanted();
                look(subject, snapshot, &disk, &session, &known, &is_wanted)
            });
            let _ = sender.send(Event::Sought(wide, found));
        });
    }

    /// Adds the files found for a question.
    pub(super) fn sought(&mut self, wide: Wide, found: WorkerOutcome<SearchResult>) {
        if !wide.is_wanted() {
            return;
        }
        let mut found = match found {
            WorkerOutcome::Done(found) => found,
            WorkerOutcome::Cancelled => return self.seek(wide),
            WorkerOutcome::Panicked => {
                self.log("a panic while files of the workspace were looked through");
                SearchResult::default()
            }
        };
        let mut any = false;
        for RelatedFile { name, place, text } in std::mem::take(&mut found.related) {
            if self.host.file_at(&place).is_none() {
                if !self.needed.has_room() {
                    self.log(&format!("{MOST_FILES} files were read; `{name}` is not"));
                    continue;
                }
                self.needed.was_read();
                self.host.add_at(&name, &place, &text);
            }
            if let Some(file) = self.host.file_at(&place) {
                // A library file in the workspace is one of the user's own files.
                self.host.make_own(file);
            }
            any = true;
        }
        if !any && !self.needed.is_busy() {
            return self.answer_widely(wide, found);
        }
        let turn = wide.turn + 1;
        self.wide.push(Wide { turn, ..wide });
        self.gather_all();
        if !self.needed.is_busy() {
            self.seek_again();
        }
    }

    /// Resumes the questions that have waited for files.
    pub(super) fn seek_again(&mut self) {
        for wide in std::mem::take(&mut self.wide) {
            self.seek(wide);
        }
    }

    fn answer_widely(&mut self, wide: Wide, found: SearchResult) {
        match wide.what {
            What::About(uri, version, question) => match self.documents.get(&uri) {
                Some(d) if d.view.version != version => question.end(Unanswered::Edited),
                _ => self.ask(&uri, question),
            },
            What::All(mut search) => {
                search.take_unread(found.symbols);
                self.search(search);
            }
        }
    }
}
