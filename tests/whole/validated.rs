//! Randomly chosen predicates of the fixtures, run through `costlens validate`: no run contradicts a bound.
//!
//! The oracle compares many more inputs, of small sizes, with its own interpreter. Here sizes grow, the worst inputs are found by hill
//! climbing, and the command itself makes the comparison. `VALIDATED=500` validates that many, `VALIDATED_SEED=N` starts from another seed.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::project::run;
use crate::seeds::{self, number};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the annotated programs, sorted by name.
fn programs() -> Vec<String> {
    let folder = repository().join("tests/fixtures");
    let mut found: Vec<String> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_some_and(|e| e == "pl"))
        .map(|name| format!("tests/fixtures/{name}"))
        .collect();
    found.sort();
    found
}

/// Returns the predicates of a program that the command shows.
fn predicates(program: &str) -> Vec<String> {
    let out = run(&repository(), &["bounds", program, "--format", "json"]);
    let all: Value = serde_json::from_slice(&out.stdout).unwrap_or_default();
    let rows = all["predicates"].as_array().cloned().unwrap_or_default();
    let name = |row: &Value| Some(format!("{}/{}", row["name"].as_str()?, row["arity"]));
    rows.iter().filter_map(name).collect()
}

#[test]
#[ignore = "it takes long without optimisation"]
fn no_run_of_a_fixture_contradicts_a_bound() {
    let (many, seed) = (number("VALIDATED", 40), number("VALIDATED_SEED", 1));
    let programs = programs();
    let (held, runs) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong: Mutex<Vec<String>> = Mutex::default();
    seeds::each(many, seed, |seed| {
        // Consecutive seeds choose programs that are far apart.
        let program = &programs[(seed as usize * 7919) % programs.len()];
        let all = predicates(program);
        let Some(predicate) = all.get((seed as usize * 31) % all.len().max(1)) else {
            return;
        };
        let seed = seed.to_string();
        let arguments = [
            "validate",
            program,
            predicate,
            "--seed",
            &seed,
            "--limit-time",
            "20",
            "--limit-steps",
            "100000",
            "--format",
            "json",
        ];
        let out = run(&repository(), &arguments);
        match out.status.code() {
            Some(0) => {
                let found: Value = serde_json::from_slice(&out.stdout).unwrap();
                held.fetch_add(1, Ordering::Relaxed);
                let count = found["runs"].as_u64().unwrap_or(0);
                runs.fetch_add(usize::try_from(count).unwrap(), Ordering::Relaxed);
            }
            // It is not run, and the reason is reported.
            Some(2) if !out.stderr.is_empty() => {}
            _ => wrong.lock().unwrap().push(format!(
                "{}\n{}",
                arguments.join(" "),
                String::from_utf8_lossy(&out.stdout)
            )),
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let (held, runs) = (held.into_inner(), runs.into_inner());
    assert!(
        held as u64 * 2 > many && runs as u64 > many * 20,
        "{held} predicates, {runs} runs"
    );
}
