//! `inlayHint/resolve`: the tooltip of a hint.

use costlens_analysis::report::Functor;
use costlens_ide::host::Cancelled;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::Request;
use crate::lsp::asker::{Asker, predicate_of};
use crate::lsp::question::{Context, Question};
use crate::lsp::{observed, to_proto};

/// The explanation of a predicate's hint.
pub(in crate::lsp) struct Tooltip {
    predicate: Functor,
}

impl Request for Tooltip {
    type Method = lsp::request::InlayHintResolveRequest;

    async fn handle(asker: &Asker, mut hint: lsp::InlayHint) -> jsonrpc::Result<lsp::InlayHint> {
        if let Some((uri, predicate)) = predicate_of(hint.data.as_ref()) {
            // A hint without an explanation is returned unchanged.
            let tooltip = asker.ask(uri, Tooltip { predicate }).await.ok().flatten();
            hint.tooltip =
                tooltip.map(|text| lsp::InlayHintTooltip::MarkupContent(to_proto::markdown(text)));
        }
        Ok(hint)
    }
}

impl Question for Tooltip {
    type Answer = Option<String>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        let settings = &c.session.settings;
        let told = (c.snapshot).tooltip(c.file, &self.predicate, settings)?;
        if !settings.hints.observed {
            return Ok(told);
        }
        let seen = observed::explained(&c.snapshot, c.file, &c.view.uri, &self.predicate)?;
        let parts: Vec<String> = told.into_iter().chain(seen).collect();
        Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
    }
}
