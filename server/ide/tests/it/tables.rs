//! Tests that a file with a table of very many facts gives the same results after each edit as a file that is opened with the new text.

use std::fmt::Write as _;

use costlens_ide::host::{Edit, Host};
use costlens_ide::settings::Settings;

/// Returns a rule, a table of facts, and another rule.
fn text() -> String {
    let mut text = String::from("first(X, Z) :- edge(X, Y, _), edge(Y, Z, _).\n");
    for i in 0..4_100 {
        let _ = writeln!(text, "edge(n{i}, 'Node {}', {}).", i % 50, i * 7);
    }
    text.push_str("last(X) :- first(X, _).\n");
    text
}

/// Returns all displayed results for the file, with hovers on the first clause of each predicate.
fn shown(host: &Host, file: costlens_ide::host::File, text: &str) -> Vec<String> {
    let (snapshot, settings) = (host.snapshot(), Settings::default());
    let hints = snapshot.hints(file, &settings).unwrap();
    let mut all: Vec<String> = hints.iter().map(|h| format!("{h:?}")).collect();
    for problem in snapshot.diagnostics(file, &settings).unwrap() {
        all.push(format!("{problem:?}"));
    }
    for name in ["first(", "edge(n", "last(", "edge(Y"] {
        let hover = text
            .find(name)
            .map(|at| snapshot.hover(file, at, &settings));
        all.push(format!("{name} {hover:?}"));
    }
    all
}

#[test]
fn answers_after_edits_of_a_table_are_those_of_a_new_text() {
    let mut host = Host::new();
    let mut now = text();
    let file = host.open("table.pl", &now);
    shown(&host, file, &now);
    for (at, removed, new) in [
        // Another value, a repeated value, a nonconstant argument, and the original value.
        ("7).", 0, "1"),
        ("14007).", 5, "14000"),
        ("14000).", 5, "X"),
        ("X).\n", 1, "14007"),
        // One clause is added, and one is removed.
        ("last(", 0, "edge(new, 'Node 1', -3).\n"),
        ("edge(n17, ", 27, ""),
        // A goal is added to a caller of the table.
        ("first(X, _)", 0, "edge(X, _, _), "),
        // A syntax error is added and removed.
        ("(n90, ", 1, ""),
        ("n90, ", 0, "("),
    ] {
        let place = now.find(at).unwrap();
        let range = place..place + removed;
        now.replace_range(range.clone(), new);
        let edit = Edit {
            range,
            text: new.to_owned(),
        };
        host.edit(file, &[edit]);
        let mut fresh = Host::new();
        let opened = fresh.open("table.pl", &now);
        assert_eq!(
            shown(&host, file, &now),
            shown(&fresh, opened, &now),
            "{new:?} at {at:?}"
        );
    }
}
