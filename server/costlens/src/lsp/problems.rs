//! The diagnostics of a document: its problems, and advice without an edit.

use costlens_ide::advice::Remark;
use costlens_ide::diagnostics::Diagnostic;
use costlens_ide::host::{Cancelled, Snapshot};
use costlens_ide::settings::Settings;
use tower_lsp::ls_types as lsp;

use super::document::DocumentView;
use super::session::Session;
use super::to_proto;

/// All diagnostics of a document.
pub(super) struct Problems {
    problems: Vec<Diagnostic>,
    remarks: Vec<Remark>,
}

impl Problems {
    /// Returns the problems of a file that the settings enable.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if a write interrupts the computation.
    pub(super) fn compute(
        snapshot: &Snapshot,
        file: costlens_ide::host::File,
        settings: &Settings,
    ) -> Result<Self, Cancelled> {
        Ok(Self {
            problems: snapshot.diagnostics(file, settings)?,
            remarks: snapshot.advice(file, settings)?,
        })
    }

    /// Returns the problems as protocol types.
    pub(super) fn to_proto(&self, view: &DocumentView, session: &Session) -> Vec<lsp::Diagnostic> {
        let problems = (self.problems.iter()).map(|d| to_proto::diagnostic(view, session, d));
        let remarks = (self.remarks.iter()).map(|r| to_proto::remark(view, session, r));
        problems.chain(remarks).collect()
    }
}
