//! Lines and columns of a text, in the units of editors and for people.
//!
//! Hand-written, because in the protocol a lone `\r` also ends a line and columns have three units, which the crate for counting lines does
//! not support.

/// The unit of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Columns in bytes.
    Utf8,
    /// Columns in 16-bit units, which is the protocol's default.
    Utf16,
    /// Columns in characters.
    Utf32,
}

impl Encoding {
    fn units(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => text.chars().map(|c| self.units(c)).sum(),
        }
    }
}

/// The start offsets of a text's lines. A line ends with `\n`, `\r\n` or a lone `\r`, as in the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (i, b) in bytes.iter().enumerate() {
            if *b == b'\n' || (*b == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
                starts.push(i + 1);
            }
        }
        LineIndex { starts }
    }

    /// Returns the line and column of an offset, both from 0. An offset beyond the end is treated as the end, and an offset inside a
    /// character as the character's beginning.
    pub(crate) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> (usize, usize) {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&s| s <= offset) - 1;
        let before = &text[self.starts[line]..offset];
        (line, encoding.length(before))
    }

    /// Returns the position like [`LineIndex::position`], but counts from an offset on the same line whose position is known.
    pub(crate) fn position_from(
        &self,
        text: &str,
        known: (usize, (usize, usize)),
        offset: usize,
        encoding: Encoding,
    ) -> (usize, usize) {
        let (from, (line, column)) = known;
        let ends = self.starts.get(line + 1).copied().unwrap_or(usize::MAX);
        match text.get(from..offset).filter(|_| offset < ends) {
            Some(between) => (line, column + encoding.length(between)),
            None => self.position(text, offset, encoding),
        }
    }

    /// Returns the offset of a line and column, both from 0. A column beyond the line is treated as the line's end, a line beyond the text
    /// as the text's end, and a column inside a character as the character's beginning.
    pub(crate) fn offset(
        &self,
        text: &str,
        line: usize,
        column: usize,
        encoding: Encoding,
    ) -> usize {
        let Some(&start) = self.starts.get(line) else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (i, c) in content.char_indices() {
            units += encoding.units(c);
            if units > column {
                return start + i;
            }
        }
        start + content.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a𝒳é b\r\nsecond\rthird\n";

    #[test]
    fn columns_count_in_the_units_of_the_encoding() {
        let lines = LineIndex::new(TEXT);
        let b = TEXT.find('b').unwrap();
        assert_eq!(lines.position(TEXT, b, Encoding::Utf8), (0, 8));
        assert_eq!(lines.position(TEXT, b, Encoding::Utf16), (0, 5));
        assert_eq!(lines.position(TEXT, b, Encoding::Utf32), (0, 4));
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (offset, _) in TEXT.char_indices() {
                let (line, column) = lines.position(TEXT, offset, encoding);
                for (from, _) in TEXT.char_indices() {
                    let known = (from, lines.position(TEXT, from, encoding));
                    let seen = lines.position_from(TEXT, known, offset, encoding);
                    assert_eq!(seen, (line, column), "{offset} from {from}");
                }
                let line_end = TEXT[offset..].starts_with('\n') && TEXT[..offset].ends_with('\r');
                if !line_end {
                    assert_eq!(lines.offset(TEXT, line, column, encoding), offset);
                }
            }
        }
    }

    #[test]
    fn every_kind_of_line_end_counts() {
        let lines = LineIndex::new(TEXT);
        let at = |what| lines.position(TEXT, TEXT.find(what).unwrap(), Encoding::Utf16);
        assert_eq!(at("second"), (1, 0));
        assert_eq!(at("third"), (2, 0));
        assert_eq!(lines.position(TEXT, TEXT.len(), Encoding::Utf16), (3, 0));
    }

    #[test]
    fn positions_beyond_the_end_are_the_end() {
        let lines = LineIndex::new(TEXT);
        assert_eq!(lines.offset(TEXT, 99, 0, Encoding::Utf16), TEXT.len());
        assert_eq!(
            lines.offset(TEXT, 0, 99, Encoding::Utf16),
            TEXT.find('\r').unwrap()
        );
        assert_eq!(lines.position(TEXT, 999, Encoding::Utf8), (3, 0));
    }

    #[test]
    fn the_middle_of_a_surrogate_pair_is_the_character() {
        let lines = LineIndex::new(TEXT);
        assert_eq!(lines.offset(TEXT, 0, 2, Encoding::Utf16), 1);
    }
}
