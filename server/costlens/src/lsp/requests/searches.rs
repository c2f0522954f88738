//! Questions that are about no open document: `workspace/symbol`, `callHierarchy/incomingCalls`, `callHierarchy/outgoingCalls`.

use std::sync::Arc;

use costlens_analysis::report::PredicateName;
use costlens_ide::host::{Cancelled, File, Snapshot};
use costlens_ide::navigate::hierarchy::{Edge, Item};
use costlens_ide::symbols::{MOST_FOUND, fit};
use tower_lsp::ls_types as lsp;

use super::{Context, Reply, reply_with};
use crate::lsp::disk::DiskSymbol;
use crate::lsp::places::Views;
use crate::lsp::session::Session;
use crate::lsp::to_proto;

/// A question about all files, and where its answer goes.
pub(in crate::lsp) enum Search {
    /// Predicates whose names fit, those of files that nobody has read among them.
    Symbols {
        query: String,
        unread: Vec<Arc<[DiskSymbol]>>,
        reply: Reply<Option<lsp::WorkspaceSymbolResponse>>,
    },
    /// The callers of a predicate of a file, by the file's name.
    Incoming(
        String,
        PredicateName,
        Reply<Option<Vec<lsp::CallHierarchyIncomingCall>>>,
    ),
    /// Whom it calls.
    Outgoing(
        String,
        PredicateName,
        Reply<Option<Vec<lsp::CallHierarchyOutgoingCall>>>,
    ),
}

impl Search {
    /// A question about symbols.
    pub(in crate::lsp) fn symbols(
        query: String,
        reply: Reply<Option<lsp::WorkspaceSymbolResponse>>,
    ) -> Self {
        Search::Symbols {
            query,
            unread: Vec::new(),
            reply,
        }
    }

    /// The question with the symbols of files that nobody has read.
    pub(in crate::lsp) fn with(self, symbols: Vec<Arc<[DiskSymbol]>>) -> Self {
        match self {
            Search::Symbols { query, reply, .. } => Search::Symbols {
                query,
                unread: symbols,
                reply,
            },
            other => other,
        }
    }

    /// Whether the answer is still waited for.
    pub(in crate::lsp) fn is_wanted(&self) -> bool {
        match self {
            Search::Symbols { reply, .. } => !reply.is_closed(),
            Search::Incoming(_, _, reply) => !reply.is_closed(),
            Search::Outgoing(_, _, reply) => !reply.is_closed(),
        }
    }

    /// Answers from a snapshot. Gives the question back if a write came in between.
    pub(in crate::lsp) fn answer(self, snapshot: Snapshot, session: &Arc<Session>) -> Option<Self> {
        match self {
            Search::Symbols {
                query,
                unread,
                reply,
            } => {
                reply_with(snapshot, reply, |s| symbols(s, session, &query, &unread)).map(|reply| {
                    Search::Symbols {
                        query,
                        unread,
                        reply,
                    }
                })
            }
            Search::Incoming(file, predicate, reply) => {
                reply_with(snapshot, reply, |s| incoming(s, session, &file, &predicate))
                    .map(|reply| Search::Incoming(file, predicate, reply))
            }
            Search::Outgoing(file, predicate, reply) => {
                reply_with(snapshot, reply, |s| outgoing(s, session, &file, &predicate))
                    .map(|reply| Search::Outgoing(file, predicate, reply))
            }
        }
    }
}

fn symbols(
    snapshot: &Snapshot,
    session: &Session,
    query: &str,
    unread: &[Arc<[DiskSymbol]>],
) -> Result<Option<lsp::WorkspaceSymbolResponse>, Cancelled> {
    if !session.offers(|f| f.symbols) {
        return Ok(None);
    }
    let mut views = Views::new(snapshot, session, None);
    let mut found = Vec::new();
    for (file, symbol) in snapshot.workspace_symbols(query)? {
        if let Some(view) = views.of(file)? {
            found.push(to_proto::workspace_symbol(&view, symbol));
        }
    }
    let fits = |s: &&DiskSymbol| fit(query, &s.name).is_some();
    let others = unread.iter().flat_map(|file| file.iter()).filter(fits);
    found.extend(others.map(to_proto::unread_symbol));
    // Stable: what is known comes before what is not, of one name.
    found.sort_by_cached_key(|s| (fit(query, &s.name), s.name.clone()));
    found.truncate(MOST_FOUND);
    Ok(Some(lsp::WorkspaceSymbolResponse::Flat(found)))
}

/// `textDocument/prepareCallHierarchy`.
pub(super) fn prepare(
    c: &Context,
    at: lsp::Position,
) -> Result<Option<Vec<lsp::CallHierarchyItem>>, Cancelled> {
    if !c.features().call_hierarchy {
        return Ok(None);
    }
    let Some(found) = c.snapshot.call_hierarchy(c.file, c.view.offset(at))? else {
        return Ok(None);
    };
    let item = item(&mut c.views(), found)?;
    Ok(item.map(|item| vec![item]))
}

fn incoming(
    snapshot: &Snapshot,
    session: &Session,
    file: &str,
    predicate: &PredicateName,
) -> Result<Option<Vec<lsp::CallHierarchyIncomingCall>>, Cancelled> {
    let Some(file) = asked(snapshot, session, file)? else {
        return Ok(None);
    };
    let mut views = Views::new(snapshot, session, None);
    let mut found = Vec::new();
    for Edge { item: from, calls } in snapshot.incoming_calls(file, predicate)? {
        let Some(view) = views.of(from.place.file)? else {
            continue;
        };
        found.extend(
            item(&mut views, from)?.map(|from| lsp::CallHierarchyIncomingCall {
                from,
                from_ranges: calls.iter().map(|range| view.range(range)).collect(),
            }),
        );
    }
    Ok(Some(found))
}

fn outgoing(
    snapshot: &Snapshot,
    session: &Session,
    file: &str,
    predicate: &PredicateName,
) -> Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>, Cancelled> {
    let Some(file) = asked(snapshot, session, file)? else {
        return Ok(None);
    };
    let mut views = Views::new(snapshot, session, None);
    let Some(caller) = views.of(file)? else {
        return Ok(None);
    };
    let mut found = Vec::new();
    for Edge { item: to, calls } in snapshot.outgoing_calls(file, predicate)? {
        found.extend(
            item(&mut views, to)?.map(|to| lsp::CallHierarchyOutgoingCall {
                to,
                from_ranges: calls.iter().map(|range| caller.range(range)).collect(),
            }),
        );
    }
    Ok(Some(found))
}

fn asked(snapshot: &Snapshot, session: &Session, file: &str) -> Result<Option<File>, Cancelled> {
    if session.offers(|f| f.call_hierarchy) {
        snapshot.file(file)
    } else {
        Ok(None)
    }
}

fn item(views: &mut Views<'_>, of: Item) -> Result<Option<lsp::CallHierarchyItem>, Cancelled> {
    Ok(views.of(of.place.file)?.map(|view| lsp::CallHierarchyItem {
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
