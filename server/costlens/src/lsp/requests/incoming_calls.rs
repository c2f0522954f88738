//! `callHierarchy/incomingCalls`.

use costlens_analysis::report::Functor;
use costlens_ide::host::{Cancelled, Snapshot};
use costlens_ide::navigate::hierarchy::HierarchyEdge;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::Request;
use super::call_hierarchy::{file_of, item};
use crate::lsp::asker::{Asker, predicate_of};
use crate::lsp::question::{SearchSubject, WorkspaceSearch};
use crate::lsp::session::Session;
use crate::lsp::views::Views;

/// The callers of a predicate, which is identified by the name of its file.
pub(in crate::lsp) struct IncomingCalls {
    file: String,
    predicate: Functor,
}

impl Request for IncomingCalls {
    type Method = lsp::request::CallHierarchyIncomingCalls;

    async fn handle(
        asker: &Asker,
        params: lsp::CallHierarchyIncomingCallsParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
        let Some((uri, predicate)) = predicate_of(params.item.data.as_ref()) else {
            return Ok(None);
        };
        let file = uri.as_str().to_owned();
        asker.search(IncomingCalls { file, predicate }).await
    }
}

impl WorkspaceSearch for IncomingCalls {
    type Answer = Option<Vec<lsp::CallHierarchyIncomingCall>>;

    fn subject(&self) -> Option<SearchSubject> {
        Some(SearchSubject::Predicate(
            self.file.clone(),
            self.predicate.clone(),
        ))
    }

    fn answer(&self, snapshot: &Snapshot, session: &Session) -> Result<Self::Answer, Cancelled> {
        let Some(file) = file_of(snapshot, session, &self.file)? else {
            return Ok(None);
        };
        let mut views = Views::new(snapshot, session, None);
        let mut found = Vec::new();
        for HierarchyEdge { item: from, calls } in snapshot.incoming_calls(file, &self.predicate)? {
            let Some(view) = views.get(from.place.file)? else {
                continue;
            };
            let from = item(&mut views, from)?;
            found.extend(from.map(|from| lsp::CallHierarchyIncomingCall {
                from,
                from_ranges: calls.iter().map(|range| view.range(range)).collect(),
            }));
        }
        Ok(Some(found))
    }
}
