//! `textDocument/completion`.

use costlens_ide::document::completion::{Completion as Proposal, CompletionKind, Completions};
use costlens_ide::host::Cancelled;
use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use super::{Offer, Registered, Request};
use crate::lsp::asker::Asker;
use crate::lsp::question::{Context, Question};
use crate::lsp::to_proto;

/// The proposals at a position.
pub(in crate::lsp) struct Completion {
    at: lsp::Position,
}

impl Request for Completion {
    type Method = lsp::request::Completion;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.offers(|f| f.completion),
        announce: |c| {
            c.completion_provider = Some(lsp::CompletionOptions {
                resolve_provider: Some(true),
                ..Default::default()
            });
        },
        registered: Some(Registered {
            method: "textDocument/completion",
            capability: "/textDocument/completion",
            options: || json!({ "resolveProvider": true }),
        }),
    });

    async fn handle(
        asker: &Asker,
        params: lsp::CompletionParams,
    ) -> jsonrpc::Result<Option<lsp::CompletionResponse>> {
        let place = params.text_document_position;
        let at = place.position;
        asker.ask(place.text_document.uri, Completion { at }).await
    }
}

impl Question for Completion {
    type Answer = Option<lsp::CompletionResponse>;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        if !c.features().completion {
            return Ok(None);
        }
        let Completions {
            replaced,
            proposals,
            more,
        } = c.snapshot.completions(c.file, c.view.offset(self.at))?;
        let range = c.view.range(&replaced);
        let items = (proposals.into_iter().enumerate()).map(|(place, p)| item(c, range, place, p));
        Ok(Some(lsp::CompletionResponse::List(lsp::CompletionList {
            is_incomplete: more,
            items: items.collect(),
        })))
    }
}

fn item(c: &Context, range: lsp::Range, place: usize, p: Proposal) -> lsp::CompletionItem {
    let written = if p.arguments.is_empty() {
        p.text.clone()
    } else {
        format!("{}({})", p.text, p.arguments.join(", "))
    };
    let meaning = match p.kind {
        CompletionKind::Word => p.origin.clone(),
        _ => None,
    };
    let snippet = c.session.snippets && !p.arguments.is_empty();
    let new_text = if snippet { snippet_of(&p) } else { p.text };
    lsp::CompletionItem {
        label: written,
        label_details: p
            .predicate
            .as_ref()
            .map(|name| lsp::CompletionItemLabelDetails {
                detail: None,
                description: Some(p.origin.unwrap_or_else(|| name.to_string())),
            }),
        kind: Some(match p.kind {
            CompletionKind::Variable => lsp::CompletionItemKind::VARIABLE,
            CompletionKind::Word => lsp::CompletionItemKind::KEYWORD,
            CompletionKind::Own | CompletionKind::Imported | CompletionKind::Known => {
                lsp::CompletionItemKind::FUNCTION
            }
        }),
        documentation: meaning.map(lsp::Documentation::String),
        // The order of the list, unless the typed text determines the order.
        sort_text: Some(format!("{place:04}")),
        filter_text: Some(p.word),
        insert_text_format: snippet.then_some(lsp::InsertTextFormat::SNIPPET),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit::new(
            range, new_text,
        ))),
        data: p
            .predicate
            .map(|name| to_proto::predicate_data(&c.view.uri, &name)),
        ..Default::default()
    }
}

/// Returns the snippet for a proposal: `append(${1:List1}, ${2:List2}, ${3:Whole})`.
fn snippet_of(p: &Proposal) -> String {
    let escaped = |text: &str| {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if matches!(c, '$' | '}' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
        out
    };
    let holes = p.arguments.iter().enumerate();
    let arguments: Vec<String> = holes
        .map(|(i, name)| format!("${{{}:{}}}", i + 1, escaped(name)))
        .collect();
    format!("{}({})", escaped(&p.text), arguments.join(", "))
}
