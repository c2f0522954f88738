//! Writes: changes to documents and settings, and the resulting recomputations.

use std::sync::Arc;
use std::time::{Duration, Instant};

use costlens_ide::host::File;
use costlens_ide::settings::Settings;
use tower_lsp::ls_types::{
    FileChangeType, FileEvent, TextDocumentContentChangeEvent, Uri, WorkspaceFoldersChangeEvent,
};

use super::diagnostics::DIAGNOSTICS_PAUSE;
use super::gathering::place_of_uri;
use super::hints::Hints;
use super::{Document, Owner};
use crate::disk::project;
use crate::lines::LineIndex;
use crate::lsp::document::DocumentView;
use crate::lsp::from_proto;
use crate::lsp::outgoing::Outgoing;

/// The time after which the first analysis of a document is shown as progress.
const PROGRESS_PATIENCE: Duration = Duration::from_millis(500);

impl Owner {
    pub(super) fn configure(&mut self, settings: Settings) {
        if self.session.settings == settings {
            return;
        }
        let mut session = (*self.session).clone();
        let colours = session.settings.features.semantic_tokens
            != settings.features.semantic_tokens
            || session.settings.enable != settings.enable;
        let libraries = session.settings.library != settings.library;
        let dialect = session.settings.dialect != settings.dialect;
        session.settings = settings;
        self.session = Arc::new(session);
        self.register();
        self.watch_observations();
        if colours && self.session.refreshes_tokens {
            self.send(Outgoing::RefreshTokens);
        }
        // Results that are being computed with the previous settings are treated like results for an older text.
        self.stale();
        if libraries {
            self.find_libraries();
        }
        self.host.set_dialect(self.session.settings.dialect);
        self.host.set_expansions(self.session.settings.expansions);
        if libraries || dialect {
            self.gather_all();
        }
    }

    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let file = self.open_in_host(&uri, &text);
        let view = DocumentView {
            lines: LineIndex::new(&text),
            encoding: self.session.encoding,
            serial: self.next_serial(),
            uri: uri.clone(),
            version,
            text,
        };
        let document = Document {
            file,
            view: Arc::new(view),
            hints: Hints::default(),
            diagnose_at: Some(Instant::now()),
        };
        if self.session.shows_progress {
            let until = Instant::now() + PROGRESS_PATIENCE;
            self.initial.insert(uri.clone(), until);
        }
        self.documents.insert(uri.clone(), document);
        // Other files may have searched for it on disk.
        self.gather_all();
        self.spread_later(uri);
    }

    fn spread_later(&mut self, edited: Uri) {
        if self.documents.keys().any(|uri| *uri != edited) {
            self.spread = Some((edited, Instant::now() + DIAGNOSTICS_PAUSE));
        }
    }

    /// Recomputes all results that an edit of another document may have changed. Usually none has changed.
    pub(super) fn spread(&mut self, edited: &Uri, now: Instant) {
        for (uri, document) in &mut self.documents {
            if uri == edited {
                continue;
            }
            document.hints.elsewhere_edited(now);
            if !self.session.pulls_diagnostics {
                document.diagnose_at = Some(now);
            }
        }
        if self.session.pulls_diagnostics && self.session.refreshes_diagnostics {
            self.send(Outgoing::RefreshDiagnostics);
        }
    }

    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let serial = self.next_serial();
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        let view = Arc::make_mut(&mut document.view);
        let edits = view.apply(changes);
        view.version = version;
        view.serial = serial;
        let now = Instant::now();
        document.hints.edited(&edits, now);
        // A client that pulls diagnostics does so after an edit; the document's first analysis continues.
        if !self.session.pulls_diagnostics || self.initial.contains_key(uri) {
            document.diagnose_at = Some(now + DIAGNOSTICS_PAUSE);
        }
        self.host
            .edit_to(document.file, &edits, &document.view.text);
        self.outdate_profile(uri);
        self.spread_later(uri.clone());
    }

    pub(super) fn close(&mut self, uri: Uri) {
        if let Some(document) = self.documents.remove(&uri) {
            // Other files may need its text on disk, or a document that is open under another name.
            let place = place_of_uri(&uri);
            let mut others = self.documents.values();
            let same = others.find(|d| place.is_some() && place_of_uri(&d.view.uri) == place);
            if let Some(view) = same.map(|d| Arc::clone(&d.view)) {
                self.host.remove(document.file);
                self.open_in_host(&view.uri, &view.text);
            } else {
                if !self.read_again(document.file, &uri) {
                    self.host.remove(document.file);
                }
                // Unsaved changes are discarded.
                let saved = self.host.snapshot().document(document.file);
                if !saved.is_ok_and(|(_, text)| *text == *document.view.text) {
                    self.outdate_profile(&uri);
                }
            }
            self.gather_all();
            self.spread_later(uri.clone());
            self.first_done(&uri);
            if !self.session.pulls_diagnostics {
                self.send(Outgoing::Diagnostics(uri, Vec::new(), None));
            }
        }
    }

    pub(super) fn folders_changed(&mut self, change: &WorkspaceFoldersChangeEvent) {
        let (gone, come) = (
            from_proto::roots(&change.removed),
            from_proto::roots(&change.added),
        );
        let session = Arc::make_mut(&mut self.session);
        session.roots.retain(|root| !gone.contains(root));
        session.roots.extend(come);
        self.project_changed();
        self.find_libraries();
        self.forget_places();
        self.gather_all();
        self.stale();
    }

    /// Reads known files that are not open again; the text of open files comes from the editor.
    pub(super) fn files_changed(&mut self, changes: &[FileEvent]) {
        if (changes.iter()).any(|FileEvent { uri, .. }| uri.as_str().ends_with(project::NAME)) {
            self.project_changed();
        }
        let mut changed = false;
        for FileEvent { uri, typ } in changes {
            if !self.documents.contains_key(uri) {
                self.outdate_profile(uri);
            }
            let known = place_of_uri(uri).and_then(|p| self.host.file_at(&p));
            let is_open = |file: &File| self.documents.values().any(|d| d.file == *file);
            let Some(file) = known.filter(|file| !is_open(file)) else {
                continue;
            };
            changed = true;
            if *typ == FileChangeType::DELETED || !self.read_known(file, uri) {
                self.host.remove(file);
            }
        }
        self.forget_places();
        self.gather_all();
        if changed {
            self.stale();
        }
    }

    pub(super) fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }
}
