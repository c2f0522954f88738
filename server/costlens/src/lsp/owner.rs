//! The one thread that owns the database.
//!
//! Every handler sends an [`Event`] before its first `await`, so events come in the order of the client's messages. Writes are
//! applied here, one after the other; questions are answered by workers, each with a snapshot of its own, which a write cancels. Such
//! a question is asked again, unless its own document was edited.
//!
//! What becomes of hints meanwhile is in [`super::hints`].

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use costlens_ide::diagnostics::Diagnostic;
use costlens_ide::hints::Hint;
use costlens_ide::host::{Cancelled, File, Host, Snapshot};
use costlens_ide::settings::Settings;
use costlens_ide::sniff::is_perl;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{
    FileChangeType, FileEvent, InlayHint, TextDocumentContentChangeEvent, Uri,
    WorkspaceFoldersChangeEvent,
};

use super::disk::Disk;
use super::document::View;
use super::from_proto;
use super::hints::{Hints, Waiting};
use super::needed::{Needed, Round, place_of_uri};
use super::outgoing::Outgoing;
use super::registration::Registered;
use super::requests::{Context, Question, Search, Unanswered};
use super::session::Session;
use super::to_proto;
use super::wide::{Seen, Wide};
use crate::lines::LineIndex;

/// After an edit, how long the user must pause before diagnostics are computed.
const DIAGNOSTICS_PAUSE: Duration = Duration::from_millis(80);
/// How long the first work on a document may take before it is shown as progress.
const PROGRESS_PATIENCE: Duration = Duration::from_millis(500);

/// What the owner is told.
pub(super) enum Event {
    /// `initialize` came.
    Started(Session),
    /// The client is ready to be asked.
    Initialized,
    /// The user changed settings.
    Configured(serde_json::Value),
    /// Settings changed and did not come along.
    Reconfigured,
    /// A document is open.
    Opened {
        uri: Uri,
        version: i32,
        text: String,
    },
    /// A document was edited.
    Changed {
        uri: Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    },
    /// A document is closed.
    Closed(Uri),
    /// Folders joined the workspace or left it.
    FoldersChanged(WorkspaceFoldersChangeEvent),
    /// Files on the disk changed.
    FilesChanged(Vec<FileEvent>),
    /// A worker has read files that are loaded.
    Gathered(Outcome<Round>),
    /// A question about one document that can be answered with an error when an edit of it comes in between.
    Asked(Uri, Question),
    /// A write came in between while the question was answered from this version of the document.
    AskedAgain(Uri, i32, Question),
    /// The same about all files.
    Searched(Search),
    /// A write came in between while it was answered.
    SearchedAgain(Search),
    /// A worker has looked for files of the workspace that a question is about.
    Sought(Wide, Outcome<Seen>),
    /// A question about hints, which cannot.
    Hints {
        uri: Uri,
        range: tower_lsp::ls_types::Range,
        reply: oneshot::Sender<Vec<InlayHint>>,
    },
    /// A worker has computed hints, or was cancelled.
    HintsDone {
        uri: Uri,
        serial: u64,
        hints: Outcome<Vec<Hint>>,
    },
    /// A worker has computed diagnostics, or was cancelled.
    Diagnosed {
        uri: Uri,
        serial: u64,
        diagnostics: Outcome<Vec<Diagnostic>>,
    },
}

/// How a worker ended.
pub(super) enum Outcome<T> {
    Done(T),
    /// A write came in between: worth another try.
    Cancelled,
    /// Worth none until the text changes.
    Panicked,
}

/// Starts the thread; it ends when all senders are gone.
pub(super) fn start(
    events: Receiver<Event>,
    sender: Sender<Event>,
    outgoing: UnboundedSender<Outgoing>,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Handle::current();
    std::thread::Builder::new()
        .name("database".to_owned())
        .spawn(move || {
            let owner = Owner {
                host: Host::new(),
                session: Arc::default(),
                documents: BTreeMap::new(),
                serial: 0,
                waiting: Vec::new(),
                refresh_at: None,
                registered: Registered::default(),
                initial: BTreeMap::new(),
                working: false,
                needed: Needed::default(),
                disk: Arc::default(),
                wide: Vec::new(),
                spread: None,
                sender,
                outgoing,
                runtime,
            };
            owner.run(&events);
        })
        .map(drop)
}

/// An open document.
pub(super) struct Document {
    pub(super) file: File,
    pub(super) view: Arc<View>,
    pub(super) hints: Hints,
    pub(super) diagnose_at: Option<Instant>,
}

pub(super) struct Owner {
    pub(super) host: Host,
    pub(super) session: Arc<Session>,
    pub(super) documents: BTreeMap<Uri, Document>,
    pub(super) serial: u64,
    pub(super) waiting: Vec<Waiting>,
    pub(super) refresh_at: Option<Instant>,
    registered: Registered,
    /// The documents on which the first work is not done, and until when that is no news.
    initial: BTreeMap<Uri, Instant>,
    /// Whether the client shows progress.
    working: bool,
    pub(super) needed: Needed,
    pub(super) disk: Arc<Disk>,
    /// Questions that wait for files.
    pub(super) wide: Vec<Wide>,
    /// The document whose last edit the other documents have not been told of, and when they are.
    spread: Option<(Uri, Instant)>,
    pub(super) sender: Sender<Event>,
    outgoing: UnboundedSender<Outgoing>,
    pub(super) runtime: tokio::runtime::Handle,
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
            // A panic costs one event, not the session.
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
                self.find_libraries();
                self.host.set_dialect(self.session.settings.dialect);
            }
            Event::Initialized => self.initialized(),
            Event::Reconfigured => self.ask_configuration(),
            Event::Configured(value) => {
                self.configure(from_proto::settings(&value, self.session.pictures));
            }
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
            // Perl is left alone.
            Event::Asked(uri, question) if self.is_perl(&uri) => {
                question.end(Unanswered::NotOpen);
            }
            Event::Asked(uri, question) if question.place().is_some() => {
                self.ask_widely(&uri, question);
            }
            Event::Asked(uri, question) => {
                if let Question::Diagnostics(_) = question {
                    self.gather_for(&uri);
                }
                self.ask(&uri, question);
            }
            Event::AskedAgain(uri, version, question) => {
                // The write may have been one of another file, which moves no place in this one.
                match self.documents.get(&uri) {
                    Some(d) if d.view.version != version => question.end(Unanswered::Edited),
                    _ => self.ask(&uri, question),
                }
            }
            Event::Searched(search) => self.search_widely(search),
            Event::SearchedAgain(search) => self.search(search),
            Event::Sought(wide, seen) => self.sought(wide, seen),
            Event::Hints { uri, range, reply } => self.ask_hints(uri, range, reply),
            Event::HintsDone { uri, serial, hints } => self.hints_done(&uri, serial, hints),
            Event::Diagnosed {
                uri,
                serial,
                diagnostics,
            } => self.diagnosed(&uri, serial, diagnostics),
        }
    }

    fn initialized(&mut self) {
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

    fn configure(&mut self, settings: Settings) {
        if self.session.settings == settings {
            return;
        }
        let mut session = (*self.session).clone();
        let colours = session.settings.features.semantic_tokens
            != settings.features.semantic_tokens
            || session.settings.enable != settings.enable;
        let libraries = session.settings.library != settings.library;
        let dialect = session.settings.dialect != settings.dialect;
        session.settings = settings;
        self.session = Arc::new(session);
        self.register();
        if colours && self.session.refreshes_tokens {
            self.send(Outgoing::RefreshTokens);
        }
        // What is being computed for the settings before is taken for that of an older text.
        self.stale();
        if libraries {
            self.find_libraries();
        }
        self.host.set_dialect(self.session.settings.dialect);
        if libraries || dialect {
            self.gather_all();
        }
    }

    fn open(&mut self, uri: Uri, version: i32, text: String) {
        let file = self.open_in_host(&uri, &text);
        let view = View {
            lines: LineIndex::new(&text),
            encoding: self.session.encoding,
            serial: self.next_serial(),
            uri: uri.clone(),
            version,
            text,
        };
        let document = Document {
            file,
            view: Arc::new(view),
            hints: Hints::default(),
            diagnose_at: Some(Instant::now()),
        };
        if self.session.shows_progress {
            let until = Instant::now() + PROGRESS_PATIENCE;
            self.initial.insert(uri.clone(), until);
        }
        self.documents.insert(uri.clone(), document);
        // Others may have looked for it on the disk.
        self.gather_all();
        self.spread_later(uri);
    }

    fn spread_later(&mut self, edited: Uri) {
        if self.documents.keys().any(|uri| *uri != edited) {
            self.spread = Some((edited, Instant::now() + DIAGNOSTICS_PAUSE));
        }
    }

    /// Has everything looked at again that an edit of another document may have changed. Mostly nothing has.
    fn spread(&mut self, edited: &Uri, now: Instant) {
        for (uri, document) in &mut self.documents {
            if uri == edited {
                continue;
            }
            document.hints.elsewhere_edited(now);
            if !self.session.pulls_diagnostics {
                document.diagnose_at = Some(now);
            }
        }
        if self.session.pulls_diagnostics && self.session.refreshes_diagnostics {
            self.send(Outgoing::RefreshDiagnostics);
        }
    }

    fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let serial = self.next_serial();
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        let view = Arc::make_mut(&mut document.view);
        let edits = view.apply(changes);
        view.version = version;
        view.serial = serial;
        let now = Instant::now();
        document.hints.edited(&edits, now);
        // Who asks for diagnostics does so after an edit; the first work on a document goes on.
        if !self.session.pulls_diagnostics || self.initial.contains_key(uri) {
            document.diagnose_at = Some(now + DIAGNOSTICS_PAUSE);
        }
        self.host
            .edit_to(document.file, &edits, &document.view.text);
        self.spread_later(uri.clone());
    }

    fn close(&mut self, uri: Uri) {
        if let Some(document) = self.documents.remove(&uri) {
            // Other files may need it as it is on the disk, or as it is open under another name.
            let place = place_of_uri(&uri);
            let mut others = self.documents.values();
            let same = others.find(|d| place.is_some() && place_of_uri(&d.view.uri) == place);
            if let Some(view) = same.map(|d| Arc::clone(&d.view)) {
                self.host.remove(document.file);
                self.open_in_host(&view.uri, &view.text);
            } else if !self.read_again(document.file, &uri) {
                self.host.remove(document.file);
            }
            self.gather_all();
            self.spread_later(uri.clone());
            self.first_done(&uri);
            if !self.session.pulls_diagnostics {
                self.send(Outgoing::Diagnostics(uri, Vec::new(), None));
            }
        }
    }

    fn folders_changed(&mut self, change: &WorkspaceFoldersChangeEvent) {
        let (gone, come) = (
            from_proto::roots(&change.removed),
            from_proto::roots(&change.added),
        );
        let session = Arc::make_mut(&mut self.session);
        session.roots.retain(|root| !gone.contains(root));
        session.roots.extend(come);
        self.find_libraries();
        self.forget_places();
        self.gather_all();
        self.stale();
    }

    /// Files that are known and not open are read again; of those that are open, the editor has the text.
    fn files_changed(&mut self, changes: &[FileEvent]) {
        let mut changed = false;
        for FileEvent { uri, typ } in changes {
            let known = place_of_uri(uri).and_then(|p| self.host.at(&p));
            let is_open = |file: &File| self.documents.values().any(|d| d.file == *file);
            let Some(file) = known.filter(|file| !is_open(file)) else {
                continue;
            };
            changed = true;
            if *typ == FileChangeType::DELETED || !self.read_known(file, uri) {
                self.host.remove(file);
            }
        }
        self.forget_places();
        self.gather_all();
        if changed {
            self.stale();
        }
    }

    fn is_perl(&self, uri: &Uri) -> bool {
        let document = self.documents.get(uri);
        document.is_some_and(|d| is_perl(&d.view.text))
    }

    pub(super) fn ask(&mut self, uri: &Uri, question: Question) {
        // A question about a document that is not open has no answer; dropping it says so.
        let Some(document) = self.documents.get(uri) else {
            return question.end(Unanswered::NotOpen);
        };
        let context = Context {
            snapshot: self.host.snapshot(),
            file: document.file,
            view: document.view.clone(),
            session: self.session.clone(),
        };
        let (uri, version, sender) = (uri.clone(), document.view.version, self.sender.clone());
        self.runtime.spawn_blocking(move || {
            if let Some(question) = question.answer(context) {
                // The receiver is gone only when the session ends.
                let _ = sender.send(Event::AskedAgain(uri, version, question));
            }
        });
    }

    pub(super) fn search(&self, search: Search) {
        let (snapshot, session) = (self.host.snapshot(), self.session.clone());
        let sender = self.sender.clone();
        self.runtime.spawn_blocking(move || {
            if let Some(search) = search.answer(snapshot, &session) {
                let _ = sender.send(Event::SearchedAgain(search));
            }
        });
    }

    fn diagnosed(&mut self, uri: &Uri, serial: u64, diagnostics: Outcome<Vec<Diagnostic>>) {
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        match diagnostics {
            Outcome::Done(_) if self.session.pulls_diagnostics => self.first_done(uri),
            Outcome::Done(found) if document.view.serial == serial => {
                let view = &document.view;
                let found = (found.iter())
                    .map(|d| to_proto::diagnostic(view, &self.session, d))
                    .collect();
                let version = Some(view.version);
                self.send(Outgoing::Diagnostics(uri.clone(), found, version));
                self.first_done(uri);
            }
            Outcome::Panicked => {
                self.first_done(uri);
                self.send(Outgoing::Log(
                    "a panic while diagnostics were computed".to_owned(),
                ));
            }
            // Cancelled, by an edit of this document (which has set a new time) or of another one.
            _ => {
                document
                    .diagnose_at
                    .get_or_insert_with(|| Instant::now() + DIAGNOSTICS_PAUSE);
            }
        }
    }

    /// The first work on a document is done, or nobody needs it any more.
    fn first_done(&mut self, uri: &Uri) {
        self.initial.remove(uri);
        if self.initial.is_empty() && std::mem::take(&mut self.working) {
            self.send(Outgoing::Idle);
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        let documents = self.documents.values();
        documents
            .flat_map(|d| [d.hints.at, d.diagnose_at])
            .chain([self.refresh_at, self.spread.as_ref().map(|(_, at)| *at)])
            .chain(
                self.initial
                    .values()
                    .map(|&at| (!self.working).then_some(at)),
            )
            .chain(self.waiting.iter().map(|w| Some(w.until)))
            .flatten()
            .min()
    }

    /// Does what is due.
    fn keep_deadlines(&mut self, now: Instant) {
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if due(self.spread.as_ref().map(|(_, at)| *at))
            && let Some((edited, _)) = self.spread.take()
        {
            self.spread(&edited, now);
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

    fn diagnose(&mut self, uri: &Uri) {
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        if self.needed.is_busy() {
            document.diagnose_at = Some(Instant::now() + DIAGNOSTICS_PAUSE);
            return;
        }
        document.diagnose_at = None;
        let (file, serial) = (document.file, document.view.serial);
        // An edit may have named another file. Mostly it did not, and then this says so at once.
        self.gather(file);
        let (session, uri) = (self.session.clone(), uri.clone());
        self.work(
            move |snapshot| snapshot.diagnostics(file, &session.settings),
            move |diagnostics| Event::Diagnosed {
                uri,
                serial,
                diagnostics,
            },
        );
    }

    /// Runs a computation on a worker and reports its end as an event.
    pub(super) fn work<T>(
        &self,
        compute: impl FnOnce(&Snapshot) -> Result<T, Cancelled> + Send + 'static,
        event: impl FnOnce(Outcome<T>) -> Event + Send + 'static,
    ) {
        let (snapshot, sender) = (self.host.snapshot(), self.sender.clone());
        self.runtime.spawn_blocking(move || {
            let outcome = match catch_unwind(AssertUnwindSafe(|| compute(&snapshot))) {
                Ok(Ok(value)) => Outcome::Done(value),
                Ok(Err(Cancelled)) => Outcome::Cancelled,
                Err(_) => Outcome::Panicked,
            };
            // A write waits for every snapshot.
            drop(snapshot);
            let _ = sender.send(event(outcome));
        });
    }

    fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    pub(super) fn log(&self, line: &str) {
        self.send(Outgoing::Log(line.to_owned()));
    }

    pub(super) fn send(&self, message: Outgoing) {
        // The receiver is gone only when the session ends.
        let _ = self.outgoing.send(message);
    }
}
