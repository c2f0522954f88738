//! Questions that a worker answers from a snapshot; one file for each, or for a few of a kind.

mod actions;
mod completion;
mod diagnostics;
mod folding;
mod hover;
mod navigation;
mod searches;
mod symbols;
mod tokens;
mod tooltip;

use std::sync::Arc;

use costlens_analysis::report::PredicateName;
use costlens_ide::completion::Described;
use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::settings::Features;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use super::document::View;
use super::places::Views;
use super::session::Session;

pub(super) use searches::Search;
pub(super) use tokens::legend;

/// A question about one document and where its answer goes.
pub(super) enum Question {
    Hover(lsp::Position, Reply<Option<lsp::Hover>>),
    Symbols(Reply<Option<lsp::DocumentSymbolResponse>>),
    Actions(lsp::Range, Reply<Option<lsp::CodeActionResponse>>),
    /// The explanation of a predicate's hint.
    Tooltip(PredicateName, Reply<Option<String>>),
    Definition(lsp::Position, Reply<Option<lsp::GotoDefinitionResponse>>),
    /// References, with declarations or without.
    References(lsp::Position, bool, Reply<Option<Vec<lsp::Location>>>),
    Highlights(lsp::Position, Reply<Option<Vec<lsp::DocumentHighlight>>>),
    CallHierarchy(lsp::Position, Reply<Option<Vec<lsp::CallHierarchyItem>>>),
    Folding(Reply<Option<Vec<lsp::FoldingRange>>>),
    /// The semantic tokens of a range, or of all of the document.
    Tokens(Option<lsp::Range>, Reply<Option<lsp::SemanticTokens>>),
    Completion(lsp::Position, Reply<Option<lsp::CompletionResponse>>),
    /// What is to be said of a predicate that was proposed.
    Describe(PredicateName, Reply<Described>),
    Diagnostics(Reply<lsp::DocumentDiagnosticReportResult>),
}

/// Where an answer goes.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// What a question is answered from.
pub(super) struct Context {
    pub(super) snapshot: Snapshot,
    pub(super) file: File,
    pub(super) view: Arc<View>,
    pub(super) session: Arc<Session>,
}

impl Context {
    /// The features that are switched on.
    fn features(&self) -> Features {
        self.session.features()
    }

    /// The views of this and other files.
    fn views(&self) -> Views<'_> {
        Views::new(
            &self.snapshot,
            &self.session,
            Some((self.file, self.view.clone())),
        )
    }
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unanswered {
    /// The document is not open, or is none of ours.
    NotOpen,
    /// The document was edited since, so the place that was asked about may be another one now.
    Edited,
}

impl Question {
    /// Answers from the context. Gives the question back if a write came in between.
    pub(super) fn answer(self, context: Context) -> Option<Self> {
        match self {
            Question::Hover(at, reply) => reply_with(context, reply, |c| hover::hover(c, at))
                .map(|reply| Question::Hover(at, reply)),
            Question::Symbols(reply) => {
                reply_with(context, reply, symbols::symbols).map(Question::Symbols)
            }
            Question::Actions(range, reply) => {
                reply_with(context, reply, |c| actions::actions(c, range))
                    .map(|reply| Question::Actions(range, reply))
            }
            Question::Tooltip(predicate, reply) => {
                reply_with(context, reply, |c| tooltip::tooltip(c, &predicate))
                    .map(|reply| Question::Tooltip(predicate, reply))
            }
            Question::Definition(at, reply) => {
                reply_with(context, reply, |c| navigation::definition(c, at))
                    .map(|reply| Question::Definition(at, reply))
            }
            Question::References(at, declarations, reply) => reply_with(context, reply, |c| {
                navigation::references(c, at, declarations)
            })
            .map(|reply| Question::References(at, declarations, reply)),
            Question::Highlights(at, reply) => {
                reply_with(context, reply, |c| navigation::highlights(c, at))
                    .map(|reply| Question::Highlights(at, reply))
            }
            Question::CallHierarchy(at, reply) => {
                reply_with(context, reply, |c| searches::prepare(c, at))
                    .map(|reply| Question::CallHierarchy(at, reply))
            }
            Question::Folding(reply) => {
                reply_with(context, reply, folding::folding).map(Question::Folding)
            }
            Question::Tokens(range, reply) => {
                reply_with(context, reply, |c| tokens::tokens(c, range))
                    .map(|reply| Question::Tokens(range, reply))
            }
            Question::Completion(at, reply) => {
                reply_with(context, reply, |c| completion::completion(c, at))
                    .map(|reply| Question::Completion(at, reply))
            }
            Question::Describe(predicate, reply) => {
                reply_with(context, reply, |c| completion::describe(c, &predicate))
                    .map(|reply| Question::Describe(predicate, reply))
            }
            Question::Diagnostics(reply) => {
                reply_with(context, reply, diagnostics::diagnostics).map(Question::Diagnostics)
            }
        }
    }

    /// The place that it is about, if files that nobody has read may have to do with that.
    pub(super) fn place(&self) -> Option<lsp::Position> {
        match self {
            Question::References(at, _, _) => Some(*at),
            _ => None,
        }
    }

    /// Whether such a question is still waited for.
    pub(super) fn is_wanted(&self) -> bool {
        match self {
            Question::References(_, _, reply) => !reply.is_closed(),
            _ => true,
        }
    }

    /// Ends the question without an answer.
    pub(super) fn end(self, why: Unanswered) {
        match self {
            Question::Hover(_, reply) => end(reply, None, why),
            Question::Symbols(reply) => end(reply, None, why),
            Question::Actions(_, reply) => end(reply, None, why),
            Question::Tooltip(_, reply) => end(reply, None, why),
            Question::Definition(_, reply) => end(reply, None, why),
            Question::References(_, _, reply) => end(reply, None, why),
            Question::Highlights(_, reply) => end(reply, None, why),
            Question::CallHierarchy(_, reply) => end(reply, None, why),
            Question::Folding(reply) => end(reply, None, why),
            Question::Tokens(_, reply) => end(reply, None, why),
            Question::Completion(_, reply) => end(reply, None, why),
            Question::Describe(_, reply) => end(reply, Described::default(), why),
            Question::Diagnostics(reply) => {
                let answer = match why {
                    Unanswered::NotOpen => Ok(diagnostics::report(Vec::new())),
                    Unanswered::Edited => Err(Error {
                        code: ErrorCode::ServerError(SERVER_CANCELLED),
                        message: EDITED.into(),
                        data: Some(serde_json::json!({ "retriggerRequest": true })),
                    }),
                };
                // The asker may be gone, here and below.
                let _ = reply.send(answer);
            }
        }
    }
}

const EDITED: &str = "the document was edited meanwhile";

/// The protocol's `ServerCancelled`.
const SERVER_CANCELLED: i64 = -32802;

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

fn end<T>(reply: Reply<T>, nothing: T, why: Unanswered) {
    let _ = reply.send(match why {
        Unanswered::NotOpen => Ok(nothing),
        Unanswered::Edited => Err(Error {
            code: ErrorCode::ContentModified,
            message: EDITED.into(),
            data: None,
        }),
    });
}
