//! `costlens/libraryText`, which is none of the protocol's: the text of a document of the library that ships with Costlens.

use crate::lsp::views;

/// The document of the library that is asked for.
#[derive(serde::Deserialize)]
pub(in crate::lsp) struct LibraryText {
    uri: String,
}

/// The text; none for what is no document of the library.
pub(in crate::lsp) fn library_text(params: &LibraryText) -> Option<String> {
    views::library_text(&params.uri).map(str::to_owned)
}
