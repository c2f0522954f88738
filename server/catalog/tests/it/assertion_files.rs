//! Tests the assertion files that ship with Costlens: every predicate that they describe must be in the catalogue.

use std::path::{Path, PathBuf};

use costlens_catalog::{find, system_predicates};
use costlens_syntax::assertions::assertions;
use costlens_syntax::read_text;

/// Returns the assertion files of all crates.
fn files() -> Vec<PathBuf> {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = (std::fs::read_dir(server).unwrap())
        .map(|room| room.unwrap().path().join("library"))
        .filter(|library| library.is_dir())
        .collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "pl") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn every_predicate_that_something_is_stated_of_is_in_the_catalogue() {
    let (mut missing, mut stated) = (Vec::new(), 0);
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        for assertion in assertions(&text, &read_text(&text)).list {
            stated += 1;
            if find(&assertion.name, assertion.arity).is_none() {
                let (name, arity) = (&assertion.name, assertion.arity);
                missing.push(format!("{}: {name}/{arity}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(stated > 200, "only {stated} assertions");
    let of_records: usize = system_predicates().iter().map(|p| p.statements.len()).sum();
    assert!(of_records > 600, "only {of_records} statements of records");
}
