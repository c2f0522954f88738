//! Reads files (or standard input) and prints the canonical form of each clause: `cargo run --example read -- FILE…`.
#![expect(clippy::print_stdout, reason = "an example prints")]

#[path = "../tests/support/dump.rs"]
mod dump;

use std::io::Read as _;
use std::time::Instant;

fn main() -> std::io::Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        print(&text);
    } else if files[0] == "--time" {
        let (mut bytes, mut clauses, mut errors) = (0, 0, 0);
        let texts: Vec<String> = files[1..]
            .iter()
            .map(|f| Ok(String::from_utf8_lossy(&std::fs::read(f)?).into_owned()))
            .collect::<std::io::Result<_>>()?;
        let start = Instant::now();
        let parsed: Vec<_> = texts
            .iter()
            .map(|t| costlens_syntax::Parsed::new(t.as_str()))
            .collect();
        let parse = start.elapsed();
        for p in &parsed {
            let file = costlens_syntax::read(p, &costlens_syntax::ReadOptions::default());
            bytes += p.text.len();
            clauses += file.clauses.len();
            errors += file.clauses.iter().filter(|c| c.error.is_some()).count();
        }
        let all = start.elapsed();
        let rate = |d: std::time::Duration| bytes as f64 / d.as_secs_f64() / 1e6;
        println!(
            "{} files, {bytes} bytes, {clauses} clauses, {errors} with errors; parse {:.1} MB/s, read {:.1} MB/s",
            texts.len(),
            rate(parse),
            rate(all)
        );
    } else if files[0] == "--reparse" {
        let text = String::from_utf8_lossy(&std::fs::read(&files[1])?).into_owned();
        let parsed = costlens_syntax::Parsed::new(text.as_str());
        let start = Instant::now();
        drop(costlens_syntax::Parsed::new(text.as_str()));
        println!("fresh parse: {:?}", start.elapsed());
        for what in ["x", " ", "(", ")", "'", "\"", ".", "/*", "%"] {
            let mut times = Vec::new();
            for i in 1..200 {
                let at = text.floor_char_boundary(text.len() / 200 * i);
                let start = Instant::now();
                let edited = parsed.edit(at..at, what);
                times.push(start.elapsed());
                drop(edited);
            }
            times.sort();
            println!(
                "insert {what:2}: p50 {:?}, p95 {:?}, most {:?}",
                times[99], times[189], times[198]
            );
        }
    } else {
        for file in files {
            print(&String::from_utf8_lossy(&std::fs::read(file)?));
        }
    }
    Ok(())
}

fn print(text: &str) {
    for clause in costlens_syntax::read_text(text).clauses {
        match &clause.error {
            Some(e) => println!(
                "{}-{}: ERROR {} at {:?}",
                clause.range.0, clause.range.1, e.message, e.range
            ),
            None => println!(
                "{}-{}: {}",
                clause.range.0,
                clause.range.1,
                dump::dump(&clause.terms, clause.root)
            ),
        }
    }
}
