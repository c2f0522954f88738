//! Pushed diagnostics: computed by a worker when the user pauses.

use std::time::{Duration, Instant};

use tower_lsp::ls_types::Uri;

use super::Owner;
use crate::lsp::event::{Event, WorkerOutcome};
use crate::lsp::outgoing::Outgoing;
use crate::lsp::problems::Problems;

/// The pause after an edit before diagnostics are computed.
pub(super) const DIAGNOSTICS_PAUSE: Duration = Duration::from_millis(80);

impl Owner {
    pub(super) fn diagnose(&mut self, uri: &Uri) {
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        if self.needed.is_busy() {
            document.diagnose_at = Some(Instant::now() + DIAGNOSTICS_PAUSE);
            return;
        }
        document.diagnose_at = None;
        let (file, serial) = (document.file, document.view.serial);
        // The edit may have named another file. Usually it has not, and this returns immediately.
        self.gather(file);
        let (session, uri) = (self.session.clone(), uri.clone());
        self.work(
            move |snapshot| Problems::compute(snapshot, file, &session.settings),
            move |problems| Event::Diagnosed {
                uri,
                serial,
                problems,
            },
        );
    }

    pub(super) fn diagnosed(&mut self, uri: &Uri, serial: u64, problems: WorkerOutcome<Problems>) {
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        match problems {
            WorkerOutcome::Done(_) if self.session.pulls_diagnostics => self.first_done(uri),
            WorkerOutcome::Done(found) if document.view.serial == serial => {
                let view = &document.view;
                let found = found.to_proto(view, &self.session);
                let version = Some(view.version);
                self.send(Outgoing::Diagnostics(uri.clone(), found, version));
                self.first_done(uri);
            }
            WorkerOutcome::Panicked => {
                self.first_done(uri);
                self.send(Outgoing::Log(
                    "a panic while diagnostics were computed".to_owned(),
                ));
            }
            // Cancelled by an edit of this document (which has set a new time) or of another document.
            _ => {
                document
                    .diagnose_at
                    .get_or_insert_with(|| Instant::now() + DIAGNOSTICS_PAUSE);
            }
        }
    }

    /// Records that the first analysis of a document is complete or no longer needed.
    pub(super) fn first_done(&mut self, uri: &Uri) {
        self.initial.remove(uri);
        if self.initial.is_empty() && std::mem::take(&mut self.working) {
            self.send(Outgoing::Idle);
        }
    }
}
