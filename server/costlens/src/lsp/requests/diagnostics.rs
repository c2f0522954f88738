//! `textDocument/diagnostic`: diagnostics for clients that ask for them.

use costlens_ide::host::Cancelled;
use tower_lsp::ls_types as lsp;

use super::Context;
use crate::lsp::to_proto;

pub(super) fn diagnostics(c: &Context) -> Result<lsp::DocumentDiagnosticReportResult, Cancelled> {
    let found = c.snapshot.diagnostics(c.file, &c.session.settings)?;
    let items = found
        .iter()
        .map(|d| to_proto::diagnostic(&c.view, &c.session, d));
    Ok(report(items.collect()))
}

/// A full report.
pub(super) fn report(items: Vec<lsp::Diagnostic>) -> lsp::DocumentDiagnosticReportResult {
    let full = lsp::RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport {
            result_id: None,
            items,
        },
    };
    lsp::DocumentDiagnosticReportResult::Report(lsp::DocumentDiagnosticReport::Full(full))
}
