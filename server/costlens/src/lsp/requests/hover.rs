//! `textDocument/hover`.

use costlens_ide::host::Cancelled;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};
use crate::lsp::to_proto;

/// The hover at a position.
pub(in crate::lsp) struct Hover {
    at: lsp::Position,
}

impl Request for Hover {
    type Method = lsp::request::HoverRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |_| true,
        announce: |c| c.hover_provider = Some(lsp::HoverProviderCapability::Simple(true)),
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::HoverParams,
    ) -> jsonrpc::Result<Option<lsp::Hover>> {
        let place = params.text_document_position_params;
        let at = place.position;
        asker.ask(place.text_document.uri, Hover { at }).await
    }
}

impl Question for Hover {
    type Answer = Option<lsp::Hover>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.session.settings.enable || !c.session.settings.hover {
            return Ok(None);
        }
        let offset = c.view.offset(self.at);
        let hover = c.snapshot.hover(c.file, offset, &c.session.settings)?;
        Ok(hover.map(|h| to_proto::hover(&c.view, h)))
    }
}
