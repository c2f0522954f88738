//! Readers of a solved component: summaries, reports, causes, explanations and certificates.

mod added_clauses;
pub(crate) mod causes;
pub(crate) mod certified;
mod equation_text;
pub(crate) mod explanation;
pub(crate) mod followed;
mod growth_rank;
mod headline;
pub(crate) mod literals;
mod never_ends;
pub(crate) mod summaries;
mod summary_report;
pub(crate) mod tabulated;
mod work_report;

use costlens_syntax::term::TermId;

/// A literal of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LiteralPlace {
    clause: usize,
    literal: TermId,
}
