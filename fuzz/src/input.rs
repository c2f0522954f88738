//! Bytes as texts and edits. The encoding keeps seeds readable: a text is represented by itself, and the separator does not occur in any
//! text.

use std::ops::Range;

/// The separator that ends a part of the input, a byte that does not occur in UTF-8.
pub const SEPARATOR: u8 = 0xff;

/// Decodes the bytes as a text; invalid UTF-8 becomes U+FFFD, as in the editor.
#[must_use]
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One edit: the part of the text to delete, in bytes, and the text to insert there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The place, in 65536ths of the text at the time of the edit.
    at: u16,
    /// The number of bytes to delete.
    length: u8,
    /// The text to insert.
    pub new: String,
}

impl Change {
    /// Returns the range of deleted bytes, on boundaries of characters of the text.
    #[must_use]
    pub fn range(&self, text: &str) -> Range<usize> {
        let start = text.floor_char_boundary(text.len() * usize::from(self.at) / 0xffff);
        let end = text.ceil_char_boundary(start + usize::from(self.length));
        start..end.max(start)
    }
}

/// Decodes a text, and edits of it: the parts of the bytes between separators. An edit begins with two bytes for the place and one for the
/// length.
#[must_use]
pub fn edited(bytes: &[u8]) -> (String, Vec<Change>) {
    let mut parts = bytes.split(|b| *b == SEPARATOR);
    let start = text(parts.next().unwrap_or_default());
    let changes = parts
        .filter_map(|part| {
            let [high, low, length, new @ ..] = part else {
                return None;
            };
            Some(Change {
                at: u16::from_be_bytes([*high, *low]),
                length: *length,
                new: text(new),
            })
        })
        .collect();
    (start, changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_a_place_a_length_and_a_text() {
        let (start, changes) = edited(b"a(\xc3\xa9).\xff\x80\x00\x01b\xff\x00\xff\xfe\x00\x09");
        assert_eq!(start, "a(é).");
        assert_eq!(changes.len(), 2);
        assert_eq!(
            (changes[0].range(&start), changes[0].new.as_str()),
            (2..4, "b")
        );
        // A truncated part is not an edit; a place at the end and a length beyond it are still valid.
        assert_eq!(changes[1].range(&start), 5..6);
        assert_eq!(changes[1].range(""), 0..0);
    }
}
