//! Questions about one document that a worker answers from a snapshot; one file for each.

mod actions;
mod hover;
mod symbols;
mod tooltip;

use std::sync::Arc;

use costlens_analysis::report::PredicateName;
use costlens_ide::host::{Cancelled, File, Snapshot};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use super::document::View;
use super::session::Session;

/// A question and where its answer goes.
pub(super) enum Question {
    Hover(lsp::Position, Reply<Option<lsp::Hover>>),
    Symbols(Reply<Option<lsp::DocumentSymbolResponse>>),
    Actions(lsp::Range, Reply<Option<lsp::CodeActionResponse>>),
    /// The explanation of a predicate's hint.
    Tooltip(PredicateName, Reply<Option<String>>),
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

impl Question {
    /// Answers from the context, or with `ContentModified` if a write came in between.
    pub(super) fn answer(self, context: Context) {
        match self {
            Question::Hover(at, reply) => {
                respond(context, reply, |c| hover::hover(c, at));
            }
            Question::Symbols(reply) => respond(context, reply, symbols::symbols),
            Question::Actions(range, reply) => {
                respond(context, reply, |c| actions::actions(c, range));
            }
            Question::Tooltip(predicate, reply) => {
                respond(context, reply, |c| tooltip::tooltip(c, &predicate));
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
        }
    }
}

fn respond<T>(
    context: Context,
    reply: Reply<T>,
    compute: impl FnOnce(&Context) -> std::result::Result<T, Cancelled>,
) {
    // A cancelled request's receiver is gone.
    if reply.is_closed() {
        return;
    }
    let answer = compute(&context).map_err(|Cancelled| Error {
        code: ErrorCode::ContentModified,
        message: "the document was edited meanwhile".into(),
        data: None,
    });
    // A write waits for every snapshot, so this one goes before the answer does.
    drop(context);
    let _ = reply.send(answer);
}
