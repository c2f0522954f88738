//! The language server: types of the protocol live here and nowhere else.

mod changes;
mod disk;
mod document;
mod frames;
mod from_proto;
mod guard;
mod hints;
mod needed;
mod outgoing;
mod owner;
mod places;
mod registration;
mod requests;
mod session;
mod stdio;
mod to_proto;
mod wide;

use std::sync::mpsc::Sender;

use costlens_analysis::report::PredicateName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{LanguageServer, LspService, Server};

use crate::lines::Encoding;
use owner::Event;
use requests::{Question, Reply, Search};
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
        answered(answer).await
    }

    async fn search<T>(&self, search: impl FnOnce(Reply<T>) -> Search) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.tell(Event::Searched(search(reply)));
        answered(answer).await
    }

    /// `costlens/libraryText`: the text of a document of the library that ships with Costlens.
    async fn library_text(&self, params: LibraryText) -> Result<Option<String>> {
        Ok(places::library_text(&params.uri).map(str::to_owned))
    }
}

/// The answer of a worker; one that panicked has dropped its end.
async fn answered<T>(answer: oneshot::Receiver<Result<T>>) -> Result<T> {
    answer
        .await
        .unwrap_or_else(|_| Err(Error::internal_error()))
}

/// Which document of the library is asked for.
#[derive(serde::Deserialize)]
struct LibraryText {
    uri: String,
}

impl LanguageServer for Costlens {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let session = Session::new(&params);
        let encoding = match session.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        };
        let capabilities = capabilities(encoding, &session);
        self.tell(Event::Started(session));
        Ok(InitializeResult {
            capabilities,
            server_info: Some(ServerInfo {
                name: "costlens".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..Default::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        self.tell(Event::Initialized);
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
        match params.settings.get("costlens") {
            Some(own) if !own.is_object() => {}
            None if !from_proto::names_setting(&params.settings) => {
                // Some say only that there is something new.
                self.tell(Event::Reconfigured);
            }
            _ => self.tell(Event::Configured(params.settings)),
        }
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.tell(Event::FoldersChanged(params.event));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.tell(Event::FilesChanged(params.changes));
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
        if let Some((uri, predicate)) = hint.data.as_ref().and_then(predicate_data) {
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

    async fn symbol(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<WorkspaceSymbolResponse>> {
        self.search(|reply| Search::symbols(params.query, reply))
            .await
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        let uri = at.text_document.uri;
        self.ask(uri, |reply| Question::Definition(at.position, reply))
            .await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let at = params.text_document_position;
        let declarations = params.context.include_declaration;
        self.ask(at.text_document.uri, |reply| {
            Question::References(at.position, declarations, reply)
        })
        .await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let at = params.text_document_position_params;
        let uri = at.text_document.uri;
        self.ask(uri, |reply| Question::Highlights(at.position, reply))
            .await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let at = params.text_document_position_params;
        let uri = at.text_document.uri;
        self.ask(uri, |reply| Question::CallHierarchy(at.position, reply))
            .await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        let Some((uri, predicate)) = params.item.data.as_ref().and_then(predicate_data) else {
            return Ok(None);
        };
        self.search(|reply| Search::Incoming(uri.as_str().to_owned(), predicate, reply))
            .await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        let Some((uri, predicate)) = params.item.data.as_ref().and_then(predicate_data) else {
            return Ok(None);
        };
        self.search(|reply| Search::Outgoing(uri.as_str().to_owned(), predicate, reply))
            .await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.ask(params.text_document.uri, Question::Folding).await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        let tokens = self.ask(params.text_document.uri, |reply| {
            Question::Tokens(None, reply)
        });
        Ok(tokens.await?.map(SemanticTokensResult::Tokens))
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let tokens = self.ask(params.text_document.uri, |reply| {
            Question::Tokens(Some(params.range), reply)
        });
        Ok(tokens.await?.map(SemanticTokensRangeResult::Tokens))
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let at = params.text_document_position;
        let uri = at.text_document.uri;
        self.ask(uri, |reply| Question::Completion(at.position, reply))
            .await
    }

    async fn completion_resolve(&self, mut item: CompletionItem) -> Result<CompletionItem> {
        if let Some((uri, predicate)) = item.data.as_ref().and_then(predicate_data) {
            // What cannot be described now is proposed all the same.
            let described = self
                .ask(uri, |reply| Question::Describe(predicate, reply))
                .await
                .unwrap_or_default();
            item.detail = described.detail;
            item.documentation = described
                .documentation
                .map(|text| Documentation::MarkupContent(to_proto::markdown(text)));
        }
        Ok(item)
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        self.ask(params.text_document.uri, Question::Diagnostics)
            .await
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

fn capabilities(encoding: PositionEncodingKind, session: &Session) -> ServerCapabilities {
    let mut capabilities = ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                ..Default::default()
            },
        )),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
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
        diagnostic_provider: session.pulls_diagnostics.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("costlens".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: false,
                ..Default::default()
            })
        }),
        ..Default::default()
    };
    registration::offer(session, &mut capabilities);
    capabilities
}

fn predicate_data(data: &serde_json::Value) -> Option<(Uri, PredicateName)> {
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
    let builder = builder.custom_method("costlens/libraryText", Costlens::library_text);
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
