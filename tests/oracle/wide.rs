//! The property on every summary of a program: lower bound <= what runs show <= upper bound.

use std::rc::Rc;

use crate::generate::{Generator, Vocabulary};
use crate::judge::Subject;
use crate::machine::Limits;
use crate::program::{Key, Program};
use crate::{property, summaries};

/// What the check of one program did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) programs: usize,
    /// Those with a recursive predicate that has a finite upper bound somewhere.
    pub(crate) programs_bounded: usize,
    /// Predicates with a call pattern.
    pub(crate) summaries: usize,
    pub(crate) inputs: usize,
    /// Inputs where the upper bound on all steps is finite.
    pub(crate) bounded: usize,
    /// Summaries of the program's own recursive predicates.
    pub(crate) recursive: usize,
    /// Those among them with a finite upper bound at some input.
    pub(crate) recursive_bounded: usize,
    pub(crate) violations: Vec<String>,
    /// Summaries that could not be tried, and why.
    pub(crate) skipped: Vec<String>,
}

impl Report {
    pub(crate) fn add(&mut self, other: Report) {
        self.programs += other.programs;
        self.programs_bounded += other.programs_bounded;
        self.summaries += other.summaries;
        self.inputs += other.inputs;
        self.bounded += other.bounded;
        self.recursive += other.recursive;
        self.recursive_bounded += other.recursive_bounded;
        self.violations.extend(other.violations);
        self.skipped.extend(other.skipped);
    }
}

/// Checks all summaries of a program text.
pub(crate) fn check(
    name: &str,
    text: &str,
    library: &Rc<Program>,
    inputs: usize,
    limits: Limits,
) -> Result<Report, String> {
    let program = Rc::new(Program::read(text));
    let vocabulary = Vocabulary::of(&program);
    // A library predicate calls its own library, here it would call the program's predicate of that name.
    let shadows = (program.predicates.keys()).any(|k| library.predicates.contains_key(k));
    let mut report = Report::default();
    for summary in summaries::of_text(text)? {
        let key: Key = (summary.predicate.name.clone(), summary.predicate.arity);
        let own = program.predicates.contains_key(&key);
        let runs = own || (library.predicates.contains_key(&key) && !shadows);
        let Some(subject) = Subject::new(&summary, &vocabulary.types).filter(|_| runs) else {
            report.skipped.push(format!("{}{}", key.0, summary.pattern));
            continue;
        };
        report.summaries += 1;
        let recursive = own && program.calls_itself(&key);
        report.recursive += usize::from(recursive);
        let (mut told, mut bounded) = (0, 0);
        for seed in 0..inputs as u64 {
            let seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ seed;
            let goal = Generator::new(seed, &vocabulary).goal(&key.0, &subject.types);
            let verdict = subject.judge(&program, library, &goal, limits);
            report.inputs += 1;
            bounded += usize::from(verdict.bounded);
            if verdict.violations.is_empty() || told >= 2 {
                continue;
            }
            told += 1;
            report.violations.push(format!(
                "{name}: {}\n    goal: {}\n    {}\n    counted: {:?}\n    sizes {}; seed {seed}",
                subject.name(),
                property::goal_text(&goal),
                verdict.violations.join("\n    "),
                verdict.count,
                verdict.sizes,
            ));
        }
        report.bounded += bounded;
        report.recursive_bounded += usize::from(recursive && bounded > 0);
    }
    Ok(report)
}
