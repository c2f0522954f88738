//! `textDocument/completion` and `completionItem/resolve`.

use costlens_analysis::report::PredicateName;
use costlens_ide::completion::{Completion, Completions, Described, Kind};
use costlens_ide::host::Cancelled;
use tower_lsp::ls_types as lsp;

use super::Context;
use crate::lsp::to_proto;

pub(super) fn completion(
    c: &Context,
    at: lsp::Position,
) -> Result<Option<lsp::CompletionResponse>, Cancelled> {
    if !c.features().completion {
        return Ok(None);
    }
    let Completions {
        replaced,
        proposals,
        more,
    } = c.snapshot.completions(c.file, c.view.offset(at))?;
    let range = c.view.range(&replaced);
    let items = (proposals.into_iter().enumerate()).map(|(place, p)| item(c, range, place, p));
    Ok(Some(lsp::CompletionResponse::List(lsp::CompletionList {
        is_incomplete: more,
        items: items.collect(),
    })))
}

fn item(c: &Context, range: lsp::Range, place: usize, p: Completion) -> lsp::CompletionItem {
    let written = if p.arguments.is_empty() {
        p.text.clone()
    } else {
        format!("{}({})", p.text, p.arguments.join(", "))
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
            Kind::Variable => lsp::CompletionItemKind::VARIABLE,
            Kind::Own | Kind::Imported | Kind::Known => lsp::CompletionItemKind::FUNCTION,
        }),
        // In the order of the list, where what was typed does not decide.
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

/// `append(${1:List1}, ${2:List2}, ${3:Whole})`
fn snippet_of(p: &Completion) -> String {
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

pub(super) fn describe(c: &Context, predicate: &PredicateName) -> Result<Described, Cancelled> {
    c.snapshot.describe(c.file, predicate)
}
