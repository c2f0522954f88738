//! Data that callers hold and pass in: file handles, text edits, and the error for a cancelled query.

use std::ops::Range;

use costlens_program::SourceFile;

/// A handle of a file in a [`Host`](crate::host::Host).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct File(pub(crate) SourceFile);

/// A replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced range.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

impl Edit {
    /// Converts the line endings of the edit to those of the text to which it applies.
    pub(crate) fn with_line_ends_of(mut self, text: &str) -> Self {
        if self.text.contains(['\n', '\r']) {
            let plain = self.text.replace("\r\n", "\n").replace('\r', "\n");
            self.text = match line_end(text, self.range.start) {
                "\n" => plain,
                end => plain.replace('\n', end),
            };
        }
        self
    }
}

/// Returns the line ending to use at a place in a text: the line ending of the preceding line, or else that of the first line.
fn line_end(text: &str, at: usize) -> &'static str {
    let before = text.get(..at).and_then(|t| t.rfind(['\n', '\r']));
    let end = before.or_else(|| text.find(['\n', '\r']));
    let Some(end) = end else {
        return "\n";
    };
    let bytes = text.as_bytes();
    match (bytes[end], end.checked_sub(1).map(|b| bytes[b])) {
        (b'\n', Some(b'\r')) => "\r\n",
        (b'\n', _) => "\n",
        _ if bytes.get(end + 1) == Some(&b'\n') => "\r\n",
        _ => "\r",
    }
}

/// A write cancelled the query. The query may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Returns the offset at which the line that contains an offset begins.
pub(crate) fn line_begin(text: &str, at: usize) -> usize {
    let before = text.get(..at).and_then(|before| before.rfind('\n'));
    before.map_or(0, |newline| newline + 1)
}
