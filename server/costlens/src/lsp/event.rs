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
use super::workspace::search::{SearchResult, Wide};
use crate::calibration::CalibrationRequest;

/// An event for the owner.
pub(super) enum Event {
    /// The client has sent `initialize`.
    Started(Session),
    /// The client accepts requests from the server.
    Initialized,
    /// The user has changed settings.
    Configured(serde_json::Value),
    /// Settings have changed, but the notification did not include them.
    Reconfigured,
    /// A document was opened.
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
    /// A document was closed.
    Closed(Uri),
    /// Folders were added to the workspace or removed.
    FoldersChanged(WorkspaceFoldersChangeEvent),
    /// Files on disk have changed.
    FilesChanged(Vec<FileEvent>),
    /// A worker has read files that documents load.
    Gathered(WorkerOutcome<Round>),
    /// A question about one document, which may be answered with an error if the document is edited in the meantime.
    Asked(Uri, Box<dyn PendingQuestion>),
    /// A question that a write interrupted while it was being answered for this version of the document.
    AskedAgain(Uri, i32, Box<dyn PendingQuestion>),
    /// A question about all files.
    Searched(Box<dyn PendingSearch>),
    /// A question about all files that a write interrupted while it was being answered.
    SearchedAgain(Box<dyn PendingSearch>),
    /// A worker has searched the workspace for files that a question requires.
    Sought(Wide, WorkerOutcome<SearchResult>),
    /// A question about hints, which cannot be answered with an error, because the client would erase the displayed hints.
    Hints {
        uri: Uri,
        range: Range,
        reply: oneshot::Sender<Vec<InlayHint>>,
    },
    /// A worker has computed the hints of the visible lines, and continues.
    HintsShown { uri: Uri, serial: u64 },
    /// A worker has computed all hints, or was cancelled.
    HintsDone {
        uri: Uri,
        serial: u64,
        hints: WorkerOutcome<Vec<Hint>>,
    },
    /// A request to calibrate an engine on this machine.
    Calibrate {
        wish: CalibrationRequest,
        reply: oneshot::Sender<CommandResult>,
    },
    /// A worker has calibrated an engine, or has failed with this reason.
    Calibrated(CommandResult, oneshot::Sender<CommandResult>),
    /// A request to predict the cost of a call.
    Predict {
        wish: predict::PredictParams,
        reply: oneshot::Sender<CommandResult>,
    },
    /// A request to profile a goal.
    Profile {
        wish: profile::ProfileParams,
        reply: oneshot::Sender<CommandResult>,
    },
    /// A worker has profiled a goal for these versions of documents, or has failed with this reason.
    Profiled {
        taken: Result<profile::TakenProfile, String>,
        versions: Vec<(Uri, i32)>,
        reply: oneshot::Sender<CommandResult>,
    },
    /// The user has cancelled the work with this progress token.
    ProgressCancelled(NumberOrString),
    /// A worker has computed diagnostics, or was cancelled.
    Diagnosed {
        uri: Uri,
        serial: u64,
        problems: WorkerOutcome<Problems>,
    },
}

/// The result of a command: the response to the client, or the reason for failure.
pub(super) type CommandResult = Result<serde_json::Value, String>;

/// The outcome of a worker.
pub(super) enum WorkerOutcome<T> {
    Done(T),
    /// A write interrupted the worker; a retry is useful.
    Cancelled,
    /// The worker panicked; a retry is useless until the text changes.
    Panicked,
}

impl<T> WorkerOutcome<T> {
    /// Runs a computation to completion; a panic becomes [`WorkerOutcome::Panicked`].
    pub(super) fn run(compute: impl FnOnce() -> Result<T, Cancelled>) -> Self {
        match catch_unwind(AssertUnwindSafe(compute)) {
            Ok(Ok(value)) => WorkerOutcome::Done(value),
            Ok(Err(Cancelled)) => WorkerOutcome::Cancelled,
            Err(_) => WorkerOutcome::Panicked,
        }
    }
}
