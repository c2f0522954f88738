//! How many runs were compared with bounds, by kind. A run is one generated call, executed and held against what is said of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use libtest_mimic::{Arguments, Conclusion};

/// At least so many runs are compared when all tests run: silence is never wrong, nor is a test that tries nothing.
const LEAST: u64 = 100_000;

static RUNS: Mutex<BTreeMap<&str, u64>> = Mutex::new(BTreeMap::new());

/// Counts runs of a kind.
pub(crate) fn add(kind: &'static str, runs: usize) {
    if let Ok(mut all) = RUNS.lock() {
        *all.entry(kind).or_default() += runs as u64;
    }
}

/// Prints the counts, and says whether there are as many as there have to be. Where tests were left out, none has to be.
#[expect(
    clippy::print_stderr,
    reason = "the sum of what was tried, beside the test runner's own output"
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
