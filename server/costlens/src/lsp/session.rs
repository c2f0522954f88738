//! The options negotiated between client and server, and the user's settings.

use std::path::PathBuf;
use std::sync::Arc;

use costlens_ide::settings::{Features, Settings};
use serde_json::Value;
use tower_lsp::ls_types as lsp;

use super::from_proto;
use crate::disk::project::ProjectFile;
use crate::lines::Encoding;

/// The negotiated options, fixed by `initialize` except for the settings.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) encoding: Encoding,
    /// True if the client supports `workspace/inlayHint/refresh`.
    pub(super) refreshes_hints: bool,
    /// True if edits may contain the version of their document.
    pub(super) document_changes: bool,
    /// True if unavailable actions may be listed, with the reason.
    pub(super) disabled_actions: bool,
    /// True if diagnostics may refer to other places.
    pub(super) related_information: bool,
    /// True if symbols may be nested; otherwise they are a flat list.
    pub(super) nested_symbols: bool,
    /// True if completion texts may contain placeholders.
    pub(super) snippets: bool,
    /// True if diagnostics are pulled; otherwise they are pushed.
    pub(super) pulls_diagnostics: bool,
    /// True if the client supports `workspace/diagnostic/refresh`.
    pub(super) refreshes_diagnostics: bool,
    /// True if the client supports `workspace/semanticTokens/refresh`.
    pub(super) refreshes_tokens: bool,
    /// True if the client answers `workspace/configuration`.
    pub(super) answers_configuration: bool,
    /// True if the client sent initialization options.
    pub(super) has_options: bool,
    /// True if long work may be shown as progress.
    pub(super) shows_progress: bool,
    /// True if the client can show documents of the shipped library.
    pub(super) library_documents: bool,
    /// True if the client has the command for profiling a goal, which lenses need.
    pub(super) profile_lenses: bool,
    /// True if the client colours the marks of a profile.
    pub(super) shows_heat: bool,
    /// The client's capabilities.
    pub(super) client: Arc<Value>,
    /// The Markdown features that the client shows.
    pub(super) shows: from_proto::Shows,
    /// The folders of the workspace.
    pub(super) roots: Vec<PathBuf>,
    /// The settings as sent by the client.
    pub(super) said: Arc<Value>,
    pub(super) settings: Settings,
}

impl Default for Session {
    fn default() -> Self {
        Session {
            encoding: Encoding::Utf16,
            refreshes_hints: false,
            document_changes: false,
            disabled_actions: false,
            related_information: false,
            nested_symbols: false,
            snippets: false,
            pulls_diagnostics: false,
            refreshes_diagnostics: false,
            refreshes_tokens: false,
            answers_configuration: false,
            has_options: false,
            shows_progress: false,
            library_documents: false,
            profile_lenses: false,
            shows_heat: false,
            client: Arc::default(),
            shows: from_proto::Shows {
                pictures: false,
                tables: true,
            },
            roots: Vec::new(),
            said: Arc::default(),
            settings: Settings::default(),
        }
    }
}

impl Session {
    pub(super) fn new(params: &lsp::InitializeParams) -> Self {
        let document = params.capabilities.text_document.as_ref();
        let workspace = params.capabilities.workspace.as_ref();
        let options = params.initialization_options.as_ref();
        let shows = from_proto::shows(params);
        Session {
            encoding: from_proto::encoding(&params.capabilities),
            refreshes_hints: (workspace.and_then(|w| w.inlay_hint.as_ref()?.refresh_support))
                .unwrap_or(false),
            document_changes: (workspace.and_then(|w| w.workspace_edit.as_ref()?.document_changes))
                .unwrap_or(false),
            disabled_actions: (document.and_then(|d| d.code_action.as_ref()?.disabled_support))
                .unwrap_or(false),
            related_information: (document
                .and_then(|d| d.publish_diagnostics.as_ref()?.related_information))
            .unwrap_or(false),
            nested_symbols: (document.and_then(|d| {
                d.document_symbol
                    .as_ref()?
                    .hierarchical_document_symbol_support
            }))
            .unwrap_or(false),
            snippets: (document.and_then(|d| {
                d.completion
                    .as_ref()?
                    .completion_item
                    .as_ref()?
                    .snippet_support
            }))
            .unwrap_or(false),
            pulls_diagnostics: document.is_some_and(|d| d.diagnostic.is_some()),
            refreshes_diagnostics: (workspace
                .and_then(|w| w.diagnostics.as_ref()?.refresh_support))
            .unwrap_or(false),
            refreshes_tokens: (workspace.and_then(|w| w.semantic_tokens.as_ref()?.refresh_support))
                .unwrap_or(false),
            answers_configuration: (workspace.and_then(|w| w.configuration)).unwrap_or(false),
            has_options: options.is_some_and(Value::is_object),
            shows_progress: (params.capabilities.window.as_ref())
                .and_then(|w| w.work_done_progress)
                .unwrap_or(false),
            library_documents: options.is_some_and(from_proto::library_documents),
            profile_lenses: options.is_some_and(from_proto::profile_lenses),
            shows_heat: options.is_some_and(from_proto::profile_heat),
            client: Arc::new(serde_json::to_value(&params.capabilities).unwrap_or_default()),
            shows,
            roots: from_proto::roots(params.workspace_folders.as_deref().unwrap_or_default()),
            said: Arc::new(options.cloned().unwrap_or_default()),
            settings: options.map_or_else(Settings::default, |o| {
                from_proto::settings(o, shows, &ProjectFile::default())
            }),
        }
    }

    /// Returns the enabled groups of features; empty if the server is disabled.
    pub(super) fn features(&self) -> Features {
        if self.settings.enable {
            self.settings.features.clone()
        } else {
            Features {
                navigation: false,
                symbols: false,
                call_hierarchy: false,
                folding: false,
                semantic_tokens: false,
                completion: false,
            }
        }
    }

    /// Returns whether the client allows the server to register a method later; `capability` is a JSON pointer.
    pub(super) fn lets_register(&self, capability: &str) -> bool {
        let capability = self.client.pointer(capability);
        capability.is_some_and(|c| c["dynamicRegistration"] == true)
    }

    /// Returns whether a group of features is enabled.
    pub(super) fn offers(&self, which: fn(&Features) -> bool) -> bool {
        which(&self.features())
    }
}
