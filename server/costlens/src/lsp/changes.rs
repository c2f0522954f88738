//! Applies many changes in one message: *replace all* sends thousands, each relative to the text after the previous change.
//!
//! The changes are applied to a rope, in which looking up a line and column and replacing a range take logarithmic time.

use costlens_ide::host::Edit;
use ropey::Rope;
use tower_lsp::ls_types::{Position, TextDocumentContentChangeEvent};

use crate::lines::Encoding;

/// Applies changes. Returns the new text, and the changes in bytes.
pub(super) fn applied(
    text: &str,
    changes: Vec<TextDocumentContentChangeEvent>,
    encoding: Encoding,
) -> (String, Vec<Edit>) {
    let mut rope = Rope::from_str(text);
    let mut edits = Vec::with_capacity(changes.len());
    for change in changes {
        let range = match change.range {
            Some(range) => {
                let start = place(&rope, range.start, encoding);
                let end = place(&rope, range.end, encoding).max(start);
                let bytes = rope.char_to_byte(start)..rope.char_to_byte(end);
                rope.remove(start..end);
                rope.insert(start, &change.text);
                bytes
            }
            None => {
                let all = 0..rope.len_bytes();
                rope = Rope::from_str(&change.text);
                all
            }
        };
        edits.push(Edit {
            range,
            text: change.text,
        });
    }
    (rope.into(), edits)
}

/// Returns the character index of a position, like [`crate::lines::LineIndex::offset`]: a column beyond the line is treated as the line's
/// end, a line beyond the text as the text's end, and a column inside a character as that character.
fn place(rope: &Rope, position: Position, encoding: Encoding) -> usize {
    let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    let (line, column) = (size(position.line), size(position.character));
    if line >= rope.len_lines() {
        return rope.len_chars();
    }
    let start = rope.line_to_char(line);
    let at = match encoding {
        Encoding::Utf8 => {
            let at = rope.char_to_byte(start).saturating_add(column);
            rope.byte_to_char(at.min(rope.len_bytes()))
        }
        Encoding::Utf16 => {
            let at = rope.char_to_utf16_cu(start).saturating_add(column);
            rope.utf16_cu_to_char(at.min(rope.len_utf16_cu()))
        }
        Encoding::Utf32 => start.saturating_add(column),
    };
    at.min(end_of_line(rope, line, start))
}

/// Returns the end of the line, excluding its `\n`, `\r\n` or `\r`.
fn end_of_line(rope: &Rope, line: usize, start: usize) -> usize {
    if line + 1 >= rope.len_lines() {
        return rope.len_chars();
    }
    let next = rope.line_to_char(line + 1);
    // The line has a terminator, which is two characters long if it is `\r\n`.
    let is_two = next >= start + 2 && rope.char(next - 1) == '\n' && rope.char(next - 2) == '\r';
    next - if is_two { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tower_lsp::ls_types::Range as LspRange;

    use super::*;
    use crate::lines::LineIndex;

    /// Applies changes one after another, each to the whole text, as a reference.
    fn naively(
        text: &str,
        changes: &[TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> (String, Vec<Edit>) {
        let (mut text, mut edits) = (text.to_owned(), Vec::new());
        for change in changes {
            let lines = LineIndex::new(&text);
            let offset = |at: Position| {
                let size = |n: u32| usize::try_from(n).unwrap();
                lines.offset(&text, size(at.line), size(at.character), encoding)
            };
            let range = match change.range {
                Some(range) => {
                    let start = offset(range.start);
                    start..offset(range.end).max(start)
                }
                None => 0..text.len(),
            };
            text.replace_range(range.clone(), &change.text);
            edits.push(Edit {
                range,
                text: change.text.clone(),
            });
        }
        (text, edits)
    }

    fn pieces(most: usize) -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a", "bc", "é", "𝒳", "\n", "\r\n", "\r", "p(X).\n", "\u{2028}", "\u{b}", "ℕ\r\n",
        ]);
        prop::collection::vec(piece, 0..most).prop_map(|all| all.concat())
    }

    fn positions() -> impl Strategy<Value = Position> {
        let line = prop_oneof![8 => 0..12_u32, 1 => Just(u32::MAX)];
        let column = prop_oneof![8 => 0..10_u32, 1 => Just(u32::MAX)];
        (line, column).prop_map(|(line, column)| Position::new(line, column))
    }

    fn changes() -> impl Strategy<Value = TextDocumentContentChangeEvent> {
        let range = (positions(), positions()).prop_map(|(start, end)| LspRange::new(start, end));
        let range = prop_oneof![12 => range.prop_map(Some), 1 => Just(None)];
        (range, pieces(4)).prop_map(|(range, text)| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text,
        })
    }

    proptest! {
        #[test]
        fn many_changes_at_once_are_those_one_after_the_other(
            text in pieces(30),
            changes in prop::collection::vec(changes(), 0..12),
        ) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let expected = naively(&text, &changes, encoding);
                prop_assert_eq!(applied(&text, changes.clone(), encoding), expected);
            }
        }
    }
}
