//! `costlens/libraryText`, an extension of the protocol: the text of a document of the shipped library.

use crate::lsp::views;

/// The parameters: the requested document.
#[derive(serde::Deserialize)]
pub(in crate::lsp) struct LibraryText {
    uri: String,
}

/// Returns the text, or `None` if the document does not belong to the library.
pub(in crate::lsp) fn library_text(params: &LibraryText) -> Option<String> {
    views::library_text(&params.uri).map(str::to_owned)
}
