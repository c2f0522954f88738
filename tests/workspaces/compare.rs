//! The command line's claims about a folder, and SWI-Prolog's counts.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::project::run;

/// A predicate of a file: file, name, arity.
type Key = (String, String, u64);

/// The claims about a predicate.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    lower: Option<u64>,
    upper: Option<u64>,
    errors_excluded: bool,
}

/// The result of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Goals or calls.
    pub(crate) compared: usize,
    /// Those that Costlens makes a claim about.
    pub(crate) known: usize,
    /// False claims, and their circumstances.
    pub(crate) wrong: Vec<String>,
}

impl Report {
    pub(crate) fn add(&mut self, other: Report) {
        self.compared += other.compared;
        self.known += other.known;
        self.wrong.extend(other.wrong);
    }

    /// Prints the figures of a comparison of goals.
    #[expect(clippy::print_stderr, reason = "prints figures next to the result")]
    pub(crate) fn tell(&self, what: &str) {
        eprintln!(
            "{what}: {} goals, {} with an upper bound, {} wrong",
            self.compared,
            self.known,
            self.wrong.len()
        );
    }
}

pub(crate) fn compare(folder: &Path) -> Report {
    judge(folder, &claims(folder))
}

/// Returns the first pattern of each predicate; bounds that are not constant count as unknown.
pub(crate) fn claims(folder: &Path) -> HashMap<Key, Claim> {
    let out = run(folder, &["bounds", "--format", "json", "."]);
    let all: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let mut found = HashMap::new();
    // A predicate may be absent if conditions leave out all its clauses; that they do not is an assumption, which the runs may refute.
    let assumes_defined = |file: &Value| {
        let rests_on = file["rests_on"].as_array();
        let mut rests_on = rests_on.into_iter().flatten().filter_map(Value::as_str);
        rests_on.any(|on| on.contains("do not leave out all clauses of"))
    };
    let may_lack = all["files"].as_array().unwrap().iter().any(assumes_defined);
    for row in all["predicates"].as_array().unwrap() {
        let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
        let file = text("file").trim_start_matches("./").to_owned();
        // Goals run with unbound arguments, to which only bounds for arbitrary arguments apply.
        let takes_anything = |pattern: &&Value| {
            let types = pattern["types"].as_array();
            types.is_some_and(|types| types.iter().all(|ty| ty == "any" || ty == "var"))
        };
        let Some(pattern) = row["patterns"]
            .as_array()
            .unwrap()
            .iter()
            .find(takes_anything)
        else {
            continue;
        };
        // Nothing is claimed of clauses that a hook may expand, unless it does not.
        let mut assumed = pattern["assumes"].as_array().into_iter().flatten();
        if assumed.any(|assumed| assumed["kind"] == "as-written") {
            continue;
        }
        let steps = &pattern["bounds"]["steps"]["all"];
        let bound = |side: &str| steps[side].as_str()?.parse().ok();
        let claim = Claim {
            lower: bound("lower"),
            upper: bound("upper"),
            errors_excluded: pattern["errors"] == "excluded" && !may_lack,
        };
        found.insert((file, text("name"), row["arity"].as_u64().unwrap()), claim);
    }
    found
}

/// Runs every predicate of the folder's files in SWI-Prolog and compares the steps with the claims. Goals with an upper bound count as known.
pub(crate) fn judge(folder: &Path, claims: &HashMap<Key, Claim>) -> Report {
    let mut report = Report::default();
    for (key, outcome, steps) in counted(folder) {
        let Some(claim) = claims.get(&key).filter(|_| outcome != "other") else {
            continue;
        };
        report.compared += 1;
        report.known += usize::from(claim.upper.is_some());
        let (file, name, arity) = &key;
        let complete = outcome == "complete";
        let mut wrong = |what: String| {
            report.wrong.push(format!(
                "{}: {file}: {name}/{arity}: {what}; {outcome} after {steps} steps, claimed {claim:?}",
                folder.display()
            ));
        };
        if claim.upper.is_some_and(|upper| steps > upper) {
            wrong("more steps than the upper bound".into());
        }
        if complete && claim.lower.is_some_and(|lower| steps < lower) {
            wrong("fewer steps than the lower bound".into());
        }
        if !complete && claim.errors_excluded {
            wrong("an error that is excluded".into());
        }
    }
    report
}

/// Returns each predicate with the outcome and the steps of its run.
fn counted(folder: &Path) -> Vec<(Key, String, u64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/workspaces/count.pl");
    let folder = folder.canonicalize().unwrap();
    let out = Command::new("timeout")
        .args([
            // Some cycles of base modules put SWI-Prolog into an endless loop that cannot be interrupted.
            "-s",
            "KILL",
            "20",
            "swipl",
            "-q",
            "-f",
            "none",
            "-g",
            "'$costlens_count':go",
            "-t",
            "halt",
        ])
        .arg(script.canonicalize().unwrap())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let rows = text.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[file, name, arity, outcome, steps] = fields.as_slice() else {
            return None;
        };
        let key = (file.to_owned(), name.to_owned(), arity.parse().ok()?);
        Some((key, outcome.to_owned(), steps.parse().ok()?))
    });
    rows.collect()
}
