//! Questions that files may have to do with which nobody has read: references, callers, symbols of the workspace.
//!
//! A worker looks for such files on the disk ([`super::disk`]), they and what they load are read as those are that documents load
//! ([`super::needed`]), and the question is answered when nothing is missing. A file that is found may give the predicate another name, so
//! it is looked for again until nothing more is found.

use std::sync::Arc;

use costlens_analysis::report::PredicateName;
use costlens_ide::host::{Cancelled, File};
use tower_lsp::ls_types::Uri;

use super::disk::{DiskSymbol, Related};
use super::owner::{Event, Outcome, Owner};
use super::requests::{Question, Search, Unanswered};
use crate::listing::Area;
use crate::needed::MOST_FILES;

/// How often it is looked for more files for one question.
const MOST_TURNS: usize = 4;

/// A question, and how often it was looked for files that it is about.
pub(super) struct Wide {
    what: What,
    turn: usize,
}

enum What {
    /// About a version of a document.
    About(Uri, i32, Question),
    /// About all files.
    All(Search),
}

impl Wide {
    /// Whether the answer is still waited for.
    fn is_wanted(&self) -> bool {
        match &self.what {
            What::About(_, _, question) => question.is_wanted(),
            What::All(search) => search.is_wanted(),
        }
    }
}

/// What it is about.
enum Subject {
    /// What is named at an offset.
    Place(File, usize),
    /// A predicate of the file of this name.
    Predicate(String, PredicateName),
    /// All predicates.
    Everything,
}

impl Subject {
    fn of(search: &Search) -> Option<Self> {
        match search {
            Search::Symbols { .. } => Some(Subject::Everything),
            Search::Incoming(file, predicate, _) => {
                Some(Subject::Predicate(file.clone(), predicate.clone()))
            }
            Search::Outgoing(..) => None,
        }
    }
}

/// What a worker found on the disk.
#[derive(Default)]
pub(super) struct Seen {
    related: Vec<Related>,
    /// For a question about symbols: those of files that are not known.
    symbols: Vec<Arc<[DiskSymbol]>>,
}

impl Owner {
    /// A question about one document that is about files of the workspace, too.
    pub(super) fn ask_widely(&mut self, uri: &Uri, question: Question) {
        let Some(version) = self.documents.get(uri).map(|d| d.view.version) else {
            return question.end(Unanswered::NotOpen);
        };
        self.seek(Wide {
            what: What::About(uri.clone(), version, question),
            turn: 0,
        });
    }

    /// A question about all files.
    pub(super) fn search_widely(&mut self, search: Search) {
        self.seek(Wide {
            what: What::All(search),
            turn: 0,
        });
    }

    /// Looks for files of the workspace that the question is about.
    fn seek(&mut self, wide: Wide) {
        if self.session.roots.is_empty() || wide.turn >= MOST_TURNS {
            return self.answer_widely(wide, Seen::default());
        }
        let subject = match &wide.what {
            What::About(uri, _, question) => (self.documents.get(uri))
                .and_then(|d| Some((d.file, d.view.offset(question.place()?))))
                .map(|(file, offset)| Subject::Place(file, offset)),
            What::All(search) => Subject::of(search),
        };
        let Some(subject) = subject else {
            return self.answer_widely(wide, Seen::default());
        };
        let (snapshot, session) = (self.host.snapshot(), Arc::clone(&self.session));
        let (disk, known) = (Arc::clone(&self.disk), self.host.own_places());
        let areas: Vec<Area> = session.roots.iter().cloned().map(Area::Tree).collect();
        let sender = self.sender.clone();
        self.runtime.spawn_blocking(move || {
            let look = || -> Result<Seen, Cancelled> {
                let is_wanted = || wide.is_wanted();
                let sought = match subject {
                    Subject::Place(file, offset) => snapshot.sought(file, offset)?,
                    Subject::Predicate(file, predicate) => match snapshot.file(&file)? {
                        Some(file) => snapshot.sought_of(file, &predicate)?,
                        None => None,
                    },
                    Subject::Everything => {
                        // A write waits for every snapshot.
                        drop(snapshot);
                        let encoding = session.encoding;
                        let symbols = disk.symbols(&areas, &known, encoding, &is_wanted);
                        return Ok(Seen {
                            symbols,
                            ..Seen::default()
                        });
                    }
                };
                drop(snapshot);
                let related =
                    sought.map(|sought| disk.related(&areas, &sought, &known, &is_wanted));
                Ok(Seen {
                    related: related.unwrap_or_default(),
                    ..Seen::default()
                })
            };
            let seen = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(look)) {
                Ok(Ok(seen)) => Outcome::Done(seen),
                Ok(Err(Cancelled)) => Outcome::Cancelled,
                Err(_) => Outcome::Panicked,
            };
            let _ = sender.send(Event::Sought(wide, seen));
        });
    }

    /// Takes in the files that were found for a question.
    pub(super) fn sought(&mut self, wide: Wide, seen: Outcome<Seen>) {
        if !wide.is_wanted() {
            return;
        }
        let mut seen = match seen {
            Outcome::Done(seen) => seen,
            Outcome::Cancelled => return self.seek(wide),
            Outcome::Panicked => {
                self.log("a panic while files of the workspace were looked through");
                Seen::default()
            }
        };
        let mut any = false;
        for Related { name, place, text } in std::mem::take(&mut seen.related) {
            if self.host.at(&place).is_none() {
                if !self.needed.has_room() {
                    self.log(&format!("{MOST_FILES} files were read; `{name}` is not"));
                    continue;
                }
                self.needed.was_read();
                self.host.add_at(&name, &place, &text);
            }
            if let Some(file) = self.host.at(&place) {
                // One of a library in the workspace is one that the user works on.
                self.host.make_own(file);
            }
            any = true;
        }
        if !any && !self.needed.is_busy() {
            return self.answer_widely(wide, seen);
        }
        let turn = wide.turn + 1;
        self.wide.push(Wide { turn, ..wide });
        self.gather_all();
        if !self.needed.is_busy() {
            self.seek_again();
        }
    }

    /// Goes on with the questions that waited for files.
    pub(super) fn seek_again(&mut self) {
        for wide in std::mem::take(&mut self.wide) {
            self.seek(wide);
        }
    }

    fn answer_widely(&mut self, wide: Wide, seen: Seen) {
        match wide.what {
            What::About(uri, version, question) => match self.documents.get(&uri) {
                Some(d) if d.view.version != version => question.end(Unanswered::Edited),
                _ => self.ask(&uri, question),
            },
            What::All(search) => self.search(search.with(seen.symbols)),
        }
    }
}
