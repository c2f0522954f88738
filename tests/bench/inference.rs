//! The time that inference takes for each predicate; see README.md.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a benchmark may panic, and its result is its output"
)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use costlens_analysis::queries::{Database, LIBRARY, file_report};
use costlens_analysis::report::Functor;
use costlens_analysis::types::Pattern;
use costlens_infer::{Program, Summary, infer};
use costlens_program::{Role, SourceFile};
use costlens_syntax::Parsed;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of runs. The best one counts: on a machine with other work the others are not informative.
const RUNS: usize = 3;

/// The number of slowest predicates that are listed.
const SLOWEST: usize = 10;

type Times = HashMap<(Functor, Pattern), Duration>;

thread_local! {
    static TIMES: RefCell<Times> = RefCell::default();
}

/// A timer that adds its time when dropped: a summary whose callee is missing unwinds and is requested again later.
struct Watch<'a> {
    begun: Instant,
    predicate: &'a Functor,
    pattern: &'a Pattern,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        let key = (self.predicate.clone(), self.pattern.clone());
        let took = self.begun.elapsed();
        TIMES.with_borrow_mut(|times| *times.entry(key).or_default() += took);
    }
}

/// Times inference without the callees, which have times of their own.
fn timed(predicate: &Functor, pattern: &Pattern, program: &dyn Program, fuel: u64) -> Summary {
    let _watch = Watch {
        begun: Instant::now(),
        predicate,
        pattern,
    };
    infer(predicate, pattern, program, fuel)
}

/// A predicate with its first pattern.
struct Row {
    file: String,
    predicate: Functor,
    took: Duration,
}

/// Runs over all files and returns the first patterns, and the total time of inference.
fn run(files: &[(PathBuf, String)]) -> (Vec<Row>, Duration) {
    let db = Database::with_library(timed, LIBRARY, None);
    let (mut rows, mut total) = (Vec::new(), Duration::ZERO);
    for (path, text) in files {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = SourceFile::new(
            &db,
            file.as_str().into(),
            Parsed::new(text.as_str()),
            Role::User,
        );
        let reports = file_report(&db, source);
        let mut times = TIMES.take();
        total += times.values().sum::<Duration>();
        for report in reports.iter() {
            let Some(first) = report.patterns.first() else {
                continue;
            };
            // Predicates without informative clauses are not inferred.
            let key = (report.predicate.clone(), first.pattern.clone());
            if let Some(took) = times.remove(&key) {
                rows.push(Row {
                    file: file.clone(),
                    predicate: key.0,
                    took,
                });
            }
        }
    }
    (rows, total)
}

fn main() {
    let arguments = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let mut files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if files.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
        files = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "pl"))
            .collect();
        files.sort();
    }
    let files: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|path| {
            let text = std::fs::read(&path).unwrap();
            (path, String::from_utf8_lossy(&text).into_owned())
        })
        .collect();
    let (mut best, mut total) = run(&files);
    for _ in 1..RUNS {
        let (rows, again) = run(&files);
        total = total.min(again);
        for (row, other) in best.iter_mut().zip(rows) {
            row.took = row.took.min(other.took);
        }
    }
    best.sort_by_key(|row| std::cmp::Reverse(row.took));
    let milliseconds = |d: Duration| d.as_secs_f64() * 1_000.0;
    let share = |percent: usize| {
        let at = best.len() * (100 - percent) / 100;
        best.get(at).map_or(0.0, |row| milliseconds(row.took))
    };
    println!("predicates       {:>9}", best.len());
    println!("median           {:>9.2} ms", share(50));
    println!("95th percentile  {:>9.2} ms", share(95));
    println!("total            {:>9.2} ms", milliseconds(total));
    println!("the slowest:");
    for row in best.iter().take(SLOWEST) {
        println!(
            "{:>10.2} ms  {} ({})",
            milliseconds(row.took),
            row.predicate,
            row.file
        );
    }
}
