//! The requests of the protocol: one file each, and one line each in the registry below.
//!
//! A new request is a type that implements [`Request`], in a new file in this folder. The file defines the method, its offer, and the
//! computation of the answer; its line below creates a handler and adds its offer to the server's.

pub(super) mod call_hierarchy;
pub(super) mod code_action;
pub(super) mod code_lens;
pub(super) mod completion;
pub(super) mod completion_resolve;
pub(super) mod definition;
pub(super) mod diagnostic;
pub(super) mod document_highlight;
pub(super) mod document_symbol;
pub(super) mod execute_command;
pub(super) mod folding_range;
pub(super) mod hover;
pub(super) mod incoming_calls;
pub(super) mod inlay_hint;
pub(super) mod inlay_hint_resolve;
mod library_text;
pub(super) mod outgoing_calls;
pub(super) mod references;
pub(super) mod semantic_tokens;
pub(super) mod semantic_tokens_range;
pub(super) mod workspace_symbol;

use serde_json::Value;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;
use tracing::Instrument as _;

use super::asker::Asker;
use super::session::Session;

pub(super) use library_text::{LibraryText, library_text};

/// The registry: for each request, the handler that tower-lsp calls, and the type that answers it.
macro_rules! each_request {
    ($with:ident) => {
        $with! {
            hover: hover::Hover;
            inlay_hint: inlay_hint::InlayHints;
            inlay_hint_resolve: inlay_hint_resolve::Tooltip;
            diagnostic: diagnostic::Diagnostics;
            code_action: code_action::CodeActions;
            code_lens: code_lens::Lenses;
            execute_command: execute_command::Command;
            goto_definition: definition::Definition;
            references: references::References;
            document_highlight: document_highlight::Highlights;
            document_symbol: document_symbol::DocumentSymbols;
            symbol: workspace_symbol::WorkspaceSymbols;
            prepare_call_hierarchy: call_hierarchy::CallHierarchy;
            incoming_calls: incoming_calls::IncomingCalls;
            outgoing_calls: outgoing_calls::OutgoingCalls;
            folding_range: folding_range::Folding;
            semantic_tokens_full: semantic_tokens::SemanticTokens;
            semantic_tokens_range: semantic_tokens_range::SemanticTokensRange;
            completion: completion::Completion;
            completion_resolve: completion_resolve::Described;
        }
    };
}

/// Defines the functions of [`LanguageServer`](tower_lsp::LanguageServer) that answer requests.
macro_rules! handlers {
    ($($handler:ident: $module:ident::$request:ident;)*) => {
        $(
            async fn $handler(
                &self,
                params: $crate::lsp::requests::Params<$crate::lsp::requests::$module::$request>,
            ) -> tower_lsp::jsonrpc::Result<
                $crate::lsp::requests::Answer<$crate::lsp::requests::$module::$request>,
            > {
                $crate::lsp::requests::handled::<$crate::lsp::requests::$module::$request>(
                    &self.asker,
                    params,
                )
                .await
            }
        )*
    };
}

pub(super) use {each_request, handlers};

/// A request of the protocol, with its handler.
pub(super) trait Request {
    /// The method, which determines the parameters and the answer.
    type Method: lsp::request::Request;

    /// The offer to the client. `None` for a request that another request's offer covers.
    const OFFER: Option<Offer> = None;

    /// Answers the request. Sends its event to the owner before its first `await`, so that the owner receives requests in the order of the
    /// client's messages.
    ///
    /// Most requests send a [`Question`](super::question::Question) or a [`WorkspaceSearch`](super::question::WorkspaceSearch), which
    /// workers answer from snapshots and retry if a write interrupts them.
    fn handle(
        asker: &Asker,
        params: Params<Self>,
    ) -> impl Future<Output = Result<Answer<Self>>> + Send;
}

/// Handles a request within a span that has the request's name.
pub(super) async fn handled<R: Request>(asker: &Asker, params: Params<R>) -> Result<Answer<R>> {
    let method = <R::Method as lsp::request::Request>::METHOD;
    let span = tracing::info_span!("request", method);
    R::handle(asker, params).instrument(span).await
}

/// The parameters of a request.
pub(super) type Params<R> = <<R as Request>::Method as lsp::request::Request>::Params;
/// The answer to a request.
pub(super) type Answer<R> = <<R as Request>::Method as lsp::request::Request>::Result;

/// The offer of a method.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    /// Returns whether the session wants the method.
    pub(super) wanted: fn(&Session) -> bool,
    /// Adds the capability to the response to `initialize`.
    pub(super) announce: fn(&mut lsp::ServerCapabilities),
    /// The registration, if the client allows it. `None` for a capability that exists for the whole session.
    pub(super) registered: Option<Registered>,
}

/// A registration with the client.
#[derive(Clone, Copy)]
pub(super) struct Registered {
    pub(super) method: &'static str,
    /// The client capability that permits registering the method, as a JSON pointer.
    pub(super) capability: &'static str,
    pub(super) options: fn() -> Value,
}

macro_rules! offers {
    ($($handler:ident: $module:ident::$request:ident;)*) => {
        [$($module::$request::OFFER),*]
    };
}

/// Returns the offers of all requests.
pub(super) fn offers() -> impl Iterator<Item = Offer> {
    each_request!(offers).into_iter().flatten()
}
