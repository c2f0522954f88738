//! Communication of handlers with the owner: they send one event, and wait for the answer.

use std::sync::mpsc::Sender;

use costlens_analysis::report::Functor;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::Uri;

use super::event::Event;
use super::question::{Question, Search, asked, searched};

/// The handlers' end of the channel to the owner.
pub(super) struct Asker {
    events: Sender<Event>,
}

impl Asker {
    /// Returns an asker that sends events to this channel.
    pub(super) fn new(events: Sender<Event>) -> Self {
        Asker { events }
    }

    /// Sends an event to the owner.
    pub(super) fn tell(&self, event: Event) {
        // The owner lives as long as the session.
        let _ = self.events.send(event);
    }

    /// Asks about a document.
    pub(super) async fn ask<Q: Question>(&self, uri: Uri, question: Q) -> Result<Q::Answer> {
        let (reply, answer) = oneshot::channel();
        self.tell(Event::Asked(uri, asked(question, reply)));
        answered(answer).await
    }

    /// Asks about all files.
    pub(super) async fn search<S: Search>(&self, question: S) -> Result<S::Answer> {
        let (reply, answer) = oneshot::channel();
        self.tell(Event::Searched(searched(question, reply)));
        answered(answer).await
    }
}

/// Awaits the answer of a worker; one that panicked has dropped its end.
async fn answered<T>(answer: oneshot::Receiver<Result<T>>) -> Result<T> {
    answer
        .await
        .unwrap_or_else(|_| Err(Error::internal_error()))
}

/// Returns the predicate that an item was about, and its document: the data stored in it by `to_proto::predicate_data`.
pub(super) fn predicate_of(data: Option<&serde_json::Value>) -> Option<(Uri, Functor)> {
    let data = data?;
    let predicate = Functor {
        name: data["name"].as_str()?.into(),
        arity: usize::try_from(data["arity"].as_u64()?).ok()?,
    };
    Some((data["uri"].as_str()?.parse().ok()?, predicate))
}
