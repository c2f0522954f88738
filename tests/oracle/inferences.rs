//! Bounds on inferences compared with `statistics(inferences, I)` of SWI-Prolog, to the first solution and over all solutions.
//!
//! The goals are generated as for the bounds on steps. The interpreter runs each goal before, so that SWI-Prolog runs only those that end
//! soon and without an exception.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use serde_json::Value;

use crate::bounds::{self, Claim};
use crate::generate::{Generator, Vocabulary};
use crate::machine::Outcome;
use crate::program::Program;
use crate::property::{at_sizes, costlens, goal_text, root, run, sizes};

/// The resource, as the command line names it.
const RESOURCE: &str = "inferences";

/// The result of checking one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// The runs that were compared, twice for each goal.
    pub(crate) runs: usize,
    /// The runs with a finite upper bound.
    pub(crate) bounded: usize,
    /// The runs whose lower and upper bounds equal the count.
    pub(crate) exact: usize,
    pub(crate) violations: Vec<String>,
}

/// A goal that SWI-Prolog runs.
struct Case<'a> {
    claim: &'a Claim,
    goal: String,
    query: String,
}

/// Compares the bounds of the predicates of a file with what SWI-Prolog counts, for some inputs of each predicate.
pub(crate) fn check_file(
    file: &Path,
    library: &Rc<Program>,
    inputs: usize,
) -> Result<Report, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let program = Rc::new(Program::read(&text));
    let flags = ["bounds", "--format", "json"].map(std::ffi::OsStr::new);
    let json = costlens(&[&flags[..], &[file.as_os_str()]].concat())?;
    let json: Value = serde_json::from_str(&json).map_err(|e| format!("not JSON: {e}"))?;
    let claims = bounds::claims(&json)?;
    let cases = cases(&claims, &program, library, inputs);
    let mut report = Report::default();
    if cases.is_empty() {
        return Ok(report);
    }
    let queries = cases.iter().map(|case| case.query.as_str());
    let answers = at_sizes(file, queries, &[RESOURCE.to_owned()])?;
    let counts = counted(file, &cases)?;
    for (case, counted) in cases.iter().zip(counts) {
        let at = &answers[&case.query][RESOURCE];
        for (phase, counted) in ["first", "all"]
            .into_iter()
            .zip(counted.into_iter().flatten())
        {
            let (lower, upper) = (at[phase]["lower"].as_f64(), at[phase]["upper"].as_f64());
            report.runs += 1;
            report.bounded += usize::from(upper.is_some());
            #[expect(
                clippy::cast_precision_loss,
                reason = "counted inferences stay far below 2^53"
            )]
            let number = counted as f64;
            report.exact += usize::from(lower == upper && upper == Some(number));
            let is_below = lower.is_none_or(|lower| lower <= number);
            let is_above = case.claim.assumes_single || upper.is_none_or(|upper| number <= upper);
            if !(is_below && is_above) {
                report.violations.push(format!(
                    "{}: {}/{}, {phase}: {counted} inferences, bounds {}\n    goal: {}\n    sizes: {}",
                    file.display(),
                    case.claim.name,
                    case.claim.arity,
                    at[phase],
                    case.goal,
                    case.query,
                ));
            }
        }
    }
    Ok(report)
}

/// Returns goals that end soon and without an exception.
fn cases<'a>(
    claims: &'a [Claim],
    program: &Rc<Program>,
    library: &Rc<Program>,
    inputs: usize,
) -> Vec<Case<'a>> {
    let vocabulary = Vocabulary::collect(program);
    let mut cases = Vec::new();
    for claim in claims.iter().filter(|claim| claim.pattern == 0) {
        let key = (claim.name.as_str().into(), claim.arity);
        let types = claim.input_types(&vocabulary.types);
        let Some(types) = types.filter(|_| program.predicates.contains_key(&key)) else {
            continue;
        };
        let mut made = BTreeSet::new();
        for seed in 0..inputs as u64 {
            let generator =
                Generator::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed, &vocabulary);
            let goal = generator.goal(&claim.name, &types);
            let text = goal_text(&goal);
            if text.contains('…') || !made.insert(text.clone()) {
                continue;
            }
            let count = run(program, library, &goal);
            let ends = |outcome: &Outcome| matches!(outcome, Outcome::Success | Outcome::Failure);
            if ends(&count.first) && ends(&count.all) {
                cases.push(Case {
                    claim,
                    goal: text,
                    query: claim.query(&sizes(claim, &goal)),
                });
            }
        }
    }
    cases
}

/// Returns what SWI-Prolog counts of each goal: to the first solution or failure, and over all solutions. `None` for a goal that does not end
/// there, or raises an exception.
fn counted(file: &Path, cases: &[Case]) -> Result<Vec<Option<[u64; 2]>>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (script, goals, counts) = (
        root().join("tests/oracle/inferences.pl"),
        folder.path().join("goals.pl"),
        folder.path().join("counts.txt"),
    );
    let write = |path: &Path, text: &str| std::fs::write(path, text).map_err(|e| e.to_string());
    let lines: String = cases
        .iter()
        .map(|case| format!("goal({}).\n", case.goal))
        .collect();
    write(&goals, &lines)?;
    let output = Command::new("swipl")
        .arg(&script)
        .arg("--")
        .args([file, &goals, &counts])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot run swipl: {e}"))?;
    let text = std::fs::read_to_string(&counts).unwrap_or_default();
    let found: Vec<Option<[u64; 2]>> = text
        .lines()
        .map(|line| {
            let (first, all) = line.split_once(' ')?;
            Some([first.parse().ok()?, all.parse().ok()?])
        })
        .collect();
    if found.len() != cases.len() {
        return Err(format!(
            "{}: swipl counted {} of {} goals: {}",
            file.display(),
            found.len(),
            cases.len(),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(found)
}
