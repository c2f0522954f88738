//! A check that every event is covered: for each event that runs of the fixtures count, omitting it and counting it twice each contradict
//! some bound of some fixture.
//!
//! Which event a compiler forgets cannot be predicted, so all are tested. Events without a bound tight enough to detect this are listed with
//! the reason, and a listed event that is detected has to be removed from the list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use costlens_machine as embedded;
use serde_json::Value;
use smol_str::SmolStr;

use crate::bounds::{self, Claim};
use crate::counts::{counting_machine, machine_for};
use crate::generate::{Generator, Vocabulary};
use crate::machine::Outcome;
use crate::program::Program;
use crate::property;

/// Inputs for each predicate.
const INPUTS: u64 = 3;

/// A listed event is looked for in one of this many shares of the files, another one with each seed: no file notices it, so all of them would
/// be asked.
const SHARES: u64 = 8;

/// Events that are never certain in the fixtures: their lower bounds are 0, so that omitting them is not detected.
const UNCERTAIN: &[&str] = &[
    "call(fail)",
    "execute(fail)",
    "not_unifiable",
    "not_unifiable(fail)",
    "term_greater(fail)",
    "term_less",
    "term_less(fail)",
    "test_atom",
    "test_atomic",
    "test_compound(fail)",
    "test_ground",
    "test_ground(fail)",
    "test_integer(fail)",
    "test_nonvar",
    "test_var(fail)",
    "throw/1",
    "unify_constant_atom(fail)",
    "unify_constant_int(fail)",
    "unify_list(fail)",
    "unify_nil(fail)",
    "unify_value(fail)",
];

/// Events without a tight upper bound in the fixtures, so that counting them twice is not detected.
const LOOSE: &[&str] = &["set_constant_value", "set_structure", "sort/4"];

/// Events without any tight bound in the fixtures: those inside meta-calls and built-ins, and failures that only happen there.
const BLUNT: &[&str] = &[
    "</2",
    "</2(fail)",
    "=../2(fail)",
    "=/2(fail)",
    "=:=/2(fail)",
    "==/2(fail)",
    ">/2(fail)",
    "atom_number/2(fail)",
    "compound_name_arity/3",
    "fail/0(fail)",
    "functor/3(fail)",
    "memberchk/2(fail)",
    "msort/2(fail)",
    "nb_setarg/3(fail)",
    "number_codes/2(fail)",
    "references",
    "setarg/3(fail)",
    "sort/2(fail)",
    "succ/2(fail)",
    "term_greater",
    "term_less_equal",
    "term_variables/2",
    "test_atomic(fail)",
    "test_compound",
    "test_is_list",
    "true/0",
];

/// A run: the claim, the line of `--sizes`, the goal, its outcome and its counts, to the first solution and over all.
struct Run {
    claim: Claim,
    query: String,
    parts: [(Outcome, BTreeMap<SmolStr, u64>); 2],
}

/// Checks that dropping each event and counting it twice is detected, in some file. The seed chooses the files that listed events are looked for in.
pub(crate) fn every_event_is_watched(files: &[PathBuf], seed: u64) -> Result<(), String> {
    let mut runs: Vec<(&Path, Vec<Run>)> = Vec::new();
    for file in files {
        runs.push((file, runs_of(file)?));
    }
    let mut waiting: BTreeMap<String, [bool; 2]> = BTreeMap::new();
    let counted = |runs: &[Run]| -> BTreeSet<String> {
        let names = runs.iter().flat_map(|r| r.parts[1].1.iter());
        names
            // Primitives of library texts (`$arg/3`) are not resources.
            .filter(|(name, n)| **n > 0 && !name.starts_with('$'))
            .map(|(name, _)| name.to_string())
            .collect()
    };
    for (_, runs) in &runs {
        waiting.extend(counted(runs).into_iter().map(|name| (name, [false; 2])));
    }
    let all = waiting.len();
    let share = seed % SHARES;
    for (at, (file, runs)) in (0..).zip(&runs) {
        let here = counted(runs);
        let is_in_share = at % SHARES == share;
        let is_open = |name: &str, seen: &[bool; 2]| {
            let sides = seen.iter().zip(expected(name));
            { sides }.any(|(seen, should)| !seen && (should || is_in_share))
        };
        let names: Vec<String> = (waiting.iter())
            .filter(|(name, seen)| here.contains(*name) && is_open(name, seen))
            .map(|(name, _)| name.clone())
            .collect();
        let names = known(&names);
        if names.is_empty() {
            continue;
        }
        let queries = runs.iter().map(|r| r.query.as_str());
        let answers = property::at_sizes(file, queries, &names)?;
        for name in &names {
            let seen = waiting.entry(name.clone()).or_default();
            for (seen, times) in seen.iter_mut().zip([0, 2]) {
                *seen |= runs
                    .iter()
                    .any(|run| is_noticed(run, &answers[&run.query], name, times));
            }
        }
    }
    let mut wrong = Vec::new();
    for (name, seen) in &waiting {
        let sides = ["dropped", "counted twice"].iter().zip(seen);
        for ((what, is), should) in sides.zip(expected(name)) {
            match (is, should) {
                (false, true) => wrong.push(format!("{name}: {what} is not noticed")),
                (true, false) => {
                    wrong.push(format!("{name}: {what} is noticed, and need not be listed"));
                }
                _ => {}
            }
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("of {all} events\n{}", wrong.join("\n")))
    }
}

/// Returns whether it has to be noticed that an event is dropped, and that it is counted twice.
fn expected(name: &str) -> [bool; 2] {
    match BLUNT.contains(&name) {
        true => [false, false],
        false => [!UNCERTAIN.contains(&name), !LOOSE.contains(&name)],
    }
}

/// Returns the names whose bounds can be requested.
fn known(names: &[String]) -> Vec<String> {
    let is_known =
        |name: &&String| *name == "steps" || name.parse::<costlens_events::Event>().is_ok();
    names.iter().filter(is_known).cloned().collect()
}

/// Returns whether a run contradicts its bounds if it counts an event that many times for each occurrence, and does not contradict them as it is.
fn is_noticed(run: &Run, at: &Value, name: &str, times: u64) -> bool {
    let wrong = |times: u64| {
        let mut found = Vec::new();
        for (part, (outcome, events)) in ["first", "all"].iter().zip(&run.parts) {
            let counted = times * events.get(name).copied().unwrap_or(0);
            run.claim
                .check(&at[name][*part], part, outcome, counted, &mut found);
        }
        !found.is_empty()
    };
    wrong(times) && !wrong(1)
}

fn runs_of(file: &Path) -> Result<Vec<Run>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let program = Rc::new(Program::read(&text));
    let Some(machine) = counting_machine(&text) else {
        return Ok(Vec::new());
    };
    let plain = ["bounds", "--format", "json"].map(std::ffi::OsStr::new);
    let json = property::costlens(&[&plain[..], &[file.as_os_str()]].concat())?;
    let json: Value = serde_json::from_str(&json).map_err(|e| format!("not JSON: {e}"))?;
    let vocabulary = Vocabulary::collect(&program);
    let mut found = Vec::new();
    for claim in bounds::claims(&json)?
        .into_iter()
        .filter(|c| c.pattern == 0)
    {
        let key = (claim.name.as_str().into(), claim.arity);
        let types = claim.input_types(&vocabulary.types);
        let (true, Some(types)) = (program.predicates.contains_key(&key), types) else {
            continue;
        };
        for seed in 0..INPUTS {
            let seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x11;
            let goal = Generator::new(seed, &vocabulary).goal(&claim.name, &types);
            let query = claim.query(&property::sizes(&claim, &goal));
            let text = property::goal_text(&goal);
            if text.contains('…') {
                continue;
            }
            if let Some(parts) = counted(&mut machine_for(&claim, &machine), &text)? {
                let claim = claim.clone();
                found.push(Run {
                    claim,
                    query,
                    parts,
                });
            }
        }
    }
    Ok(found)
}

/// Returns the counts of a goal to its first solution and over all. Returns `None` at a limit.
#[expect(clippy::type_complexity, reason = "the two parts of a run")]
fn counted(
    machine: &mut embedded::Machine,
    goal: &str,
) -> Result<Option<[(Outcome, BTreeMap<SmolStr, u64>); 2]>, String> {
    let (goal, _) = machine.read_goal(goal)?;
    machine.forget_counts();
    machine.start(goal);
    let (mut solutions, mut first) = (0_u32, None);
    loop {
        let (outcome, goes_on) = match machine.next_answer() {
            embedded::Answer::Yes { .. } => (Outcome::Success, true),
            embedded::Answer::No if solutions == 0 => (Outcome::Failure, false),
            embedded::Answer::No => (Outcome::Success, false),
            embedded::Answer::Error(_) => (Outcome::Exception(String::new()), false),
            embedded::Answer::Limit(_) => return Ok(None),
        };
        let now = (outcome, machine.events());
        let first = first.get_or_insert_with(|| now.clone());
        if !goes_on {
            return Ok(Some([first.clone(), now]));
        }
        solutions += 1;
        if solutions > 300 {
            return Ok(None);
        }
    }
}
