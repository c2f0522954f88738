//! `textDocument/semanticTokens/full`, and the encoding of tokens.

use std::ops::Range;

use costlens_ide::document::tokens::{Modifiers, Token, TokenKind};
use costlens_ide::host::Cancelled;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::document::DocumentView;
use crate::lsp::question::{Context, Question};

/// The tokens of a document.
pub(in crate::lsp) struct SemanticTokens;

impl Request for SemanticTokens {
    type Method = lsp::request::SemanticTokensFullRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.semantic_tokens),
        announce: |c| {
            let options = lsp::SemanticTokensOptions {
                legend: legend(),
                range: Some(true),
                full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
                ..Default::default()
            };
            c.semantic_tokens_provider = Some(options.into());
        },
        registered: Some(Registered {
            method: "textDocument/semanticTokens",
            capability: "/textDocument/semanticTokens",
            options: || json!({ "legend": legend(), "full": true, "range": true }),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::SemanticTokensParams,
    ) -> jsonrpc::Result<Option<lsp::SemanticTokensResult>> {
        let tokens = asker.ask(params.text_document.uri, SemanticTokens).await?;
        Ok(tokens.map(lsp::SemanticTokensResult::Tokens))
    }
}

impl Question for SemanticTokens {
    type Answer = Option<lsp::SemanticTokens>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        tokens(c, 0..c.view.text.len())
    }
}

/// The names of token types, indexed by [`kind`].
const KINDS: [lsp::SemanticTokenType; 9] = [
    lsp::SemanticTokenType::COMMENT,
    lsp::SemanticTokenType::STRING,
    lsp::SemanticTokenType::NUMBER,
    lsp::SemanticTokenType::VARIABLE,
    lsp::SemanticTokenType::FUNCTION,
    lsp::SemanticTokenType::MACRO,
    lsp::SemanticTokenType::KEYWORD,
    lsp::SemanticTokenType::OPERATOR,
    lsp::SemanticTokenType::ENUM_MEMBER,
];

/// The names of token modifiers, by bit.
const MODIFIERS: [lsp::SemanticTokenModifier; 5] = [
    lsp::SemanticTokenModifier::DEFINITION,
    lsp::SemanticTokenModifier::DECLARATION,
    lsp::SemanticTokenModifier::DEFAULT_LIBRARY,
    lsp::SemanticTokenModifier::DOCUMENTATION,
    lsp::SemanticTokenModifier::new("singleton"),
];

/// Returns the legend, which defines the numbers in answers.
fn legend() -> lsp::SemanticTokensLegend {
    lsp::SemanticTokensLegend {
        token_types: KINDS.to_vec(),
        token_modifiers: MODIFIERS.to_vec(),
    }
}

/// Returns the tokens in a byte range.
pub(super) fn tokens(
    c: &Context,
    bytes: Range<usize>,
) -> Result<Option<lsp::SemanticTokens>, Cancelled> {
    if !c.features().semantic_tokens {
        return Ok(None);
    }
    let tokens = c.snapshot.tokens(c.file, bytes)?;
    Ok(Some(lsp::SemanticTokens {
        result_id: None,
        data: encoded(&c.view, &tokens),
    }))
}

/// Encodes tokens, each relative to the previous token. A token that spans several lines is encoded once for each line.
fn encoded(view: &DocumentView, tokens: &[Token]) -> Vec<lsp::SemanticToken> {
    let mut data = Vec::with_capacity(tokens.len());
    let (mut last, mut positions) = (lsp::Position::new(0, 0), view.positions());
    for token in tokens {
        let mut from = token.range.start;
        for line in view.text[token.range.clone()].split_inclusive('\n') {
            let to = from + line.trim_end_matches(['\n', '\r']).len();
            let (start, end) = (positions.position_at(from), positions.position_at(to));
            from += line.len();
            // A lone carriage return also ends a line.
            if start.line != end.line || start.character == end.character {
                continue;
            }
            let same_line = start.line == last.line;
            data.push(lsp::SemanticToken {
                delta_line: start.line - last.line,
                delta_start: start.character - if same_line { last.character } else { 0 },
                length: end.character - start.character,
                token_type: kind(token.kind),
                token_modifiers_bitset: modifiers(token.modifiers),
            });
            last = start;
        }
    }
    data
}

fn kind(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Comment => 0,
        TokenKind::String => 1,
        TokenKind::Number => 2,
        TokenKind::Variable => 3,
        TokenKind::Predicate => 4,
        TokenKind::Directive => 5,
        TokenKind::Control => 6,
        TokenKind::Operator => 7,
        TokenKind::Atom => 8,
    }
}

fn modifiers(m: Modifiers) -> u32 {
    let flags = [
        m.definition,
        m.declaration,
        m.library,
        m.documentation,
        m.singleton,
    ];
    (0..).zip(flags).map(|(bit, on)| u32::from(on) << bit).sum()
}
