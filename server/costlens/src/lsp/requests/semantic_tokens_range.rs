//! `textDocument/semanticTokens/range`, which is offered together with the tokens of a document.

use costlens_ide::host::Cancelled;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::Request;
use super::semantic_tokens::tokens;
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};

/// The tokens in a range.
pub(in crate::lsp) struct SemanticTokensRange {
    range: lsp::Range,
}

impl Request for SemanticTokensRange {
    type Method = lsp::request::SemanticTokensRangeRequest;

    async fn handle(
        asker: &Asker,
        params: lsp::SemanticTokensRangeParams,
    ) -> jsonrpc::Result<Option<lsp::SemanticTokensRangeResult>> {
        let range = params.range;
        let uri = params.text_document.uri;
        let tokens = asker.ask(uri, SemanticTokensRange { range }).await?;
        Ok(tokens.map(lsp::SemanticTokensRangeResult::Tokens))
    }
}

impl Question for SemanticTokensRange {
    type Answer = Option<lsp::SemanticTokens>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        tokens(c, c.view.bytes(self.range))
    }
}
