//! The language server: types of the protocol live here and nowhere else.

mod document;
mod frames;
mod from_proto;
mod guard;
mod outgoing;
mod owner;
mod requests;
mod session;
mod stdio;
mod to_proto;

use std::sync::mpsc::Sender;

use costlens_analysis::report::PredicateName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{LanguageServer, LspService, Server};

use crate::lines::Encoding;
use owner::Event;
use requests::{Question, Reply};
use session::Session;

/// The stack of the threads that analyse; walks of user terms are iterative, this is for what is bounded but deep.
const STACK: usize = 16 << 20;

/// The handlers. Each sends to the owner before its first `await`, and does nothing else.
struct Costlens {
    events: Sender<Event>,
}

impl Costlens {
    fn tell(&self, event: Event) {
        // The owner lives as long as the session.
        let _ = self.events.send(event);
    }

    async fn ask<T>(&self, uri: Uri, question: impl FnOnce(Reply<T>) -> Question) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.tell(Event::Asked(uri, question(reply)));
        // A worker that panicked has dropped its end.
        answer
            .await
            .unwrap_or_else(|_| Err(Error::internal_error()))
    }
}

impl LanguageServer for Costlens {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let session = Session::new(&params);
        let encoding = match session.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        };
        self.tell(Event::Started(session));
        Ok(InitializeResult {
            capabilities: capabilities(encoding),
            server_info: Some(ServerInfo {
                name: "costlens".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..Default::default()
        })
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem {
            uri, version, text, ..
        } = params.text_document;
        self.tell(Event::Opened { uri, version, text });
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.tell(Event::Changed {
            uri: params.text_document.uri,
            version: params.text_document.version,
            changes: params.content_changes,
        });
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.tell(Event::Closed(params.text_document.uri));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        // Clients that have nothing to say of us send null, an empty object, or other programs' settings.
        if (params.settings.get("costlens")).is_some_and(serde_json::Value::is_object) {
            self.tell(Event::Configured(params.settings));
        }
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let (reply, answer) = oneshot::channel();
        self.tell(Event::Hints {
            uri: params.text_document.uri,
            range: params.range,
            reply,
        });
        // An error or null would erase the hints that are shown.
        Ok(Some(answer.await.unwrap_or_default()))
    }

    async fn inlay_hint_resolve(&self, mut hint: InlayHint) -> Result<InlayHint> {
        if let Some((uri, predicate)) = hint.data.as_ref().and_then(hint_data) {
            let tooltip = self.ask(uri, |reply| Question::Tooltip(predicate, reply));
            hint.tooltip = (tooltip.await.ok().flatten())
                .map(|text| InlayHintTooltip::MarkupContent(to_proto::markdown(text)));
        }
        Ok(hint)
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        let uri = at.text_document.uri;
        self.ask(uri, |reply| Question::Hover(at.position, reply))
            .await
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        self.ask(params.text_document.uri, Question::Symbols).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        // A client that wants other kinds only gets none.
        let quick_fix =
            |kind: &CodeActionKind| kind.as_str().is_empty() || *kind == CodeActionKind::QUICKFIX;
        if (params.context.only.as_ref()).is_some_and(|only| !only.iter().any(quick_fix)) {
            return Ok(None);
        }
        self.ask(params.text_document.uri, |reply| {
            Question::Actions(params.range, reply)
        })
        .await
    }
}

fn capabilities(encoding: PositionEncodingKind) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                ..Default::default()
            },
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        inlay_hint_provider: Some(OneOf::Right(InlayHintServerCapabilities::Options(
            InlayHintOptions {
                resolve_provider: Some(true),
                ..Default::default()
            },
        ))),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..Default::default()
        })),
        ..Default::default()
    }
}

fn hint_data(data: &serde_json::Value) -> Option<(Uri, PredicateName)> {
    let predicate = PredicateName {
        name: data["name"].as_str()?.into(),
        arity: usize::try_from(data["arity"].as_u64()?).ok()?,
    };
    Some((data["uri"].as_str()?.parse().ok()?, predicate))
}

/// Serves standard input and output until `exit` or the end of input; the exit code is the protocol's.
pub(crate) fn serve() -> anyhow::Result<std::process::ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()?;
    let orderly = runtime.block_on(serve_over(tokio::io::stdin(), tokio::io::stdout()))?;
    // tokio's read of standard input cannot be cancelled; dropping the runtime would wait for it.
    runtime.shutdown_background();
    Ok(if orderly {
        std::process::ExitCode::SUCCESS
    } else {
        std::process::ExitCode::from(1)
    })
}

/// Serves until `exit` or end of input; true if `shutdown` came before.
async fn serve_over(
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> std::io::Result<bool> {
    let (out, messages) = tokio::sync::mpsc::unbounded_channel();
    let (to_server, from_client) = tokio::io::duplex(1 << 20);
    let filter = tokio::spawn(stdio::filter(input, to_server, out.clone()));
    let writer = tokio::spawn(stdio::write(messages, output));
    let (sender, events) = std::sync::mpsc::channel();
    let handler_sender = sender.clone();
    let mut outgoing = None;
    let builder = LspService::build(|client| {
        outgoing = Some(outgoing::start(client));
        Costlens {
            events: handler_sender,
        }
    });
    #[cfg(test)]
    let builder = builder.custom_method("costlens/seededPanic", Costlens::seeded_panic);
    let (service, socket) = builder.finish();
    if let Some(outgoing) = outgoing {
        owner::start(events, sender, outgoing)?;
    }
    let guarded = guard::Guarded::new(service);
    let shut_down = guarded.shut_down();
    Server::new(from_client, stdio::Messages(out), socket)
        .concurrency_level(1024)
        .serve(guarded)
        .await;
    // It holds a sender; without it the writer ends once everything is out.
    filter.abort();
    let _ = writer.await;
    Ok(shut_down.load(std::sync::atomic::Ordering::SeqCst))
}

#[cfg(test)]
impl Costlens {
    async fn seeded_panic(&self) -> Result<()> {
        panic!("seeded")
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::frames::framed;

    #[tokio::test]
    async fn a_panic_in_a_handler_is_that_requests_error() {
        let (client, server) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(server);
        let serving = tokio::spawn(super::serve_over(input, output));
        let (mut answers, mut requests) = tokio::io::split(client);
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"costlens/seededPanic"}"#,
            r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.pl","languageId":"prolog","version":1,"text":"a."}}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///a.pl"}}}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#,
            r#"{"jsonrpc":"2.0","method":"exit"}"#,
        ] {
            requests.write_all(&framed(body.as_bytes())).await.unwrap();
            // tower-lsp runs requests concurrently; the protocol wants `initialize` answered first.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert!(serving.await.unwrap().unwrap(), "an orderly end");
        drop(requests);
        let mut all = String::new();
        answers.read_to_string(&mut all).await.unwrap();
        assert!(
            all.contains(
                r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":2}"#
            ),
            "{all}"
        );
        assert!(all.contains(r#""id":3"#), "{all}");
        assert!(all.contains(r#""result":null,"id":4"#), "{all}");
    }
}
