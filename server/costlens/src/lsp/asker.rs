//! Communication between handlers and the owner: a handler sends one event and waits for the answer.

use std::sync::mpsc::Sender;

use costlens_analysis::report::Functor;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::Uri;

use super::event::Event;
use super::question::{Question, WorkspaceSearch, asked, searched};

/// The handlers' end of the channel to the owner.
pub(super) struct Asker {
    events: Sender<Event>,
}

impl Asker {
    /// Creates an asker that sends events to this channel.
    pub(super) fn new(events: Sender<Event>) -> Self {
        Asker { events }
    }

    /// Sends an event to the owner.
    pub(super) fn tell(&self, event: Event) {
        // The owner lives as long as the session, so sending cannot fail.
        let _ = self.events.send(event);
    }

    /// Sends a question about a document and waits for the answer.
    pub(super) async fn ask<Q: Question>(&self, uri: Uri, question: Q) -> Result<Q::Answer> {
        let (reply, answer) = oneshot::channel();
        self.tell(Event::Asked(uri, asked(question, reply)));
        answered(answer).await
    }

    /// Sends a question about all files and waits for the answer.
    pub(super) async fn search<S: WorkspaceSearch>(&self, question: S) -> Result<S::Answer> {
        let (reply, answer) = oneshot::channel();
        self.tell(Event::Searched(searched(question, reply)));
        answered(answer).await
    }
}

/// Waits for a worker's answer. If the worker panicked, its end of the channel has been dropped.
async fn answered<T>(answer: oneshot::Receiver<Result<T>>) -> Result<T> {
    answer
        .await
        .unwrap_or_else(|_| Err(Error::internal_error()))
}

/// Returns the document and the predicate of an item, from the data that `to_proto::predicate_data` stored in it.
pub(super) fn predicate_of(data: Option<&serde_json::Value>) -> Option<(Uri, Functor)> {
    let data = data?;
    let predicate = Functor {
        name: data["name"].as_str()?.into(),
        arity: usize::try_from(data["arity"].as_u64()?).ok()?,
    };
    Some((data["uri"].as_str()?.parse().ok()?, predicate))
}
