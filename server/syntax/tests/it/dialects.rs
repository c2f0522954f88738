//! Tests files in each dialect: the detected dialect, and the terms of their clauses.

use crate::dump;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use costlens_syntax::{Dialect, Parsed, ReadClause, ReadOptions, dialect_of, read};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/reader")
}

fn form(clause: &ReadClause) -> String {
    match &clause.error {
        Some(_) => "error".into(),
        None => dump::dump(&clause.terms, clause.root),
    }
}

/// In `tests/reader/dialects/DIALECT.pl`, each clause is followed by `%= FORM`.
#[test]
fn files_tell_their_dialect_and_are_read_in_it() {
    for dialect in Dialect::ALL {
        let path = folder().join(format!("dialects/{}.pl", dialect.name()));
        let text = std::fs::read_to_string(path).unwrap();
        let parsed = if dialect == Dialect::Iso {
            Parsed::in_dialect(text.as_str(), dialect)
        } else {
            assert_eq!(dialect_of(&text), dialect);
            Parsed::new(text.as_str())
        };
        let file = read(&parsed, &ReadOptions::default());
        let expected: Vec<(usize, &str)> = file
            .comments
            .iter()
            .filter_map(|c| Some((c.range.0, c.text.strip_prefix("%= ")?)))
            .collect();
        assert_eq!(file.clauses.len(), expected.len(), "{}", dialect.name());
        for (clause, (at, expected)) in file.clauses.iter().zip(expected) {
            assert!(clause.range.1 <= at, "{}: {expected}", dialect.name());
            let source = &text[clause.range.0..clause.range.1];
            assert_eq!(form(clause), expected, "{}: {source}", dialect.name());
        }
    }
}

/// Returns the terms by line, for a file with one clause in each line.
fn answers(text: &str) -> BTreeMap<usize, String> {
    let lines = text.lines().filter_map(|l| l.split_once('\t'));
    lines
        .filter_map(|(n, form)| Some((n.parse().ok()?, form.to_owned())))
        .collect()
}

/// Terms that GNU Prolog accepts must be read in the same way. Terms that it rejects and Costlens accepts are listed; they have no other
/// meaning in GNU Prolog (operators as operands without brackets, high priorities in arguments, escapes and numbers of SWI-Prolog).
#[test]
fn odd_clauses_are_read_to_the_terms_that_gnu_prolog_reads() {
    let path = folder().join("dialects/gnu_odd.pl");
    let theirs = answers(&std::fs::read_to_string(path.with_extension("txt")).unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    let parsed = Parsed::in_dialect(text.as_str(), Dialect::Gnu);
    let file = read(&parsed, &ReadOptions::default());
    let (mut ours, mut line, mut from) = (BTreeMap::new(), 1, 0);
    for clause in &file.clauses {
        line += text[from..clause.range.0].matches('\n').count();
        from = clause.range.0;
        ours.insert(line, form(clause));
    }
    let (mut accepted, mut over_accepted) = (0, Vec::new());
    for (line, theirs) in &theirs {
        let source = text.lines().nth(line - 1).unwrap();
        let mine = ours.get(line).map_or("error", String::as_str);
        if theirs != "error" {
            accepted += 1;
            assert_eq!(mine, theirs, "{source}");
        } else if mine != "error" {
            over_accepted.push(source);
        }
    }
    assert!(accepted > 90, "only {accepted} clauses");
    let listed: Vec<&str> = include_str!("../../../../tests/reader/dialects/gnu_over_accepted.txt")
        .lines()
        .collect();
    assert_eq!(over_accepted, listed);
}

/// The stored results must equal GNU Prolog's, if it is installed.
#[test]
#[expect(clippy::print_stdout, reason = "reports a skipped test")]
fn stored_answers_are_those_of_gnu_prolog() {
    let path = folder().join("dialects/gnu_odd.pl");
    let output = Command::new("gprolog")
        .arg("--consult-file")
        .arg(folder().join("dump_gnu.pl"))
        .env("DUMP", &path)
        .output();
    let Ok(output) = output else {
        println!("SKIPPED: gprolog is not installed, nothing was compared");
        return;
    };
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, written) = output.split_once("dump begins\n").unwrap();
    let stored = std::fs::read_to_string(path.with_extension("txt")).unwrap();
    assert_eq!(answers(written), answers(&stored));
}
