//! `textDocument/inlayHint`: answered by the owner, which returns the existing hints while new hints are being computed.

use tokio::sync::oneshot;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::lsp::asker::Asker;
use crate::lsp::event::Event;

/// The hints in a range.
pub(in crate::lsp) struct InlayHints;

impl Request for InlayHints {
    type Method = lsp::request::InlayHintRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |_| true,
        announce: |c| {
            let options = lsp::InlayHintOptions {
                resolve_provider: Some(true),
                ..Default::default()
            };
            c.inlay_hint_provider = Some(lsp::OneOf::Right(
                lsp::InlayHintServerCapabilities::Options(options),
            ));
        },
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::InlayHintParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::InlayHint>>> {
        let (reply, answer) = oneshot::channel();
        asker.tell(Event::Hints {
            uri: params.text_document.uri,
            range: params.range,
            reply,
        });
        // An error or null would erase the displayed hints.
        Ok(Some(answer.await.unwrap_or_default()))
    }
}
