//! The model of GNU Prolog's code compared with GNU Prolog: the instructions of each clause of the fixtures, of SWI-Prolog's library, and of
//! `tests/gnu_code/odd.pl`.
//!
//! Clauses are written in a form that any system reads, each as a separate predicate, and compiled by `pl2wam`. Two clauses agree if their
//! whole sequences of instructions and those of the predicates for their disjunctions have the same names, including the functions that are
//! called in line. Registers, slots and constants are compared as far as they determine the instructions: copies of a register to itself are
//! omitted. Instructions that select clauses are compared separately.
//!
//! `GNU_CODE=all` compares all files of the library, a folder or a file with a list of files compares those; by default a sample of the
//! library is taken. `GNU_CODE_SHOW=20` prints that many clauses of each cause, `GNU_CODE_FILES=50` makes that many files of random clauses.

#[path = "../gnu_code/compare.rs"]
mod compare;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::seeds::number;
use crate::{clauses, library, project};
use compare::{Tally, compare};

/// Returns whether GNU Prolog is installed in the version of the model, which CI must have.
#[expect(clippy::print_stdout, reason = "reports a skipped test")]
fn is_installed() -> bool {
    let found = Command::new("pl2wam").arg("--version").output();
    let version = found.map_or_else(
        |e| e.to_string(),
        |o| String::from_utf8_lossy(&o.stdout).into_owned(),
    );
    if version.contains(" 1.4.5") {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "{version}");
    println!("SKIPPED: the model is of GNU Prolog 1.4.5, and here is {version}");
    false
}

/// The share of clauses, and of predicates, that have to agree.
const FLOOR: f64 = 0.99;

/// The same for random clauses, many of which have goals in modules that are variables.
const FLOOR_BY_CHANCE: f64 = 0.9;

fn agree(what: &str, files: &[PathBuf], floor: f64) -> Tally {
    let mut tally = Tally::default();
    for file in files {
        compare(file, &mut tally);
    }
    tally.tell(what);
    assert!(tally.share() >= floor, "{:.4}", tally.share());
    assert!(
        tally.share_of_indexes() >= floor,
        "{:.4}",
        tally.share_of_indexes()
    );
    tally
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

#[test]
fn fixtures_have_the_code_that_the_model_says() {
    if is_installed() {
        let tally = agree(
            "fixtures",
            &library::prolog_files(tests().join("fixtures")),
            FLOOR,
        );
        assert!(tally.clauses > 2_000, "{}", tally.clauses);
    }
}

#[test]
fn the_library_of_swi_prolog_has_the_code_that_the_model_says() {
    let asked = std::env::var("GNU_CODE").unwrap_or_default();
    let path = Path::new(&asked);
    if !is_installed() {
        return;
    }
    let files = if path.is_dir() {
        library::prolog_files(path.to_owned())
    } else if path.is_file() {
        let list = std::fs::read_to_string(path).unwrap();
        list.lines().map(PathBuf::from).collect()
    } else {
        let Some(files) = library::files() else {
            return;
        };
        let step = if asked == "all" { 1 } else { 10 };
        files.into_iter().step_by(step).collect()
    };
    agree("library", &files, FLOOR);
}

#[test]
fn odd_clauses_have_the_code_of_gnu_prolog_that_the_model_says() {
    if is_installed() {
        let tally = agree("odd", &[tests().join("gnu_code/odd.pl")], 1.0);
        assert!(tally.clauses > 250, "{}", tally.clauses);
        assert_eq!(tally.more, 0, "clauses that GNU Prolog refuses");
    }
}

#[test]
fn clauses_by_chance_have_the_code_of_gnu_prolog_that_the_model_says() {
    if !is_installed() {
        return;
    }
    let (many, from) = (number("GNU_CODE_FILES", 3), number("GNU_CODE_SEED", 0));
    let texts: Vec<String> = (from..from + many)
        .map(|seed| clauses::file(seed, 500))
        .collect();
    let names: Vec<String> = (0..texts.len()).map(|i| format!("{i}.pl")).collect();
    let files: Vec<(&str, &str)> = (names.iter().map(String::as_str))
        .zip(texts.iter().map(String::as_str))
        .collect();
    let folder = project::folder(&files);
    agree(
        "by chance",
        &library::prolog_files(folder.path().to_owned()),
        FLOOR_BY_CHANCE,
    );
}
