//! Questions that workers answer from a snapshot, and the destinations of the answers.
//!
//! | question | subject | if a write interrupts it |
//! |---|---|---|
//! | [`Question`] | one open document | it is retried, unless its own document was edited: then it ends with an error |
//! | [`WorkspaceSearch`] | all files | it is retried |
//!
//! The owner handles them as [`PendingQuestion`] and [`PendingSearch`], independently of the types of their answers.

use std::sync::Arc;

use costlens_analysis::report::Functor;
use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::settings::Features;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use super::document::DocumentView;
use super::session::Session;
use super::views::Views;
use super::workspace::unread::DiskSymbol;

/// The channel for an answer.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// The state from which a question is answered.
pub(super) struct Context {
    pub(super) snapshot: Snapshot,
    pub(super) file: File,
    pub(super) view: Arc<DocumentView>,
    pub(super) session: Arc<Session>,
}

impl Context {
    /// Returns the enabled features.
    pub(super) fn features(&self) -> Features {
        self.session.features()
    }

    /// Returns the views of this document and other files.
    pub(super) fn views(&self) -> Views<'_> {
        Views::new(
            &self.snapshot,
            &self.session,
            Some((self.file, self.view.clone())),
        )
    }
}

/// The reason why a question has no answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unanswered {
    /// The document is not open, or not Prolog.
    NotOpen,
    /// The document was edited in the meantime, so the position may have moved.
    Edited,
}

/// A question about one open document.
pub(super) trait Question: Send + 'static {
    /// The type of the answer; its default is used if the document is not open.
    type Answer: Default + Send + 'static;

    /// True if the files that the document loads must be searched for again first.
    const GATHERS: bool = false;

    /// Computes the answer from a snapshot, on a worker.
    fn answer(&self, context: &Context) -> std::result::Result<Self::Answer, Cancelled>;

    /// Returns the position of the question, if unread files may affect the answer.
    fn place(&self) -> Option<lsp::Position> {
        None
    }

    /// Returns the error for a question whose document was edited in the meantime.
    fn edited() -> Error {
        Error {
            code: ErrorCode::ContentModified,
            message: EDITED.into(),
            data: None,
        }
    }
}

/// The message for a question whose document was edited while it was being answered.
pub(super) const EDITED: &str = "the document was edited meanwhile";

/// A question about all files.
pub(super) trait WorkspaceSearch: Send + 'static {
    /// The type of the answer.
    type Answer: Send + 'static;

    /// Returns the subject to search for in unread files. Returns `None` if these cannot affect the answer.
    fn subject(&self) -> Option<SearchSubject>;

    /// Receives the symbols of unread files.
    fn take_unread(&mut self, _: Vec<Arc<[DiskSymbol]>>) {}

    /// Computes the answer from a snapshot, on a worker.
    fn answer(
        &self,
        snapshot: &Snapshot,
        session: &Session,
    ) -> std::result::Result<Self::Answer, Cancelled>;
}

/// The subject of a search through the workspace files.
pub(super) enum SearchSubject {
    /// The name at an offset.
    Place(File, usize),
    /// A predicate of the file with this name.
    Predicate(String, Functor),
    /// All predicates.
    Everything,
}

/// A question that is being answered.
struct AskedQuestion<Q, T> {
    question: Q,
    reply: Reply<T>,
}

/// A [`Question`] that waits for its answer.
pub(super) trait PendingQuestion: Send {
    /// Answers from the context. If a write interrupts this, returns the question.
    fn answer(self: Box<Self>, context: Context) -> Option<Box<dyn PendingQuestion>>;
    /// See [`Question::place`].
    fn place(&self) -> Option<lsp::Position>;
    /// See [`Question::GATHERS`].
    fn gathers(&self) -> bool;
    /// Returns whether the answer is still wanted.
    fn is_wanted(&self) -> bool;
    /// Ends the question without an answer.
    fn end(self: Box<Self>, why: Unanswered);
}

/// Combines a question about a document with the destination of its answer.
pub(super) fn asked<Q: Question>(question: Q, reply: Reply<Q::Answer>) -> Box<dyn PendingQuestion> {
    Box::new(AskedQuestion { question, reply })
}

impl<Q: Question> PendingQuestion for AskedQuestion<Q, Q::Answer> {
    fn answer(self: Box<Self>, context: Context) -> Option<Box<dyn PendingQuestion>> {
        let AskedQuestion { question, reply } = *self;
        let reply = reply_with(context, reply, |c| question.answer(c))?;
        Some(asked(question, reply))
    }

    fn place(&self) -> Option<lsp::Position> {
        self.question.place()
    }

    fn gathers(&self) -> bool {
        Q::GATHERS
    }

    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn end(self: Box<Self>, why: Unanswered) {
        // The requester may no longer exist.
        let _ = self.reply.send(match why {
            Unanswered::NotOpen => Ok(Q::Answer::default()),
            Unanswered::Edited => Err(Q::edited()),
        });
    }
}

/// A [`WorkspaceSearch`] that waits for its answer.
pub(super) trait PendingSearch: Send {
    /// Answers from a snapshot. If a write interrupts this, returns the question.
    fn answer(
        self: Box<Self>,
        snapshot: Snapshot,
        session: &Session,
    ) -> Option<Box<dyn PendingSearch>>;
    /// See [`WorkspaceSearch::subject`].
    fn subject(&self) -> Option<SearchSubject>;
    /// See [`WorkspaceSearch::take_unread`].
    fn take_unread(&mut self, symbols: Vec<Arc<[DiskSymbol]>>);
    /// Returns whether the answer is still wanted.
    fn is_wanted(&self) -> bool;
}

/// Combines a question about all files with the destination of its answer.
pub(super) fn searched<S: WorkspaceSearch>(
    question: S,
    reply: Reply<S::Answer>,
) -> Box<dyn PendingSearch> {
    Box::new(AskedQuestion { question, reply })
}

impl<S: WorkspaceSearch> PendingSearch for AskedQuestion<S, S::Answer> {
    fn answer(
        self: Box<Self>,
        snapshot: Snapshot,
        session: &Session,
    ) -> Option<Box<dyn PendingSearch>> {
        let AskedQuestion { question, reply } = *self;
        let reply = reply_with(snapshot, reply, |s| question.answer(s, session))?;
        Some(searched(question, reply))
    }

    fn subject(&self) -> Option<SearchSubject> {
        self.question.subject()
    }

    fn take_unread(&mut self, symbols: Vec<Arc<[DiskSymbol]>>) {
        self.question.take_unread(symbols);
    }

    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }
}

/// Computes the answer from the question's data, which is dropped before the answer is sent. If a write interrupts this, returns the
/// destination of the answer.
fn reply_with<C, T>(
    context: C,
    reply: Reply<T>,
    compute: impl FnOnce(&C) -> std::result::Result<T, Cancelled>,
) -> Option<Reply<T>> {
    // If the request was cancelled, its receiver has been dropped.
    if reply.is_closed() {
        return None;
    }
    let answer = compute(&context);
    // A write waits for all snapshots, so drop this one before sending the answer.
    drop(context);
    match answer {
        Ok(answer) => {
            let _ = reply.send(Ok(answer));
            None
        }
        Err(Cancelled) => Some(reply),
    }
}
