//! `textDocument/diagnostic`: diagnostics for clients that pull them.

use costlens_ide::host::Cancelled;
use tower_lsp::jsonrpc::{self, Error, ErrorCode};
use tower_lsp::ls_types as lsp;

use super::{Offer, Request};
use crate::lsp::asker::Asker;
use crate::lsp::problems::Problems;
use crate::lsp::question::{Context, EDITED, Question};

/// The diagnostics of a document.
pub(in crate::lsp) struct Diagnostics;

impl Request for Diagnostics {
    type Method = lsp::request::DocumentDiagnosticRequest;

    const OFFER: Option<Offer> = Some(Offer {
        wanted: |session| session.pulls_diagnostics,
        announce: |c| {
            c.diagnostic_provider = Some(lsp::DiagnosticServerCapabilities::Options(
                lsp::DiagnosticOptions {
                    identifier: Some("costlens".to_owned()),
                    inter_file_dependencies: true,
                    workspace_diagnostics: false,
                    ..Default::default()
                },
            ));
        },
        registered: None,
    });

    async fn handle(
        asker: &Asker,
        params: lsp::DocumentDiagnosticParams,
    ) -> jsonrpc::Result<lsp::DocumentDiagnosticReportResult> {
        let items = asker.ask(params.text_document.uri, Diagnostics).await?;
        let full = lsp::RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport {
                result_id: None,
                items,
            },
        };
        let full = lsp::DocumentDiagnosticReport::Full(full);
        Ok(lsp::DocumentDiagnosticReportResult::Report(full))
    }
}

/// The protocol's code `ServerCancelled`, after which a client asks again.
const SERVER_CANCELLED: i64 = -32802;

impl Question for Diagnostics {
    type Answer = Vec<lsp::Diagnostic>;

    const GATHERS: bool = true;

    fn answer(&self, c: &Context) -> Result<Self::Answer, Cancelled> {
        let found = Problems::compute(&c.snapshot, c.file, &c.session.settings)?;
        Ok(found.to_proto(&c.view, &c.session))
    }

    fn edited() -> Error {
        Error {
            code: ErrorCode::ServerError(SERVER_CANCELLED),
            message: EDITED.into(),
            data: Some(serde_json::json!({ "retriggerRequest": true })),
        }
    }
}
