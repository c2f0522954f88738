//! The frame filter: splits standard input into complete, well-formed JSON-RPC messages.
//!
//! Hand-written, because tower-lsp-server 0.23 stops reading forever after one message that it cannot decode. Therefore only decodable
//! messages are passed on, and all other input is answered by this filter (-32700 for bytes that are not JSON, -32600 for JSON that is not
//! a message).

use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Request, Response};

use super::uris::encoded;

/// The maximum length of a client's message in bytes; a longer message is skipped and answered with an error.
const LONGEST_BODY: usize = 256 << 20;
/// The maximum number of bytes in a header.
const LONGEST_HEADER: usize = 8 << 10;

const LENGTH: &[u8] = b"content-length:";
const TYPE: &[u8] = b"content-type";

/// A step of reading.
#[derive(Debug, PartialEq)]
pub(in crate::lsp) enum ReadStep {
    /// The body of a message that the server can decode.
    Message(Vec<u8>),
    /// The error response to input that is not a message.
    Refused(Value),
}

/// Splits a byte stream into frames. Damaged input is dropped up to the next `Content-Length`.
#[derive(Default)]
pub(in crate::lsp) struct Frames {
    bytes: Vec<u8>,
    /// The number of bytes of a rejected body that are still to be skipped.
    skip: usize,
}

impl Frames {
    pub(in crate::lsp) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next frame, or `None` until more bytes arrive.
    pub(in crate::lsp) fn next(&mut self) -> Option<ReadStep> {
        let skipped = self.skip.min(self.bytes.len());
        self.bytes.drain(..skipped);
        self.skip -= skipped;
        if self.skip > 0 {
            return None;
        }
        let header = &self.bytes[..self.bytes.len().min(LONGEST_HEADER)];
        let Some(end) = find(header, b"\r\n\r\n") else {
            if self.bytes.len() < LONGEST_HEADER {
                return None;
            }
            self.resynchronise(1);
            return Some(refused(-32700, "the header does not end"));
        };
        let body = end + 4;
        // A damaged header may contain the beginning of a valid header, so use the last `Content-Length` before the blank line.
        let start = rfind(&self.bytes[..end], LENGTH);
        let Some((start, length)) =
            start.and_then(|s| Some((s, length(&self.bytes[s + LENGTH.len()..end])?)))
        else {
            self.resynchronise(body);
            return Some(refused(-32700, "a header without a usable Content-Length"));
        };
        if start > 0 && find(&self.bytes[..start], TYPE).is_none() {
            self.bytes.drain(..start);
            return Some(refused(-32700, "bytes that belong to no message"));
        }
        if length > LONGEST_BODY {
            self.bytes.drain(..body);
            self.skip = length;
            return Some(refused(-32600, "the message is too long"));
        }
        if self.bytes.len() < body + length {
            return None;
        }
        let message = self.bytes[body..body + length].to_vec();
        self.bytes.drain(..body + length);
        Some(judge(message))
    }

    /// Drops `from` bytes and all bytes up to the next header.
    fn resynchronise(&mut self, from: usize) {
        let from = from.min(self.bytes.len());
        let keep = find(&self.bytes[from..], LENGTH).map_or_else(
            // The beginning of a header may be at the end of the input so far.
            || {
                let tail = (1..LENGTH.len()).rev().find(|&n| {
                    self.bytes.len() >= from + n
                        && self.bytes[self.bytes.len() - n..].eq_ignore_ascii_case(&LENGTH[..n])
                });
                self.bytes.len() - tail.unwrap_or(0)
            },
            |i| from + i,
        );
        self.bytes.drain(..keep);
    }
}

/// Accepts exactly the messages that the server can decode, which the server's own types decide.
fn judge(body: Vec<u8>) -> ReadStep {
    let Ok(text) = std::str::from_utf8(&body) else {
        return refused(-32700, "the body is not UTF-8");
    };
    if let Some(encoded) = encoded(text)
        && serde_json::from_str::<Request>(&encoded).is_ok()
    {
        return ReadStep::Message(encoded.into_bytes());
    }
    if serde_json::from_str::<Request>(text).is_ok() {
        return ReadStep::Message(body);
    }
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(e) => return refused(-32700, &format!("the body is not JSON: {e}")),
    };
    let response = value.get("method").is_none()
        && value.get("id").is_some()
        && (value.get("result").is_some() != value.get("error").is_some());
    if response && serde_json::from_value::<Response>(value).is_ok() {
        ReadStep::Message(body)
    } else {
        refused(-32600, "the body is JSON but no JSON-RPC 2.0 message")
    }
}

fn refused(code: i64, why: &str) -> ReadStep {
    ReadStep::Refused(
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": why}}),
    )
}

fn length(after_colon: &[u8]) -> Option<usize> {
    let line = std::str::from_utf8(after_colon).ok()?.lines().next()?;
    line.trim().parse().ok()
}

/// Returns the first position of `what`, which must be in lower case, ignoring case.
fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes
        .windows(what.len())
        .position(|w| w.eq_ignore_ascii_case(what))
}

fn rfind(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes
        .windows(what.len())
        .rposition(|w| w.eq_ignore_ascii_case(what))
}

/// Returns a body with its header.
pub(in crate::lsp) fn framed(body: &[u8]) -> Vec<u8> {
    let mut out = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    out.extend_from_slice(body);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Vec<u8> {
        framed(br#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#)
    }

    fn frames(bytes: &[u8], step: usize) -> Vec<ReadStep> {
        let (mut frames, mut found) = (Frames::default(), Vec::new());
        for chunk in bytes.chunks(step) {
            frames.push(chunk);
            while let Some(frame) = frames.next() {
                found.push(frame);
            }
        }
        found
    }

    #[test]
    fn a_message_is_found_however_its_bytes_come() {
        let two = [good(), good()].concat();
        for step in [1, 2, 7, 4096] {
            let found = frames(&two, step);
            assert_eq!(found.len(), 2, "in steps of {step}");
            assert!(found.iter().all(|f| matches!(f, ReadStep::Message(_))));
        }
    }

    #[test]
    fn garbage_costs_itself_alone() {
        for garbage in [
            &b"hello\r\n\r\n"[..],
            b"Content-Length: x\r\n\r\n",
            b"Content-Length: 3\r\n\r\n{}}",
            b"Content-Length: 1\r\n\r\n\xff",
            b"Content-Length: 2\r\n\r\n{}",
        ] {
            for step in [1, 4096] {
                let found = frames(&[garbage, &good()].concat(), step);
                assert!(matches!(found[0], ReadStep::Refused(_)), "{found:?}");
                assert!(
                    matches!(found.last(), Some(ReadStep::Message(_))),
                    "{found:?}"
                );
            }
        }
    }

    #[test]
    fn a_header_without_an_end_is_refused_and_forgotten() {
        let endless = vec![b'x'; 3 * LONGEST_HEADER];
        let found = frames(&[endless, good()].concat(), 1000);
        assert!(matches!(found[0], ReadStep::Refused(_)));
        assert!(matches!(found.last(), Some(ReadStep::Message(_))));
    }

    #[test]
    fn a_body_that_is_too_long_is_skipped() {
        let mut frames = Frames::default();
        frames.push(format!("Content-Length: {}\r\n\r\n", LONGEST_BODY + 1).as_bytes());
        assert!(matches!(frames.next(), Some(ReadStep::Refused(_))));
        assert_eq!(frames.skip, LONGEST_BODY + 1);
        frames.skip = 3;
        frames.push(b"xxx");
        frames.push(&good());
        assert!(matches!(frames.next(), Some(ReadStep::Message(_))));
    }
}
