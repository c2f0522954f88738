//! `--format sarif`: the Static Analysis Results Interchange Format, version 2.1.0, for code scanning and viewers.

use costlens_ide::diagnostics::Severity;
use costlens_ide::diagnostics::rules::{Level, RULES};
use serde_json::{Value, json};

use super::finding::{FileRange, Finding};

/// The maximum number of results per run that code scanning accepts.
const MOST: usize = 25_000;

/// Returns the document.
pub(super) fn document(findings: &[Finding]) -> Value {
    let rules: Vec<Value> = (RULES.iter())
        .map(|rule| {
            json!({
                "id": rule.id(),
                "shortDescription": {"text": rule.summary()},
                "fullDescription": {"text": rule.why()},
                "help": {"text": format!("{}\n\nLike this:\n\n{}", rule.why(), rule.after())},
                "defaultConfiguration": {"level": level_of_rule(rule.level())},
            })
        })
        .collect();
    // If there are too many findings, errors take precedence over warnings.
    let mut chosen: Vec<&Finding> = findings.iter().collect();
    if chosen.len() > MOST {
        chosen.sort_by_key(|finding| finding.severity != Severity::Error);
        chosen.truncate(MOST);
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Costlens",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": chosen.iter().map(|finding| result(finding)).collect::<Vec<_>>(),
        }],
    })
}

fn result(finding: &Finding) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": RULES.iter().position(|rule| *rule == finding.rule),
        "level": match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": location(&finding.place)}],
        "partialFingerprints": {"costlens/v1": finding.fingerprint()},
    });
    if !finding.related.is_empty() {
        let related = finding
            .related
            .iter()
            .enumerate()
            .map(|(i, (place, text))| {
                json!({
                    "id": i,
                    "message": {"text": text},
                    "physicalLocation": location(place),
                })
            });
        result["relatedLocations"] = related.collect();
    }
    if finding.is_suppressed {
        result["suppressions"] = json!([{"kind": "inSource"}]);
    }
    result
}

fn location(place: &FileRange) -> Value {
    json!({
        "artifactLocation": artifact(&place.file),
        "region": {
            "startLine": place.start.0,
            "startColumn": place.start.1,
            "endLine": place.end.0,
            "endColumn": place.end.1,
        },
    })
}

/// Encodes a file's location; relative paths refer to the root of the sources.
fn artifact(file: &str) -> Value {
    let path = file.trim_start_matches("./").replace('\\', "/");
    match path.strip_prefix('/') {
        Some(absolute) => json!({"uri": format!("file:///{}", encoded(absolute))}),
        None => json!({"uri": encoded(&path), "uriBaseId": "%SRCROOT%"}),
    }
}

/// Percent-encodes a path for a URI.
pub(in crate::cli) fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn level_of_rule(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Hint | Level::Fix => "note",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(encoded("a b/ä.pl"), "a%20b/%C3%A4.pl");
        assert_eq!(artifact("/w/a.pl")["uri"], "file:///w/a.pl");
        assert_eq!(artifact("./src/a.pl")["uri"], "src/a.pl");
    }
}
