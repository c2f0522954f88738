//! Converts plain data of `ide` to protocol types.

use std::ops::Range;

use costlens_analysis::report::Functor;
use costlens_ide::advice::Remark;
use costlens_ide::diagnostics::rules::Rule;
use costlens_ide::diagnostics::{Diagnostic, Related, Severity};
use costlens_ide::document::symbols::Symbol;
use costlens_ide::fixes::Action;
use costlens_ide::hints::Hint;
use costlens_ide::hover::Hover;
use tower_lsp::ls_types as lsp;

use super::document::DocumentView;
use super::session::Session;
use super::workspace::unread::DiskSymbol;

/// Converts a hint. Unless its explanation is complete, the item contains its document and predicate for `inlayHint/resolve`.
pub(super) fn hint(view: &DocumentView, hint: &Hint) -> lsp::InlayHint {
    lsp::InlayHint {
        position: view.position(hint.offset),
        label: lsp::InlayHintLabel::String(hint.label.clone()),
        kind: None,
        text_edits: None,
        tooltip: (hint.incomplete.as_ref()).map(|reason| {
            lsp::InlayHintTooltip::String(format!("{reason}; this was the cost before"))
        }),
        padding_left: Some(true),
        padding_right: None,
        data: (hint.incomplete.is_none()).then(|| predicate_data(&view.uri, &hint.predicate)),
    }
}

/// Returns the data that identifies an item's predicate in later requests.
pub(super) fn predicate_data(uri: &lsp::Uri, predicate: &Functor) -> serde_json::Value {
    serde_json::json!({
        "uri": uri.as_str(),
        "name": predicate.name.as_str(),
        "arity": predicate.arity,
    })
}

/// Converts the hints in a range, including its ends.
pub(super) fn hints(
    view: &DocumentView,
    hints: &[Hint],
    range: &Range<usize>,
) -> Vec<lsp::InlayHint> {
    hints
        .iter()
        .filter(|h| (range.start..=range.end).contains(&h.offset))
        .map(|h| hint(view, h))
        .collect()
}

pub(super) fn markdown(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent {
        kind: lsp::MarkupKind::Markdown,
        value,
    }
}

pub(super) fn hover(view: &DocumentView, hover: Hover) -> lsp::Hover {
    lsp::Hover {
        range: Some(view.range(&hover.range)),
        contents: lsp::HoverContents::Markup(markdown(hover.markdown)),
    }
}

pub(super) fn diagnostic(
    view: &DocumentView,
    session: &Session,
    d: &Diagnostic,
) -> lsp::Diagnostic {
    let severity = severity(Some(d.severity));
    told(
        view, session, &d.range, d.rule, &d.message, &d.related, severity,
    )
}

/// Converts a hint without an edit, with the severity that the project specifies.
pub(super) fn remark(view: &DocumentView, session: &Session, r: &Remark) -> lsp::Diagnostic {
    let severity = severity(r.severity);
    told(
        view, session, &r.range, r.rule, &r.message, &r.related, severity,
    )
}

fn severity(severity: Option<Severity>) -> lsp::DiagnosticSeverity {
    match severity {
        Some(Severity::Error) => lsp::DiagnosticSeverity::ERROR,
        Some(Severity::Warning) => lsp::DiagnosticSeverity::WARNING,
        None => lsp::DiagnosticSeverity::HINT,
    }
}

fn told(
    view: &DocumentView,
    session: &Session,
    range: &Range<usize>,
    rule: &Rule,
    message: &str,
    related: &[Related],
    severity: lsp::DiagnosticSeverity,
) -> lsp::Diagnostic {
    let related = (related.iter())
        .map(|r| lsp::DiagnosticRelatedInformation {
            location: lsp::Location::new(view.uri.clone(), view.range(&r.range)),
            message: r.message.clone(),
        })
        .collect::<Vec<_>>();
    lsp::Diagnostic {
        range: view.range(range),
        severity: Some(severity),
        code: Some(lsp::NumberOrString::String(rule.id().to_owned())),
        code_description: None,
        source: Some("costlens".to_owned()),
        message: message.to_owned(),
        related_information: (session.related_information && !related.is_empty())
            .then_some(related),
        tags: None,
        data: None,
    }
}

pub(super) fn symbol(view: &DocumentView, symbol: Symbol) -> lsp::DocumentSymbol {
    #[expect(deprecated, reason = "the field has no default")]
    lsp::DocumentSymbol {
        name: symbol.name,
        detail: symbol.detail,
        kind: lsp::SymbolKind::FUNCTION,
        tags: None,
        deprecated: None,
        range: view.range(&symbol.range),
        selection_range: view.range(&symbol.selection),
        children: None,
    }
}

/// Converts a symbol for clients without support for nested symbols.
pub(super) fn flat_symbol(view: &DocumentView, symbol: Symbol) -> lsp::SymbolInformation {
    #[expect(deprecated, reason = "the field has no default")]
    lsp::SymbolInformation {
        name: symbol.name,
        kind: lsp::SymbolKind::FUNCTION,
        tags: None,
        deprecated: None,
        location: lsp::Location::new(view.uri.clone(), view.range(&symbol.range)),
        container_name: None,
    }
}

/// Converts a workspace symbol. The protocol's only field for its cost is the name of the container.
pub(super) fn workspace_symbol(view: &DocumentView, symbol: Symbol) -> lsp::SymbolInformation {
    let location = lsp::Location::new(view.uri.clone(), view.range(&symbol.selection));
    predicate(symbol.name, symbol.detail.as_deref(), location)
}

/// Converts a symbol of an unread file, whose cost is unknown.
pub(super) fn unread_symbol(symbol: &DiskSymbol) -> lsp::SymbolInformation {
    predicate(symbol.name.clone(), None, symbol.location.clone())
}

fn predicate(name: String, cost: Option<&str>, location: lsp::Location) -> lsp::SymbolInformation {
    let file = location.uri.path().as_str().rsplit('/').next();
    let container: Vec<&str> = [cost, file].into_iter().flatten().collect();
    let container = container.join(" · ");
    #[expect(deprecated, reason = "the field has no default")]
    lsp::SymbolInformation {
        name,
        kind: lsp::SymbolKind::FUNCTION,
        tags: None,
        deprecated: None,
        location,
        container_name: Some(container),
    }
}

pub(super) fn action(view: &DocumentView, session: &Session, action: Action) -> lsp::CodeAction {
    let kind = match action.is_fix() {
        true => lsp::CodeActionKind::QUICKFIX,
        false => lsp::CodeActionKind::REFACTOR,
    };
    if action.edits.is_empty() {
        let reason = action.missing.join(", ");
        return lsp::CodeAction {
            title: action.title,
            kind: Some(kind),
            disabled: Some(lsp::CodeActionDisabled { reason }),
            ..Default::default()
        };
    }
    let edits = action
        .edits
        .into_iter()
        .map(|e| lsp::TextEdit::new(view.range(&e.range), e.text));
    let edit = if session.document_changes {
        lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Edits(vec![lsp::TextDocumentEdit {
                text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                    uri: view.uri.clone(),
                    version: Some(view.version),
                },
                edits: edits.map(lsp::OneOf::Left).collect(),
            }])),
            ..Default::default()
        }
    } else {
        lsp::WorkspaceEdit::new([(view.uri.clone(), edits.collect())].into_iter().collect())
    };
    lsp::CodeAction {
        title: action.title,
        kind: Some(kind),
        edit: Some(edit),
        ..Default::default()
    }
}
