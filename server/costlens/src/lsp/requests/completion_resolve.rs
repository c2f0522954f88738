//! `completionItem/resolve`: the cost and the documentation of a proposed predicate.

use costlens_analysis::report::Functor;
use costlens_ide::document::completion;
use costlens_ide::host::Cancelled;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::Request;
use crate::lsp::asker::{Asker, predicate_of};
use crate::lsp::question::{Context, Question};
use crate::lsp::to_proto;

/// The details of a proposed predicate.
pub(in crate::lsp) struct Described {
    predicate: Functor,
}

impl Request for Described {
    type Method = lsp::request::ResolveCompletionItem;

    async fn handle(
        asker: &Asker,
        mut item: lsp::CompletionItem,
    ) -> jsonrpc::Result<lsp::CompletionItem> {
        if let Some((uri, predicate)) = predicate_of(item.data.as_ref()) {
            // A proposal without a description is returned unchanged.
            let described = asker.ask(uri, Described { predicate }).await;
            let described = described.unwrap_or_default();
            item.detail = described.detail;
            item.documentation = described
                .documentation
                .map(|text| lsp::Documentation::MarkupContent(to_proto::markdown(text)));
        }
        Ok(item)
    }
}

impl Question for Described {
    type Answer = completion::Described;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        c.snapshot.describe(c.file, &self.predicate)
    }
}
