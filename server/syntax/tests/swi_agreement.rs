//! Agreement with SWI-Prolog's own reader on SWI-Prolog's own library.
//!
//! `tests/reader/dump.pl`, run by `swipl`, writes the term that SWI-Prolog reads for each clause; ours must be the same.
//! Without `swipl` the test says so and passes, except in continuous integration (`CI=true`).
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

#[path = "support/dump.rs"]
mod dump;
#[path = "support/library.rs"]
mod library;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use costlens_syntax::{Parsed, ReadClause, ReadOptions, read, read_text};

/// What was compared, in clauses.
#[derive(Default, Debug)]
struct Tally {
    files: usize,
    /// Clauses that SWI-Prolog accepts, and how many of them we read to the same term.
    accepted: usize,
    agreed: usize,
    /// Clauses that SWI-Prolog accepts and we do not.
    refused: Vec<String>,
    /// Clauses that both accept and read differently.
    different: Vec<String>,
    /// Clauses that SWI-Prolog refuses and we accept.
    over_accepted: Vec<String>,
}

impl Tally {
    fn share(&self) -> f64 {
        self.agreed as f64 / self.accepted as f64
    }
}

#[test]
fn clauses_of_the_library_are_read_to_the_terms_that_swi_prolog_reads() {
    let Some(files) = library::files() else {
        return;
    };
    // Every so many-th file: all folders and kinds of library are met.
    let step = (files.len() / 60).max(1);
    let sample: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    assert!(sample.len() >= 20, "only {} files", sample.len());
    let tally = compare(&sample);
    report(&tally);
    assert!(tally.accepted > 1000, "only {} clauses", tally.accepted);
    assert!(
        tally.share() >= 0.999,
        "agreement {:.4}%",
        100.0 * tally.share()
    );
}

#[test]
fn odd_clauses_are_accepted_refused_and_read_as_swi_prolog_does() {
    if library::files().is_none() {
        return;
    }
    let tally = compare(&[Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/reader/odd.pl")
        .canonicalize()
        .unwrap()]);
    report(&tally);
    assert!(tally.accepted > 200, "only {} clauses", tally.accepted);
    assert_eq!(tally.agreed, tally.accepted);
    assert_eq!(tally.over_accepted, Vec::<String>::new());
}

/// The figures of the whole library: `cargo test -p costlens-syntax --test swi_agreement -- --ignored --nocapture`.
#[test]
#[ignore = "takes half a minute"]
fn clauses_of_the_whole_library_are_read_to_the_terms_that_swi_prolog_reads() {
    let Some(files) = library::files() else {
        return;
    };
    let tally = compare(&files);
    report(&tally);
    assert!(
        tally.share() >= 0.9995,
        "agreement {:.4}%",
        100.0 * tally.share()
    );
}

#[expect(clippy::print_stdout, reason = "the figures are the point of the test")]
fn report(tally: &Tally) {
    for (what, list) in [
        ("refused", &tally.refused),
        ("different", &tally.different),
        ("over-accepted", &tally.over_accepted),
    ] {
        for line in list.iter().take(40) {
            println!("{what}: {line}");
        }
    }
    println!(
        "{} files, {} clauses that SWI-Prolog reads: {} to the same term ({:.4}%), {} refused, {} to another term; \
         {} accepted that it refuses",
        tally.files,
        tally.accepted,
        tally.agreed,
        100.0 * tally.share(),
        tally.refused.len(),
        tally.different.len(),
        tally.over_accepted.len(),
    );
}

fn compare(files: &[PathBuf]) -> Tally {
    let dumper = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reader/dump.pl");
    let mut tally = Tally::default();
    for chunk in files.chunks(100) {
        let output = Command::new("swipl")
            .arg(&dumper)
            .arg("--")
            .args(chunk)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let theirs = String::from_utf8(output.stdout).unwrap();
        let mut parts = theirs.split("file /");
        parts.next();
        let mut seen = 0;
        for part in parts {
            let (name, clauses) = part.split_once('\n').unwrap();
            compare_file(Path::new(&format!("/{name}")), clauses, &mut tally);
            seen += 1;
        }
        assert_eq!(seen, chunk.len(), "the dump names every file once");
    }
    tally
}

/// The clauses of a file, read under the operators that the files next to it export to it, too.
fn read_with_imports(path: &Path, text: &str) -> Vec<ReadClause> {
    let alone = read_text(text);
    let mut options = ReadOptions::default();
    for import in &alone.imported_files {
        let file = path.with_file_name(format!("{import}.pl"));
        if let Ok(imported) = std::fs::read(file) {
            options
                .operators
                .extend(read_text(&String::from_utf8_lossy(&imported)).exported_operators);
        }
    }
    if options.operators.is_empty() {
        alone.clauses
    } else {
        read(&Parsed::new(text), &options).clauses
    }
}

fn compare_file(path: &Path, theirs: &str, tally: &mut Tally) {
    tally.files += 1;
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    // Our clauses by their first character.
    let (mut ours, mut characters, mut bytes) = (BTreeMap::new(), 0usize, 0usize);
    for clause in read_with_imports(path, &text) {
        characters += text[bytes..clause.range.0].chars().count();
        bytes = clause.range.0;
        ours.insert(characters, clause);
    }
    let place = |offset: usize| {
        let line = text.chars().take(offset).filter(|c| *c == '\n').count() + 1;
        format!("{}:{line}", path.display())
    };
    let short = |term: &str| term.chars().take(300).collect::<String>();
    for line in theirs.lines() {
        let Some((offset, term)) = line.split_once('\t') else {
            panic!("{path:?}: {line}")
        };
        let Ok(offset) = offset.parse::<usize>() else {
            continue;
        };
        let clause = ours.get(&offset);
        if term == "error" {
            // The offset of an error is a place within the clause.
            let around = ours.range(..=offset).next_back().map(|(_, c)| c);
            if around.is_some_and(|c| c.error.is_none()) {
                tally.over_accepted.push(place(offset));
            }
            continue;
        }
        tally.accepted += 1;
        match clause {
            Some(c) if c.error.is_none() => {
                let mine = dump::dump(&c.terms, c.root);
                if mine == term {
                    tally.agreed += 1;
                } else {
                    tally.different.push(format!(
                        "{}\n  {}\n  {}",
                        place(offset),
                        short(&mine),
                        short(term)
                    ));
                }
            }
            Some(c) => {
                let message = c
                    .error
                    .as_ref()
                    .map(|e| e.message.clone())
                    .unwrap_or_default();
                tally
                    .refused
                    .push(format!("{} {message}: {}", place(offset), short(term)));
            }
            None => tally.refused.push(format!(
                "{} no clause begins here: {}",
                place(offset),
                short(term)
            )),
        }
    }
}
