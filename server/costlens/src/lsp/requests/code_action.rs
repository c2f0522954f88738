//! `textDocument/codeAction`.

use costlens_ide::host::Cancelled;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};
use crate::lsp::to_proto;

/// The quick fixes of a range.
pub(in crate::lsp) struct CodeActions {
    range: lsp::Range,
}

impl Request for CodeActions {
    type Method = lsp::request::CodeActionRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |_| true,
        announce: |c| {
            let options = lsp::CodeActionOptions {
                code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX]),
                ..Default::default()
            };
            c.code_action_provider = Some(lsp::CodeActionProviderCapability::Options(options));
        },
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::CodeActionParams,
    ) -> jsonrpc::Result<Option<lsp::CodeActionResponse>> {
        // A client that wants other kinds only gets none.
        let quick_fix = |kind: &lsp::CodeActionKind| {
            kind.as_str().is_empty() || *kind == lsp::CodeActionKind::QUICKFIX
        };
        if (params.context.only.as_ref()).is_some_and(|only| !only.iter().any(quick_fix)) {
            return Ok(None);
        }
        let range = params.range;
        let uri = params.text_document.uri;
        asker.ask(uri, CodeActions { range }).await
    }
}

impl Question for CodeActions {
    type Answer = Option<lsp::CodeActionResponse>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.session.settings.enable || !c.session.settings.code_actions {
            return Ok(None);
        }
        let found = c.snapshot.code_actions(c.file, c.view.bytes(self.range))?;
        let actions = found
            .into_iter()
            .map(|a| to_proto::action(&c.view, &c.session, a).into());
        Ok(Some(actions.collect()))
    }
}
