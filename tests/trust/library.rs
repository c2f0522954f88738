//! The clauses that ship for libraries against SWI-Prolog's own, over both versions that are at hand: 9.0.4 is installed, and 10.1.10 runs in
//! Node.

use std::path::PathBuf;
use std::process::Command;

use super::root;

/// The texts that ship, with what a version has beside them.
fn shipped(version: Option<&str>) -> Vec<PathBuf> {
    let folder = root().join("server/program/library");
    let folders = [Some(folder.clone()), version.map(|name| folder.join(name))];
    let entries = folders
        .iter()
        .flatten()
        .flat_map(|f| std::fs::read_dir(f).unwrap());
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

/// What a comparison says; none where the program that it needs is not there, which CI has to have.
#[expect(clippy::print_stderr, reason = "a test that was skipped says so")]
fn said(command: &mut Command, needs: &str, is_there: bool) -> Option<String> {
    let out = match is_there {
        true => command.output().ok(),
        false => None,
    };
    let Some(out) = out else {
        assert!(std::env::var_os("CI").is_none(), "{needs}, and CI is set");
        eprintln!("skipped: {needs}");
        return None;
    };
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        out.status.success() && errors.is_empty(),
        "{text}\n{errors}"
    );
    Some(text)
}

fn in_swipl(runs: u32, files: &[PathBuf]) -> Option<String> {
    let mut command = Command::new("swipl");
    command
        .arg(root().join("tests/trust/library.pl"))
        .args(["--", "7", &runs.to_string()])
        .args(files);
    said(&mut command, "swipl is not installed", true)
}

fn in_node(runs: u32, files: &[PathBuf]) -> Option<String> {
    let folder = root().join("tests/trust/wasm");
    let is_there = folder.join("node_modules/swipl-wasm").is_dir();
    let mut command = Command::new("node");
    command
        .arg(folder.join("compare.mjs"))
        .args(["7", &runs.to_string()])
        .arg(root().join("tests/trust/library.pl"))
        .args(files);
    let needs = "swipl-wasm is not installed (`npm ci` in tests/trust/wasm)";
    said(&mut command, needs, is_there)
}

/// The predicates that were compared.
fn compared(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|l| l.strip_prefix("shipped "))
        .collect()
}

#[test]
fn clauses_do_what_those_of_9_0_do() {
    let Some(text) = in_swipl(2_000, &shipped(None)) else {
        return;
    };
    assert!(!text.contains("differs"), "{text}");
    assert!(compared(&text).len() >= 62, "{text}");
    for (what, least) in [
        ("compared", 100_000),
        ("raised", 30_000),
        ("failed", 60_000),
        ("several", 2_000),
    ] {
        assert!(figure(&text, what) > least, "{what}: {text}");
    }
}

#[test]
fn clauses_do_what_those_of_10_1_do() {
    let Some(text) = in_node(400, &shipped(Some("10.1"))) else {
        return;
    };
    assert!(text.contains("version 100110\n"), "{text}");
    assert!(!text.contains("differs"), "{text}");
    assert!(compared(&text).len() >= 63, "{text}");
    assert!(figure(&text, "compared") > 20_000, "{text}");
}

/// Each of these clauses is wrong in one way: in its answers, their order, its steps, a choice point, an exception.
#[test]
fn a_clause_that_does_something_else_is_found() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("lists.pl");
    let wrong = "\
last([X|Xs], Last) :- last_(Xs, X, Last).
last_([], Last, Last).
last_([_|Xs], X, Last) :- last_(Xs, X, Last).
nextto(X, Y, [_|Zs]) :- nextto(X, Y, Zs).
nextto(X, Y, [X,Y|_]).
sumlist(Xs, Sum) :- sum_list(Xs, Sum0), Sum = Sum0.
sum_list(Xs, Sum) :- sum_list(Xs, 0, Sum).
sum_list([], Sum, Sum).
sum_list([X|Xs], Sum0, Sum) :- Sum1 is Sum0+X, sum_list(Xs, Sum1, Sum).
same_length(Xs, [_|Ys]) :- Xs = [_|Zs], same_length(Zs, Ys).
same_length([], []).
append(Lists, List) :- append_(Lists, List).
append_([], []).
append_([L|Ls], As) :- lists:append(L, Ws, As), append_(Ls, Ws).
";
    std::fs::write(&file, wrong).unwrap();
    let Some(text) = in_swipl(2_000, &[file]) else {
        return;
    };
    let found = |name: &str| text.contains(&format!("differs {name}("));
    for name in [
        "last",
        "nextto",
        "sum_list",
        "sumlist",
        "same_length",
        "append",
    ] {
        assert!(found(name), "{name}: {text}");
    }
}

fn figure(text: &str, word: &str) -> u64 {
    let line = text.lines().find_map(|l| l.strip_prefix(word));
    line.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}
