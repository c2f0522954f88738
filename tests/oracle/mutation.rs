//! The mutation run: programs with a clause, guard or cut dropped, exchanged or added, and the check that their bounds hold.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::generate::Random;
use crate::machine::Limits;
use crate::program::Program;
use crate::wide::{self, Report};
use crate::{embedded, instructions, mutants, programs, property};

/// The number of changed programs: files, predicates of added files, and random programs for the rest.
pub(crate) const PROGRAMS: usize = 300;

/// Programs per test.
const BLOCK: usize = 25;

/// Inputs per summary.
pub(crate) const INPUTS: usize = 25;

/// Inputs per pattern when all events are compared.
const EVENT_INPUTS: usize = 8;

/// Many mutants run forever.
const LIMITS: Limits = Limits {
    steps: 1_500,
    work: 60_000,
};

/// The number of recursive summaries, of 100 in a block, that need a finite upper bound somewhere: an analysis that reports nothing is never wrong.
const FLOOR: usize = 20;

/// A program and its name.
pub(crate) type Named = (String, String);

impl Report {
    /// Returns the violations and missing bounds.
    pub(crate) fn findings(&self) -> Vec<String> {
        let mut found = self.violations.clone();
        if self.recursive_bounded * 100 < self.recursive * FLOOR {
            found.push(format!(
                "silence: only {} of {} recursive predicates have a finite upper bound",
                self.recursive_bounded, self.recursive
            ));
        }
        found
    }

    /// Returns the figures in a line.
    pub(crate) fn line(&self, what: &str) -> String {
        format!(
            "{what}: {} programs, {} of them with a finite upper bound of a recursive predicate, {} summaries ({} of {} own ones \
             bounded, {} of {} recursive ones), {} inputs ({} bounded), {} violations, {} skipped",
            self.programs,
            self.programs_bounded,
            self.summaries,
            self.own_bounded,
            self.own,
            self.recursive_bounded,
            self.recursive,
            self.inputs,
            self.bounded,
            self.violations.len(),
            self.skipped.len(),
        )
    }
}

fn judge(whole: &mut Report, name: &str, text: &str, library: &Rc<Program>) {
    judge_on(whole, name, text, library, INPUTS);
}

fn judge_on(whole: &mut Report, name: &str, text: &str, library: &Rc<Program>, inputs: usize) {
    let mut report = match wide::check(name, text, library, inputs, LIMITS) {
        Ok(report) => report,
        Err(error) => Report {
            violations: vec![format!("{name}: {error}")],
            ..Report::default()
        },
    };
    report.programs = 1;
    report.programs_bounded = usize::from(report.recursive_bounded > 0);
    if !report.violations.is_empty() {
        report.violations.push(format!("{name} is\n{text}"));
    }
    whole.add(report);
}

/// Checks random programs without changes.
pub(crate) fn untouched(from: u64, many: u64) -> Result<Report, String> {
    let library = property::library();
    let mut report = Report::default();
    for seed in from..from + many {
        let name = format!("program {seed}");
        judge(&mut report, &name, &programs::program(seed), &library);
    }
    Ok(report)
}

/// The number of predicates, of 100 in structurally recursive programs, that need a finite upper bound; recursive ones are counted separately.
const STRUCTURAL_FLOOR: usize = 80;

/// The number of random structurally recursive programs, and their blocks.
pub(crate) const STRUCTURAL: u64 = 300;
pub(crate) const STRUCTURAL_BLOCK: u64 = 20;

/// Checks random structurally recursive programs. `ORACLE_PROGRAMS_TO` names a folder that they are written to, for a person to read.
pub(crate) fn structural(from: u64, many: u64, inputs: usize) -> Report {
    let library = property::library();
    let folder = std::env::var_os("ORACLE_PROGRAMS_TO").map(PathBuf::from);
    let mut report = Report::default();
    for seed in from..from + many {
        let (name, text) = (
            format!("structural program {seed}"),
            programs::structural(seed),
        );
        if let Some(folder) = &folder
            && let Err(error) = std::fs::write(folder.join(format!("{seed}.pl")), &text)
        {
            report.violations.push(format!("{name}: {error}"));
        }
        judge_on(&mut report, &name, &text, &library, inputs);
    }
    report
}

/// The default number of structurally recursive programs whose events are all compared, unless `ORACLE_EVENT_PROGRAMS` is set: each takes seconds.
pub(crate) const EVENT_PROGRAMS: u64 = 0;

/// Compares every event of structurally recursive programs, the machine's own and those of PPDP'08; returns the number of runs and the violations.
pub(crate) fn events_of_structural(from: u64, many: u64) -> Result<(usize, Vec<String>), String> {
    let library = property::library();
    let (mut runs, mut wrong) = (0, Vec::new());
    for seed in from..from + many {
        let text = programs::structural(seed);
        let file = tempfile::NamedTempFile::with_suffix(".pl").map_err(|e| e.to_string())?;
        std::fs::write(file.path(), &text).map_err(|e| e.to_string())?;
        let own = embedded::check_file(file.path(), EVENT_INPUTS, None)?;
        let paper = instructions::check_file(file.path(), &library, EVENT_INPUTS, None)?;
        for report in [own, paper] {
            runs += report.inputs;
            if !report.violations.is_empty() {
                wrong.extend(report.violations);
                wrong.push(format!("structural program {seed} is\n{text}"));
            }
        }
    }
    Ok((runs, wrong))
}

/// Returns what is missing from all blocks together.
pub(crate) fn silence(report: &Report) -> Option<String> {
    let enough = |bounded: usize, of: usize| bounded * 100 >= of * STRUCTURAL_FLOOR;
    let heard = enough(report.own_bounded, report.own)
        && enough(report.recursive_bounded, report.recursive);
    (!heard).then(|| {
        format!(
            "silence: {} of {} predicates of structurally recursive programs have a finite upper bound, {} of {} recursive ones",
            report.own_bounded, report.own, report.recursive_bounded, report.recursive
        )
    })
}

/// Changes each program that many times.
pub(crate) fn mutated(subjects: &[Named], seed: u64, many: u64) -> Result<Report, String> {
    let library = property::library();
    let mut report = Report::default();
    for (i, (name, text)) in subjects.iter().enumerate() {
        for turn in seed..seed + many {
            let mutant = mutants::mutate(text, &mut Random(turn ^ (i as u64) << 32));
            let name = format!("mutant {turn} of {name}");
            judge(&mut report, &name, &mutant, &library);
        }
    }
    Ok(report)
}

/// Returns the programs to change, in blocks.
pub(crate) fn subjects(files: &[PathBuf], seed: u64) -> Vec<Vec<Named>> {
    let mut found: Vec<Named> = Vec::new();
    for file in files {
        let Ok(text) = std::fs::read_to_string(file) else {
            continue;
        };
        let name = file.display().to_string();
        if is_fixture(file) {
            // Trust assertions about a program need not be true for a changed one.
            if !text.contains(":- trust ") {
                found.push((name, text));
            }
            continue;
        }
        let program = Program::read(&text);
        let mut keys: Vec<_> = program.predicates.keys().collect();
        keys.sort();
        for (predicate, arity) in keys {
            found.push((
                format!("{predicate}/{arity} of {name}"),
                mutants::slice(&text, predicate, *arity),
            ));
        }
    }
    let mut number = 0;
    while found.len() < PROGRAMS {
        let seed = seed.wrapping_mul(7919) + 500_000 + number;
        found.push((format!("program {seed}"), programs::program(seed)));
        number += 1;
    }
    found.chunks(BLOCK).map(<[Named]>::to_vec).collect()
}

fn is_fixture(file: &Path) -> bool {
    file.parent().is_some_and(|p| p.ends_with("tests/fixtures"))
}
