//! `textDocument/references`.

use costlens_ide::host::Cancelled;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};

/// The references to the name at a position, with or without its declarations.
pub(in crate::lsp) struct References {
    at: lsp::Position,
    declarations: bool,
}

impl Request for References {
    type Method = lsp::request::References;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.navigation),
        announce: |c| c.references_provider = Some(lsp::OneOf::Left(true)),
        registered: Some(Registered {
            method: "textDocument/references",
            capability: "/textDocument/references",
            options: || json!({}),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::ReferenceParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::Location>>> {
        let place = params.text_document_position;
        let question = References {
            at: place.position,
            declarations: params.context.include_declaration,
        };
        asker.ask(place.text_document.uri, question).await
    }
}

impl Question for References {
    type Answer = Option<Vec<lsp::Location>>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.features().navigation {
            return Ok(None);
        }
        let (mut views, mut found) = (c.views(), Vec::new());
        let offset = c.view.offset(self.at);
        for place in c.snapshot.references(c.file, offset, self.declarations)? {
            found.extend(views.location(&place)?);
        }
        Ok(Some(found))
    }

    fn place(&self) -> Option<lsp::Position> {
        Some(self.at)
    }
}
