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
    Asked(Uri, Box<dyn PendingQuestion>),
    /// A write came in between while the question was answered from this version of the document.
    AskedAgain(Uri, i32, Box<dyn PendingQuestion>),
    /// A question about all files.
    Searched(Box<dyn PendingSearch>),
    /// A write came in between while it was answered.
    SearchedAgain(Box<dyn PendingSearch>),
    /// A worker has looked for files of the workspace that a question is about.
    Sought(Wide, Outcome<Found>),
    /// A question about hints, which cannot be answered with an error: the client would erase those that it shows.
    Hints {
        uri: Uri,
        range: Range,
        reply: oneshot::Sender<Vec<InlayHint>>,
    },
    /// A worker has the hints of what is on the screen, and goes on.
    HintsShown { uri: Uri, serial: u64 },
    /// A worker has computed hints, or was cancelled.
    HintsDone {
        uri: Uri,
        serial: u64,
        hints: Outcome<Vec<Hint>>,
    },
    /// An engine of this machine is to be calibrated.
    Calibrate {
        wish: Wish,
        reply: oneshot::Sender<Ended>,
    },
    /// A worker has calibrated it, or says why not.
    Calibrated(Ended, oneshot::Sender<Ended>),
    /// A call is to be predicted.
    Predict {
        wish: predict::Wish,
        reply: oneshot::Sender<Ended>,
    },
    /// A goal is to be profiled.
    Profile {
        wish: profile::Wish,
        reply: oneshot::Sender<Ended>,
    },
    /// A worker has profiled it, from these versions of documents, or says why not.
    Profiled {
        taken: Result<profile::Taken, String>,
        versions: Vec<(Uri, i32)>,
        reply: oneshot::Sender<Ended>,
    },
    /// The user stops work that is shown as progress: the one of this token.
    ProgressCancelled(NumberOrString),
    /// A worker has computed diagnostics, or was cancelled.
    Diagnosed {
        uri: Uri,
        serial: u64,
        problems: Outcome<Problems>,
    },
}

/// The end of a command: what the client is told, or why there is nothing to tell.
pub(super) type Ended = Result<serde_json::Value, String>;

/// The end of a worker.
pub(super) enum Outcome<T> {
    Done(T),
    /// A write came in between: worth another try.
    Cancelled,
    /// Worth none until the text changes.
    Panicked,
}

impl<T> Outcome<T> {
    /// Runs a computation to its end; a panic is one of the ends.
    pub(super) fn of(compute: impl FnOnce() -> Result<T, Cancelled>) -> Self {
        match catch_unwind(AssertUnwindSafe(compute)) {
            Ok(Ok(value)) => Outcome::Done(value),
            Ok(Err(Cancelled)) => Outcome::Cancelled,
            Err(_) => Outcome::Panicked,
        }
    }
}
