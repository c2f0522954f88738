//! The number of runs compared with bounds, by kind. A run is one generated call, executed and compared with the claims about it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use libtest_mimic::{Arguments, Conclusion};

/// The minimum number of runs compared when all tests run: silence is never wrong, and neither is a test that tries nothing.
const LEAST: u64 = 100_000;

static RUNS: Mutex<BTreeMap<&str, u64>> = Mutex::new(BTreeMap::new());

/// Counts runs of a kind.
pub(crate) fn add(kind: &'static str, runs: usize) {
    if let Ok(mut all) = RUNS.lock() {
        *all.entry(kind).or_default() += runs as u64;
    }
}

/// Prints the counts, and returns whether they suffice. If tests were filtered out, no minimum applies.
#[expect(
    clippy::print_stderr,
    reason = "prints totals in addition to the test runner's own output"
)]
pub(crate) fn enough(arguments: &Arguments, conclusion: &Conclusion, inputs: usize) -> bool {
    let Ok(runs) = RUNS.lock() else {
        return false;
    };
    let total: u64 = runs.values().sum();
    let all = !arguments.list
        && conclusion.num_filtered_out == 0
        && conclusion.num_failed == 0
        && inputs >= crate::property::INPUTS;
    if all || (total > 0 && std::env::var_os("ORACLE_SUMMARY").is_some()) {
        let mut table = String::from("runs compared with bounds:\n");
        for (kind, many) in runs.iter() {
            let _ = writeln!(table, "{many:>10}  {kind}");
        }
        eprintln!("{table}{total:>10}  in all");
    }
    if all && total < LEAST {
        eprintln!("these are fewer than {LEAST}");
        return false;
    }
    true
}
