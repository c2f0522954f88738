//! `textDocument/definition`.

use costlens_ide::host::Cancelled;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};

/// The definitions of the name at a position.
pub(in crate::lsp) struct Definition {
    at: lsp::Position,
}

impl Request for Definition {
    type Method = lsp::request::GotoDefinition;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.navigation),
        announce: |c| c.definition_provider = Some(lsp::OneOf::Left(true)),
        registered: Some(Registered {
            method: "textDocument/definition",
            capability: "/textDocument/definition",
            options: || json!({}),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::GotoDefinitionParams,
    ) -> jsonrpc::Result<Option<lsp::GotoDefinitionResponse>> {
        let place = params.text_document_position_params;
        let at = place.position;
        asker.ask(place.text_document.uri, Definition { at }).await
    }
}

impl Question for Definition {
    type Answer = Option<lsp::GotoDefinitionResponse>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.features().navigation {
            return Ok(None);
        }
        let (mut views, mut found) = (c.views(), Vec::new());
        for place in c.snapshot.definition(c.file, c.view.offset(self.at))? {
            found.extend(views.location(&place)?);
        }
        Ok(match found.len() {
            0 => None,
            1 => found.pop().map(lsp::GotoDefinitionResponse::Scalar),
            _ => Some(lsp::GotoDefinitionResponse::Array(found)),
        })
    }
}
