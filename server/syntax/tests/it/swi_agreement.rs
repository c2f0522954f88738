//! Tests agreement with SWI-Prolog's own reader on SWI-Prolog's own library.
//!
//! `tests/reader/dump.pl`, run by `swipl`, writes the term that SWI-Prolog reads for each clause; the reader of Costlens must return the
//! same term. Without `swipl` the test prints a note and passes, except in continuous integration (`CI=true`).

use crate::dump;
use crate::imported::read_with_imports;
use crate::library;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use costlens_syntax::{Dialect, Parsed, ReadClause, ReadOptions, read};

/// The numbers of compared files and clauses.
#[derive(Default, Debug)]
struct Tally {
    files: usize,
    /// The number of clauses that SWI-Prolog accepts, and the number of those read as the same term.
    accepted: usize,
    agreed: usize,
    /// Clauses that SWI-Prolog accepts and Costlens rejects.
    refused: Vec<String>,
    /// Clauses that both accept but read as different terms.
    different: Vec<String>,
    /// Clauses that SWI-Prolog rejects and Costlens accepts.
    over_accepted: Vec<String>,
    /// Clauses of Costlens that start where no clause of SWI-Prolog starts.
    extra: Vec<String>,
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
    // A sample of the files from all folders and kinds of libraries.
    let step = (files.len() / 60).max(1);
    let sample: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    assert!(sample.len() >= 20, "only {} files", sample.len());
    let tally = compare(&sample, false);
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
    let tally = compare(
        &[Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/reader/odd.pl")
            .canonicalize()
            .unwrap()],
        false,
    );
    report(&tally);
    assert!(tally.accepted > 200, "only {} clauses", tally.accepted);
    assert_eq!(tally.agreed, tally.accepted);
    assert_eq!(tally.over_accepted, Vec::<String>::new());
}

/// Prints the numbers for the whole library: `cargo test -p costlens-syntax --test swi_agreement -- --ignored --nocapture`.
#[test]
#[ignore = "takes half a minute"]
fn clauses_of_the_whole_library_are_read_to_the_terms_that_swi_prolog_reads() {
    let Some(files) = library::files() else {
        return;
    };
    // Only the shipped data is used, so that operators from files named by a relative path are missing.
    let alone = compare(&files, true);
    report(&alone);
    assert!(
        alone.share() >= 0.997,
        "agreement {:.4}%",
        100.0 * alone.share()
    );
    let tally = compare(&files, false);
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
        ("extra", &tally.extra),
    ] {
        for line in list.iter().take(40) {
            println!("{what}: {line}");
        }
    }
    println!(
        "{} files, {} clauses that SWI-Prolog reads: {} to the same term ({:.4}%), {} refused, {} to another term; \
         {} accepted that it refuses, {} that begin elsewhere",
        tally.files,
        tally.accepted,
        tally.agreed,
        100.0 * tally.share(),
        tally.refused.len(),
        tally.different.len(),
        tally.over_accepted.len(),
        tally.extra.len(),
    );
}

fn compare(files: &[PathBuf], alone: bool) -> Tally {
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
            compare_file(Path::new(&format!("/{name}")), clauses, alone, &mut tally);
            seen += 1;
        }
        assert_eq!(seen, chunk.len(), "the dump names every file once");
    }
    tally
}

/// Returns the clauses of a file, read from its text alone.
fn read_alone(text: &str) -> Vec<ReadClause> {
    let parsed = Parsed::in_dialect(text, Dialect::Swi);
    read(&parsed, &ReadOptions::default()).clauses
}

fn compare_file(path: &Path, theirs: &str, alone: bool, tally: &mut Tally) {
    tally.files += 1;
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let parsed = Parsed::new(text.as_str());
    assert_eq!(parsed.dialect(), Dialect::Swi, "{}", path.display());
    assert!(
        !parsed.tree().root_node().has_error(),
        "an error node in {}",
        path.display()
    );
    // The clauses read by Costlens, by their first character.
    let (mut ours, mut characters, mut bytes) = (BTreeMap::new(), 0usize, 0usize);
    let clauses = match alone {
        true => read_alone(&text),
        false => read_with_imports(path, &text),
    };
    for clause in clauses {
        characters += text[bytes..clause.range.0].chars().count();
        bytes = clause.range.0;
        ours.insert(characters, clause);
    }
    let place = |offset: usize| {
        let line = text.chars().take(offset).filter(|c| *c == '\n').count() + 1;
        format!("{}:{line}", path.display())
    };
    let mut starts = BTreeSet::new();
    let short = |term: &str| term.chars().take(300).collect::<String>();
    for line in theirs.lines() {
        let Some((offset, term)) = line.split_once('\t') else {
            panic!("{path:?}: {line}")
        };
        let Ok(offset) = offset.parse::<usize>() else {
            continue;
        };
        let clause = ours.get(&offset);
        starts.insert(offset);
        if term == "error" {
            // The offset of an error is a position inside the clause.
            let around = ours.range(..=offset).next_back();
            if around.is_some_and(|(_, c)| c.error.is_none()) {
                tally.over_accepted.push(place(offset));
            }
            starts.extend(around.map(|(at, _)| *at));
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
    let extra = ours
        .iter()
        .filter(|(at, c)| c.error.is_none() && !starts.contains(*at));
    tally.extra.extend(extra.map(|(at, _)| place(*at)));
}
