//! Questions: each is sent to a worker with a snapshot, and returned if a write interrupts it.

use costlens_ide::sniff::is_no_prolog;
use tower_lsp::ls_types::Uri;

use super::Owner;
use crate::lsp::event::Event;
use crate::lsp::question::{Context, PendingQuestion, PendingSearch, Unanswered};

impl Owner {
    pub(super) fn is_no_prolog(&self, uri: &Uri) -> bool {
        let document = self.documents.get(uri);
        document.is_some_and(|d| is_no_prolog(&d.view.text))
    }

    pub(super) fn ask(&mut self, uri: &Uri, question: Box<dyn PendingQuestion>) {
        // A question about a document that is not open has no answer; dropping the question signals that.
        let Some(document) = self.documents.get(uri) else {
            return question.end(Unanswered::NotOpen);
        };
        let context = Context {
            snapshot: self.host.snapshot(),
            file: document.file,
            view: document.view.clone(),
            session: self.session.clone(),
        };
        let (uri, version, sender) = (uri.clone(), document.view.version, self.sender.clone());
        self.runtime.spawn_blocking(move || {
            if let Some(question) = question.answer(context) {
                // The receiver is dropped only when the session ends.
                let _ = sender.send(Event::AskedAgain(uri, version, question));
            }
        });
    }

    pub(super) fn search(&self, search: Box<dyn PendingSearch>) {
        let (snapshot, session) = (self.host.snapshot(), self.session.clone());
        let sender = self.sender.clone();
        self.runtime.spawn_blocking(move || {
            if let Some(search) = search.answer(snapshot, &session) {
                let _ = sender.send(Event::SearchedAgain(search));
            }
        });
    }
}
