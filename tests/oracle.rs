//! The oracle of every bound: a counting interpreter, its own tests, and the property "lower <= counted <= upper".
//!
//! - The interpreter ([`machine`]) runs clauses read by `costlens-syntax` and counts clause entries.
//! - [`selfcheck`] tests it against theory, [`swipl`] against a counting meta-interpreter run by SWI-Prolog.
//! - [`property`] generates inputs for each predicate of `tests/fixtures/*.pl` and compares the counted steps with what
//!   `costlens bounds` says. `ORACLE_INPUTS` sets the inputs per pattern, `COSTLENS_ORACLE_FILES` (paths, separated by
//!   `:`) adds files, `COSTLENS_BIN` names another binary.
//! - [`counts`] compares the interpreter with the machine of `costlens-machine`, which runs compiled clauses.
//! - [`embedded`] compares bounds on that machine's instructions with what it counts.
//! - [`wide`] does the same inside the process, for every summary that inference computes, those that only callers see included,
//!   with numbers of solutions, sizes and types of outputs, and exceptions.
//! - [`instructions`] counts the instructions of PPDP'08's machine as well, and compares each with its bounds.
//! - [`inferences`] compares bounds on inferences with what SWI-Prolog counts.
//! - [`programs`] writes random programs, [`mutants`] changes these and the files at random: `ORACLE_MUTANTS` of each on
//!   request, starting from `ORACLE_SEED`; `ORACLE_MUTANT_SEED` sets the seed of the changes only, `tests/run` with a number of the commit.
//! - [`programs::structural`] writes structurally recursive programs in further shapes ([`shapes`]), `ORACLE_STRUCTURAL` of them, most
//!   of which must have bounds; all events are compared on `ORACLE_EVENT_PROGRAMS` of them.
//! - [`minimise`] makes a violated bound a small case, [`tampering`] asks of every event
//!   whether a wrong count of it is noticed (with `ORACLE_TAMPERING` or `CI`), [`stored`]
//!   compares the interpreter's built-ins with SWI-Prolog's stored answers, and [`totals`] sums up what was tried.
//! - [`evaluated`] compares upper bounds that were evaluated at given sizes, without a closed form, with runs of these sizes.
//! - [`containment`] compares bounds of a pattern with those of narrower ones, in files and in random programs
//!   (`ORACLE_PROGRAMS` of them).
#![cfg(test)]

#[allow(
    dead_code,
    reason = "only the fixture runner uses the rewriting of annotations"
)]
#[path = "fixtures/runner/annotations.rs"]
mod annotations;
#[path = "oracle/arithmetic.rs"]
mod arithmetic;
#[path = "support/binary.rs"]
mod binary;
#[path = "oracle/bounds.rs"]
mod bounds;
#[path = "oracle/builtins.rs"]
mod builtins;
#[path = "oracle/calls.rs"]
mod calls;
#[path = "oracle/conditions.rs"]
mod conditions;
#[path = "oracle/constraints.rs"]
mod constraints;
#[path = "oracle/containment.rs"]
mod containment;
#[path = "oracle/control.rs"]
mod control;
#[path = "oracle/counts.rs"]
mod counts;
#[path = "oracle/embedded.rs"]
mod embedded;
#[path = "oracle/evaluated.rs"]
mod evaluated;
#[allow(
    dead_code,
    reason = "only the fixture runner uses the comparison of expressions"
)]
#[path = "fixtures/runner/expressions.rs"]
mod expressions;
#[path = "oracle/generate.rs"]
mod generate;
#[path = "oracle/heap.rs"]
mod heap;
#[path = "oracle/higher_order.rs"]
mod higher_order;
#[path = "oracle/inferences.rs"]
mod inferences;
#[path = "oracle/instructions.rs"]
mod instructions;
#[path = "oracle/judge.rs"]
mod judge;
#[path = "oracle/library_counts.rs"]
mod library_counts;
#[path = "oracle/machine.rs"]
mod machine;
#[path = "oracle/minimise.rs"]
mod minimise;
#[path = "oracle/mutants.rs"]
mod mutants;
#[path = "oracle/mutation.rs"]
mod mutation;
#[path = "oracle/paper_rows.rs"]
mod paper_rows;
#[path = "oracle/program.rs"]
mod program;
#[path = "oracle/programs.rs"]
mod programs;
#[path = "oracle/promises.rs"]
mod promises;
#[path = "oracle/property.rs"]
mod property;
#[path = "oracle/selfcheck.rs"]
mod selfcheck;
#[path = "oracle/shapes.rs"]
mod shapes;
#[path = "oracle/solutions.rs"]
mod solutions;
#[path = "oracle/stored.rs"]
mod stored;
#[path = "oracle/summaries.rs"]
mod summaries;
#[path = "oracle/swipl.rs"]
mod swipl;
#[path = "oracle/tampering.rs"]
mod tampering;
#[path = "oracle/text.rs"]
mod text;
#[path = "oracle/totals.rs"]
mod totals;
#[path = "oracle/types.rs"]
mod types;
#[path = "oracle/wide.rs"]
mod wide;
#[path = "oracle/write.rs"]
mod write;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = selfcheck::TESTS
        .iter()
        .map(|&(name, test)| {
            Trial::test(name, move || {
                test();
                Ok(())
            })
        })
        .collect();
    trials.push(swipl::trial());
    trials.push(library_counts::trial());
    trials.push(constraints::trial());
    trials.push(Trial::test("arithmetic_is_that_of_stored_answers", || {
        Ok(stored::arithmetic()?)
    }));
    trials.push(Trial::test("built_ins_do_as_stored_answers", || {
        Ok(stored::built_ins()?)
    }));
    trials.push(Trial::test("wrong_counts_are_noticed", || {
        Ok(instructions::wrong_counts_are_noticed()?)
    }));
    trials.push(Trial::test("rows_8_to_11_of_ppdp08_hold", || {
        Ok(paper_rows::rows_8_to_11()?)
    }));
    trials.push(Trial::test(
        "wrong_counts_of_own_instructions_are_noticed",
        || Ok(embedded::wrong_counts_are_noticed()?),
    ));
    // It takes a minute in an optimised build, so it runs only together with all tests.
    if ["CI", "ORACLE_TAMPERING"]
        .iter()
        .any(|v| std::env::var_os(v).is_some())
    {
        trials.push(Trial::test("every_event_is_watched", || {
            let seed = number("ORACLE_MUTANT_SEED", number("ORACLE_SEED", 0));
            Ok(tampering::every_event_is_watched(&files(), seed)?)
        }));
    }
    trials.push(Trial::test("wrong_bounds_become_small_cases", || {
        Ok(minimise::wrong_bounds_become_small_cases()?)
    }));
    trials.extend(programs_by_chance());
    for file in files() {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let own = file.clone();
        trials.push(Trial::test(
            format!("bounds_of_own_instructions_hold::{name}"),
            move || own_instructions_hold(&own),
        ));
        let run_twice = file.clone();
        trials.push(Trial::test(
            format!("machine_counts_like_interpreter::{name}"),
            move || same_counts(&run_twice),
        ));
        let annotated = file.clone();
        trials.push(Trial::test(
            format!("promises_are_true::{name}"),
            move || promises_are_true(&annotated),
        ));
        let whole = file.clone();
        trials.push(Trial::test(format!("summaries_hold::{name}"), move || {
            summaries_hold(&whole)
        }));
        let tabulated = file.clone();
        trials.push(Trial::test(
            format!("evaluated_bounds_hold::{name}"),
            move || evaluated_bounds_hold(&tabulated),
        ));
        let narrowed = file.clone();
        trials.push(Trial::test(
            format!("narrower_patterns_have_no_wider_bounds::{name}"),
            move || narrower_patterns(&narrowed),
        ));
        let inferred = file.clone();
        trials.push(swipl::trial_with_swipl(
            &format!("inferences_hold::{name}"),
            move || inferences_hold(&inferred),
        ));
        let counted = file.clone();
        trials.push(Trial::test(
            format!("instructions_hold::{name}"),
            move || instructions_hold(&counted),
        ));
        trials.push(Trial::test(format!("bounds_hold::{name}"), move || {
            bounds_hold(&file)
        }));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !totals::enough(&arguments, &conclusion, property::inputs_wanted()) {
        std::process::exit(101);
    }
    conclusion.exit();
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(property::root().join("tests/fixtures"))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .filter(|path| {
            !std::fs::read_to_string(path).is_ok_and(|text| trusts_what_is_not_there(&text))
        })
        .collect();
    files.sort();
    if let Some(more) = std::env::var_os("COSTLENS_ORACLE_FILES") {
        files.extend(std::env::split_paths(&more));
    }
    files
}

/// Returns whether a program relies on trust assertions about predicates that it does not define: it cannot be run.
fn trusts_what_is_not_there(text: &str) -> bool {
    text.lines()
        .filter_map(|line| line.strip_prefix(":- trust pred ")?.split_once('('))
        .any(|(name, _)| !text.lines().any(|l| l.starts_with(&format!("{name}("))))
}

fn own_instructions_hold(file: &std::path::Path) -> Result<(), Failed> {
    let inputs = property::inputs_wanted() / 10;
    let report = embedded::check_file(file, inputs, None)?;
    totals::add("instructions of the machine", report.inputs);
    tell(&format!(
        "{}: {} patterns, {} inputs, {} finite upper bounds of the machine's instructions, {} violations",
        file.display(),
        report.patterns,
        report.inputs,
        report.bounded,
        report.violations.len(),
    ));
    none(&report.violations)
}

fn same_counts(file: &std::path::Path) -> Result<(), Failed> {
    let inputs = property::inputs_wanted() / 8;
    let report = counts::check(file, &property::library(), inputs)?;
    tell(&format!(
        "{}: {} calls compared",
        file.display(),
        report.compared
    ));
    none(&report.differences)
}

fn promises_are_true(file: &std::path::Path) -> Result<(), Failed> {
    let (_, violations) =
        promises::check(file, &property::library(), property::inputs_wanted() / 5)?;
    none(&violations)
}

#[expect(
    clippy::print_stderr,
    reason = "prints a summary on request, after the test runner's own output"
)]
fn bounds_hold(file: &std::path::Path) -> Result<(), Failed> {
    let library: Rc<program::Program> = property::library();
    let report = property::check_file(file, &library, property::inputs_wanted())?;
    totals::add("steps as the program reports them", report.inputs);
    if std::env::var_os("ORACLE_SUMMARY").is_some() {
        eprintln!(
            "{}: {} patterns, {} inputs, {} with a finite upper bound, {} violations{}",
            file.display(),
            report.patterns,
            report.inputs,
            report.bounded,
            report.violations.len(),
            report
                .skipped
                .iter()
                .map(|s| format!("\n    skipped {s}"))
                .collect::<String>(),
        );
    }
    none(&report.violations)
}

#[expect(
    clippy::print_stderr,
    reason = "prints a summary on request, after the test runner's own output"
)]
fn summaries_hold(file: &std::path::Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let name = file.display().to_string();
    let inputs = property::inputs_wanted();
    let report = wide::check(&name, &text, &property::library(), inputs, property::LIMITS)?;
    totals::add("summaries: steps, solutions, sizes, errors", report.inputs);
    if std::env::var_os("ORACLE_SUMMARY").is_some() {
        eprintln!(
            "{name}: {} summaries, {} inputs, {} with a finite upper bound, {} violations, skipped: {}",
            report.summaries,
            report.inputs,
            report.bounded,
            report.violations.len(),
            report.skipped.join(" "),
        );
    }
    none(&report.violations)
}

fn evaluated_bounds_hold(file: &std::path::Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let inputs = property::inputs_wanted() / 10;
    let report = evaluated::check(&text, inputs, property::LIMITS)?;
    totals::add("upper bounds at given sizes", report.compared);
    tell(&report.line(&file.display().to_string()));
    none(&report.violations)
}

fn instructions_hold(file: &std::path::Path) -> Result<(), Failed> {
    let library: Rc<program::Program> = property::library();
    let inputs = property::inputs_wanted() / 10;
    let report = instructions::check_file(file, &library, inputs, None)?;
    totals::add("instructions of PPDP'08", report.inputs);
    tell(&format!(
        "{}: {} patterns, {} inputs, {} finite upper bounds of instructions, {} violations",
        file.display(),
        report.patterns,
        report.inputs,
        report.bounded,
        report.violations.len(),
    ));
    none(&report.violations)
}

fn inferences_hold(file: &std::path::Path) -> Result<(), Failed> {
    let library: Rc<program::Program> = property::library();
    let inputs = property::inputs_wanted() / 40;
    let report = inferences::check_file(file, &library, inputs)?;
    totals::add("inferences of SWI-Prolog", report.runs);
    totals::add(
        "inferences of SWI-Prolog with an upper bound",
        report.bounded,
    );
    totals::add(
        "inferences of SWI-Prolog equal to both bounds",
        report.exact,
    );
    tell(&format!(
        "{}: {} runs, {} with an upper bound, {} equal to both bounds, {} violations",
        file.display(),
        report.runs,
        report.bounded,
        report.exact,
        report.violations.len(),
    ));
    none(&report.violations)
}

/// Converts the violations found by a test to its result.
fn none(violations: &[String]) -> Result<(), Failed> {
    if violations.is_empty() {
        Ok(())
    } else {
        Err(Failed::from(format!("\n{}", violations.join("\n"))))
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

fn narrower_patterns(file: &std::path::Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let name = file.display().to_string();
    contained(&name, containment::check(&name, &text)?)
}

fn contained(name: &str, report: containment::Report) -> Result<(), Failed> {
    tell(&format!(
        "{name}: {} pairs of patterns, {} points, {} either",
        report.pairs,
        report.points,
        report.either.len()
    ));
    for lost in report.violations.iter().chain(&report.either) {
        tell(lost);
    }
    none(&report.violations)
}

/// Prints a line on request.
#[expect(
    clippy::print_stderr,
    reason = "prints a summary on request, after the test runner's own output"
)]
fn tell(line: &str) {
    if std::env::var_os("ORACLE_SUMMARY").is_some() {
        eprintln!("{line}");
    }
}

/// Returns trials for random programs unchanged, in blocks, and on request for changed ones: that many of each file, of each predicate of the
/// files that `COSTLENS_ORACLE_FILES` adds, and of further random programs, as determined by [`mutation::PROGRAMS`].
fn programs_by_chance() -> Vec<Trial> {
    let seed = number("ORACLE_SEED", 0);
    let mut trials = Vec::new();
    for block in 0..number("ORACLE_PROGRAMS", 40).div_ceil(20) {
        let run = move || {
            let report = mutation::untouched(seed + 1000 * block, 20)?;
            totals::add("programs by chance", report.inputs);
            tell(&report.line("programs by chance"));
            none(&report.findings())
        };
        trials.push(Trial::test(
            format!("programs_by_chance_hold::{block}"),
            run,
        ));
    }
    for block in 0..number("ORACLE_PROGRAMS", 40).div_ceil(10) {
        let run = move || {
            let from = seed + 1000 * block + 600;
            let report = evaluated::by_chance(from, 10)?;
            totals::add("upper bounds at given sizes", report.compared);
            tell(&report.line("programs by chance"));
            none(&report.violations)
        };
        let name = format!("evaluated_bounds_hold::by_chance_{block}");
        trials.push(Trial::test(name, run));
    }
    trials.extend(structural_programs(seed));
    for block in 0..number("ORACLE_EVENT_PROGRAMS", mutation::EVENT_PROGRAMS).div_ceil(10) {
        let run = move || {
            let (runs, wrong) = mutation::events_of_structural(seed + 10 * block, 10)?;
            totals::add("events of structurally recursive programs", runs);
            none(&wrong)
        };
        let name = format!("events_of_structural_programs_hold::{block}");
        trials.push(Trial::test(name, run));
    }
    for block in 0..number("ORACLE_PROGRAMS", 40).div_ceil(10) {
        let run = move || {
            let from = seed + 1000 * block + 300;
            contained("programs by chance", containment::by_chance(from, 10)?)
        };
        let name = format!("narrower_patterns_have_no_wider_bounds::by_chance_{block}");
        trials.push(Trial::test(name, run));
    }
    let many = number("ORACLE_MUTANTS", 0);
    if many > 0 {
        let seed = number("ORACLE_MUTANT_SEED", seed);
        for (block, programs) in mutation::subjects(&files(), seed).into_iter().enumerate() {
            let run = move || {
                let report = mutation::mutated(&programs, seed, many)?;
                totals::add("mutants", report.inputs);
                tell(&report.line(&format!("mutants, block {block}")));
                none(&report.findings())
            };
            trials.push(Trial::test(format!("bounds_of_mutants_hold::{block}"), run));
        }
    }
    trials
}

/// Returns trials for random structurally recursive programs, in blocks; the last block to end checks that enough of all of them have bounds.
fn structural_programs(seed: u64) -> Vec<Trial> {
    let many = number("ORACLE_STRUCTURAL", mutation::STRUCTURAL);
    let blocks = many.div_ceil(mutation::STRUCTURAL_BLOCK);
    let inputs = usize::try_from(number("ORACLE_BLOCK_INPUTS", 0)).unwrap_or(0);
    let inputs = if inputs == 0 {
        mutation::INPUTS
    } else {
        inputs
    };
    let whole = Arc::new(Mutex::new((0, wide::Report::default())));
    let block_of = |block: u64| {
        let whole = Arc::clone(&whole);
        let run = move || {
            let first = seed + mutation::STRUCTURAL_BLOCK * block;
            let report = mutation::structural(first, mutation::STRUCTURAL_BLOCK, inputs);
            totals::add("structurally recursive programs", report.inputs);
            tell(&report.line("structural programs"));
            let mut violations = report.violations.clone();
            let Ok(mut whole) = whole.lock() else {
                return Err(Failed::from("another block panicked"));
            };
            whole.0 += 1;
            whole.1.add(report);
            // The required share is that of all blocks, not of one.
            if whole.0 == blocks && many >= mutation::STRUCTURAL {
                tell(&whole.1.line("all structural programs"));
                violations.extend(mutation::silence(&whole.1));
            }
            none(&violations)
        };
        Trial::test(format!("structural_programs_hold::{block}"), run)
    };
    (0..blocks).map(block_of).collect()
}
