//! `textDocument/documentHighlight`.

use costlens_ide::host::Cancelled;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};

/// The document's occurrences of the name at a position.
pub(in crate::lsp) struct Highlights {
    at: lsp::Position,
}

impl Request for Highlights {
    type Method = lsp::request::DocumentHighlightRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.navigation),
        announce: |c| c.document_highlight_provider = Some(lsp::OneOf::Left(true)),
        registered: Some(Registered {
            method: "textDocument/documentHighlight",
            capability: "/textDocument/documentHighlight",
            options: || json!({}),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::DocumentHighlightParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::DocumentHighlight>>> {
        let place = params.text_document_position_params;
        let at = place.position;
        asker.ask(place.text_document.uri, Highlights { at }).await
    }
}

impl Question for Highlights {
    type Answer = Option<Vec<lsp::DocumentHighlight>>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.features().navigation {
            return Ok(None);
        }
        let found = c.snapshot.highlights(c.file, c.view.offset(self.at))?;
        let shown = found.into_iter().map(|h| lsp::DocumentHighlight {
            range: c.view.range(&h.range),
            kind: Some(if h.defines {
                lsp::DocumentHighlightKind::WRITE
            } else {
                lsp::DocumentHighlightKind::READ
            }),
        });
        Ok(Some(shown.collect()))
    }
}
