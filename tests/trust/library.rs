//! The clauses that ship for libraries compared with SWI-Prolog's own, for both available versions: 9.0.4 is installed, and 10.1.10 runs in Node.

use std::path::PathBuf;

use super::engines::{in_node, installed};
use super::root;

/// Returns the texts that ship, with the additions of a version.
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

fn in_swipl(runs: u32, files: &[PathBuf]) -> Option<String> {
    let numbers = ["7".into(), runs.to_string().into()];
    let files = files.iter().map(|file| file.as_os_str().to_owned());
    let arguments: Vec<_> = numbers.into_iter().chain(files).collect();
    Some(installed("library.pl", &arguments)?.without_messages())
}

/// Returns the predicates that were compared.
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
    let goal = "shipped_library:compared(7, 400, [$*])";
    let Some(printed) = in_node("library.pl", goal, &shipped(Some("10.1"))) else {
        return;
    };
    let text = printed.without_messages();
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
