//! The cost of profiles on SWI-Prolog: the columns of Table 1 of Mera et al. (2010) for the programs of its Appendix A
//! (`tests/profile/appendix`), by the built program. The only assertion is that all goals are true; the times are only printed.
//!
//! `cargo bench -p costlens --bench profile_swi`, with `-- NAME` for one program.
//!
//! - `Obs`: milliseconds of the goal without a profile, the least of several runs.
//! - `Est. hl`, `Est. ll`: the sum of the times in the profile, without and with hooks, as a multiple of `Obs`.
//! - `#it`: the number of profiles that the search for the bottleneck takes, by time and with one predicate at a time.
//! - `cchl`, `ccll`: the time of a profiled run, as a multiple of `Obs`, with the centres that the search finds, without and with hooks;
//!   `opt` uses the properties that analysis proves for all calls of the run, `no` does not; `ll` is with hooks and no centre. The paper's
//!   averages are listed below (Intel).
//! - `spared`: the number of centres without instrumentation for failure or choice points, or without that for choice points; and the
//!   number of all centres.
//!
//! The program is only transformed for a profile, so that the paper's *Call Overhead* is 1.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The number of runs. The best one counts.
const RUNS: usize = 3;

struct Program {
    file: PathBuf,
    goal: String,
}

impl Program {
    fn profile(&self, options: &[&str]) -> Value {
        let out = Command::new(env!("CARGO_BIN_EXE_costlens"))
            .args(["profile", "--engine", "swi", "--format", "json"])
            .args(["--limit-time", "120", "--goal", &self.goal])
            .args(options)
            .arg(&self.file)
            .output()
            .unwrap();
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
    }

    /// Returns the least time of a run, and the sum of the times in its profile, in nanoseconds.
    fn times(&self, options: &[&str]) -> (f64, f64) {
        let run = || {
            let found = self.profile(options);
            assert_eq!(found["result"], "success", "{}", self.file.display());
            (
                found["elapsed_ns"].as_f64().unwrap(),
                found["total"]["time"].as_f64().unwrap(),
            )
        };
        let runs = (0..RUNS).map(|_| run());
        runs.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    }
}

fn main() {
    let wanted: Vec<String> = { std::env::args().skip(1) }
        .filter(|a| a != "--bench")
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profile/appendix");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
    files.sort();
    let heads = [
        "Est. hl", "Est. ll", "cchl opt", "ccll opt", "cchl no", "ll", "ccll no",
    ];
    println!(
        "{:<11} {:>9} {:>4} {}",
        "program",
        "Obs ms",
        "#it",
        columns(heads)
    );
    let (mut all, mut sums, mut logarithms, mut programs) = (0.0, [0.0; 7], [0.0; 7], 0.0);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let goal = text.lines().find_map(|l| l.strip_prefix("% goal: "));
        let goal = goal.unwrap().to_owned();
        let program = Program { file, goal };
        // If nothing is instrumented, there is nothing to leave out.
        let nothing = ["--cost-center", "nothing/0", "--no-optimise"];
        let without = [&nothing[..], &["--no-hooks"]].concat();
        let (observed, _) = program.times(&without);
        let found = program.profile(&["--auto", "--no-hooks", "--no-optimise"]);
        let tree = &found["bottleneck"];
        let centres: Vec<&str> = { tree["tree"].as_array().unwrap().iter() }
            .filter_map(|f| f["name"].as_str())
            .filter(|name| *name != "goal")
            .flat_map(|name| ["--cost-center", name])
            .collect();
        let with = |options: &[&str]| program.times(&[&centres[..], options].concat());
        let (high, estimated_high) = with(&["--no-hooks"]);
        let with_centres = program.profile(&[&centres[..], &["--no-hooks"]].concat());
        let parts = with_centres["centres"].as_array().unwrap().iter();
        let parts: Vec<&str> = parts
            .filter_map(|c| c["instrumentation"].as_str())
            .collect();
        let of = |part: &str| parts.iter().filter(|of| **of == part).count();
        let spared = format!(
            "{}+{} of {}",
            of("no_choicepoint_not_fails"),
            of("no_choicepoint"),
            parts.len()
        );
        let (both, estimated_low) = with(&[]);
        let (high_plain, _) = with(&["--no-hooks", "--no-optimise"]);
        let (both_plain, _) = with(&["--no-optimise"]);
        let (low, _) = program.times(&nothing);
        let ratios = [
            estimated_high,
            estimated_low,
            high,
            both,
            high_plain,
            low,
            both_plain,
        ]
        .map(|t| t / observed);
        println!(
            "{name:<11} {:>9.2} {:>4} {}  {spared}",
            observed / 1e6,
            tree["iterations"],
            columns(ratios.map(|r| format!("{r:.2}")))
        );
        all += observed;
        programs += 1.0;
        for (n, ratio) in ratios.into_iter().enumerate() {
            sums[n] += ratio * observed;
            logarithms[n] += ratio.ln();
        }
    }
    let weighted = sums.map(|sum| sum / all);
    let geometric = logarithms.map(|sum: f64| (sum / programs).exp());
    let paper = [1.25, 1.83, 1.53, 6.66, 1.63, 4.96, 6.95];
    for (name, ratios) in [
        ("average", weighted),
        ("geometric", geometric),
        ("the paper's", paper),
    ] {
        let ratios = ratios.map(|r| format!("{r:.2}"));
        println!("{name:<11} {:>9} {:>4} {}", "", "", columns(ratios));
    }
}

fn columns<T: std::fmt::Display>(texts: [T; 7]) -> String {
    texts.map(|text| format!("{text:>8}")).join(" ")
}
