//! `costlens/libraryText`, an extension of the protocol: the text of a document of the library that ships with Costlens.

use crate::lsp::views;

/// The requested document of the library.
#[derive(serde::Deserialize)]
pub(in crate::lsp) struct LibraryText {
    uri: String,
}

/// Returns the text, or `None` for a document that is not of the library.
pub(in crate::lsp) fn library_text(params: &LibraryText) -> Option<String> {
    views::library_text(&params.uri).map(str::to_owned)
}
