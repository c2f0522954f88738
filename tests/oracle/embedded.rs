//! The property on the instructions of the embedded machine: lower <= counted <= upper for each of them, success and failure apart, as the
//! machine itself counts them on generated calls.

use std::path::Path;
use std::rc::Rc;

use costlens_events::machine::counted_names;
use costlens_machine as embedded;
use serde_json::Value;

use crate::bounds;
use crate::counts::{counting_machine, machine_for};
use crate::generate::{Generator, Vocabulary};
use crate::machine::Outcome;
use crate::program::Program;
use crate::property::{self, Report};

/// Returns everything that the machine counts and bounds cover, success and failure apart.
fn names() -> Vec<String> {
    let both = counted_names().flat_map(|(name, fails)| {
        let failed = fails.then(|| format!("{name}(fail)"));
        std::iter::once(name.to_owned()).chain(failed)
    });
    both.collect()
}

/// Returns whether an event is counted by a run but not covered by bounds on instructions: `references` depend on how terms were built; steps
/// and head unifications have their own property ([`crate::counts`]), as do built-ins (`is/2`).
fn is_elsewhere(name: &str) -> bool {
    matches!(name, "references" | "steps" | "head_unifications")
        || name
            .trim_end_matches("(fail)")
            .rsplit_once('/')
            .is_some_and(|(_, arity)| arity.parse::<u8>().is_ok())
}

/// Checks the first pattern of every predicate in a file. `tampered`: an instruction that is counted that many times instead of once.
pub(crate) fn check_file(
    file: &Path,
    per_pattern: usize,
    tampered: Option<(&str, u64)>,
) -> Result<Report, String> {
    let mut report = Report::default();
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let program = Rc::new(Program::read(&text));
    let Some(machine) = counting_machine(&text) else {
        return Ok(report);
    };
    let plain = ["bounds", "--format", "json"].map(std::ffi::OsStr::new);
    let json = property::costlens(&[&plain[..], &[file.as_os_str()]].concat())?;
    let json: Value = serde_json::from_str(&json).map_err(|e| format!("not JSON: {e}"))?;
    let claims = bounds::claims(&json)?;
    let vocabulary = Vocabulary::collect(&program);
    let mut cases = Vec::new();
    for claim in claims.iter().filter(|c| c.pattern == 0) {
        let key = (claim.name.as_str().into(), claim.arity);
        let types = claim.input_types(&vocabulary.types);
        let (true, Some(types)) = (program.predicates.contains_key(&key), types) else {
            continue;
        };
        report.patterns += 1;
        for seed in 0..per_pattern as u64 {
            let generator = Generator::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d), &vocabulary);
            let goal = generator.goal(&claim.name, &types);
            let query = claim.query(&property::sizes(claim, &goal));
            cases.push((claim, property::goal_text(&goal), query));
        }
    }
    let mut names = names();
    // Also functions without a name of their own: `arith(sqrt/1)`.
    for (claim, goal, _) in &cases {
        if let Some([_, (_, events)]) = count_of(&machine, claim, goal)? {
            let more = events.into_keys().map(|name| name.to_string());
            let more: Vec<String> = more
                .filter(|name| !is_elsewhere(name) && !names.contains(name))
                .collect();
            names.extend(more);
        }
    }
    let queries = cases.iter().map(|(_, _, query)| query.as_str());
    let asked: Vec<String> = names.iter().cloned().chain([WORK.to_owned()]).collect();
    let answers = property::at_sizes(file, queries, &asked)?;
    for (claim, goal, query) in &cases {
        let Some([first, all]) = count_of(&machine, claim, goal)? else {
            continue;
        };
        report.inputs += 1;
        let at = &answers[query];
        let mut found = Vec::new();
        for name in &names {
            let bounds = &at[name];
            report.bounded += usize::from(bounds["all"]["upper"].is_number());
            let times = tampered
                .filter(|(t, _)| t == name)
                .map_or(1, |(_, times)| times);
            for (part, (outcome, events)) in [("first", &first), ("all", &all)] {
                let times_run = times * events.get(name.as_str()).copied().unwrap_or(0);
                claim.check(
                    &bounds[part],
                    &format!("{name} {part}"),
                    outcome,
                    times_run,
                    &mut found,
                );
            }
        }
        for (part, (outcome, events)) in [("first", &first), ("all", &all)] {
            let bounds = &at[WORK][part];
            let counted = work(events);
            report.bounded += usize::from(bounds["upper"].is_number());
            // The work of built-ins by their inputs is not counted.
            let most = bounds["upper"].as_f64().map(|upper| upper * OWN_LIBRARY);
            let upper = serde_json::json!({"lower": 0, "upper": most});
            let name = format!("{WORK} {part}");
            claim.check(&upper, &name, outcome, counted, &mut found);
        }
        if !found.is_empty() && report.violations.len() < 8 {
            report.violations.push(format!(
                "{}: {}/{}, goal {goal}\n    {}\n    sizes {query}",
                file.display(),
                claim.name,
                claim.arity,
                found.join("\n    "),
            ));
        }
    }
    Ok(report)
}

/// The resource of all work.
const WORK: &str = "work";

/// The maximum number of built-ins that the machine calls for each unit: it runs its own versions of `findall/3` and similar predicates.
const OWN_LIBRARY: f64 = 4.0;

/// Returns the part of the work that the machine counts: the steps, and the calls of built-ins.
fn work(events: &std::collections::BTreeMap<smol_str::SmolStr, u64>) -> u64 {
    let is_counted = |name: &str| {
        name == "steps" || name != "head_unifications" && is_elsewhere(name) && name != "references"
    };
    let counted = events.iter().filter(|(name, _)| is_counted(name));
    counted.map(|(_, count)| count).sum()
}

/// Returns the counts of a goal that can be written. Returns `None` at a limit.
fn count_of(
    machine: &embedded::Machine,
    claim: &bounds::Claim,
    goal: &str,
) -> Result<Option<[Counted; 2]>, String> {
    if goal.contains('…') {
        return Ok(None);
    }
    count(&mut machine_for(claim, machine), goal)
}

type Counted = (Outcome, std::collections::BTreeMap<smol_str::SmolStr, u64>);

/// Returns the end of the search for the first solution and of that for all, with the counts up to there. Returns `None` at a limit.
fn count(machine: &mut embedded::Machine, goal: &str) -> Result<Option<[Counted; 2]>, String> {
    let (goal, _) = machine.read_goal(goal)?;
    machine.forget_counts();
    machine.start(goal);
    let (mut solutions, mut first) = (0_u32, None);
    loop {
        let answer = machine.next_answer();
        let (outcome, goes_on) = match answer {
            embedded::Answer::Yes { .. } => (Outcome::Success, true),
            embedded::Answer::No if solutions == 0 => (Outcome::Failure, false),
            embedded::Answer::No => (Outcome::Success, false),
            embedded::Answer::Error(_) => (Outcome::Exception(String::new()), false),
            embedded::Answer::Limit(_) => return Ok(None),
        };
        if first.is_none() {
            first = Some((outcome.clone(), machine.events()));
        }
        if !goes_on {
            return Ok(first.map(|first| [first, (outcome, machine.events())]));
        }
        solutions += 1;
        if solutions > 300 {
            return Ok(None);
        }
    }
}

/// Checks that a wrong count is detected.
pub(crate) fn wrong_counts_are_noticed() -> Result<(), String> {
    let file = property::root().join("tests/fixtures/naive_reverse.pl");
    let of = |tampered| check_file(&file, 5, tampered);
    let found = of(None)?;
    if !found.violations.is_empty() || found.bounded == 0 {
        return Err(format!("without tampering: {found:?}"));
    }
    for instruction in ["get_list", "unify_variable", "call"] {
        for times in [0, 2] {
            if of(Some((instruction, times)))?.violations.is_empty() {
                return Err(format!(
                    "{instruction} counted {times} times is not noticed"
                ));
            }
        }
    }
    Ok(())
}
