//! `textDocument/foldingRange`.

use std::collections::BTreeSet;

use costlens_ide::document::folding::FoldKind;
use costlens_ide::host::Cancelled;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};

/// The folding ranges of a document.
pub(in crate::lsp) struct Folding;

impl Request for Folding {
    type Method = lsp::request::FoldingRangeRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.folding),
        announce: |c| {
            c.folding_range_provider = Some(lsp::FoldingRangeProviderCapability::Simple(true));
        },
        registered: Some(Registered {
            method: "textDocument/foldingRange",
            capability: "/textDocument/foldingRange",
            options: || json!({}),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::FoldingRangeParams,
    ) -> jsonrpc::Result<Option<Vec<lsp::FoldingRange>>> {
        asker.ask(params.text_document.uri, Folding).await
    }
}

impl Question for Folding {
    type Answer = Option<Vec<lsp::FoldingRange>>;

    /// Only whole lines fold. Of ranges that begin on the same line, only the longest is used, which comes first.
    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.features().folding {
            return Ok(None);
        }
        let mut taken = BTreeSet::new();
        let folds = c.snapshot.folding(c.file)?.into_iter().filter_map(|fold| {
            let lines = c.view.range(&fold.range);
            let (start_line, end_line) = (lines.start.line, lines.end.line);
            let whole = start_line < end_line && taken.insert(start_line);
            whole.then(|| lsp::FoldingRange {
                start_line,
                end_line,
                kind: match fold.kind {
                    FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                    FoldKind::Imports => Some(lsp::FoldingRangeKind::Imports),
                    FoldKind::Region => None,
                },
                ..Default::default()
            })
        });
        Ok(Some(folds.collect()))
    }
}
