//! The embedded machine compared with the interpreter: for generated calls of every predicate, the same outcomes, the same number of
//! solutions and the same steps, to the first solution and over all. The two share only the reader.

use std::path::Path;
use std::rc::Rc;

use costlens_machine as embedded;
use serde_json::Value;

use crate::bounds;
use crate::generate::{Generator, Vocabulary};
use crate::machine::Outcome;
use crate::program::Program;
use crate::property::{LIMITS, costlens, goal_text, run};

/// Fixtures with predicates that the two run differently, and the reason. Where SWI-Prolog was compared, the machine agrees with it.
pub(crate) const KNOWN: &[(&str, &str)] = &[
    (
        "all_solutions",
        "aggregate_all/3 counts as SWI-Prolog's clauses do, on the machine none",
    ),
    ("awkward_meta_calls", "aggregate_all/3, likewise"),
    (
        "higher_order",
        "sum_list/2 of what is no list raises an exception in SWI-Prolog 9 and fails in the stored clauses",
    ),
    ("aggregates", "aggregate_all/3,4, likewise"),
    ("results_that_are_given", "aggregate_all/3, likewise"),
    ("lambdas", "`>>` likewise"),
    ("lambdas_of_all_kinds", "`>>` likewise"),
    ("lambdas_with_one_parameter", "`>>` likewise"),
    ("awkward_closures", "`>>` likewise"),
    (
        "awkward_exceptions",
        "texts of large floats, and `tab/1` of a number that no output holds",
    ),
    (
        "errors_excluded",
        "newer versions of SWI-Prolog throw where the result of findall/3 is given and no list, older ones fail",
    ),
];

/// The result of a check.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) compared: usize,
    pub(crate) differences: Vec<String>,
}

/// Compares the two on `inputs` calls for each pattern that `costlens bounds` reports for a file's predicates.
pub(crate) fn check(file: &Path, library: &Rc<Program>, inputs: usize) -> Result<Report, String> {
    if file
        .file_stem()
        .is_some_and(|stem| KNOWN.iter().any(|(name, _)| stem == *name))
    {
        return Ok(Report::default());
    }
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let program = Rc::new(Program::read(&text));
    let arguments = ["bounds", "--format", "json"].map(std::ffi::OsStr::new);
    let json = costlens(&[&arguments[..], &[file.as_os_str()]].concat())?;
    let json: Value = serde_json::from_str(&json).map_err(|e| format!("not JSON: {e}"))?;
    let vocabulary = Vocabulary::collect(&program);
    // The machine does not support it.
    if text.contains("library(clpfd)") {
        return Ok(Report::default());
    }
    let Some(mut machine) = counting_machine(&text) else {
        return Ok(Report::default());
    };
    // Then every call gets a fresh copy of the program.
    let changes = ["dynamic", "assert", "setval"]
        .iter()
        .any(|word| text.contains(word));
    let mut report = Report::default();
    for claim in bounds::claims(&json)? {
        let key = (claim.name.as_str().into(), claim.arity);
        let Some(types) = claim.input_types(&vocabulary.types) else {
            continue;
        };
        if !program.predicates.contains_key(&key) {
            continue;
        }
        for seed in 0..inputs as u64 {
            let generator =
                Generator::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ seed, &vocabulary);
            let goal = generator.goal(&claim.name, &types);
            let expected = run(&program, library, &goal);
            let unusable = |o: &Outcome| matches!(o, Outcome::Limit | Outcome::Unsupported(_));
            if unusable(&expected.first) || unusable(&expected.all) {
                continue;
            }
            let text = goal_text(&goal);
            // A goal that was too large to be written.
            if text.contains('…') {
                continue;
            }
            report.compared += 1;
            let expected = (
                kind(&expected.first),
                expected.first_steps,
                kind(&expected.all),
                expected.all_steps,
                expected.solutions,
            );
            let counted = if changes {
                count(&mut machine.fork(), &text)?
            } else {
                count(&mut machine, &text)?
            };
            if counted != expected && report.differences.len() < 5 {
                report.differences.push(format!(
                    "{}: {text}\n    interpreter: {expected:?}\n    machine:     {counted:?}",
                    file.display()
                ));
            }
        }
    }
    Ok(report)
}

/// Returns a counting machine with a program. Returns `None` if the program defines predicates that the system protects, as SWI-Prolog does:
/// these definitions are then ignored, which the interpreter and the bounds do not model. Directives that fail or throw are ignored here.
pub(crate) fn counting_machine(text: &str) -> Option<embedded::Machine> {
    let mut machine = embedded::Machine::counting(limits(200_000));
    let errors = machine.load(text);
    let protected = |e: &embedded::LoadError| matches!(e, embedded::LoadError::Protected { .. });
    (!errors.iter().any(protected)).then_some(machine)
}

fn limits(steps: u64) -> embedded::Limits {
    embedded::Limits {
        steps: Some(steps),
        cells: 1 << 24,
        ..embedded::Limits::default()
    }
}

/// Returns a machine for a call of a predicate. A call that runs forever may do most of its work between calls, which the limit does not
/// count, so its limit is lower.
pub(crate) fn machine_for(claim: &bounds::Claim, machine: &embedded::Machine) -> embedded::Machine {
    let mut own = machine.fork();
    if !claim.ends {
        own.set_limits(limits(2_000));
    }
    own
}

/// The outcome of the first solution, the steps to it, the outcome of the search for all, its steps, and the number of solutions.
type Counted = (&'static str, u64, &'static str, u64, u64);

fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
        Outcome::Exception(_) => "exception",
        Outcome::Limit => "limit",
        Outcome::Unsupported(_) => "unsupported",
    }
}

fn count(machine: &mut embedded::Machine, goal: &str) -> Result<Counted, String> {
    let (goal, _) = machine.read_goal(goal)?;
    machine.forget_counts();
    machine.start(goal);
    let (mut solutions, mut first) = (0, None);
    loop {
        let answer = machine.next_answer();
        let (end, goes_on) = match answer {
            embedded::Answer::Yes { .. } => ("success", true),
            embedded::Answer::No if solutions == 0 => ("failure", false),
            embedded::Answer::No => ("success", false),
            embedded::Answer::Error(_) => ("exception", false),
            embedded::Answer::Limit(_) => ("limit", false),
        };
        let steps = machine.steps();
        let (first_end, first_steps) = *first.get_or_insert((end, steps));
        if !goes_on || steps > 10 * LIMITS.steps {
            return Ok((first_end, first_steps, end, steps, solutions));
        }
        solutions += 1;
    }
}
