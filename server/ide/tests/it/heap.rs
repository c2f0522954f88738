//! Compares bounds on cells of SWI-Prolog's global stack with the number of cells that goals leave on it: lower ≤ left ≤ upper, and usually
//! equality. Skipped if `swipl` is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use costlens_algebra::rat;
use costlens_events::Event;
use costlens_ide::host::Host;
use costlens_ide::present::values::{BoundValue, GivenSize, steps_at};
use costlens_ide::resources::Resource;
use costlens_platform::stored;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/events")
}

fn sizes(text: &str) -> Vec<GivenSize> {
    let sizes = text.trim_matches(['[', ']']).split(',');
    let size = |text: &str| {
        let (argument, value) = text.split_once('=').unwrap();
        GivenSize {
            argument: argument.parse().unwrap(),
            element: false,
            name: None,
            metric: None,
            value: value.parse().unwrap(),
        }
    };
    sizes.map(size).collect()
}

/// Compares the bounds with measurements of SWI-Prolog. The flags determine the compiled code.
fn compare(flags: &[&str], optimised: bool) {
    let arguments = flags.iter().chain(&["cells.pl"]);
    let command = Command::new("swipl")
        .args(arguments)
        .current_dir(folder())
        .output();
    let Ok(output) = command else { return };
    let mut host = Host::new();
    let program = std::fs::read_to_string(folder().join("heap.pl")).unwrap();
    let file = host.open("heap.pl", &program);
    let resource = Resource::Event(Event::GlobalCells { optimised });
    let bounds = host.snapshot().resource_bounds(file, &resource).unwrap();
    let mut compared = 0;
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let found = bounds
            .iter()
            .find(|p| p.report.predicate.to_string() == parts[0]);
        let at = steps_at(&found.unwrap().report.patterns[0], &sizes(parts[1]));
        let left = rat(parts[2].parse().unwrap());
        let (lower, upper) = (&at.all.lower, &at.all.upper);
        match (lower, upper) {
            (BoundValue::Exact(lower), BoundValue::Exact(upper)) => {
                assert!(
                    *lower <= left && left <= *upper,
                    "{line}: {lower} to {upper}"
                );
                let is_exact = lower == upper;
                assert!(
                    is_exact || parts[3] == "between",
                    "{line}: {lower} to {upper}"
                );
            }
            other => panic!("{line}: {other:?}"),
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn cells_are_those_of_swi_prolog() {
    compare(&[], false);
}

#[test]
fn cells_are_those_of_swi_prolog_with_optimised_code() {
    compare(&["-O"], true);
}

/// Returns the number of garbage collections while a program runs with a given size. Returns `None` if `swipl` is missing.
fn collections(program: &str, size: i64) -> Option<u64> {
    let output = Command::new("swipl")
        .args(["collections.pl", program, &size.to_string()])
        .current_dir(folder())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.trim().parse().unwrap())
}

#[test]
fn the_first_collection_comes_at_the_size_that_is_predicted() {
    let platforms = stored().unwrap();
    let swi = platforms
        .iter()
        .find(|p| p.name == "swi-9.0.4-x86_64-instructions");
    let collection = swi.unwrap().collection.clone().unwrap();
    let mut host = Host::new();
    let program = std::fs::read_to_string(folder().join("collections.pl")).unwrap();
    let file = host.open("collections.pl", &program);
    let resource = Resource::Event(collection.cells.clone());
    let bounds = host.snapshot().resource_bounds(file, &resource).unwrap();
    for name in [
        "made", "appended", "reversed", "naively", "doubled", "halves", "sorted", "paired",
    ] {
        let found = bounds
            .iter()
            .find(|p| p.report.predicate.to_string() == format!("{name}/1"));
        let pattern = &found.unwrap().report.patterns[0];
        let cells = |n: i64| match steps_at(pattern, &sizes(&format!("[1={n}]"))).all.upper {
            BoundValue::Exact(cells) => cells,
            other => panic!("{name} at {n}: {other:?}"),
        };
        let first = (1..10_000).find(|&n| cells(n) > collection.first).unwrap();
        let (Some(before), Some(after)) = (
            collections(name, first * 9 / 10),
            collections(name, first * 11 / 10 + 1),
        ) else {
            return;
        };
        assert_eq!(before, 0, "{name} collects below {first}");
        assert!(after > 0, "{name} does not collect at {first}");
    }
}
