//! The time for a file with a table of very many facts, from its text and after each kind of edit; see README.md.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark may panic, and its result is its output"
)]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use costlens_ide::host::{Edit, File, Host};
use costlens_ide::settings::Settings;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of times that each kind of edit is made; the best counts, since other programs use the machine.
const RUNS: usize = 5;

fn main() {
    let given = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let mut sizes: Vec<usize> = given.collect();
    if sizes.is_empty() {
        sizes = vec![25_000, 100_000, 400_000];
    }
    for facts in sizes {
        table(facts);
    }
}

/// Returns a small rule, the facts, and another small rule.
fn text(facts: usize) -> String {
    let mut text = String::from("first(X, Z) :- edge(X, Y, _, _), edge(Y, Z, _, _).\n");
    for i in 0..facts {
        let _ = writeln!(text, "edge(node_{i}, 'Node {}', {}, \"s\").", i + 1, i * 7);
    }
    text.push_str("last(X) :- first(X, _).\n");
    text
}

fn table(facts: usize) {
    let text = text(facts);
    let begun = Instant::now();
    let mut host = Host::new();
    let file = host.open("table.pl", &text);
    let parsed = begun.elapsed();
    ask(&host, file, 0);
    println!(
        "{facts} facts, {:.1} MB: parsed {parsed:.2?}, hints and hover {:.2?}; {} MB taken",
        text.len() as f64 / 1e6,
        begun.elapsed(),
        resident().unwrap_or(0)
    );
    let middle = text[text.len() / 2..].find("'Node ").unwrap() + text.len() / 2 + 2;
    let rule = text.find("Y,").unwrap();
    let behind = text.len();
    for (what, at, with) in [
        ("inside a fact", middle, "x"),
        ("in the rule before", rule, "Z"),
        ("a clause behind", behind, "edge(a, b, 1, c).\n"),
        ("a comment between", middle - 1, " /* x */ "),
    ] {
        let mut best = [Duration::MAX; 4];
        for _ in 0..RUNS {
            // Insert and delete: each is an edit.
            for (range, with) in [(at..at, with), (at..at + with.len(), "")] {
                let begun = Instant::now();
                let edit = Edit {
                    range,
                    text: with.to_owned(),
                };
                host.edit(file, &[edit]);
                let edited = begun.elapsed();
                let [hints, hover, problems] = ask(&host, file, 2);
                for (best, took) in best.iter_mut().zip([edited, hints, hover, problems]) {
                    *best = took.min(*best);
                }
            }
        }
        let [edited, hints, hover, problems] = best;
        println!(
            "  {what:20} edit {edited:.2?}, hints {hints:.2?}, hover {hover:.2?}, problems {problems:.2?}"
        );
    }
    println!("  {} MB taken in the end", resident().unwrap_or(0));
}

fn ask(host: &Host, file: File, at: usize) -> [Duration; 3] {
    let (snapshot, settings) = (host.snapshot(), Settings::default());
    let begun = Instant::now();
    assert!(!snapshot.hints(file, &settings).unwrap().is_empty());
    let hints = begun.elapsed();
    assert!(snapshot.hover(file, at, &settings).unwrap().is_some());
    let hover = begun.elapsed() - hints;
    snapshot.diagnostics(file, &settings).unwrap();
    [hints, hover, begun.elapsed() - hints - hover]
}

/// Returns the megabytes of memory that the process uses, if the system reports them.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1_000)
}
