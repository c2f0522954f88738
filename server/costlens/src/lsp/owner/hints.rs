//! Hints of open documents: the last finished hints, the hints in progress, and the requests that wait for them.
//!
//! Hints never vanish while the user types. If the worker of a request is cancelled or late, the response consists of the last finished
//! hints, shifted by the edits, and the new hints that the worker has computed since; the worker starts with the visible lines. The client
//! is asked to refresh hints until all are complete.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use costlens_analysis::report::Functor;
use costlens_ide::hints::{Arrived, Hint};
use costlens_ide::host::Edit;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{InlayHint, Range as LspRange, Uri};

use super::Owner;
use crate::lsp::document::moved;
use crate::lsp::event::{Event, WorkerOutcome};
use crate::lsp::observed::Observations;
use crate::lsp::outgoing::Outgoing;
use crate::lsp::{threads, to_proto};

/// The pause after an edit before cancelled hints are computed again.
const PAUSE: Duration = Duration::from_millis(60);
/// The time for which a request waits for current hints before it gets the existing hints.
const PATIENCE: Duration = Duration::from_millis(80);
/// The corresponding time for a client that does not support refreshes, and keeps its hints until the next edit.
const LAST_CHANCE: Duration = Duration::from_millis(300);
/// The minimum interval between refreshes; more frequent refreshes are combined.
const REFRESH_PAUSE: Duration = Duration::from_millis(100);
/// The minimum interval between refreshes while hints are being computed.
const COMING_PAUSE: Duration = Duration::from_millis(500);

/// A worker that computes hints.
struct Computing {
    /// The serial number of the text.
    serial: u64,
    /// The byte range with which it starts.
    screen: Range<usize>,
    /// The hints computed so far.
    coming: Coming,
}

type Coming = Arc<Mutex<Vec<Arrived>>>;

/// The hints of one document.
#[derive(Default)]
pub(super) struct Hints {
    /// The last finished hints, shifted by later edits, and updated with newer hints that have arrived.
    last: Option<Vec<Hint>>,
    /// True if `last` belongs to the current text.
    pub(super) fresh: bool,
    /// The byte range in which `last` already belongs to the current text.
    right: Range<usize>,
    /// True if the client has been given outdated hints.
    pub(super) owed: bool,
    computing: Option<Computing>,
    /// The time of the next computation.
    pub(super) at: Option<Instant>,
    /// The byte range of the client's last request.
    screen: Range<usize>,
    /// The last known label for each predicate.
    good: BTreeMap<Functor, String>,
    /// Counts of past runs of the document's predicates.
    observations: Observations,
}

/// A request for hints that has not been answered.
pub(super) struct Waiting {
    pub(super) uri: Uri,
    range: LspRange,
    reply: oneshot::Sender<Vec<InlayHint>>,
    pub(super) until: Instant,
}

impl Hints {
    /// Records an edit of the document.
    pub(super) fn edited(&mut self, edits: &[Edit], now: Instant) {
        if let Some(hints) = &mut self.last {
            hints.retain_mut(|hint| {
                let there = edits.iter().try_fold(hint.offset, moved);
                hint.offset = there.unwrap_or(hint.offset);
                there.is_some()
            });
        }
        self.fresh = false;
        self.right = 0..0;
        if self.owed {
            self.at = Some(now + PAUSE);
        }
    }

    /// Records an edit of another document, which may have changed these hints. Usually it has not.
    pub(super) fn elsewhere_edited(&mut self, now: Instant) {
        self.fresh = false;
        self.right = 0..0;
        if self.last.is_some() {
            self.at = Some(now);
        }
    }

    /// Stores the labels of finished hints. Predicates affected by syntax errors keep their previous label.
    fn remember(&mut self, finished: &[Hint]) {
        if finished.iter().all(|h| h.incomplete.is_none()) {
            self.good.clear();
        }
        for hint in finished.iter().filter(|h| h.incomplete.is_none()) {
            self.good.insert(hint.predicate.clone(), hint.label.clone());
        }
    }

    /// Returns the existing hints. For predicates affected by syntax errors, the label is the previous label in brackets, or the label that
    /// the settings specify for unknown costs.
    fn shown(&self, unknown: bool) -> Vec<Hint> {
        let all = self.last.iter().flatten();
        all.filter_map(|hint| {
            let mut hint = hint.clone();
            if hint.incomplete.is_some() {
                match self.good.get(&hint.predicate) {
                    Some(before) => hint.label = format!("({before})"),
                    None if unknown && !hint.label.is_empty() => hint.incomplete = None,
                    None => return None,
                }
            }
            Some(hint)
        })
        .collect()
    }

    /// Returns whether the hints in a range belong to the current text.
    fn are_right(&self, range: &Range<usize>) -> bool {
        self.fresh || self.right.start <= range.start && range.end <= self.right.end
    }

    /// Adds the hints that a worker has computed so far for the current text.
    fn take_arrived(&mut self, serial: u64) {
        let Some(worker) = self.computing.as_ref().filter(|c| c.serial == serial) else {
            return;
        };
        let mut coming = worker.coming.lock().unwrap_or_else(PoisonError::into_inner);
        let arrived = std::mem::take(&mut *coming);
        if arrived.is_empty() {
            return;
        }
        let mut new: BTreeMap<Functor, Option<Hint>> = BTreeMap::new();
        let mut replaced = 0..0;
        for arrived in arrived {
            match arrived {
                Arrived::Shown(shown) => {
                    replaced = worker.screen.clone();
                    self.right = worker.screen.clone();
                    new.extend(shown.into_iter().map(|h| (h.predicate.clone(), Some(h))));
                }
                Arrived::One { predicate, hint } => drop(new.insert(predicate, hint)),
            }
        }
        let mut hints = self.last.take().unwrap_or_default();
        hints.retain(|h| !new.contains_key(&h.predicate) && !replaced.contains(&h.offset));
        hints.extend(new.into_values().flatten());
        hints.sort_by_key(|h| h.offset);
        self.last = Some(hints);
    }
}

impl Owner {
    pub(super) fn ask_hints(
        &mut self,
        uri: Uri,
        range: LspRange,
        reply: oneshot::Sender<Vec<InlayHint>>,
    ) {
        let Some(document) = self.documents.get_mut(&uri) else {
            let _ = reply.send(Vec::new());
            return;
        };
        document.hints.screen = document.view.bytes(range);
        if document.hints.are_right(&document.hints.screen) {
            self.answer_hints(&uri, range, reply);
            return;
        }
        self.compute_hints(&uri);
        self.waiting.push(Waiting {
            uri,
            range,
            reply,
            until: Instant::now() + self.patience(),
        });
    }

    /// Answers a request with the existing hints.
    fn answer_hints(&mut self, uri: &Uri, range: LspRange, reply: oneshot::Sender<Vec<InlayHint>>) {
        let Some(document) = self.documents.get_mut(uri) else {
            let _ = reply.send(Vec::new());
            return;
        };
        let hints = &mut document.hints;
        let bytes = document.view.bytes(range);
        let is_right = hints.are_right(&bytes);
        if !is_right {
            hints.owed = true;
            hints.take_arrived(document.view.serial);
        }
        let shown = hints.shown(self.session.settings.hints.unknown);
        let mut found = to_proto::hints(&document.view, &shown, &bytes);
        if let Some(profile) = &self.shown {
            found.extend(profile.marks_in(uri, range));
        }
        let _ = reply.send(found);
        if !is_right && hints.computing.is_some() {
            self.refresh_hints_in(COMING_PAUSE);
        }
    }

    /// Answers requests that have waited long enough.
    pub(super) fn answer_impatient(&mut self, now: Instant) {
        let late = self.waiting.extract_if(.., |w| w.until <= now);
        for w in late.collect::<Vec<_>>() {
            let hints = self.documents.get(&w.uri).map(|d| &d.hints);
            let nothing_yet = hints.is_some_and(|h| h.last.is_none());
            if nothing_yet && !self.session.refreshes_hints {
                // This client never asks again: it gets the first result, regardless of the delay.
                let until = now + self.patience();
                self.waiting.push(Waiting { until, ..w });
            } else {
                self.answer_hints(&w.uri, w.range, w.reply);
            }
        }
    }

    fn patience(&self) -> Duration {
        if self.session.refreshes_hints {
            PATIENCE
        } else {
            LAST_CHANCE
        }
    }

    fn answer_waiting(&mut self, uri: &Uri) {
        let of_document = self.waiting.extract_if(.., |w| w.uri == *uri);
        for w in of_document.collect::<Vec<_>>() {
            self.answer_hints(&w.uri, w.range, w.reply);
        }
    }

    pub(super) fn refresh_hints_in(&mut self, pause: Duration) {
        let at = Instant::now() + pause;
        self.refresh_at = Some(self.refresh_at.map_or(at, |before| before.min(at)));
    }

    pub(super) fn compute_hints(&mut self, uri: &Uri) {
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        let hints = &mut document.hints;
        hints.at = None;
        if self.needed.is_busy() {
            hints.at = Some(Instant::now() + PAUSE);
            return;
        }
        let (file, serial) = (document.file, document.view.serial);
        if hints.computing.as_ref().is_some_and(|c| c.serial == serial) {
            return;
        }
        let (coming, screen) = (Coming::default(), hints.screen.clone());
        hints.computing = Some(Computing {
            serial,
            screen: screen.clone(),
            coming: coming.clone(),
        });
        // For a short file the threads would start too late, and an edit changes few hints.
        let threads = match hints.last {
            Some(_) => 1,
            None => threads(),
        };
        let (session, uri) = (self.session.clone(), uri.clone());
        let (sender, of) = (self.sender.clone(), uri.clone());
        let observations = { session.settings.hints.observed }.then(|| hints.observations.clone());
        let unknown = session.settings.hints.unknown;
        self.work(
            move |snapshot| {
                let tell = |arrived| {
                    let is_shown = matches!(arrived, Arrived::Shown(_));
                    let arrived = match &observations {
                        Some(observations) => observations.beside_arrived(arrived, unknown),
                        None => arrived,
                    };
                    let mut coming = coming.lock().unwrap_or_else(PoisonError::into_inner);
                    coming.push(arrived);
                    drop(coming);
                    if is_shown {
                        let uri = of.clone();
                        let _ = sender.send(Event::HintsShown { uri, serial });
                    }
                };
                let hints = snapshot.hints_as_they_come(
                    file,
                    &session.settings,
                    &screen,
                    threads,
                    &tell,
                )?;
                match &observations {
                    Some(observations) => {
                        observations.beside_all(snapshot, file, &of, hints, unknown)
                    }
                    None => Ok(hints),
                }
            },
            move |hints| Event::HintsDone { uri, serial, hints },
        );
    }

    /// Handles that the hints of the visible lines are ready: answers requests for only these lines.
    pub(super) fn hints_shown(&mut self, uri: &Uri, serial: u64) {
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        if document.view.serial != serial {
            return;
        }
        document.hints.take_arrived(serial);
        let answered = self.waiting.extract_if(.., |w| {
            let range = document.view.bytes(w.range);
            w.uri == *uri && document.hints.are_right(&range)
        });
        for w in answered.collect::<Vec<_>>() {
            self.answer_hints(&w.uri, w.range, w.reply);
        }
    }

    pub(super) fn hints_done(&mut self, uri: &Uri, serial: u64, found: WorkerOutcome<Vec<Hint>>) {
        if matches!(found, WorkerOutcome::Panicked) {
            self.send(Outgoing::Log(
                "a panic while hints were computed".to_owned(),
            ));
        }
        let Some(document) = self.documents.get_mut(uri) else {
            self.answer_waiting(uri);
            return;
        };
        let current = document.view.serial == serial;
        let hints = &mut document.hints;
        if current {
            // Hints that arrived before a cancellation are also valid.
            hints.take_arrived(serial);
        }
        if hints.computing.as_ref().is_some_and(|c| c.serial == serial) {
            hints.computing = None;
        }
        match found {
            WorkerOutcome::Done(found) if current => {
                hints.remember(&found);
                // An edit of another file may have changed hints that the client has not requested again.
                let before = hints.last.replace(found);
                let others = before.is_some_and(|b| hints.last.as_ref() != Some(&b));
                hints.fresh = true;
                if std::mem::take(&mut hints.owed) || others {
                    self.refresh_hints_in(REFRESH_PAUSE);
                }
                self.answer_waiting(uri);
            }
            // The existing hints are the best available until the next edit.
            WorkerOutcome::Panicked if current => {
                hints.fresh = true;
                hints.owed = false;
                self.answer_waiting(uri);
            }
            _ if hints.fresh => {}
            // The hints belong to an older text, or were cancelled. A request without any hints to show waits for the next result.
            _ if hints.last.is_none() && self.waiting.iter().any(|w| w.uri == *uri) => {
                hints.at.get_or_insert_with(Instant::now);
            }
            _ => {
                hints.owed = true;
                hints.at.get_or_insert_with(|| Instant::now() + PAUSE);
                self.answer_waiting(uri);
            }
        }
    }
}
