//! The data that askers hold and hand over: files by their handles, edits of texts, and the news that a question was overtaken.

use std::ops::Range;

use costlens_program::SourceFile;

/// A file of a [`Host`](crate::host::Host).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct File(pub(crate) SourceFile);

/// A replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// Their replacement.
    pub text: String,
}

/// A write came in between; the question may be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// The first byte of the line that a place of a text is in.
pub(crate) fn line_begin(text: &str, at: usize) -> usize {
    let before = text.get(..at).and_then(|before| before.rfind('\n'));
    before.map_or(0, |newline| newline + 1)
}
