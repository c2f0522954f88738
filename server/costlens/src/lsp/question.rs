//! Questions that a worker answers from a snapshot, and where the answers go.
//!
//! | a question | is about | when a write overtakes it |
//! |---|---|---|
//! | [`Question`] | one open document | it is asked again, unless its own document was edited: then it ends with an error |
//! | [`Search`] | all files | it is asked again |
//!
//! The owner sees them as [`PendingQuestion`] and [`PendingSearch`], whatever their answers are.

use std::sync::Arc;

use costlens_analysis::report::Functor;
use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::settings::Features;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use super::document::View;
use super::session::Session;
use super::views::Views;
use super::workspace::unread::DiskSymbol;

/// The channel that an answer goes through.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// The state that a question is answered from.
pub(super) struct Context {
    pub(super) snapshot: Snapshot,
    pub(super) file: File,
    pub(super) view: Arc<View>,
    pub(super) session: Arc<Session>,
}

impl Context {
    /// The features that are switched on.
    pub(super) fn features(&self) -> Features {
        self.session.features()
    }

    /// The views of this and other files.
    pub(super) fn views(&self) -> Views<'_> {
        Views::new(
            &self.snapshot,
            &self.session,
            Some((self.file, self.view.clone())),
        )
    }
}

/// The reason that a question has no answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unanswered {
    /// The document is not open, or is none of ours.
    NotOpen,
    /// The document was edited since, so the place that was asked about may be another one now.
    Edited,
}

/// A question about one open document.
pub(super) trait Question: Send + 'static {
    /// The answer; its default where the document is not open.
    type Answer: Default + Send + 'static;

    /// True where the files that the document loads are looked for again before.
    const GATHERS: bool = false;

    /// Answers from a snapshot, on a worker.
    fn answer(&self, context: &Context) -> std::result::Result<Self::Answer, Cancelled>;

    /// The place that it is about, if files that nobody has read may have to do with that.
    fn place(&self) -> Option<lsp::Position> {
        None
    }

    /// The error where an edit of the document overtook it.
    fn edited() -> Error {
        Error {
            code: ErrorCode::ContentModified,
            message: EDITED.into(),
            data: None,
        }
    }
}

/// The message where a document was edited while a question about it was answered.
pub(super) const EDITED: &str = "the document was edited meanwhile";

/// A question about all files.
pub(super) trait Search: Send + 'static {
    /// The answer.
    type Answer: Send + 'static;

    /// The search in files that nobody has read. None where they have nothing to do with the question.
    fn subject(&self) -> Option<Subject>;

    /// Takes the symbols of files that nobody has read.
    fn take_unread(&mut self, _: Vec<Arc<[DiskSymbol]>>) {}

    /// Answers from a snapshot, on a worker.
    fn answer(
        &self,
        snapshot: &Snapshot,
        session: &Session,
    ) -> std::result::Result<Self::Answer, Cancelled>;
}

/// The subject of a search through the files of the workspace.
pub(super) enum Subject {
    /// The name at an offset.
    Place(File, usize),
    /// A predicate of the file of this name.
    Predicate(String, Functor),
    /// All predicates.
    Everything,
}

/// A question on its way to its answer.
struct Asked<Q, T> {
    question: Q,
    reply: Reply<T>,
}

/// A [`Question`] that waits for its answer.
pub(super) trait PendingQuestion: Send {
    /// Answers from the context. Gives the question back if a write came in between.
    fn answer(self: Box<Self>, context: Context) -> Option<Box<dyn PendingQuestion>>;
    /// See [`Question::place`].
    fn place(&self) -> Option<lsp::Position>;
    /// See [`Question::GATHERS`].
    fn gathers(&self) -> bool;
    /// True as long as the answer is waited for.
    fn is_wanted(&self) -> bool;
    /// Ends the question without an answer.
    fn end(self: Box<Self>, why: Unanswered);
}

/// A question about a document, and where its answer goes.
pub(super) fn asked<Q: Question>(question: Q, reply: Reply<Q::Answer>) -> Box<dyn PendingQuestion> {
    Box::new(Asked { question, reply })
}

impl<Q: Question> PendingQuestion for Asked<Q, Q::Answer> {
    fn answer(self: Box<Self>, context: Context) -> Option<Box<dyn PendingQuestion>> {
        let Asked { question, reply } = *self;
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
        // The asker may be gone.
        let _ = self.reply.send(match why {
            Unanswered::NotOpen => Ok(Q::Answer::default()),
            Unanswered::Edited => Err(Q::edited()),
        });
    }
}

/// A [`Search`] that waits for its answer.
pub(super) trait PendingSearch: Send {
    /// Answers from a snapshot. Gives the question back if a write came in between.
    fn answer(
        self: Box<Self>,
        snapshot: Snapshot,
        session: &Session,
    ) -> Option<Box<dyn PendingSearch>>;
    /// See [`Search::subject`].
    fn subject(&self) -> Option<Subject>;
    /// See [`Search::take_unread`].
    fn take_unread(&mut self, symbols: Vec<Arc<[DiskSymbol]>>);
    /// True as long as the answer is waited for.
    fn is_wanted(&self) -> bool;
}

/// A question about all files, and where its answer goes.
pub(super) fn searched<S: Search>(question: S, reply: Reply<S::Answer>) -> Box<dyn PendingSearch> {
    Box::new(Asked { question, reply })
}

impl<S: Search> PendingSearch for Asked<S, S::Answer> {
    fn answer(
        self: Box<Self>,
        snapshot: Snapshot,
        session: &Session,
    ) -> Option<Box<dyn PendingSearch>> {
        let Asked { question, reply } = *self;
        let reply = reply_with(snapshot, reply, |s| question.answer(s, session))?;
        Some(searched(question, reply))
    }

    fn subject(&self) -> Option<Subject> {
        self.question.subject()
    }

    fn take_unread(&mut self, symbols: Vec<Arc<[DiskSymbol]>>) {
        self.question.take_unread(symbols);
    }

    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }
}

/// Answers from what the question needs, which is dropped first. Gives back where the answer goes if a write came in between.
fn reply_with<C, T>(
    context: C,
    reply: Reply<T>,
    compute: impl FnOnce(&C) -> std::result::Result<T, Cancelled>,
) -> Option<Reply<T>> {
    // A cancelled request's receiver is gone.
    if reply.is_closed() {
        return None;
    }
    let answer = compute(&context);
    // A write waits for every snapshot, so this one goes before the answer does.
    drop(context);
    match answer {
        Ok(answer) => {
            let _ = reply.send(Ok(answer));
            None
        }
        Err(Cancelled) => Some(reply),
    }
}
