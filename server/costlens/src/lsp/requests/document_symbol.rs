//! `textDocument/documentSymbol`.

use costlens_ide::host::Cancelled;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};
use crate::lsp::to_proto;

/// The outline of a document.
pub(in crate::lsp) struct DocumentSymbols;

impl Request for DocumentSymbols {
    type Method = lsp::request::DocumentSymbolRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.symbols),
        announce: |c| c.document_symbol_provider = Some(lsp::OneOf::Left(true)),
        registered: Some(Registered {
            method: "textDocument/documentSymbol",
            capability: "/textDocument/documentSymbol",
            options: || json!({ "label": "Costlens" }),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::DocumentSymbolParams,
    ) -> jsonrpc::Result<Option<lsp::DocumentSymbolResponse>> {
        asker.ask(params.text_document.uri, DocumentSymbols).await
    }
}

impl Question for DocumentSymbols {
    type Answer = Option<lsp::DocumentSymbolResponse>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.features().symbols {
            return Ok(None);
        }
        let symbols = c.snapshot.document_symbols(c.file)?.into_iter();
        Ok(Some(if c.session.nested_symbols {
            let nested = symbols.map(|s| to_proto::symbol(&c.view, s));
            lsp::DocumentSymbolResponse::Nested(nested.collect())
        } else {
            let flat = symbols.map(|s| to_proto::flat_symbol(&c.view, s));
            lsp::DocumentSymbolResponse::Flat(flat.collect())
        }))
    }
}
