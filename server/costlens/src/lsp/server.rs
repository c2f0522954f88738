//! The protocol handlers. Each sends an event to the owner before its first `await`, and does nothing else.

use std::sync::mpsc::Sender;

use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use super::asker::Asker;
use super::event::Event;
use super::requests::{LibraryText, each_request, handlers, library_text};
use super::session::Session;
use super::{from_proto, registration};
use crate::lines::Encoding;

/// The server, as used by tower-lsp.
pub(super) struct Costlens {
    asker: Asker,
}

impl Costlens {
    /// Creates a server that sends events to this channel.
    pub(super) fn new(events: Sender<Event>) -> Self {
        Costlens {
            asker: Asker::new(events),
        }
    }

    /// Answers `costlens/libraryText`.
    pub(super) async fn library_text(&self, params: LibraryText) -> Result<Option<String>> {
        Ok(library_text(&params))
    }

    /// Handles `window/workDoneProgress/cancel`.
    pub(super) async fn progress_cancelled(&self, params: WorkDoneProgressCancelParams) {
        self.asker.tell(Event::ProgressCancelled(params.token));
    }

    /// Panics, for tests.
    #[cfg(test)]
    pub(super) async fn seeded_panic(&self) -> Result<()> {
        panic!("seeded")
    }
}

impl LanguageServer for Costlens {
    each_request!(handlers);

    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let session = Session::new(&params);
        let encoding = match session.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        };
        let capabilities = capabilities(encoding, &session);
        self.asker.tell(Event::Started(session));
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
        self.asker.tell(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem {
            uri, version, text, ..
        } = params.text_document;
        self.asker.tell(Event::Opened { uri, version, text });
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.asker.tell(Event::Changed {
            uri: params.text_document.uri,
            version: params.text_document.version,
            changes: params.content_changes,
        });
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.asker.tell(Event::Closed(params.text_document.uri));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        // Clients without Costlens settings send null, an empty object, or other programs' settings.
        match params.settings.get("costlens") {
            Some(own) if !own.is_object() => {}
            None if !from_proto::names_setting(&params.settings) => {
                // Some clients only report that settings have changed.
                self.asker.tell(Event::Reconfigured);
            }
            _ => self.asker.tell(Event::Configured(params.settings)),
        }
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.asker.tell(Event::FoldersChanged(params.event));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.asker.tell(Event::FilesChanged(params.changes));
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
        ..Default::default()
    };
    registration::announce(session, &mut capabilities);
    capabilities
}
