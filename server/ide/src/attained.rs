//! Search for small inputs that attain bounds: runs whose steps equal the bound exactly.
//!
//! For each pattern of a predicate, inputs of all small sizes are generated and run on the embedded machine, which counts resolution steps.
//! For the bound `n²/2+3n/2+1`, which is 10 at n = 3, `nrev([1,2,3],A)` is a witness. If there is no witness, the closest run is reported. It
//! indicates how tight the bound is, but is never itself a bound.
//!
//! **What runs.** The clauses of the file, under limits on steps and memory, on a machine without files, processes or network. Directives and
//! conditions of `:- if` are not run. Output is discarded, and asserted clauses disappear with the machine. Results depend only on the text:
//! seeds are fixed, and budgets count steps instead of measuring time.
//!
//! A run that contradicts a bound is reported as a defect of Costlens.

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

/// The effort spent on generated runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// A few sizes, for hovers. Takes no noticeable time, and skips large files.
    Glance,
    /// All small sizes and all families of inputs, for an explicit request.
    Thorough,
}

/// The part of a run that a bound covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Up to the first solution.
    First,
    /// Over all solutions.
    All,
}

/// The evidence from runs for the bounds of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attained {
    /// No run took place, for the given reason.
    NotTried(String),
    /// Inputs were tried.
    Tried(Trial),
}

/// The runs of a pattern and their results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// The number of runs.
    pub runs: usize,
    /// The evidence for each bound that is nontrivial at some tried size.
    pub evidence: Vec<Evidence>,
    /// Runs that contradict a bound.
    pub violations: Vec<BoundViolation>,
}

/// The evidence for a bound: how close runs came to the bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The part of the runs that the bound covers.
    pub phase: Phase,
    /// The side of the bound.
    pub side: Side,
    /// The number of sizes at which inputs were tried.
    pub tried: usize,
    /// The number of sizes at which a run attained the bound.
    pub reached: usize,
    /// A run that attained the bound, at sizes that are easy to read.
    pub witness: Option<AttainedRun>,
    /// The closest run, among sizes at which no run attained the bound.
    pub nearest: Option<AttainedRun>,
}

/// A run, and the value of the bound at its sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttainedRun {
    /// The goal as Prolog text, with variables `A`, `B`, …
    pub goal: String,
    /// The values of the sizes that the bounds mention, by name.
    pub sizes: Vec<(String, BigInt)>,
    /// The number of steps.
    pub steps: u64,
    /// The value of the bound.
    pub bound: Rat,
}

/// A run that contradicts a bound. There should be none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundViolation {
    /// The part of the run that the bound covers.
    pub phase: Phase,
    /// The side of the bound.
    pub side: Side,
    /// The goal as Prolog text.
    pub goal: String,
    /// The values of the sizes by name.
    pub sizes: Vec<(String, BigInt)>,
    /// The number of steps.
    pub steps: u64,
    /// The value of the bound. `None` if the call was claimed to diverge.
    pub bound: Option<Rat>,
    /// True if the bound relies on a trusted line, which may be wrong.
    pub on_trust: bool,
}

/// Returns the evidence for each pattern of a predicate that the file defines.
pub fn of_all(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    effort: Effort,
) -> Option<Vec<Arc<Attained>>> {
    let functor = predicate.clone();
    find(db, file, &functor)?;
    let patterns = reached_report(db, file, &functor)?.patterns.len();
    let all = (0..patterns).map(|pattern| evidence(db, file, &functor, pattern, effort));
    Some(all.collect())
}

/// Returns the evidence for one pattern of a predicate's report.
pub(crate) fn evidence(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: usize,
    effort: Effort,
) -> Arc<Attained> {
    attained(db, file, functor.clone(), pattern, effort)
}

/// Returns the reason why a predicate cannot be run. Returns `None` if it may be run for its answers.
pub(crate) fn refusal(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<String> {
    program::refused_for_answers(db, file, functor, Effort::Thorough)
}

/// Returns a built-in with a side effect that a call of a predicate may run.
pub(crate) fn effect_of(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SmolStr> {
    program::effect_of(db, &[file], functor)
}

/// Converts the argument types of a call for the input generator.
#[must_use]
pub fn generated_types(pattern: &Pattern) -> Option<Vec<costlens_machine::generate::Type>> {
    inputs::types(pattern)
}

/// *Identity*: file, predicate, index of the pattern, effort. *Invalidated* by every edit of the file, since the file is run as a whole.
/// Cancellation is checked between runs.
#[salsa::tracked(returns(clone), lru = 64)]
fn attained(
    db: &dyn Db,
    file: SourceFile,
    functor: Functor,
    pattern: usize,
    effort: Effort,
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
    let trial = search::trial(&search::TrialTask {
        predicate: &functor,
        report,
        types: &types,
        program: &program,
        effort,
        wanted: &|| db.unwind_if_revision_cancelled(),
    });
    Arc::new(Attained::Tried(trial))
}

/// Returns true if some bound is stronger than "at least 0".
fn says_something(report: &PatternReport) -> bool {
    use costlens_analysis::report::Bound;
    let tells = |lower: &Bound, upper: &Bound| {
        let zero = matches!(lower, Bound::Finite(e) if e.as_constant().is_some_and(|c| c == Rat::default()));
        !(matches!(upper, Bound::Unknown) && (zero || matches!(lower, Bound::Unknown)))
    };
    (report.steps.iter())
        .any(|p| tells(&p.first.lower, &p.first.upper) || tells(&p.all.lower, &p.all.upper))
}
