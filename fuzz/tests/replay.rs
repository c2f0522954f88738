//! Runs every seed, every annotated program, and random changes of them, through every target, without a fuzzer, which is possible without
//! a C++ compiler. `FUZZ_MUTANTS=1000 cargo test -p costlens-fuzz --test replay` tries that many changes of each seed.
#![allow(
    clippy::print_stderr,
    reason = "failing inputs are named so that they can be run again"
)]
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use costlens_fuzz::{Property, TARGETS};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// The number of changes of each seed if the environment does not set it.
const MUTANTS: usize = 8;

/// Returns the files of a folder and of its subfolders, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the tokens of the dictionary, as libFuzzer reads them.
fn dictionary() -> Vec<Vec<u8>> {
    let text = fs::read_to_string(here("prolog.dict")).unwrap();
    text.lines()
        .filter_map(|line| {
            line.trim()
                .strip_prefix('"')?
                .strip_suffix('"')
                .map(unescaped)
        })
        .collect()
}

/// Unescapes `\\`, `\"` and `\xAB`, the only escapes of a dictionary.
fn unescaped(quoted: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = quoted;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match (c, rest.chars().next()) {
            ('\\', Some('x')) => {
                bytes.push(u8::from_str_radix(&rest[1..3], 16).unwrap());
                rest = &rest[3..];
            }
            ('\\', Some(escaped @ ('\\' | '"'))) => {
                bytes.push(escaped as u8);
                rest = &rest[1..];
            }
            ('\\', _) => panic!("an escape that libFuzzer does not know: {quoted}"),
            _ => bytes.extend(c.to_string().bytes()),
        }
    }
    bytes
}

/// Returns a changed input: part of it is deleted, and something is inserted there.
fn changed(input: &[u8], other: &[u8], tokens: &[Vec<u8>], rng: &mut TestRng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..rng.random_range(1..4) {
        let start = rng.random_range(0..=bytes.len());
        let end = (start + rng.random_range(0..12)).min(bytes.len());
        let new = match rng.random_range(0..4) {
            0 => vec![rng.random()],
            1 => {
                let from = rng.random_range(0..=other.len());
                other[from..(from + rng.random_range(0..40)).min(other.len())].to_vec()
            }
            2 => Vec::new(),
            _ => tokens[rng.random_range(0..tokens.len())].clone(),
        };
        bytes.splice(start..end, new);
    }
    bytes
}

/// Runs the property; a failing input is named and, as the test fails, written where cargo keeps temporary files of tests.
fn passes(target: &str, property: Property, what: &str, input: &[u8]) -> bool {
    if catch_unwind(|| property(input)).is_ok() {
        return true;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{target}-failed"));
    fs::write(&file, input).unwrap();
    eprintln!(
        "{target}: fails on {what}: {}",
        String::from_utf8_lossy(input)
    );
    eprintln!(
        "to try again: cargo run -p costlens-fuzz --bin {target} {}",
        file.display()
    );
    false
}

/// Returns the inputs of a target: seeds and inputs that once failed, and the annotated programs for targets that take programs.
fn inputs(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = files(&here("seeds").join(target));
    if matches!(target, "reader" | "assertions") {
        let programs = files(&here("../tests/fixtures"));
        all.extend(
            programs
                .into_iter()
                .filter(|p| p.extension().is_some_and(|e| e == "pl")),
        );
    }
    all.into_iter()
        .map(|path| {
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect()
}

fn replay(target: &str) {
    let &(_, property, longest) = TARGETS.iter().find(|(name, ..)| *name == target).unwrap();
    let inputs = inputs(target);
    assert!(inputs.len() >= 10, "{target} has {} seeds", inputs.len());
    let tokens = dictionary();
    assert!(tokens.len() > 50);
    let mutants = std::env::var("FUZZ_MUTANTS").map_or(MUTANTS, |n| n.parse().unwrap());
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    for (path, input) in &inputs {
        assert!(
            passes(target, property, &path.display().to_string(), input),
            "see above"
        );
        for _ in 0..mutants {
            let (_, other) = &inputs[rng.random_range(0..inputs.len())];
            let mut mutant = changed(input, other, &tokens, &mut rng);
            mutant.truncate(longest);
            let what = format!("a change of {}", path.display());
            assert!(passes(target, property, &what, &mutant), "see above");
        }
    }
}

#[test]
fn every_target_has_its_folder_of_seeds_and_its_test() {
    let mut folders: Vec<String> = fs::read_dir(here("seeds"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort();
    let mut names: Vec<&str> = TARGETS.iter().map(|(name, ..)| *name).collect();
    names.sort_unstable();
    assert_eq!(folders, names);
    for (name, _, longest) in TARGETS {
        assert!(here(&format!("fuzz_targets/{name}.rs")).exists(), "{name}");
        for file in files(&here("seeds").join(name)) {
            assert!(
                fs::metadata(&file).unwrap().len() <= *longest as u64,
                "{}",
                file.display()
            );
        }
    }
}

#[test]
fn a_property_that_fails_is_noticed() {
    fn no_x(bytes: &[u8]) {
        assert!(!bytes.contains(&b'x'), "an x");
    }
    assert!(passes("none", no_x, "a seed", b"abc"));
    assert!(!passes("none", no_x, "a seed", b"axc"));
    fs::remove_file(Path::new(env!("CARGO_TARGET_TMPDIR")).join("none-failed")).unwrap();
}

#[test]
fn any_text_is_read_and_what_is_written_reads_back() {
    replay("reader");
}

#[test]
fn edited_texts_are_read_as_fresh_ones() {
    replay("edits");
}

#[test]
fn assertions_fit_together_in_any_text() {
    replay("assertions");
}

#[test]
fn expressions_print_and_read_back() {
    replay("expressions");
}

#[test]
fn verdicts_hold_at_small_sizes() {
    replay("verdicts");
}

#[test]
fn small_programs_have_bounds_that_agree_and_survive_edits() {
    replay("analysis");
}
