//! The time that a user waits; see README.md.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may panic, and its result is its output"
)]

#[path = "../support/binary.rs"]
mod binary;
#[path = "../support/client.rs"]
mod client;
mod program;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use client::Client;
use serde_json::{Value, json};

const URI: &str = "file:///generated.pl";
/// The number of lines of the file, unless `--lines N` changes it.
const LINES: usize = 2_000;
/// The number of edits of each kind.
const ROUNDS: usize = 30;
const GOAL: Duration = Duration::from_millis(20);
/// The target times of light bulbs: the median, and the 95th percentile.
const BULB_GOALS: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// An edit: its place, the deleted text, the inserted text. The next edit of the same place undoes it.
struct Edit {
    kind: &'static str,
    at: [u32; 4],
    text: String,
}

fn main() -> ExitCode {
    let burst = std::env::args().any(|a| a == "--burst");
    let lines = std::env::args()
        .skip_while(|a| a != "--lines")
        .nth(1)
        .map_or(LINES, |n| n.parse().unwrap());
    let text = program::program(lines);
    let mut rows: Vec<(String, Vec<Duration>)> = Vec::new();

    let mut starts = Vec::new();
    for _ in 0..10 {
        let begun = Instant::now();
        let (client, _) = Client::initialized(json!({}), Value::Null);
        starts.push(begun.elapsed());
        client.end();
    }
    rows.push(("initialize".to_owned(), starts));

    let mut opens = Vec::new();
    for _ in 0..3 {
        forget_summaries();
        let mut client = Client::plain();
        let begun = Instant::now();
        client.open(URI, &text);
        let hints = client.hints(URI);
        opens.push(begun.elapsed());
        assert!(hints.len() > lines / 20, "{} hints", hints.len());
        client.end();
    }
    rows.push(("open".to_owned(), opens));

    let mut client = Client::plain();
    client.open(URI, &text);
    client.hints(URI);
    client.diagnostics(URI, Some(1));
    let mut version = 1;
    let mut all = Vec::new();
    for edit in edits(&text) {
        version += 1;
        let screen = screen(edit.at[0]);
        let begun = Instant::now();
        client.change(URI, version, edit.at, &edit.text);
        client.request("textDocument/inlayHint", screen);
        let took = begun.elapsed();
        if !burst {
            client.diagnostics(URI, Some(version));
        }
        all.push(took);
        match rows.iter_mut().find(|(kind, _)| kind == edit.kind) {
            Some((_, times)) => times.push(took),
            None => rows.push((edit.kind.to_owned(), vec![took])),
        }
    }
    rows.push(("all keystrokes".to_owned(), all));
    for (what, found) in [("hover on a head", "("), ("hover on a call", "    nrev")] {
        let times = hovers(&mut client, &text, found);
        rows.push((what.to_owned(), times));
    }
    let (first, again) = light_bulbs(&mut client, &text);
    rows.push(("light bulb".to_owned(), first));
    rows.push(("light bulb, again".to_owned(), again));
    client.end();

    println!(
        "{:<34} {:>6} {:>9} {:>9} {:>9}",
        "milliseconds", "times", "p50", "p95", "longest"
    );
    let mut met = true;
    for (what, mut times) in rows {
        times.sort_unstable();
        let percentile = |p: usize| times[(times.len() * p).div_ceil(100).max(1) - 1];
        let ms = |d: Duration| format!("{:.2}", d.as_secs_f64() * 1000.0);
        let goal =
            what.starts_with("hover") || matches!(what.as_str(), "initialize" | "all keystrokes");
        let missed = goal && percentile(95) > GOAL;
        let [at_median, at_most] = BULB_GOALS;
        let is_bulb = what.starts_with("light bulb");
        let is_late = is_bulb && (percentile(50) > at_median || percentile(95) > at_most);
        met &= !missed && !is_late;
        println!(
            "{what:<34} {:>6} {:>9} {:>9} {:>9}{}",
            times.len(),
            ms(percentile(50)),
            ms(percentile(95)),
            ms(percentile(100)),
            match (goal, missed) {
                (false, _) if is_late => "   GOALS OF 100 AND 1,000 MISSED",
                (false, _) if is_bulb => "   goals of 100 and 1,000 met",
                (false, _) => "",
                (true, false) => "   goal of 20 met",
                (true, true) => "   GOAL OF 20 MISSED",
            }
        );
    }
    if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Times hovers all over the file, each on another predicate that was not requested before. Heads are at the beginning of a line.
fn hovers(client: &mut Client, text: &str, what: &str) -> Vec<Duration> {
    let mut seen = std::collections::BTreeSet::new();
    let mut times = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let head = !what.starts_with(' ');
        let wanted = if head {
            line.starts_with(char::is_lowercase) && line.contains(what)
        } else {
            line.starts_with(what)
        };
        let name = line.trim_start().split('(').next().unwrap_or_default();
        if !wanted || !seen.insert(name.to_owned()) {
            continue;
        }
        let column = if head { 0 } else { 4 };
        let begun = Instant::now();
        let answer = client.request(
            "textDocument/hover",
            json!({"textDocument": {"uri": URI}, "position": {"line": i, "character": column}}),
        );
        times.push(begun.elapsed());
        assert!(!answer.is_null(), "nothing at line {i}: {line}");
    }
    times
}

/// Times quick fixes at the first clause of each predicate, which was not requested before, and then again.
fn light_bulbs(client: &mut Client, text: &str) -> (Vec<Duration>, Vec<Duration>) {
    let mut seen = std::collections::BTreeSet::new();
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        let name = line.split('(').next().unwrap_or_default();
        let is_head = line.starts_with(char::is_lowercase) && line.contains('(');
        if !is_head || !seen.insert(name.to_owned()) {
            continue;
        }
        for times in [&mut first, &mut again] {
            let place = json!({"line": i, "character": 0});
            let begun = Instant::now();
            client.request(
                "textDocument/codeAction",
                json!({"textDocument": {"uri": URI}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}),
            );
            times.push(begun.elapsed());
        }
    }
    (first, again)
}

/// Removes the summaries that earlier servers have kept.
fn forget_summaries() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache/costlens");
    for name in ["summaries.db", "summaries.db-wal", "summaries.db-shm"] {
        let _ = std::fs::remove_file(folder.join(name));
    }
}

/// Returns the parameters for the hints of the screen around a line.
fn screen(line: u32) -> Value {
    json!({"textDocument": {"uri": URI}, "range": {
        "start": {"line": line.saturating_sub(30), "character": 0},
        "end": {"line": line + 30, "character": 0}}})
}

/// Returns edits of all kinds in turns, each followed by the one that undoes it, at places all over the file.
fn edits(text: &str) -> Vec<Edit> {
    let lines: Vec<&str> = text.lines().collect();
    // Finds the n-th line that contains a text, and the column after it.
    let find = |what: &str, n: usize| {
        let found: Vec<usize> = (0..lines.len())
            .filter(|&i| lines[i].contains(what))
            .collect();
        let line = found[n * 7 % found.len()];
        let column = lines[line].find(what).unwrap() + what.len();
        (u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
    };
    let kinds: [(&str, &str, &str); 8] = [
        ("a letter in a comment", "N is the length", "y"),
        (
            "a line on top of a predicate",
            "% Without a declaration",
            "\n% More.\n%",
        ),
        ("a letter in a variable", "M is N - 1,\n    loop", "x"),
        ("a number in a body", "N is M + 1", "0"),
        ("a goal in a leaf", "app", ""),
        ("a letter in a call", "nrev", "q"),
        ("a bracket opened", "S is X + T", "("),
        ("an assertion", "length(Xs) + 1", "0"),
    ];
    let mut all = Vec::new();
    for round in 0..ROUNDS / 2 {
        for (kind, what, new) in kinds {
            let ((line, column), new) = match kind {
                "a letter in a variable" => (find("    S is X", round), "x"),
                "a goal in a leaf" => (find("(Xs, Ys, Zs)", round), ", true"),
                "a letter in a call" => (find("    nrev", round), new),
                _ => (find(what, round), new),
            };
            all.push(Edit {
                kind,
                at: [line, column, line, column],
                text: new.to_owned(),
            });
            let (down, last) = match new.rsplit_once('\n') {
                Some((before, last)) => (before.matches('\n').count() + 1, last.len()),
                None => (0, new.len()),
            };
            let column_end = u32::try_from(last).unwrap() + if down == 0 { column } else { 0 };
            all.push(Edit {
                kind,
                at: [
                    line,
                    column,
                    line + u32::try_from(down).unwrap(),
                    column_end,
                ],
                text: String::new(),
            });
        }
    }
    all
}
