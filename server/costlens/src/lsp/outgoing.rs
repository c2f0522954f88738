//! What the server says of its own accord, in order.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::ls_types::{Diagnostic, MessageType, Uri};

/// A message to the client.
pub(super) enum Outgoing {
    /// The diagnostics of a document; the version that they are for.
    Diagnostics(Uri, Vec<Diagnostic>, Option<i32>),
    /// Hints have changed without an edit of the client's.
    RefreshHints,
    /// A line for the client's log.
    Log(String),
}

/// A sender of messages, each sent after those before it. Requests are not waited for: a client may answer them late.
pub(super) fn start(client: Client) -> UnboundedSender<Outgoing> {
    let (sender, messages) = unbounded_channel();
    tokio::spawn(send(client, messages));
    sender
}

async fn send(client: Client, mut messages: UnboundedReceiver<Outgoing>) {
    while let Some(message) = messages.recv().await {
        match message {
            Outgoing::Diagnostics(uri, diagnostics, version) => {
                client.publish_diagnostics(uri, diagnostics, version).await;
            }
            Outgoing::RefreshHints => {
                let client = client.clone();
                tokio::spawn(async move {
                    // A refusal needs no answer: the client has asked for nothing.
                    let _ = client.inlay_hint_refresh().await;
                });
            }
            Outgoing::Log(line) => client.log_message(MessageType::ERROR, line).await,
        }
    }
}
