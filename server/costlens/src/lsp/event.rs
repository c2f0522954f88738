//! The events that handlers and workers send to the owner of the database.

use std::panic::{AssertUnwindSafe, catch_unwind};

use costlens_ide::hints::Hint;
use costlens_ide::host::Cancelled;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{
    FileEvent, InlayHint, NumberOrString, Range, TextDocumentContentChangeEvent, Uri,
    WorkspaceFoldersChangeEvent,
};

use super::predict;
use super::problems::Problems;
use super::profile;
use super::question::{PendingQuestion, PendingSearch};
use super::session::Session;
use super::workspace::round::Round;
use super::workspace::search::{Found, Wide};
use crate::calibration::Wish;

/// An event for the owner.
pub(super) enum Event {
    /// `initialize` arrived.
    Started(Session),
    /// The client is ready for requests of the server.
    Initialized,
    /// The user changed settings.
    Configured(serde_json::Value),
    /// Settings changed, but the notification did not include them.
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
    /// A worker has read loaded files.
    Gathered(Outcome<Round>),
    /// A question about one document that can be answered with an error if the document is edited meanwhile.
    Asked(Uri, Box<dyn PendingQuestion>),
    /// A write interrupted the question while it was answered from this version of the document.
    AskedAgain(Uri, i32, Box<dyn PendingQuestion>),
    /// A question about all files.
    Searched(Box<dyn PendingSearch>),
    /// A write interrupted it while it was answered.
    SearchedAgain(Box<dyn PendingSearch>),
    /// A worker has searched for files of the workspace that a question is about.
    Sought(Wide, Outcome<Found>),
    /// A question about hints, which cannot be answered with an error: the client would erase the hints it shows.
    Hints {
        uri: Uri,
        range: Range,
        reply: oneshot::Sender<Vec<InlayHint>>,
    },
    /// A worker has the hints of what is on the screen, and continues.
    HintsShown { uri: Uri, serial: u64 },
    /// A worker has computed hints, or was cancelled.
    HintsDone {
        uri: Uri,
        serial: u64,
        hints: Outcome<Vec<Hint>>,
    },
    /// A request to calibrate an engine of this machine.
    Calibrate {
        wish: Wish,
        reply: oneshot::Sender<Ended>,
    },
    /// A worker has calibrated it or failed, with the reason.
    Calibrated(Ended, oneshot::Sender<Ended>),
    /// A request to predict a call.
    Predict {
        wish: predict::Wish,
        reply: oneshot::Sender<Ended>,
    },
    /// A request to profile a goal.
    Profile {
        wish: profile::Wish,
        reply: oneshot::Sender<Ended>,
    },
    /// A worker has profiled it from these versions of documents or failed, with the reason.
    Profiled {
        taken: Result<profile::Taken, String>,
        versions: Vec<(Uri, i32)>,
        reply: oneshot::Sender<Ended>,
    },
    /// The user cancels the work shown as progress under this token.
    ProgressCancelled(NumberOrString),
    /// A worker has computed diagnostics, or was cancelled.
    Diagnosed {
        uri: Uri,
        serial: u64,
        problems: Outcome<Problems>,
    },
}

/// The end of a command: the answer to the client, or the reason that there is none.
pub(super) type Ended = Result<serde_json::Value, String>;

/// The end of a worker.
pub(super) enum Outcome<T> {
    Done(T),
    /// A write interrupted it: worth another try.
    Cancelled,
    /// Not worth another try until the text changes.
    Panicked,
}

impl<T> Outcome<T> {
    /// Runs a computation to its end; a panic counts as an end.
    pub(super) fn of(compute: impl FnOnce() -> Result<T, Cancelled>) -> Self {
        match catch_unwind(AssertUnwindSafe(compute)) {
            Ok(Ok(value)) => Outcome::Done(value),
            Ok(Err(Cancelled)) => Outcome::Cancelled,
            Err(_) => Outcome::Panicked,
        }
    }
}
