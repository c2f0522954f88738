//! An open document: the client's text, and the unit of positions.

use std::ops::Range;

use costlens_ide::host::Edit;
use tower_lsp::ls_types::{self as lsp, TextDocumentContentChangeEvent, Uri};

use super::changes::applied;
use crate::lines::{Encoding, LineIndex};

/// One version of a document.
#[derive(Clone, Debug)]
pub(super) struct DocumentView {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: String,
    pub(super) lines: LineIndex,
    pub(super) encoding: Encoding,
    /// A number that differs between all versions of all documents of the session, including closed and reopened documents, and changes
    /// with the settings.
    pub(super) serial: u64,
}

impl DocumentView {
    pub(super) fn offset(&self, position: lsp::Position) -> usize {
        let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        self.lines.offset(
            &self.text,
            size(position.line),
            size(position.character),
            self.encoding,
        )
    }

    /// Returns the byte range of a protocol range. The result is empty if the end precedes the start.
    pub(super) fn bytes(&self, range: lsp::Range) -> Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    pub(super) fn position(&self, offset: usize) -> lsp::Position {
        position(self.lines.position(&self.text, offset, self.encoding))
    }

    /// Returns a converter for many offsets in increasing order.
    pub(super) fn positions(&self) -> Positions<'_> {
        Positions {
            view: self,
            known: (0, (0, 0)),
        }
    }

    pub(super) fn range(&self, bytes: &Range<usize>) -> lsp::Range {
        lsp::Range::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// Applies a client's changes in order, and returns them in bytes.
    pub(super) fn apply(&mut self, changes: Vec<TextDocumentContentChangeEvent>) -> Vec<Edit> {
        if changes.len() > 1 {
            let (text, edits) = applied(&self.text, changes, self.encoding);
            self.lines = LineIndex::new(&text);
            self.text = text;
            return edits;
        }
        let mut edits = Vec::new();
        for change in changes {
            let range = match change.range {
                Some(range) => self.bytes(range),
                None => 0..self.text.len(),
            };
            self.text.replace_range(range.clone(), &change.text);
            self.lines = LineIndex::new(&self.text);
            edits.push(Edit {
                range,
                text: change.text,
            });
        }
        edits
    }
}

/// Converts offsets, requested in increasing order, to positions.
pub(super) struct Positions<'a> {
    view: &'a DocumentView,
    /// The last offset with its line and column.
    known: (usize, (usize, usize)),
}

impl Positions<'_> {
    /// Returns the position of an offset, counting from the previous offset.
    pub(super) fn position_at(&mut self, offset: usize) -> lsp::Position {
        let DocumentView {
            lines,
            text,
            encoding,
            ..
        } = self.view;
        let there = lines.position_from(text, self.known, offset, *encoding);
        self.known = (offset, there);
        position(there)
    }
}

fn position((line, column): (usize, usize)) -> lsp::Position {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    lsp::Position::new(number(line), number(column))
}

/// Adjusts an offset for an edit. Returns `None` if the offset was inside the replaced text.
pub(super) fn moved(offset: usize, by: &Edit) -> Option<usize> {
    if offset <= by.range.start {
        Some(offset)
    } else if offset >= by.range.end {
        Some(offset - by.range.len() + by.text.len())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> DocumentView {
        DocumentView {
            uri: "file:///a.pl".parse().unwrap(),
            version: 1,
            text: text.to_owned(),
            lines: LineIndex::new(text),
            encoding: Encoding::Utf16,
            serial: 0,
        }
    }

    fn change(range: Option<[u32; 4]>, text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangeEvent {
            range: range.map(|[a, b, c, d]| {
                lsp::Range::new(lsp::Position::new(a, b), lsp::Position::new(c, d))
            }),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let mut v = view("a.\nb.\n");
        let replaced = v.apply(vec![
            change(Some([0, 0, 0, 0]), "% 𝒳\n"),
            change(Some([0, 4, 1, 1]), "."),
        ]);
        assert_eq!(v.text, "% 𝒳..\nb.\n");
        assert_eq!(replaced[1].range, 6..8);
        v.apply(vec![change(None, "c.")]);
        assert_eq!(v.text, "c.");
    }

    #[test]
    fn changes_beyond_the_end_and_backwards_ranges_do_no_harm() {
        let mut v = view("a.\n");
        v.apply(vec![change(Some([99, 0, 99, 9]), "b.")]);
        assert_eq!(v.text, "a.\nb.");
        v.apply(vec![change(Some([1, 2, 0, 0]), "c")]);
        assert_eq!(v.text, "a.\nb.c");
    }

    #[test]
    fn offsets_move_with_the_text_around_them() {
        let by = Edit {
            range: 5..8,
            text: "x".repeat(10),
        };
        assert_eq!(moved(3, &by), Some(3));
        assert_eq!(moved(5, &by), Some(5));
        assert_eq!(moved(6, &by), None);
        assert_eq!(moved(8, &by), Some(15));
        assert_eq!(moved(20, &by), Some(27));
    }
}
