//! What client and server agreed on, and the user's settings.

use costlens_ide::settings::Settings;
use tower_lsp::ls_types as lsp;

use super::from_proto;
use crate::lines::Encoding;

/// Fixed by `initialize`, the settings excepted.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) encoding: Encoding,
    /// `workspace/inlayHint/refresh` is understood.
    pub(super) refreshes_hints: bool,
    /// Edits may carry the version of the document that they are for.
    pub(super) document_changes: bool,
    /// Diagnostics may point to other places.
    pub(super) related_information: bool,
    /// Symbols may be nested; else they are a flat list.
    pub(super) nested_symbols: bool,
    /// Pictures inside Markdown are shown.
    pub(super) pictures: bool,
    pub(super) settings: Settings,
}

impl Default for Session {
    fn default() -> Self {
        Session {
            encoding: Encoding::Utf16,
            refreshes_hints: false,
            document_changes: false,
            related_information: false,
            nested_symbols: false,
            pictures: false,
            settings: Settings::default(),
        }
    }
}

impl Session {
    pub(super) fn new(params: &lsp::InitializeParams) -> Self {
        let document = params.capabilities.text_document.as_ref();
        let workspace = params.capabilities.workspace.as_ref();
        let options = params.initialization_options.as_ref();
        let pictures = options.is_some_and(from_proto::pictures);
        Session {
            encoding: from_proto::encoding(&params.capabilities),
            refreshes_hints: (workspace.and_then(|w| w.inlay_hint.as_ref()?.refresh_support))
                .unwrap_or(false),
            document_changes: (workspace.and_then(|w| w.workspace_edit.as_ref()?.document_changes))
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
            pictures,
            settings: options.map_or_else(Settings::default, |o| from_proto::settings(o, pictures)),
        }
    }
}
