//! The search for small inputs that attain bounds: those on which runs take just as many steps as the bound says.
//!
//! For a predicate's pattern, inputs of all small sizes are generated and run on the embedded machine, which counts resolution
//! steps. Of the bound `n²/2+3n/2+1` at n = 3, 10, `nrev([1,2,3],A)` is a witness. Where none is found, the run that came nearest is
//! told: evidence of how tight the bound is, and never itself a bound.
//!
//! **What runs.** Clauses of the file, under limits on steps and memory, on a machine that has no files, processes or network; no
//! directive, no condition of `:- if`. What goals write is thrown away, what they assert is gone with the machine. Everything
//! depends on the text alone: seeds are fixed, budgets are counted and never timed.
//!
//! A run that contradicts a bound is told as what it is: a defect of Costlens.

mod counting;
pub mod generated;
pub(crate) mod growth;
mod inputs;
pub(crate) mod program;
mod reached;
mod search;
mod sizes;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use costlens_algebra::Rat;
use costlens_analysis::report::{Functor, PatternReport, Side};
use costlens_analysis::types::Pattern;
use costlens_program::{SourceFile, find};
use num_bigint::BigInt;
use smol_str::SmolStr;

use crate::db::{Db, reached_report};

pub use search::{families, wanted};
pub use sizes::mentioned;
pub use words::{lines, sentence};

/// The effort of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// A few sizes, for hovers: no time that a user notices, and nothing in a large file.
    Glance,
    /// All small sizes and all families of inputs, for who asks.
    Thorough,
}

/// The runs that a bound speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Up to the first solution.
    First,
    /// Over all solutions.
    All,
}

/// The evidence of runs for the bounds of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attained {
    /// Nothing ran, and why.
    NotTried(String),
    /// Inputs were tried.
    Tried(Trial),
}

/// The runs of a pattern, and what they showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// The number of runs.
    pub runs: usize,
    /// The evidence for each bound that says something at some size that was tried.
    pub evidence: Vec<Evidence>,
    /// Runs that contradict a bound.
    pub violations: Vec<Violation>,
}

/// The evidence for a bound: how near runs came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The runs that it is about.
    pub phase: Phase,
    /// The side that they come near from.
    pub side: Side,
    /// At how many sizes inputs were tried.
    pub tried: usize,
    /// At how many of them a run took as many steps as the bound says.
    pub reached: usize,
    /// Such a run, at sizes of which one likes to read.
    pub witness: Option<Run>,
    /// The run that came nearest at sizes where none reached the bound.
    pub nearest: Option<Run>,
}

/// A run and the bound at its sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The goal as Prolog text, with variables `A`, `B`, …
    pub goal: String,
    /// The sizes under their names, where bounds mention some.
    pub sizes: Vec<(String, BigInt)>,
    /// The steps that it took.
    pub steps: u64,
    /// The bound.
    pub bound: Rat,
}

/// A run that contradicts a bound. There must be none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The runs that the bound speaks of.
    pub phase: Phase,
    /// The side of the bound.
    pub side: Side,
    /// The run; none of its bound where that says that there is no such run.
    pub goal: String,
    /// The sizes under their names.
    pub sizes: Vec<(String, BigInt)>,
    /// The steps that it took.
    pub steps: u64,
    /// The bound; none where the call is said to run for ever.
    pub bound: Option<Rat>,
    /// True where the bound rests on a trusted line, which may be what is wrong.
    pub on_trust: bool,
}

/// The evidence for each pattern of a predicate that the file defines.
pub fn of_all(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    effort: Effort,
) -> Option<Vec<Arc<Attained>>> {
    let functor = predicate.clone();
    find(db, file, &functor)?;
    let patterns = reached_report(db, file, &functor)?.patterns.len();
    let all = (0..patterns).map(|pattern| of(db, file, &functor, pattern, effort));
    Some(all.collect())
}

/// The evidence for one pattern of a predicate's report.
pub(crate) fn of(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: usize,
    effort: Effort,
) -> Arc<Attained> {
    attained(db, file, (functor.clone(), pattern, effort))
}

/// The reason that a predicate is not run at all; none if it may run for its answers.
pub(crate) fn refusal(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<String> {
    program::refused_for_answers(db, file, functor, Effort::Thorough)
}

/// A built-in with an effect that a call of a predicate may run.
pub(crate) fn effect_of(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SmolStr> {
    program::effect_of(db, &[file], functor)
}

/// The types of a call's arguments as inputs are generated for them.
#[must_use]
pub fn generated_types(pattern: &Pattern) -> Option<Vec<costlens_machine::generate::Type>> {
    inputs::types(pattern)
}

/// *Identity*: file, predicate, place of the pattern, effort. *Invalidated* by every change of the file's text: what is run is all of it.
/// Between two runs it looks whether it is still wanted.
#[salsa::tracked(returns(clone), lru = 64)]
fn attained(
    db: &dyn Db,
    file: SourceFile,
    (functor, pattern, effort): (Functor, usize, Effort),
) -> Arc<Attained> {
    let not_tried = |why: &str| Arc::new(Attained::NotTried(why.to_owned()));
    let found = reached_report(db, file, &functor);
    let Some(report) = found.as_ref().and_then(|r| r.patterns.get(pattern)) else {
        return not_tried("it has no such call pattern");
    };
    if !says_something(report) {
        return not_tried("no bound says anything of its steps");
    }
    if let Some(why) = program::refused(db, file, &functor, effort) {
        return not_tried(&why);
    }
    let Some(types) = inputs::types(&report.pattern) else {
        return not_tried("no inputs of its types can be made");
    };
    let program = program::loaded(db, file);
    let trial = search::trial(&search::Task {
        predicate: &functor,
        report,
        types: &types,
        program: &program,
        effort,
        wanted: &|| db.unwind_if_revision_cancelled(),
    });
    Arc::new(Attained::Tried(trial))
}

/// True where a bound is more than "at least 0".
fn says_something(report: &PatternReport) -> bool {
    use costlens_analysis::report::Bound;
    let tells = |lower: &Bound, upper: &Bound| {
        let zero = matches!(lower, Bound::Finite(e) if e.as_constant().is_some_and(|c| c == Rat::default()));
        !(matches!(upper, Bound::Unknown) && (zero || matches!(lower, Bound::Unknown)))
    };
    (report.steps.iter())
        .any(|p| tells(&p.first.lower, &p.first.upper) || tells(&p.all.lower, &p.all.upper))
}
