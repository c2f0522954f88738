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

impl Question {
    /// Answers from the context, or with `ContentModified` if a write came in between.
    pub(super) fn answer(self, context: Context) {
        match self {
            Question::Hover(at, reply) => reply_with(context, reply, |c| hover::hover(c, at)),
            Question::Symbols(reply) => reply_with(context, reply, symbols::symbols),
            Question::Actions(range, reply) => {
                reply_with(context, reply, |c| actions::actions(c, range));
            }
            Question::Tooltip(predicate, reply) => {
                reply_with(context, reply, |c| tooltip::tooltip(c, &predicate));
            }
            Question::Definition(at, reply) => {
                reply_with(context, reply, |c| navigation::definition(c, at));
            }
            Question::References(at, declarations, reply) => {
                reply_with(context, reply, |c| {
                    navigation::references(c, at, declarations)
                });
            }
            Question::Highlights(at, reply) => {
                reply_with(context, reply, |c| navigation::highlights(c, at));
            }
            Question::CallHierarchy(at, reply) => {
                reply_with(context, reply, |c| searches::prepare(c, at));
            }
            Question::Folding(reply) => reply_with(context, reply, folding::folding),
            Question::Tokens(range, reply) => {
                reply_with(context, reply, |c| tokens::tokens(c, range));
            }
            Question::Completion(at, reply) => {
                reply_with(context, reply, |c| completion::completion(c, at));
            }
            Question::Describe(predicate, reply) => {
                reply_with(context, reply, |c| completion::describe(c, &predicate));
            }
            Question::Diagnostics(reply) => {
                respond(context, reply, diagnostics::diagnostics, || Error {
                    code: ErrorCode::ServerError(SERVER_CANCELLED),
                    message: "the document was edited meanwhile".into(),
                    // The edit may have been one of another document, after which nobody would ask again.
                    data: Some(serde_json::json!({ "retriggerRequest": true })),
                });
            }
        }
    }

    /// Answers for a document that is not open.
    pub(super) fn decline(self) {
        // The asker may be gone.
        match self {
            Question::Hover(_, reply) => drop(reply.send(Ok(None))),
            Question::Symbols(reply) => drop(reply.send(Ok(None))),
            Question::Actions(_, reply) => drop(reply.send(Ok(None))),
            Question::Tooltip(_, reply) => drop(reply.send(Ok(None))),
            Question::Definition(_, reply) => drop(reply.send(Ok(None))),
            Question::References(_, _, reply) => drop(reply.send(Ok(None))),
            Question::Highlights(_, reply) => drop(reply.send(Ok(None))),
            Question::CallHierarchy(_, reply) => drop(reply.send(Ok(None))),
            Question::Folding(reply) => drop(reply.send(Ok(None))),
            Question::Tokens(_, reply) => drop(reply.send(Ok(None))),
            Question::Completion(_, reply) => drop(reply.send(Ok(None))),
            Question::Describe(_, reply) => drop(reply.send(Ok(Described::default()))),
            Question::Diagnostics(reply) => {
                drop(reply.send(Ok(diagnostics::report(Vec::new()))));
            }
        }
    }
}

/// The protocol's `ServerCancelled`.
const SERVER_CANCELLED: i64 = -32802;

/// Answers from what the question needs, which is dropped first; with `ContentModified` if a write came in between.
fn reply_with<C, T>(
    context: C,
    reply: Reply<T>,
    compute: impl FnOnce(&C) -> std::result::Result<T, Cancelled>,
) {
    respond(context, reply, compute, || Error {
        code: ErrorCode::ContentModified,
        message: "the document was edited meanwhile".into(),
        data: None,
    });
}

fn respond<C, T>(
    context: C,
    reply: Reply<T>,
    compute: impl FnOnce(&C) -> std::result::Result<T, Cancelled>,
    cancelled: impl FnOnce() -> Error,
) {
    // A cancelled request's receiver is gone.
    if reply.is_closed() {
        return;
    }
    let answer = compute(&context).map_err(|Cancelled| cancelled());
    // A write waits for every snapshot, so this one goes before the answer does.
    drop(context);
    let _ = reply.send(answer);
}
