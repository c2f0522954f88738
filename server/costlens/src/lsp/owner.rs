//! The thread that owns the database.
//!
//! Every handler sends an [`Event`] before its first `await`, so events arrive in the order of the client's messages. This thread applies
//! writes one after another; workers answer questions, each with its own snapshot, which a write cancels. A cancelled question is retried,
//! unless its own document was edited.
//!
//! [`hints`] describes the handling of hints during edits.

mod asking;
mod calibrating;
mod diagnostics;
mod documents;
mod gathering;
mod hints;
mod observing;
mod predicting;
mod profiling;
mod project;
mod wide;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use costlens_analysis::kept::Store;
use costlens_ide::host::{Cancelled, File, Host, Snapshot};
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::ls_types::Uri;

use self::gathering::Needed;
use self::hints::{Hints, Waiting};
use self::profiling::Shown;
use self::project::Stamp;
use super::document::DocumentView;
use super::event::{Event, WorkerOutcome};
use super::from_proto;
use super::observed;
use super::outgoing::{CancellableWork, Outgoing};
use super::question::Unanswered;
use super::registration::Registrations;
use super::session::Session;
use super::workspace::search::Wide;
use super::workspace::unread::Disk;
use crate::disk::project::ProjectFile;

/// Starts the thread; it ends when all senders are dropped.
pub(super) fn start(
    store: Option<Box<dyn Store>>,
    events: Receiver<Event>,
    sender: Sender<Event>,
    outgoing: UnboundedSender<Outgoing>,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Handle::current();
    std::thread::Builder::new()
        .name("database".to_owned())
        .spawn(move || {
            let host = Host::new();
            if let Some(store) = store {
                host.set_store(store);
            }
            let owner = Owner {
                host,
                session: Arc::default(),
                documents: BTreeMap::new(),
                serial: 0,
                waiting: Vec::new(),
                refresh_at: None,
                registered: Registrations::default(),
                initial: BTreeMap::new(),
                working: false,
                needed: Needed::default(),
                disk: Arc::default(),
                wide: Vec::new(),
                spread: None,
                project: ProjectFile::default(),
                project_stamp: None,
                project_at: None,
                observed_at: None,
                observed: Vec::new(),
                calibrating: None,
                profiling: None,
                shown: None,
                sender,
                outgoing,
                runtime,
            };
            owner.run(&events);
        })
        .map(drop)
}

/// An open document.
struct Document {
    file: File,
    view: Arc<DocumentView>,
    hints: Hints,
    diagnose_at: Option<Instant>,
}

/// The owner: the database, and its information about the client.
struct Owner {
    host: Host,
    session: Arc<Session>,
    documents: BTreeMap<Uri, Document>,
    serial: u64,
    waiting: Vec<Waiting>,
    refresh_at: Option<Instant>,
    registered: Registrations,
    /// The documents whose first analysis is not complete, each with the time until which it is not shown as progress.
    initial: BTreeMap<Uri, Instant>,
    /// True while the client shows progress.
    working: bool,
    needed: Needed,
    disk: Arc<Disk>,
    /// Questions that wait for files.
    wide: Vec<Wide>,
    /// The document whose last edit has not been propagated to the other documents, with the time for the propagation.
    spread: Option<(Uri, Instant)>,
    /// The settings of the workspace.
    project: ProjectFile,
    /// The state of the project file when it was read.
    project_stamp: Option<Stamp>,
    /// The time of the next check of the project file, if the client does not watch it.
    project_at: Option<Instant>,
    /// The time of the next check of the files of past runs, if hints show observations.
    observed_at: Option<Instant>,
    /// The states of the files of past runs at the last check.
    observed: Vec<observed::Stamp>,
    /// Cancels the current calibration.
    calibrating: Option<Arc<AtomicBool>>,
    /// Cancels the current profile.
    profiling: Option<Arc<AtomicBool>>,
    /// The profile whose marks are displayed.
    shown: Option<Shown>,
    sender: Sender<Event>,
    outgoing: UnboundedSender<Outgoing>,
    runtime: tokio::runtime::Handle,
}

impl Owner {
    fn run(mut self, events: &Receiver<Event>) {
        loop {
            let event = match self.next_deadline() {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            if matches!(event, Err(RecvTimeoutError::Disconnected)) {
                return;
            }
            // A panic affects a single event, not the session.
            let handled = catch_unwind(AssertUnwindSafe(|| {
                if let Ok(event) = event {
                    self.handle(event);
                }
                self.keep_deadlines(Instant::now());
            }));
            if handled.is_err() {
                self.log("a panic while an event was handled");
            }
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Started(session) => {
                self.session = Arc::new(session);
                self.find_project();
                self.find_libraries();
                self.host.set_dialect(self.session.settings.dialect);
                self.host.set_expansions(self.session.settings.expansions);
            }
            Event::Initialized => self.initialized(),
            Event::Reconfigured => self.ask_configuration(),
            Event::Configured(value) => {
                let settings = from_proto::settings(&value, self.session.shows, &self.project);
                Arc::make_mut(&mut self.session).said = Arc::new(value);
                self.configure(settings);
            }
            Event::Calibrate { wish, reply } => self.calibrate(wish, reply),
            Event::Calibrated(calibrated, reply) => self.calibrated(calibrated, reply),
            Event::Predict { wish, reply } => self.predict(wish, reply),
            Event::Profile { wish, reply } => self.profile(wish, reply),
            Event::Profiled {
                taken,
                versions,
                reply,
            } => self.profiled(taken, &versions, reply),
            Event::ProgressCancelled(token) => match CancellableWork::from_token(&token) {
                Some(CancellableWork::Calibration) => self.cancel_calibration(),
                Some(CancellableWork::Profile) => self.cancel_profile(),
                None => {}
            },
            Event::Opened { uri, version, text } => self.open(uri, version, text),
            Event::Changed {
                uri,
                version,
                changes,
            } => self.change(&uri, version, changes),
            Event::Closed(uri) => self.close(uri),
            Event::FoldersChanged(change) => self.folders_changed(&change),
            Event::FilesChanged(changes) => self.files_changed(&changes),
            Event::Gathered(round) => self.gathered(round),
            // Documents in another language are ignored.
            Event::Asked(uri, question) if self.is_no_prolog(&uri) => {
                question.end(Unanswered::NotOpen);
            }
            Event::Asked(uri, question) if question.place().is_some() => {
                self.ask_widely(&uri, question);
            }
            Event::Asked(uri, question) => {
                if question.gathers() {
                    self.gather_for(&uri);
                }
                self.ask(&uri, question);
            }
            Event::AskedAgain(uri, version, question) => {
                // The write may have changed another file, which does not move positions in this document.
                match self.documents.get(&uri) {
                    Some(d) if d.view.version != version => question.end(Unanswered::Edited),
                    _ => self.ask(&uri, question),
                }
            }
            Event::Searched(search) => self.search_widely(search),
            Event::SearchedAgain(search) => self.search(search),
            Event::Sought(wide, seen) => self.sought(wide, seen),
            Event::Hints { uri, range, reply } => self.ask_hints(uri, range, reply),
            Event::HintsShown { uri, serial } => self.hints_shown(&uri, serial),
            Event::HintsDone { uri, serial, hints } => self.hints_done(&uri, serial, hints),
            Event::Diagnosed {
                uri,
                serial,
                problems,
            } => self.diagnosed(&uri, serial, problems),
        }
    }

    fn initialized(&mut self) {
        self.watch_project();
        self.watch_observations();
        self.register();
        if !self.session.has_options {
            self.ask_configuration();
        }
    }

    fn register(&mut self) {
        let changes = self.registered.update(&self.session);
        self.send(Outgoing::Register(changes));
    }

    fn ask_configuration(&self) {
        if self.session.answers_configuration {
            self.send(Outgoing::Configuration(self.sender.clone()));
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        let documents = self.documents.values();
        documents
            .flat_map(|d| [d.hints.at, d.diagnose_at])
            .chain([self.refresh_at, self.spread.as_ref().map(|(_, at)| *at)])
            .chain([self.project_at, self.observed_at])
            .chain(
                self.initial
                    .values()
                    .map(|&at| (!self.working).then_some(at)),
            )
            .chain(self.waiting.iter().map(|w| Some(w.until)))
            .flatten()
            .min()
    }

    /// Handles deadlines that have passed.
    fn keep_deadlines(&mut self, now: Instant) {
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if due(self.spread.as_ref().map(|(_, at)| *at))
            && let Some((edited, _)) = self.spread.take()
        {
            self.spread(&edited, now);
        }
        if due(self.project_at) {
            self.look_at_project(now);
        }
        if due(self.observed_at) {
            self.look_at_observations(now);
        }
        if due(self.refresh_at) {
            self.refresh_at = None;
            if self.session.refreshes_hints {
                self.send(Outgoing::RefreshHints);
            }
        }
        self.answer_impatient(now);
        let mut slow = self.initial.iter().filter(|(_, until)| **until <= now);
        if !self.working
            && let Some((uri, _)) = slow.next()
        {
            let file = uri.path().as_str().rsplit('/').next().unwrap_or_default();
            let on = format!("bounds of {file}");
            self.working = true;
            self.send(Outgoing::Working(on));
        }
        for uri in self.documents.keys().cloned().collect::<Vec<_>>() {
            if due(self.documents[&uri].hints.at) {
                self.compute_hints(&uri);
            }
            if due(self.documents[&uri].diagnose_at) {
                self.diagnose(&uri);
            }
        }
    }

    /// Runs a computation on a worker and reports its outcome as an event.
    fn work<T>(
        &self,
        compute: impl FnOnce(&Snapshot) -> Result<T, Cancelled> + Send + 'static,
        event: impl FnOnce(WorkerOutcome<T>) -> Event + Send + 'static,
    ) {
        let (snapshot, sender) = (self.host.snapshot(), self.sender.clone());
        self.runtime.spawn_blocking(move || {
            let outcome = WorkerOutcome::run(|| compute(&snapshot));
            // A write waits for all snapshots, so drop this one first.
            drop(snapshot);
            let _ = sender.send(event(outcome));
        });
    }

    fn log(&self, line: &str) {
        self.send(Outgoing::Log(line.to_owned()));
    }

    fn send(&self, message: Outgoing) {
        // The receiver is dropped only when the session ends.
        let _ = self.outgoing.send(message);
    }
}
