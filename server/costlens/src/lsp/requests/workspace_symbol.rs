//! `workspace/symbol`: predicates of all workspace files, including unread files.

use std::sync::Arc;

use costlens_ide::document::symbols::{MOST_FOUND, fit};
use costlens_ide::host::{Cancelled, Snapshot};
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{SearchSubject, WorkspaceSearch};
use crate::lsp::session::Session;
use crate::lsp::to_proto;
use crate::lsp::views::Views;
use crate::lsp::workspace::unread::DiskSymbol;

/// The predicates whose names match the query.
pub(in crate::lsp) struct WorkspaceSymbols {
    query: String,
    unread: Vec<Arc<[DiskSymbol]>>,
}

impl Request for WorkspaceSymbols {
    type Method = lsp::request::WorkspaceSymbolRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.symbols),
        announce: |c| c.workspace_symbol_provider = Some(lsp::OneOf::Left(true)),
        registered: Some(Registered {
            method: "workspace/symbol",
            capability: "/workspace/symbol",
            options: || json!({}),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::WorkspaceSymbolParams,
    ) -> jsonrpc::Result<Option<lsp::WorkspaceSymbolResponse>> {
        let search = WorkspaceSymbols {
            query: params.query,
            unread: Vec::new(),
        };
        asker.search(search).await
    }
}

impl WorkspaceSearch for WorkspaceSymbols {
    type Answer = Option<lsp::WorkspaceSymbolResponse>;

    fn subject(&self) -> Option<SearchSubject> {
        Some(SearchSubject::Everything)
    }

    fn take_unread(&mut self, symbols: Vec<Arc<[DiskSymbol]>>) {
        self.unread = symbols;
    }

    fn answer(&self, snapshot: &Snapshot, session: &Session) -> Result<Self::Answer, Cancelled> {
        if !session.offers(|f| f.symbols) {
            return Ok(None);
        }
        let query = self.query.as_str();
        let mut views = Views::new(snapshot, session, None);
        let mut found = Vec::new();
        for (file, symbol) in snapshot.workspace_symbols(query)? {
            if let Some(view) = views.get(file)? {
                found.push(to_proto::workspace_symbol(&view, symbol));
            }
        }
        let fits = |s: &&DiskSymbol| fit(query, &s.name).is_some();
        let others = self.unread.iter().flat_map(|file| file.iter());
        found.extend(others.filter(fits).map(to_proto::unread_symbol));
        // The sort is stable: among symbols with the same name, those of read files come first.
        found.sort_by_cached_key(|s| (fit(query, &s.name), s.name.clone()));
        found.truncate(MOST_FOUND);
        Ok(Some(lsp::WorkspaceSymbolResponse::Flat(found)))
    }
}
