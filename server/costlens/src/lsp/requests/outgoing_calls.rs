//! `callHierarchy/outgoingCalls`.

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

/// The callees of a predicate, which is identified by the name of its file.
pub(in crate::lsp) struct OutgoingCalls {
    file: String,
    predicate: Functor,
}

impl Request for OutgoingCalls {
    type Method = lsp::request::CallHierarchyOutgoingCalls;

    async fn handle(
        asker: &Asker,
        params: lsp::CallHierarchyOutgoingCallsParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
        let Some((uri, predicate)) = predicate_of(params.item.data.as_ref()) else {
            return Ok(None);
        };
        let file = uri.as_str().to_owned();
        asker.search(OutgoingCalls { file, predicate }).await
    }
}

impl WorkspaceSearch for OutgoingCalls {
    type Answer = Option<Vec<lsp::CallHierarchyOutgoingCall>>;

    fn subject(&self) -> Option<SearchSubject> {
        None
    }

    fn answer(&self, snapshot: &Snapshot, session: &Session) -> Result<Self::Answer, Cancelled> {
        let Some(file) = file_of(snapshot, session, &self.file)? else {
            return Ok(None);
        };
        let mut views = Views::new(snapshot, session, None);
        let Some(caller) = views.get(file)? else {
            return Ok(None);
        };
        let mut found = Vec::new();
        for HierarchyEdge { item: to, calls } in snapshot.outgoing_calls(file, &self.predicate)? {
            let to = item(&mut views, to)?;
            found.extend(to.map(|to| lsp::CallHierarchyOutgoingCall {
                to,
                from_ranges: calls.iter().map(|range| caller.range(range)).collect(),
            }));
        }
        Ok(Some(found))
    }
}
