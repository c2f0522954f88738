//! Messages initiated by the server, in order.

use std::sync::mpsc::Sender;

use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::{ConfigurationItem, Diagnostic, MessageType, NumberOrString, Uri};

use super::event::Event;
use super::registration::Changes;

/// A message to the client.
pub(super) enum Outgoing {
    /// The diagnostics of a document, and the version to which they apply.
    Diagnostics(Uri, Vec<Diagnostic>, Option<i32>),
    /// Asks the client to refresh hints, which have changed without an edit.
    RefreshHints,
    /// Asks the client to pull diagnostics again.
    RefreshDiagnostics,
    /// Asks the client to refresh semantic tokens.
    RefreshTokens,
    /// The heat of the names marked by a profile, in all documents.
    Heat(Value),
    /// Registers and unregisters methods.
    Register(Changes),
    /// Requests the settings, which arrive as an event.
    Configuration(Sender<Event>),
    /// Reports that long work has begun.
    Working(String),
    /// Reports that all long work has ended.
    Idle,
    /// Shows the progress of work that the user has requested; it ends when the sender of shares is dropped.
    Progress(CancellableWork, UnboundedReceiver<Share>),
    /// Writes a line to the client's log.
    Log(String),
    /// Shows a problem that the user can fix.
    Warning(String),
}

/// `costlens/heat`, an extension of the protocol: `{"files": [{"uri", "marks": [{"range", "level"}]}]}`.
enum Heat {}

impl Notification for Heat {
    type Params = Value;
    const METHOD: &'static str = "costlens/heat";
}

/// Work that a user requests and may cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CancellableWork {
    Calibration,
    Profile,
}

impl CancellableWork {
    /// Returns the work to which a progress token belongs. Returns `None` if the work cannot be cancelled.
    pub(super) fn from_token(token: &NumberOrString) -> Option<Self> {
        let NumberOrString::String(token) = token else {
            return None;
        };
        let all = [CancellableWork::Calibration, CancellableWork::Profile];
        { all.into_iter() }.find(|work| token.starts_with(work.prefix()))
    }

    fn prefix(self) -> &'static str {
        match self {
            CancellableWork::Calibration => "costlens/calibration/",
            CancellableWork::Profile => "costlens/profile/",
        }
    }

    fn title(self) -> &'static str {
        match self {
            CancellableWork::Calibration => "Costlens: calibrating",
            CancellableWork::Profile => "Costlens: profiling",
        }
    }

    /// Returns the message shown before the first report.
    fn first(self) -> &'static str {
        match self {
            CancellableWork::Calibration => "counting events",
            CancellableWork::Profile => "reading the program",
        }
    }
}

/// The completed share of work.
pub(super) struct Share {
    pub(super) done: String,
    pub(super) percent: u32,
}

/// Starts a sender of messages, which sends them in order. Requests are not awaited, because a client may answer them late.
pub(super) fn start(client: Client) -> UnboundedSender<Outgoing> {
    let (sender, messages) = unbounded_channel();
    tokio::spawn(send(client, messages));
    sender
}

async fn send(client: Client, mut messages: UnboundedReceiver<Outgoing>) {
    // Registrations must be awaited one after another: a client that receives them in another order would keep withdrawn registrations.
    let (changes, queue) = unbounded_channel();
    tokio::spawn(register(client.clone(), queue));
    let mut working: Option<oneshot::Sender<()>> = None;
    let mut tokens = 0_i32;
    while let Some(message) = messages.recv().await {
        let asked = client.clone();
        match message {
            Outgoing::Diagnostics(uri, diagnostics, version) => {
                client.publish_diagnostics(uri, diagnostics, version).await;
            }
            // A refusal can be ignored.
            Outgoing::RefreshHints => {
                tokio::spawn(async move { asked.inlay_hint_refresh().await });
            }
            Outgoing::RefreshDiagnostics => {
                tokio::spawn(async move { asked.workspace_diagnostic_refresh().await });
            }
            Outgoing::RefreshTokens => {
                tokio::spawn(async move { asked.semantic_tokens_refresh().await });
            }
            Outgoing::Heat(heat) => client.send_notification::<Heat>(heat).await,
            Outgoing::Register(new) => drop(changes.send(new)),
            Outgoing::Configuration(events) => drop(tokio::spawn(configuration(asked, events))),
            Outgoing::Working(on) => {
                let (done, end) = oneshot::channel();
                working = Some(done);
                tokens += 1;
                tokio::spawn(progress(asked, NumberOrString::Number(tokens), on, end));
            }
            // The task ends the progress when the sender is dropped.
            Outgoing::Idle => working = None,
            Outgoing::Progress(work, shares) => {
                tokens += 1;
                tokio::spawn(cancellable(asked, work, tokens, shares));
            }
            Outgoing::Log(line) => client.log_message(MessageType::ERROR, line).await,
            Outgoing::Warning(line) => client.show_message(MessageType::WARNING, line).await,
        }
    }
    drop(working);
}

async fn register(client: Client, mut queue: UnboundedReceiver<Changes>) {
    while let Some(Changes { new, old }) = queue.recv().await {
        if !old.is_empty() {
            let _ = client.unregister_capability(old).await;
        }
        if !new.is_empty() {
            let _ = client.register_capability(new).await;
        }
    }
}

async fn configuration(client: Client, events: Sender<Event>) {
    let item = ConfigurationItem {
        scope_uri: None,
        section: Some("costlens".to_owned()),
    };
    let settings = client.configuration(vec![item]).await;
    // A client without this section answers null.
    if let Some(settings) = settings.ok().and_then(|s| s.into_iter().next())
        && settings.is_object()
    {
        let _ = events.send(Event::Configured(settings));
    }
}

/// Asks the client to create a progress display.
async fn may_show(client: &Client, token: &NumberOrString) -> bool {
    client
        .create_work_done_progress(token.clone())
        .await
        .is_ok()
}

/// Shows ongoing work until the sender is dropped.
async fn progress(client: Client, token: NumberOrString, on: String, end: oneshot::Receiver<()>) {
    if !may_show(&client, &token).await {
        return;
    }
    let shown = client
        .progress(token, "Costlens")
        .with_message(on)
        .begin()
        .await;
    let _ = end.await;
    shown.finish().await;
}

/// Shows the progress of work, with a button to cancel it.
async fn cancellable(
    client: Client,
    work: CancellableWork,
    number: i32,
    mut shares: UnboundedReceiver<Share>,
) {
    let token = NumberOrString::String(format!("{}{number}", work.prefix()));
    if !may_show(&client, &token).await {
        return;
    }
    let shown = client
        .progress(token, work.title())
        .with_cancel_button()
        .with_percentage(0)
        .with_message(work.first())
        .begin()
        .await;
    while let Some(Share { done, percent }) = shares.recv().await {
        shown.report_with_message(done, percent, Some(true)).await;
    }
    shown.finish().await;
}
