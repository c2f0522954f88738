//! Files that open documents load: read from the disk by a worker, round by round, until nothing is missing.
//!
//! A round asks what is missing and reads it; what it brings may need more. While rounds go on no hints and no diagnostics are computed, as
//! they would speak of a program with holes.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use costlens_ide::host::File;

use super::owner::{Event, Outcome, Owner};
use crate::needed::{Libraries, MOST_FILES, loaders_around, slashes, text_of, trust_files};

/// What one round brought.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// Places and texts.
    found: Vec<(String, String)>,
    /// Places where nothing is.
    absent: Vec<String>,
}

/// What is known of the disk.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// Places that were tried in vain, until a file comes or goes.
    absent: BTreeSet<String>,
    /// Files around which was looked for those that load them, until a file comes or goes.
    looked_around: Vec<File>,
    /// Files that may need others.
    waiting: Vec<File>,
    /// Files that the round at work asks for.
    asked: Vec<File>,
    /// How many files were read.
    read: usize,
    /// Whether rounds since the last pause brought anything.
    changed: bool,
}

impl Needed {
    /// Whether a round is at work.
    pub(super) fn is_busy(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Lets places be tried again: files came or went.
    pub(super) fn forget(&mut self) {
        self.absent.clear();
        self.looked_around.clear();
    }
}

impl Owner {
    /// Says where the library is.
    pub(super) fn find_libraries(&mut self) {
        let libraries = match self.session.settings.library.as_str() {
            "" | "installed" => Libraries::Installed,
            "none" => Libraries::None,
            folder => Libraries::In(vec![folder.into()]),
        };
        self.host
            .set_libraries(&libraries.find(&self.session.roots));
    }

    /// Looks for the files that a document needs.
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
        let (files, absent) = (self.needed.asked.clone(), self.needed.absent.clone());
        let is_open = |file: &File| self.documents.values().any(|d| d.file == *file);
        let look_around: Vec<File> = (files.iter().copied())
            .filter(|file| is_open(file) && !self.needed.looked_around.contains(file))
            .collect();
        self.needed.looked_around.extend(&look_around);
        self.work(
            move |snapshot| {
                let mut round = Round::default();
                for file in files {
                    let own = snapshot.place(file)?;
                    let own = own.as_ref().map(Path::new).filter(|p| p.is_absolute());
                    for path in own.map(trust_files).unwrap_or_default() {
                        let place = slashes(&path);
                        if !snapshot.is_known(&place)?
                            && !round.found.iter().any(|(p, _)| *p == place)
                            && let Some(text) = text_of(&path)
                        {
                            round.found.push((place, text));
                        }
                    }
                    let around = snapshot.around(file)?;
                    if look_around.contains(&file)
                        && around.is_any()
                        && let Some(own) = own
                    {
                        for (place, text) in loaders_around(own, around) {
                            if !snapshot.is_known(&place)? {
                                round.found.push((place, text));
                            }
                        }
                    }
                    for places in snapshot.missing(file)? {
                        for place in places {
                            if round.found.iter().any(|(p, _)| *p == place) {
                                break;
                            }
                            if absent.contains(&place) {
                                continue;
                            }
                            // A place without a folder in front is nowhere: the client's names are absolute.
                            let path = Path::new(&place);
                            match path.is_absolute().then(|| text_of(path)).flatten() {
                                Some(text) => {
                                    round.found.push((place, text));
                                    break;
                                }
                                None => round.absent.push(place),
                            }
                        }
                    }
                }
                Ok(round)
            },
            Event::Gathered,
        );
    }

    /// Takes in what a round brought.
    pub(super) fn gathered(&mut self, round: Outcome<Round>) {
        let asked = std::mem::take(&mut self.needed.asked);
        match round {
            Outcome::Done(round) => {
                self.needed.absent.extend(round.absent);
                for (place, text) in round.found {
                    if self.needed.read >= MOST_FILES || self.host.at(&place).is_some() {
                        continue;
                    }
                    let file = self.host.add(&place, &text);
                    self.needed.read += 1;
                    self.needed.waiting.push(file);
                    self.needed.changed = true;
                }
            }
            Outcome::Cancelled => self.needed.waiting.extend(asked),
            Outcome::Panicked => self.log("a panic while files that are loaded were looked for"),
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

    /// Looks for what any document needs.
    pub(super) fn gather_all(&mut self) {
        let files: Vec<File> = self.documents.values().map(|d| d.file).collect();
        for file in files {
            self.gather(file);
        }
    }

    /// What was said of the documents may not hold any more.
    pub(super) fn stale(&mut self) {
        let now = Instant::now();
        self.refresh_at = Some(now);
        for document in self.documents.values_mut() {
            self.serial += 1;
            std::sync::Arc::make_mut(&mut document.view).serial = self.serial;
            document.hints.fresh = false;
            if !self.session.pulls_diagnostics {
                document.diagnose_at = Some(now);
            }
        }
    }

    /// Does what waited for the files.
    fn catch_up(&mut self) {
        let waiting: Vec<_> = self.waiting.iter().map(|w| w.uri.clone()).collect();
        for uri in waiting {
            self.compute_hints(&uri);
        }
    }
}
