//! Every message that the programs of the tests produce, once, without its names and numbers: `tests/messages/all.txt` has been reviewed as a
//! whole. A new message, or a new wording, has to be reviewed together with the others.
//!
//! `UPDATE_EXPECT=1` writes the text.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::project::run;

/// Folders of programs.
const PROGRAMS: [&str; 6] = [
    "docs/examples",
    "tests/fixtures",
    "tests/machine/programs",
    "tests/papers",
    "tests/trust",
    "tests/workspaces/programs",
];

/// The maximum length of a message in characters, with `…` for each name. Verdicts on two ranges of sizes, with the reason, are the longest.
const LONGEST: usize = 215;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns a message without anything specific to a program: names in backticks become `…`, numbers become `N`.
fn pattern(message: &str) -> String {
    let mut out = String::new();
    for (i, part) in message.split('`').enumerate() {
        if i % 2 == 1 {
            out.push('…');
            continue;
        }
        let mut digits = false;
        for c in part.chars() {
            if c.is_ascii_digit() {
                if !digits {
                    out.push('N');
                }
            } else {
                out.push(c);
            }
            digits = c.is_ascii_digit();
        }
    }
    out
}

/// Collects the strings under these keys, at any depth.
fn strings<'v>(value: &'v Value, keys: &[&str], found: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member.as_str() {
                    Some(text) if keys.contains(&key.as_str()) => found.push(text),
                    _ => strings(member, keys, found),
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|e| strings(e, keys, found)),
        _ => {}
    }
}

/// Returns the messages of commands over all programs.
fn messages() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for command in ["bounds", "check"] {
        let arguments = [command, "--no-library", "--format", "json", "--exit-zero"];
        let output = run(&repository(), &[&arguments[..], &PROGRAMS].concat());
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{command}: {e}: {output:?}"));
        let mut found = Vec::new();
        strings(&json, &["reason", "help", "message"], &mut found);
        all.extend(
            found
                .into_iter()
                .filter(|text| !text.is_empty())
                .map(pattern),
        );
    }
    all
}

#[test]
fn messages_are_those_that_were_read() {
    let found = messages();
    assert!(found.len() >= 80, "{} messages", found.len());
    let long: Vec<&String> = (found.iter())
        .filter(|message| message.chars().count() > LONGEST)
        .collect();
    let fresh: String = found.iter().map(|message| format!("{message}\n")).collect();
    let path = repository().join("tests/messages/all.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &fresh).unwrap();
    }
    assert!(long.is_empty(), "longer than {LONGEST}: {long:#?}");
    let read = std::fs::read_to_string(&path).unwrap_or_default();
    let (read, fresh): (BTreeSet<&str>, BTreeSet<&str>) =
        (read.lines().collect(), fresh.lines().collect());
    let new: Vec<_> = fresh.difference(&read).collect();
    let gone: Vec<_> = read.difference(&fresh).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new: {new:#?}\ngone: {gone:#?}\nread what UPDATE_EXPECT=1 writes"
    );
}
