//! Annotated programs and their promises: `tests/fixtures/*.pl`, one named test per file.
//!
//! Annotations are comment lines below the line that they are about, the first clause head of a predicate:
//!
//! ```text
//! nrev([], []).
//! %^^^ hint: O(n²)  n²/2+3n/2+1
//! % steps: lower=1/2*n^2+3/2*n+1 upper=1/2*n^2+3/2*n+1
//! % at 1=30: lower=496 upper=496
//! ```
//!
//! - `hint:` what the editor shows; a class alone (`O(n²)`) is compared with the class alone.
//! - `steps:` bounds of the normal case as functions of the sizes: `lower`, `upper`, `first.lower`, `first.upper`, `all.lower`,
//!   `all.upper`. Compared as functions: at many sizes, not letter by letter.
//! - `at SIZES:` the same bounds as numbers at given sizes; `inf` is a proved divergence and `?` unknown.
//! - `call GOAL:` a call in a body, as it is written: `lower` and `upper` of one call in the sizes of the calling predicate,
//!   `total` of all its calls, `dominating` and `recursive` as 0 or 1.
//! - `determinism:` the word of the report, `errors:` `excluded` or `possible`.
//! - `unknown: words` a bound is unknown for a reason with these words in it.
//! - `diverges` some sizes run for ever, proved.
//! - `error: text` a diagnostic on the line above; one without an annotation is a failure.
//! - `verdict: checked|false|check|malformed` the verdict on the assertion on the line above.
//! - `imprecise: remark` what the truth is, where a bound is right but not tight. Not checked.
//!
//! `UPDATE_EXPECT=1` rewrites `hint`, `steps`, `at` and `call` lines in place; a person has to judge the difference.
#![cfg(test)]

#[path = "fixtures/runner/annotations.rs"]
mod annotations;
#[path = "support/binary.rs"]
mod binary;
#[path = "fixtures/runner/check.rs"]
mod check;
#[path = "fixtures/runner/expressions.rs"]
mod expressions;
#[path = "fixtures/runner/selfcheck.rs"]
mod selfcheck;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = selfcheck::TESTS
        .iter()
        .map(|&(name, test)| {
            Trial::test(name, move || {
                test();
                Ok(())
            })
        })
        .collect();
    for file in files() {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        trials.push(Trial::test(name, move || check::file(&file)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn files() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here
        .ancestors()
        .find(|d| d.join("tests/fixtures.rs").is_file())
        .expect("the project's root");
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("tests/fixtures"))
        .expect("the folder of fixtures")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    files.sort();
    files
}
