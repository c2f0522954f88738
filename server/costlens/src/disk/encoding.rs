//! Decodes files: UTF-8, UTF-16 with a byte order mark, and ISO 8859-1 if a directive declares it.

/// The length of the part of a file that is searched for `:- encoding(…)`, which must be its first term.
const HEAD: usize = 4096;

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileEncoding {
    Utf8,
    /// Little-endian UTF-16.
    Utf16Le,
    Utf16Be,
    Latin1,
}

impl FileEncoding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            FileEncoding::Utf8 => "UTF-8",
            FileEncoding::Utf16Le | FileEncoding::Utf16Be => "UTF-16",
            FileEncoding::Latin1 => "ISO 8859-1",
        }
    }
}

/// Returns the encoding of a file: by the byte order mark, otherwise by the directive `:- encoding(iso_latin_1).`, otherwise UTF-8.
pub(crate) fn encoding_of(bytes: &[u8]) -> FileEncoding {
    match bytes {
        [0xFF, 0xFE, ..] => FileEncoding::Utf16Le,
        [0xFE, 0xFF, ..] => FileEncoding::Utf16Be,
        [0xEF, 0xBB, 0xBF, ..] => FileEncoding::Utf8,
        _ if declares_latin_1(&bytes[..bytes.len().min(HEAD)]) => FileEncoding::Latin1,
        _ => FileEncoding::Utf8,
    }
}

/// Returns whether a line begins with the directive; only comments may precede it.
fn declares_latin_1(head: &[u8]) -> bool {
    head.split(|&b| matches!(b, b'\n' | b'\r')).any(|line| {
        let plain: Vec<u8> = (line.iter().copied())
            .filter(|b| !b.is_ascii_whitespace())
            .take(32)
            .collect();
        ["iso_latin_1", "octet"].iter().any(|name| {
            plain
                .strip_prefix(b":-encoding(")
                .and_then(|rest| rest.strip_prefix(name.as_bytes()))
                .is_some_and(|rest| rest.starts_with(b")"))
        })
    })
}

/// Returns the text of a file like [`decoded`]. A text in UTF-8, which may be long, is not copied.
pub(crate) fn into_text(bytes: Vec<u8>) -> (String, bool) {
    if matches!(encoding_of(&bytes), FileEncoding::Utf8) && !bytes.starts_with(b"\xEF\xBB\xBF") {
        return match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(error) => decoded(error.as_bytes()),
        };
    }
    decoded(&bytes)
}

/// Returns the text without its byte order mark, and whether invalid bytes had to be replaced.
pub(crate) fn decoded(bytes: &[u8]) -> (String, bool) {
    let of_pairs = |number: fn([u8; 2]) -> u16| {
        let pairs = bytes[2..]
            .chunks_exact(2)
            .map(|pair| number([pair[0], pair[1]]));
        let mut replaced = bytes.len() % 2 == 1;
        let text = char::decode_utf16(pairs)
            .map(|c| {
                c.unwrap_or_else(|_| {
                    replaced = true;
                    char::REPLACEMENT_CHARACTER
                })
            })
            .collect();
        (text, replaced)
    };
    match encoding_of(bytes) {
        FileEncoding::Utf16Le => of_pairs(u16::from_le_bytes),
        FileEncoding::Utf16Be => of_pairs(u16::from_be_bytes),
        FileEncoding::Latin1 => (bytes.iter().map(|&b| char::from(b)).collect(), false),
        FileEncoding::Utf8 => {
            let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
            match String::from_utf8_lossy(bytes) {
                std::borrow::Cow::Borrowed(text) => (text.to_owned(), false),
                std::borrow::Cow::Owned(text) => (text, true),
            }
        }
    }
}

/// Encodes text like the file that it replaces, including the byte order mark. Returns `None` if a character cannot be encoded.
pub(crate) fn encoded(text: &str, as_before: &[u8]) -> Option<Vec<u8>> {
    let units = |bytes: fn(u16) -> [u8; 2]| {
        let marked = std::iter::once(0xFEFF).chain(text.encode_utf16());
        marked.flat_map(bytes).collect()
    };
    match encoding_of(as_before) {
        FileEncoding::Utf16Le => Some(units(u16::to_le_bytes)),
        FileEncoding::Utf16Be => Some(units(u16::to_be_bytes)),
        FileEncoding::Latin1 => text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).ok())
            .collect(),
        FileEncoding::Utf8 => {
            const MARK: &[u8] = b"\xEF\xBB\xBF";
            let mark = if as_before.starts_with(MARK) {
                MARK
            } else {
                b""
            };
            Some([mark, text.as_bytes()].concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_directives_say_how_to_read() {
        let utf_16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{feff}p('é𝄞').\n"
                .encode_utf16()
                .flat_map(order)
                .collect()
        };
        for (bytes, text, replaced) in [
            (b"\xEF\xBB\xBFp.\n".to_vec(), "p.\n", false),
            (utf_16(u16::to_le_bytes), "p('é𝄞').\n", false),
            (utf_16(u16::to_be_bytes), "p('é𝄞').\n", false),
            (
                b"% x\n :- encoding( iso_latin_1 ).\np('\xE9').\n".to_vec(),
                "% x\n :- encoding( iso_latin_1 ).\np('é').\n",
                false,
            ),
            (
                b":- encoding(utf8).\np('\xE9').\n".to_vec(),
                ":- encoding(utf8).\np('\u{fffd}').\n",
                true,
            ),
            (b"\xFF\xFEp\0.".to_vec(), "p", true),
            (b"".to_vec(), "", false),
        ] {
            assert_eq!(decoded(&bytes), (text.to_owned(), replaced));
            assert_eq!(into_text(bytes.clone()), (text.to_owned(), replaced));
            if !replaced {
                let expected = match text.is_empty() {
                    true => Vec::new(),
                    false => bytes.clone(),
                };
                assert_eq!(encoded(text, &bytes), Some(expected));
            }
        }
        let latin_1 = b":- encoding(iso_latin_1).\n";
        assert_eq!(encoded("p('\u{20ac}').", latin_1), None);
    }
}
