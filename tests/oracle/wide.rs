//! The property on every summary of a program: lower bound <= observed value <= upper bound.

use std::rc::Rc;

use costlens_analysis::types::Pattern;

use crate::generate::{Generator, Vocabulary};
use crate::heap::Record;
use crate::judge::Subject;
use crate::machine::{Count, Limits};
use crate::minimise::{self, Case, Contradiction};
use crate::program::{Key, Program};
use crate::{property, summaries};

/// The result of checking one program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) programs: usize,
    /// Programs with a recursive predicate that has a finite upper bound somewhere.
    pub(crate) programs_bounded: usize,
    /// Predicates with a call pattern.
    pub(crate) summaries: usize,
    pub(crate) inputs: usize,
    /// Inputs with a finite upper bound on all steps.
    pub(crate) bounded: usize,
    /// Summaries of the program's own recursive predicates.
    pub(crate) recursive: usize,
    /// Those among them with a finite upper bound at some input.
    pub(crate) recursive_bounded: usize,
    /// Summaries of the program's own predicates, and those among them with a finite upper bound at some input.
    pub(crate) own: usize,
    pub(crate) own_bounded: usize,
    pub(crate) violations: Vec<String>,
    /// Summaries that could not be tried, and the reason.
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
        self.own += other.own;
        self.own_bounded += other.own_bounded;
        self.violations.extend(other.violations);
        self.skipped.extend(other.skipped);
    }
}

/// The number of times that a program is judged to find a small case of a violation.
const JUDGEMENTS: usize = 400;

/// Returns the contradiction between a call and the summary that inference computes for a program's predicate under a pattern.
pub(crate) fn contradiction(
    case: &Case,
    (key, pattern): (&Key, &Pattern),
    library: &Rc<Program>,
    limits: Limits,
    tamper: &dyn Fn(&mut Count),
) -> Option<Contradiction> {
    let program = Rc::new(Program::read(&case.text));
    program.predicates.get(key)?;
    let types = Vocabulary::collect(&program).types;
    let summaries = summaries::of_text_again(&case.text)?;
    let summary = (summaries.iter()).find(|s| {
        s.predicate.name == key.0 && s.predicate.arity == key.1 && s.pattern == *pattern
    })?;
    let subject = Subject::new(summary, &types)?;
    if !subject.admits(&case.goal) {
        return None;
    }
    let verdict = subject.judge_tampered(&program, library, &case.goal, limits, tamper);
    if verdict.violations.is_empty() {
        return None;
    }
    Some(Contradiction {
        said: format!("{}\n{}", subject.name(), verdict.violations.join("\n")),
        at: verdict.at,
    })
}

/// Returns the smallest case of a contradiction, as a fixture.
fn smallest(
    text: &str,
    claim: (&Key, &Pattern),
    goal: &Record,
    library: &Rc<Program>,
    limits: Limits,
) -> String {
    let judge = |case: &Case| contradiction(case, claim, library, limits, &|_| {});
    let case = |text: String| Case {
        text,
        goal: goal.clone(),
    };
    // With the pattern declared, unless that removes the violation.
    let declared = minimise::declared(text, claim.0, claim.1);
    let small = minimise::minimise(case(declared), &judge, JUDGEMENTS)
        .or_else(|| minimise::minimise(case(text.to_owned()), &judge, JUDGEMENTS));
    match small {
        Some((case, said)) => minimise::fixture(&case, &said, claim.0),
        None => "the violation is not there when it is looked for again".into(),
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
    let vocabulary = Vocabulary::collect(&program);
    // A library predicate calls its own library, but here it would call the program's predicate of that name.
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
        // The cost of a type definition is not of interest.
        let told_of = own && !(key.1 == 1 && program.regtypes.contains(&key.0));
        let recursive = recursive && told_of;
        report.recursive += usize::from(recursive);
        report.own += usize::from(told_of);
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
            if report.violations.is_empty() {
                let claim = (&key, &summary.pattern);
                report
                    .violations
                    .push(smallest(text, claim, &goal, library, limits));
            }
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
        report.own_bounded += usize::from(told_of && bounded > 0);
    }
    Ok(report)
}
