//! The speed of reading texts; see README.md.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may panic, and its result is its output"
)]

mod program;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use costlens_syntax::{Parsed, ReadOptions, read};

fn main() {
    let text = program::program(100_000);
    let (parse, all) = best(&text);
    let rate = |d: Duration| text.len() as f64 / d.as_secs_f64() / 1e6;
    println!(
        "parse {:.1} MB/s, read (terms included) {:.1} MB/s of {:.1} MB",
        rate(parse),
        rate(all),
        text.len() as f64 / 1e6
    );
    for facts in [50_000, 100_000, 200_000] {
        let text = table(facts);
        let (parse, all) = best(&text);
        println!(
            "{facts} facts, {:.1} MB: parse {parse:.1?}, read {all:.1?}, {:.2} µs for each",
            text.len() as f64 / 1e6,
            all.as_secs_f64() * 1e6 / f64::from(facts)
        );
    }
    edits(&program::program(5_000));
}

/// Returns the best of a few times, since other programs use the machine.
fn best(text: &str) -> (Duration, Duration) {
    (0..5)
        .map(|_| times(text))
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
        .unwrap_or_default()
}

/// Returns the time of parsing, and the time until there are terms.
fn times(text: &str) -> (Duration, Duration) {
    let clock = Clock::start();
    let parsed = Parsed::new(text);
    let parse = clock.elapsed();
    let file = read(&parsed, &ReadOptions::default());
    let all = clock.elapsed();
    assert!(file.clauses.iter().all(|c| c.error.is_none()));
    (parse, all)
}

/// The CPU time of this thread if the system reports it (in steps of some milliseconds), otherwise the elapsed time.
struct Clock {
    begun: Instant,
    had: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Clock {
            begun: Instant::now(),
            had: had(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.had, had()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.begun.elapsed(),
        }
    }
}

/// Returns the nanoseconds on the processor, the first word of Linux' `schedstat`.
fn had() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Times edits of one character all over a file, each starting from the same text.
fn edits(text: &str) {
    let parsed = Parsed::new(text);
    let _ = read(&parsed, &ReadOptions::default());
    for what in ["x", " ", ",", "(", ")", "'", "\"", ".", "%"] {
        let (mut parse, mut all) = (Vec::new(), Vec::new());
        for i in 1..200 {
            let at = text.floor_char_boundary(text.len() / 200 * i);
            // The best of a few counts, since other programs use the machine; the percentiles are over places.
            let (mut parsing, mut reading) = (Duration::MAX, Duration::MAX);
            for _ in 0..5 {
                // The cache of clauses holds those of the previous text.
                let _ = read(&parsed, &ReadOptions::default());
                let begun = Instant::now();
                let edited = parsed.edit(at..at, what);
                parsing = parsing.min(begun.elapsed());
                let file = read(&edited, &ReadOptions::default());
                reading = reading.min(begun.elapsed());
                drop(file);
            }
            parse.push(parsing);
            all.push(reading);
        }
        parse.sort();
        all.sort();
        println!(
            "{} lines, {what:1} typed: parsed again in p50 {:.2?}, p95 {:.2?}; read again p50 {:.2?}, p95 {:.2?}",
            text.lines().count(),
            parse[99],
            parse[189],
            all[99],
            all[189]
        );
    }
}

fn table(facts: u32) -> String {
    let mut text = String::new();
    for i in 0..facts {
        let _ = writeln!(
            text,
            "edge(node_{i}, 'Node {}', {}, [a, \"b\"]).",
            i + 1,
            i * 7
        );
    }
    text
}
