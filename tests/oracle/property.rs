//! The property: lower bound <= counted steps <= upper bound, for every call that fits a pattern.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use num_bigint::BigInt;
use serde_json::Value;

use crate::binary;
use crate::bounds::{self, Claim};
use crate::generate::{self, Generator, Vocabulary};
use crate::heap::{Cell, Heap, Record};
use crate::machine::{Count, Limits, Machine};
use crate::program::Program;
use crate::write;

/// The limits of one generated call: small, since most programs answer small inputs immediately.
pub(crate) const LIMITS: Limits = Limits {
    steps: 3_000,
    work: 300_000,
};

/// Returns the standard output of a subcommand in JSON. Exit code 1 is about assertions and not a failure here.
pub(crate) fn costlens(arguments: &[&std::ffi::OsStr]) -> Result<String, String> {
    let output = binary::costlens()
        .args(arguments)
        .output()
        .map_err(|e| format!("cannot run costlens: {e}"))?;
    match output.status.code() {
        Some(0 | 1) => String::from_utf8(output.stdout)
            .map_err(|_| "costlens printed bytes that are no UTF-8".to_string()),
        code => Err(format!(
            "costlens ended with {code:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Returns the library predicates that ship with Costlens as Prolog clauses, if any.
pub(crate) fn library() -> Rc<Program> {
    let folder = root().join("server/program/library");
    let mut text = String::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|e| Some(e.ok()?.path()))
        .collect();
    files.sort();
    for file in files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "pl"))
    {
        text.push_str(&std::fs::read_to_string(file).unwrap());
        text.push('\n');
    }
    Rc::new(Program::read(&text))
}

/// Returns the folder of the whole project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .find(|d| d.join("tests/oracle.rs").is_file())
        .expect("the project's root")
        .to_path_buf()
}

/// The default number of inputs per pattern.
pub(crate) const INPUTS: usize = 200;

/// Returns the number of inputs per pattern.
pub(crate) fn inputs_wanted() -> usize {
    std::env::var("ORACLE_INPUTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(INPUTS)
}

/// The result of checking one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) patterns: usize,
    pub(crate) inputs: usize,
    /// Inputs with a finite upper bound.
    pub(crate) bounded: usize,
    pub(crate) violations: Vec<String>,
    /// Predicates that could not be tried, and the reason.
    pub(crate) skipped: Vec<String>,
}

struct Case<'a> {
    claim: &'a Claim,
    seed: u64,
    goal: Record,
    /// A line of `--sizes`, or the value of `--at` for later patterns.
    query: String,
}

/// The number of different size vectors that are evaluated for a pattern that is not a predicate's first: each costs a run of the binary.
const SIZES_OF_LATER_PATTERNS: usize = 5;

/// Checks every pattern of every predicate in a file.
pub(crate) fn check_file(
    file: &Path,
    library: &Rc<Program>,
    per_pattern: usize,
) -> Result<Report, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let program = Rc::new(Program::read(&text));
    let json = costlens(&[
        "bounds".as_ref(),
        "--format".as_ref(),
        "json".as_ref(),
        file.as_os_str(),
    ])?;
    let json: Value = serde_json::from_str(&json).map_err(|e| format!("not JSON: {e}"))?;
    let claims = bounds::claims(&json)?;
    let vocabulary = Vocabulary::collect(&program);
    let mut report = Report::default();
    let mut cases = Vec::new();
    for claim in &claims {
        let key = (claim.name.as_str().into(), claim.arity);
        if !program.predicates.contains_key(&key) {
            report
                .skipped
                .push(format!("{}/{}: no clauses read", claim.name, claim.arity));
            continue;
        }
        let Some(types) = claim.input_types(&vocabulary.types) else {
            report.skipped.push(format!(
                "{}/{}: unknown type in {:?}",
                claim.name, claim.arity, claim.types
            ));
            continue;
        };
        report.patterns += 1;
        let mut asked: Vec<String> = Vec::new();
        for seed in 0..per_pattern as u64 {
            let generator =
                Generator::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ seed, &vocabulary);
            let goal = generator.goal(&claim.name, &types);
            let sizes = sizes(claim, &goal);
            let query = if claim.pattern == 0 {
                claim.query(&sizes)
            } else {
                claim.at_option(&sizes)
            };
            if claim.pattern > 0 && !asked.contains(&query) {
                if asked.len() >= SIZES_OF_LATER_PATTERNS {
                    continue;
                }
                asked.push(query.clone());
            }
            cases.push(Case {
                claim,
                seed,
                goal,
                query,
            });
        }
    }
    let answers = evaluate(file, &cases)?;
    let mut later: HashMap<(&str, usize, usize, &str), Value> = HashMap::new();
    let mut told: HashMap<(&str, usize), usize> = HashMap::new();
    for case in &cases {
        report.inputs += 1;
        let claim = case.claim;
        let at = if claim.pattern == 0 {
            &answers[&case.query]
        } else {
            let key = (
                claim.name.as_str(),
                claim.arity,
                claim.pattern,
                case.query.as_str(),
            );
            match later.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(evaluate_later(file, claim, &case.query)?),
            }
        };
        if at.is_null() {
            report
                .violations
                .push(format!("no `at` for {}", case.query));
            continue;
        }
        report.bounded += usize::from(at["steps"]["all"]["upper"].is_number());
        let count = run(&program, library, &case.goal);
        let violations = case.claim.violations(at, &count);
        let told = told
            .entry((&case.claim.name, case.claim.arity))
            .or_default();
        if violations.is_empty() || *told >= 3 {
            continue;
        }
        *told += 1;
        report.violations.push(format!(
            "{}: {}/{} ({}), pattern {}, determinism {}\n    goal: {}\n    {}\n    counted: {count:?}\n    bounds: {}\n    seed {}, sizes {}",
            file.display(),
            case.claim.name,
            case.claim.arity,
            case.claim.types.join(", "),
            case.claim.pattern + 1,
            case.claim.determinism,
            goal_text(&case.goal),
            violations.join("\n    "),
            at["steps"],
            case.seed,
            case.query,
        ));
    }
    Ok(report)
}

/// Returns a recorded goal as Prolog text.
pub(crate) fn goal_text(goal: &Record) -> String {
    let mut heap = Heap {
        work: u64::MAX,
        ..Heap::default()
    };
    let at = heap.restore(goal);
    write::text(&mut heap, at)
}

pub(crate) fn sizes(claim: &Claim, goal: &Record) -> Vec<Option<BigInt>> {
    let mut heap = Heap {
        work: u64::MAX,
        ..Heap::default()
    };
    let at = heap.restore(goal);
    let Cell::Compound(_, start, _) = *heap.value(at) else {
        return vec![None; claim.sizes.len()];
    };
    claim
        .sizes
        .iter()
        .map(|size| {
            let argument = start + size.argument - 1;
            if size.element {
                generate::element_size(&mut heap, &size.metric, argument)
            } else {
                generate::size(&mut heap, &size.metric, argument)
            }
        })
        .collect()
}

/// Runs a recorded goal.
pub(crate) fn run(program: &Rc<Program>, library: &Rc<Program>, goal: &Record) -> Count {
    let mut machine = Machine::new(program, library, LIMITS);
    let goal = machine.heap.restore(goal);
    machine.count(goal, |_| {})
}

/// Returns the bounds of a later pattern at given sizes.
fn evaluate_later(file: &Path, claim: &Claim, sizes: &str) -> Result<Value, String> {
    let predicate = format!("{}/{}", claim.name, claim.arity);
    let flags = [
        "bounds",
        "--format",
        "json",
        "--predicate",
        &predicate,
        "--at",
        sizes,
    ]
    .map(std::ffi::OsStr::new);
    let json = costlens(&[&flags[..], &[file.as_os_str()]].concat())?;
    let json: Value = serde_json::from_str(&json).map_err(|e| format!("not JSON: {e}"))?;
    Ok(json["predicates"][0]["patterns"][claim.pattern]["at"].clone())
}

/// Returns the bounds at the sizes of all cases of first patterns, in one run of the binary.
fn evaluate(file: &Path, cases: &[Case]) -> Result<HashMap<String, Value>, String> {
    let first = cases.iter().filter(|c| c.claim.pattern == 0);
    at_sizes(file, first.map(|c| c.query.as_str()), &[])
}

/// Returns the answers of one run of the binary to lines of `--sizes`, for steps or for these resources.
pub(crate) fn at_sizes<'a>(
    file: &Path,
    queries: impl Iterator<Item = &'a str>,
    resources: &[String],
) -> Result<HashMap<String, Value>, String> {
    let mut queries: Vec<&str> = queries.collect();
    queries.sort_unstable();
    queries.dedup();
    if queries.is_empty() {
        return Ok(HashMap::new());
    }
    let sizes = tempfile::NamedTempFile::with_suffix(".jsonl").map_err(|e| e.to_string())?;
    std::fs::write(sizes.path(), queries.join("\n") + "\n").map_err(|e| e.to_string())?;
    let mut flags = vec!["bounds", "--format", "json"];
    flags.extend(resources.iter().flat_map(|r| ["--resource", r]));
    flags.push("--sizes");
    let mut arguments: Vec<&std::ffi::OsStr> = flags.into_iter().map(AsRef::as_ref).collect();
    arguments.extend([sizes.path().as_os_str(), file.as_os_str()]);
    let answers = costlens(&arguments)?;
    let lines: Vec<&str> = answers.lines().filter(|l| !l.trim().is_empty()).collect();
    if lines.len() != queries.len() {
        return Err(format!(
            "{} lines of --sizes gave {} answers",
            queries.len(),
            lines.len()
        ));
    }
    let mut found = HashMap::new();
    for (query, line) in queries.into_iter().zip(lines) {
        let answer: Value =
            serde_json::from_str(line).map_err(|e| format!("not JSON: {e}: {line}"))?;
        let asked: Value = serde_json::from_str(query).map_err(|e| e.to_string())?;
        if answer["pred"] != asked["pred"] || answer["sizes"] != asked["sizes"] {
            return Err(format!(
                "the answer does not repeat its question: {line} to {query}"
            ));
        }
        found.insert(query.to_string(), answer["at"].clone());
    }
    Ok(found)
}
