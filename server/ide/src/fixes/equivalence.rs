//! Runs a predicate and its variant on the same generated inputs on the embedded machine.
//!
//! The conditions of a rewrite are proved first. The runs are a second safeguard: small inputs reveal a mistake in a rewrite or in a proof.
//! Answers are compared in order, together with the failure or exception that ends them. Runs that reach a limit, or that call a predicate
//! missing from the machine, are inconclusive.

use std::collections::BTreeSet;

use costlens_analysis::types::Pattern;
use costlens_machine::generate::{Family, Generator, Input, Vocabulary};
use costlens_machine::{Answer, Cell, Limits, Machine, View};
use costlens_program::workspace::terms;
use smol_str::{SmolStr, format_smolstr};

use super::gain::Version;
use crate::attained::{effect_of, generated_types, refusal};

/// The maximum number of conclusive inputs.
const MOST_INPUTS: usize = 200;
/// The number of inputs for each family.
const ROUNDS: u64 = 24;
/// The maximum number of calls and backtracking steps in one run.
const MOST_STEPS: u64 = 5_000;
/// The maximum number of answers that are compared in one run.
const MOST_ANSWERS: usize = 60;
/// The maximum number of cells of a term that are formatted. Cyclic terms are infinite.
const MOST_CELLS: usize = 20_000;
/// The number of heap cells above which a new machine is used.
const FULL: usize = 1 << 18;

/// The reason why a comparison shows nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The versions cannot be run, for example because of their effects.
    #[error("{0}")]
    NotRun(String),
    /// The versions differ on an input.
    #[error("the two versions differ on `{0}`")]
    Differ(String),
}

/// Returns the number of inputs on which both versions give the same answers. Otherwise returns the input that distinguishes them, or the
/// reason why nothing can be run.
pub(super) fn tested(
    before: Version<'_>,
    after: Version<'_>,
    patterns: &[Pattern],
) -> Result<usize, Failure> {
    let not_run = |why: &str| Failure::NotRun(why.to_owned());
    for (db, file, functor) in [before, after] {
        if let Some(why) = refusal(db, file, functor) {
            return Err(Failure::NotRun(why));
        }
        if let Some(name) = effect_of(db, file, functor) {
            return Err(not_run(&format!("`{name}` may have a side effect")));
        }
    }
    let (db, file, functor) = before;
    let vocabulary = Vocabulary::of_file(&terms(db, file));
    let mut versions = [before, after].map(Loaded::load);
    if versions[0].errors != versions[1].errors {
        return Err(not_run("the variant cannot be read"));
    }
    let (mut tried, mut said) = (BTreeSet::new(), 0);
    for round in 0..ROUNDS {
        for family in Family::ALL {
            for pattern in patterns {
                db.unwind_if_revision_cancelled();
                let types = generated_types(pattern)
                    .ok_or_else(|| not_run("no inputs of its types can be made"))?;
                let generator = Generator::of_family(round, family, &vocabulary);
                let input = generator.goal(&functor.name, &types);
                if !tried.insert(input.text()) {
                    continue;
                }
                let [old, new] = versions.each_mut().map(|version| version.run(&input));
                let (Some(old), Some(new)) = (old, new) else {
                    continue;
                };
                if old != new {
                    return Err(Failure::Differ(input.text()));
                }
                said += 1;
                if said == MOST_INPUTS {
                    return Ok(said);
                }
            }
        }
    }
    match said {
        0 => Err(not_run("no run was conclusive")),
        _ => Ok(said),
    }
}

/// A version loaded on a machine.
struct Loaded {
    /// The loaded program, forked for each new machine.
    program: Machine,
    machine: Machine,
    /// The number of clauses that could not be loaded.
    errors: usize,
}

/// The outcome of a run: its answers in order, and how the run ended.
#[derive(Debug, PartialEq, Eq)]
struct RunOutcome {
    answers: Vec<String>,
    /// The exception, if one was raised.
    exception: Option<String>,
}

impl Loaded {
    fn load((db, file, _): Version<'_>) -> Self {
        let limits = Limits {
            steps: Some(MOST_STEPS),
            cells: 1 << 21,
            output: 1 << 16,
        };
        let mut program = Machine::new(limits);
        let errors = program.load_clauses(&file.parsed(db).text).len();
        let machine = program.fork();
        Self {
            program,
            machine,
            errors,
        }
    }

    /// Runs a goal for all its solutions. Returns `None` if the run is inconclusive.
    fn run(&mut self, input: &Input) -> Option<RunOutcome> {
        if self.machine.store.used() > FULL + self.program.store.used() {
            self.machine = self.program.fork();
        }
        let machine = &mut self.machine;
        machine.output.clear();
        let goal = machine
            .store
            .read_in(&input.terms, input.goal, &mut Vec::new());
        machine.start(goal);
        let mut answers = Vec::new();
        loop {
            let exception = match machine.next_answer() {
                Answer::Yes { .. } if answers.len() < MOST_ANSWERS => {
                    answers.push(written(machine, goal)?);
                    continue;
                }
                Answer::Yes { .. } | Answer::No => None,
                Answer::Error(ball) => Some(error(machine, ball)?),
                Answer::Limit(_) => return None,
            };
            return Some(RunOutcome { answers, exception });
        }
    }
}

/// Formats an exception. For an error, only the formal term is included, because the context names the built-in that raised the error.
/// Returns `None` if the machine lacks a predicate.
fn error(machine: &Machine, ball: Cell) -> Option<String> {
    let store = &machine.store;
    let formal = match store.view(ball) {
        View::Compound(name, 2, first) if store.atoms.text(name) == "error" => store.cell(first),
        _ => ball,
    };
    if let View::Compound(name, _, _) = store.view(formal)
        && store.atoms.text(name) == "existence_error"
    {
        return None;
    }
    written(machine, formal)
}

/// Formats a term. Variables are named in the order of their first occurrence. Returns `None` if the term is too large.
fn written(machine: &Machine, term: Cell) -> Option<String> {
    let store = &machine.store;
    let mut names: Vec<(SmolStr, Cell)> = Vec::new();
    let mut seen = BTreeSet::new();
    let (mut waiting, mut cells) = (vec![term], 0);
    while let Some(cell) = waiting.pop() {
        cells += 1;
        if cells > MOST_CELLS {
            return None;
        }
        match store.view(cell) {
            View::Variable(address) if seen.insert(address) => {
                names.push((format_smolstr!("_{}", names.len()), store.deref(cell)));
            }
            View::Compound(_, arity, first) => {
                waiting.extend((first..first + arity).rev().map(|at| store.cell(at)));
            }
            _ => {}
        }
    }
    Some(machine.text_of(term, &names))
}
