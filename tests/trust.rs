//! The trust assertions that ship with Costlens compared with SWI-Prolog: each line is run on inputs that its precondition admits, and its
//! claims are checked: numbers of solutions, types and sizes of outputs, exceptions, and, for predicates written in Prolog in SWI-Prolog,
//! clause entries. One process runs them all, from a seed.
//!
//! Without `swipl` the tests report that and do nothing, unless `CI` is set.
#![cfg(test)]

#[path = "support/binary.rs"]
mod binary;
#[path = "trust/calls.rs"]
mod calls;
#[path = "trust/engines.rs"]
mod engines;
#[path = "trust/library.rs"]
mod library;
#[path = "support/project.rs"]
mod project;
#[expect(dead_code, reason = "one process runs all calls")]
#[path = "support/seeds.rs"]
mod seeds;
#[path = "trust/text.rs"]
mod text;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here
        .ancestors()
        .find(|d| d.join("tests/trust.rs").is_file());
    root.expect("the project's root").to_owned()
}

/// The file of what the catalogue states of built-ins, as trust assertions. Times are measured and not tested: tests/bench/time_shapes.pl.
static BUILT_INS: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("built_ins.pl");
    std::fs::write(&path, costlens_catalog::trust_assertions()).unwrap();
    path
});

/// Returns the files of trust assertions: that of built-ins, and those of libraries, which ship.
fn shipped() -> Vec<PathBuf> {
    let folders = [
        "server/analysis/library/swi",
        "server/analysis/library/swi/dcg",
    ];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.push(BUILT_INS.clone());
    files.sort();
    files
}

/// Returns SWI-Prolog's report about the lines of files. Returns `None` if it is not installed.
fn compared(seed: u32, runs: u32, files: &[PathBuf]) -> Option<String> {
    let numbers = [seed, runs].map(|n| n.to_string().into());
    let files = files.iter().map(|file| file.as_os_str().to_owned());
    let arguments: Vec<_> = numbers.into_iter().chain(files).collect();
    Some(engines::installed("against.pl", &arguments)?.without_messages())
}

/// Returns the number after a word in the last lines.
fn number(text: &str, word: &str) -> u64 {
    let mut words = text.split_whitespace().skip_while(|w| *w != word);
    words.nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Returns whether a goal succeeds in SWI-Prolog without output; true if it is not installed.
fn holds(goal: &str) -> bool {
    let out = Command::new("swipl")
        .args(["-g", goal, "-t", "halt"])
        .output();
    match out {
        Ok(out) => out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(),
        Err(_) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "swipl is not installed, and CI is set"
            );
            true
        }
    }
}

/// Checks in SWI-Prolog the predicates by which `:- if(current_predicate(…))` is decided.
#[test]
fn what_conditions_ask_for_is_there() {
    let asked = costlens_catalog::system_predicates()
        .iter()
        .filter(|p| p.in_every_version);
    let asked: Vec<String> = asked.map(|p| format!("'{}'/{}", p.name, p.arity)).collect();
    assert!(holds(&format!(
        "forall(( member(P, [{}]), \\+ current_predicate(P) ), ( print(P), nl )), current_prolog_flag(dialect, swi)",
        asked.join(",")
    )));
}

/// Checks in SWI-Prolog the functions that library(arithmetic) does not expand.
#[test]
fn arithmetic_functions_are_those_that_are_built_in() {
    let functions = costlens_catalog::ARITHMETIC_FUNCTIONS.iter();
    let functions: Vec<String> = (functions.enumerate())
        .flat_map(|(arity, names)| names.iter().map(move |name| format!("({name})/{arity}")))
        .collect();
    assert!(holds(&format!(
        "forall(( member(N/A, [{}]), functor(T, N, A), \\+ current_arithmetic_function(T) ), print(N/A))",
        functions.join(",")
    )));
}

/// Compares the steps of lambda expressions in SWI-Prolog with `docs/builtins.md`: of those that are compiled to clauses, and of others.
#[test]
fn lambda_expressions_take_what_their_clauses_take() {
    let fixture = root().join("tests/fixtures/lambdas_of_all_kinds.pl");
    let out = Command::new("swipl")
        .arg(root().join("tests/trust/lambdas.pl"))
        .args([std::ffi::OsStr::new("--"), fixture.as_os_str()])
        .output();
    match out {
        Ok(out) => assert!(out.status.success() && out.stdout.is_empty(), "{out:?}"),
        Err(_) => assert!(
            std::env::var_os("CI").is_none(),
            "swipl is not installed, and CI is set"
        ),
    }
}

#[test]
fn every_line_holds_in_swi_prolog() {
    // With a seed that SWI-Prolog 9.0.4 survives: with some, one of its built-ins crashes.
    let Some(text) = compared(7, 400, &shipped()) else {
        return;
    };
    assert!(!text.contains("broken"), "{text}");
    // Calls, and the number of these that ended without an exception.
    assert!(number(&text, "calls") > 140_000, "{text}");
    assert!(number(&text, "ended") > 75_000, "{text}");
}

#[test]
fn every_line_holds_in_swi_prolog_10_1() {
    let goal = "use_module(library(dcg/basics)), main(['7', '100', $*])";
    let Some(printed) = engines::in_node("against.pl", goal, &shipped()) else {
        return;
    };
    let text = printed.without_messages();
    assert!(text.contains("version 100110\n"), "{text}");
    assert!(!text.contains("broken"), "{text}");
    assert!(number(&text, "ended") > 30_000, "{text}");
}

#[test]
fn a_line_that_is_not_true_is_found() {
    let wrong = root().join("tests/trust/wrong.pl");
    let Some(text) = compared(6, 400, std::slice::from_ref(&wrong)) else {
        return;
    };
    let lines = std::fs::read_to_string(&wrong).unwrap();
    for line in lines
        .lines()
        .filter_map(|l| l.strip_prefix(":- trust pred "))
    {
        let without_layout = |s: &str| s.replace([' ', '.'], "");
        let found = text.lines().filter_map(|l| l.strip_prefix("broken "));
        assert!(
            found.map(without_layout).any(|l| l == without_layout(line)),
            "{line} is not found:\n{text}"
        );
    }
}
