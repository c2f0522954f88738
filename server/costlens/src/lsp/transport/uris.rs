//! URIs that a client did not encode: `file:///home/é/a b.pl`. They are accepted and encoded, since the rest of the message is valid.
//!
//! The protocol types would reject a whole message for one such character, even `initialize`, and report only its index.

use serde_json::Value;

/// Characters that a URI may contain unencoded, in addition to letters and digits. `%` must be followed by two digits.
const PLAIN: &[u8] = b"-._~:/?#@!$&'()*+,;=";

/// Returns a message with its URIs encoded. Returns `None` if they are already encoded.
pub(super) fn encoded(text: &str) -> Option<String> {
    if !may_have_raw(text) {
        return None;
    }
    let mut message: Value = serde_json::from_str(text).ok()?;
    let (mut changed, mut open) = (false, vec![&mut message]);
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(uri) if is_uri(key) && !is_encoded(uri) => {
                            *uri = encode(uri);
                            changed = true;
                        }
                        _ => open.push(value),
                    }
                }
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    changed.then(|| message.to_string())
}

/// Returns whether the text after some key ending in `uri` may be an invalid URI; a quick check.
fn may_have_raw(text: &str) -> bool {
    text.match_indices("ri\"").any(|(at, key)| {
        let rest = text[at + key.len()..].trim_start();
        let value = rest.strip_prefix(':').map(str::trim_start);
        let Some(value) = value.and_then(|value| value.strip_prefix('"')) else {
            return false;
        };
        let end = value.find('"').unwrap_or(value.len());
        !is_encoded(&value[..end])
    })
}

fn is_uri(key: &str) -> bool {
    key == "uri" || key.ends_with("Uri")
}

fn is_encoded(uri: &str) -> bool {
    let bytes = uri.as_bytes();
    (0..bytes.len()).all(|at| is_allowed(bytes, at))
}

/// Returns whether the byte at a position of a URI needs no encoding.
fn is_allowed(uri: &[u8], at: usize) -> bool {
    match uri[at] {
        b'%' => (1..3).all(|i| uri.get(at + i).is_some_and(u8::is_ascii_hexdigit)),
        other => other.is_ascii_alphanumeric() || PLAIN.contains(&other),
    }
}

fn encode(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut out = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        match is_allowed(bytes, at) {
            true => out.push(char::from(*byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_encoded_and_nothing_else_is() {
        let text = r#"{"method":"x","params":{"rootUri":"file:///é/a b","textDocument":{"uri" : "file:///%C3%A9/[1]50%.pl","text":"\"uri\": é"}}}"#;
        let message: Value = serde_json::from_str(&encoded(text).unwrap()).unwrap();
        assert_eq!(message["params"]["rootUri"], "file:///%C3%A9/a%20b");
        let document = &message["params"]["textDocument"];
        assert_eq!(document["uri"], "file:///%C3%A9/%5B1%5D50%25.pl");
        assert_eq!(document["text"], "\"uri\": é");
    }

    #[test]
    fn what_is_encoded_stays_as_it_is() {
        for text in [
            r#"{"params":{"uri":"file:///a/%C3%A9.pl"}}"#,
            r#"{"params":{"rootUri":null,"text":"é \"uri\": \"é\""}}"#,
            r#"{"params":{"uri":{"é":1}}}"#,
        ] {
            assert_eq!(encoded(text), None, "{text}");
        }
    }
}
