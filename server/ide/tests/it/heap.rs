//! Bounds on cells of SWI-Prolog's global stack against what goals leave there: lower ≤ left ≤ upper, and mostly all the same. Skipped where
//! there is no `swipl`.

use std::path::{Path, PathBuf};
use std::process::Command;

use costlens_algebra::rat;
use costlens_events::Event;
use costlens_ide::host::Host;
use costlens_ide::present::values::{GivenSize, Value, steps_at};
use costlens_ide::resources::Resource;

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

/// Compares the bounds with what SWI-Prolog measures; the flags decide which code it has.
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
            (Value::Exact(lower), Value::Exact(upper)) => {
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
