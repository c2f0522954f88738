//! The time of a command by the number of files that its file loads, each of which loads the next one; see README.md.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark may panic, and its result is its output"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The number of runs for each number of files; the best time counts, since other programs use the machine.
const RUNS: usize = 3;

/// The number of uncalled clauses in each file, which are read but not analysed.
const CLAUSES: usize = 200;

fn main() {
    let given = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let mut sizes: Vec<usize> = given.collect();
    if sizes.is_empty() {
        sizes = vec![25, 50, 100, 200];
    }
    let mut first = None;
    for files in sizes {
        let each = time(files).as_secs_f64() / files as f64;
        let first = *first.get_or_insert(each);
        println!(
            "{files} files: {:.2} ms each, {:.2} times as much as of the fewest",
            each * 1e3,
            each / first
        );
    }
}

/// Returns the time that `bounds` takes for the first of this many files.
fn time(files: usize) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    for file in 0..files {
        std::fs::write(folder.path().join(format!("m{file}.pl")), text(file, files)).unwrap();
    }
    let first = folder.path().join("m0.pl");
    (0..RUNS).map(|_| bounds(&first)).min().unwrap()
}

fn bounds(path: &Path) -> Duration {
    let begun = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_costlens"));
    let command = command
        .args(["bounds", "--no-cache", "--quiet", "--exit-zero"])
        .arg(path);
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
    begun.elapsed()
}

/// Returns the text of the module with a number, which loads the next one.
fn text(file: usize, files: usize) -> String {
    let mut text = format!(":- module(m{file}, [p{file}/1]).\n");
    if file + 1 < files {
        let next = file + 1;
        let _ = writeln!(text, ":- use_module(m{next}).\np{file}(X) :- p{next}(X).");
    } else {
        let _ = writeln!(text, "p{file}(_).");
    }
    for i in 0..CLAUSES {
        let _ = writeln!(text, "row{file}('Row {i}', [{i}, \"text\"], f(X, g(X))).");
    }
    text
}
