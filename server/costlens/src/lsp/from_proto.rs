//! Protocol types to plain data.

use costlens_ide::settings::{Settings, Threshold};
use serde_json::Value;
use tower_lsp::ls_types as lsp;

use crate::lines::Encoding;

/// Bytes if the client offers them, for they need no counting; else the protocol's default.
pub(super) fn encoding(client: &lsp::ClientCapabilities) -> Encoding {
    let offered = client
        .general
        .as_ref()
        .and_then(|g| g.position_encodings.as_deref())
        .unwrap_or_default();
    let offers = |kind| offered.contains(&kind);
    if offers(lsp::PositionEncodingKind::UTF8) {
        Encoding::Utf8
    } else if offers(lsp::PositionEncodingKind::UTF16) || !offers(lsp::PositionEncodingKind::UTF32)
    {
        Encoding::Utf16
    } else {
        Encoding::Utf32
    }
}

/// Settings from `initializationOptions` or `workspace/didChangeConfiguration`: the object itself, or one under `costlens`.
/// What is missing or of the wrong shape keeps its default.
pub(super) fn settings(value: &Value) -> Settings {
    let value = value.get("costlens").unwrap_or(value);
    let mut s = Settings::default();
    let flag = |path: &[&str], default: bool| {
        let found = path.iter().try_fold(value, |v, key| v.get(key));
        found.and_then(Value::as_bool).unwrap_or(default)
    };
    s.enable = flag(&["enable"], s.enable);
    s.hints.enable = flag(&["hints", "enable"], s.hints.enable);
    s.hints.steps = flag(&["hints", "steps"], s.hints.steps);
    s.hints.unknown = flag(&["hints", "unknown"], s.hints.unknown);
    s.diagnostics = flag(&["diagnostics", "enable"], s.diagnostics);
    s.hover = flag(&["hover", "enable"], s.hover);
    // Not every client shows pictures, so this is the client's own to say.
    s.hover_plot = flag(&["hoverPlot"], s.hover_plot);
    s.code_actions = flag(&["codeActions", "enable"], s.code_actions);
    if let Some(t) = value["hints"]["threshold"]
        .as_str()
        .and_then(Threshold::parse)
    {
        s.hints.threshold = t;
    }
    s
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_come_bare_or_under_their_name() {
        let bare =
            json!({"hints": {"unknown": false, "threshold": "n^2"}, "hover": {"enable": false}});
        let s = settings(&bare);
        assert!(s.enable && s.hints.steps && !s.hints.unknown && !s.hover);
        assert_eq!(s.hints.threshold, Threshold::Quadratic);
        assert_eq!(settings(&json!({ "costlens": bare })), s);
    }

    #[test]
    fn settings_of_the_wrong_shape_keep_their_defaults() {
        for odd in [
            json!(null),
            json!([1]),
            json!({"hints": 3, "enable": "yes"}),
            json!({"hints": {"threshold": "n!"}}),
        ] {
            assert_eq!(settings(&odd), Settings::default(), "{odd}");
        }
    }

    #[test]
    fn bytes_are_preferred_and_utf_16_is_the_default() {
        let with = |kinds: &[&'static str]| lsp::ClientCapabilities {
            general: Some(lsp::GeneralClientCapabilities {
                position_encodings: Some(
                    kinds
                        .iter()
                        .map(|k| lsp::PositionEncodingKind::new(k))
                        .collect(),
                ),
                ..Default::default()
            }),
            ..Default::default()
        };
        assert_eq!(
            encoding(&lsp::ClientCapabilities::default()),
            Encoding::Utf16
        );
        assert_eq!(encoding(&with(&["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(encoding(&with(&["utf-32", "utf-16"])), Encoding::Utf16);
        assert_eq!(encoding(&with(&["utf-32"])), Encoding::Utf32);
    }
}
