//! `textDocument/prepareCallHierarchy`, and the items of the hierarchy.

use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::navigate::hierarchy;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};
use crate::lsp::session::Session;
use crate::lsp::to_proto;
use crate::lsp::views::Views;

/// The predicate named at a position.
pub(in crate::lsp) struct CallHierarchy {
    at: lsp::Position,
}

impl Request for CallHierarchy {
    type Method = lsp::request::CallHierarchyPrepare;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.call_hierarchy),
        announce: |c| {
            c.call_hierarchy_provider = Some(lsp::CallHierarchyServerCapability::Simple(true));
        },
        registered: Some(Registered {
            method: "textDocument/prepareCallHierarchy",
            capability: "/textDocument/callHierarchy",
            options: || json!({}),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::CallHierarchyPrepareParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::CallHierarchyItem>>> {
        let place = params.text_document_position_params;
        let at = place.position;
        asker
            .ask(place.text_document.uri, CallHierarchy { at })
            .await
    }
}

impl Question for CallHierarchy {
    type Answer = Option<Vec<lsp::CallHierarchyItem>>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.features().call_hierarchy {
            return Ok(None);
        }
        let offset = c.view.offset(self.at);
        let Some(found) = c.snapshot.call_hierarchy(c.file, offset)? else {
            return Ok(None);
        };
        let item = item(&mut c.views(), found)?;
        Ok(item.map(|item| vec![item]))
    }
}

/// Returns the file of the predicate whose callers or callees are requested. Returns `None` if the hierarchy is disabled.
pub(super) fn file_of(
    snapshot: &Snapshot,
    session: &Session,
    name: &str,
) -> Result<Option<File>, Cancelled> {
    if session.offers(|f| f.call_hierarchy) {
        snapshot.file(name)
    } else {
        Ok(None)
    }
}

/// Converts a predicate or a directive to an item. Returns `None` for a file that the client could not open.
pub(super) fn item(
    views: &mut Views<'_>,
    of: hierarchy::Item,
) -> Result<Option<lsp::CallHierarchyItem>, Cancelled> {
    Ok(views
        .get(of.place.file)?
        .map(|view| lsp::CallHierarchyItem {
            name: of.name,
            kind: if of.predicate.is_some() {
                lsp::SymbolKind::FUNCTION
            } else {
                lsp::SymbolKind::EVENT
            },
            tags: None,
            detail: of.detail,
            uri: view.uri.clone(),
            range: view.range(&of.place.range),
            selection_range: view.range(&of.place.selection),
            data: (of.predicate).map(|name| to_proto::predicate_data(&view.uri, &name)),
        }))
}
