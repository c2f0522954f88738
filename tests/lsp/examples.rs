//! The display of the programs in `docs/examples`, read as a whole: each hint with its hover, each problem, each quick fix. The text next to
//! each program in `tests/examples` has been reviewed; a change of it has to be reviewed again.
//!
//! `UPDATE_EXPECT=1` writes the texts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::Client;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the display of a program in an editor without pictures, in the order of the text.
fn screen(text: &str, uri: &str) -> String {
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    client.open(uri, text);
    let document = json!({"uri": uri});
    let mut out = String::new();
    for problem in problems(&mut client, &document) {
        let _ = writeln!(out, "{problem}");
    }
    for (line, _, label) in client.hints(uri) {
        let head = text.lines().nth(line as usize).unwrap_or_default();
        let _ = writeln!(out, "\n{}: {head}    {label}", line + 1);
        let at = json!({"line": line, "character": head.len() - head.trim_start().len()});
        let hover = client.request(
            "textDocument/hover",
            json!({"textDocument": document, "position": at}),
        );
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        for line in shown.lines() {
            let _ = writeln!(out, "{}", format!("    {line}").trim_end());
        }
        for title in fixes(&mut client, &document, &at) {
            let _ = writeln!(out, "    fix: {title}");
        }
    }
    out
}

/// Returns the problems of a document, without hints: `3: a full stop is missing`.
fn problems(client: &mut Client, document: &Value) -> Vec<String> {
    let answer = client.request("textDocument/diagnostic", json!({"textDocument": document}));
    let items = answer["items"].as_array().unwrap().iter();
    items
        .filter(|d| d["severity"] != json!(4))
        .map(|d| {
            let line = d["range"]["start"]["line"].as_u64().unwrap() + 1;
            format!("{line}: {}", d["message"].as_str().unwrap())
        })
        .collect()
}

/// Returns the titles of quick fixes at a place, with the text that each writes.
fn fixes(client: &mut Client, document: &Value, at: &Value) -> Vec<String> {
    let params = json!({
        "textDocument": document,
        "range": {"start": at, "end": at},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    let answer = client.request("textDocument/codeAction", params);
    let all = answer.as_array().cloned().unwrap_or_default();
    let title = |action: &Value| action["title"].as_str().unwrap().to_owned();
    all.iter().map(title).collect()
}

#[test]
fn examples_look_as_they_were_read() {
    let folder = repository().join("docs/examples");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    programs.sort();
    assert!(programs.len() >= 9, "{programs:?}");
    let mut changed = Vec::new();
    for program in programs {
        let name = program.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&program).unwrap();
        let fresh = screen(&text, &format!("file:///examples/{name}.pl"));
        let path = repository().join(format!("tests/examples/{name}.txt"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &fresh).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != fresh {
            changed.push(path);
        }
    }
    assert!(
        changed.is_empty(),
        "{changed:?} show something else: read what UPDATE_EXPECT=1 writes"
    );
}
