//! The results for one resource of a validated pattern.

use costlens_analysis::report::PatternReport;

use super::compare::Compared;
use super::fit::Fitted;

/// The bounds on a resource, and the counts of runs.
pub(in crate::cli) struct OfResource {
    pub(in crate::cli) report: PatternReport,
    pub(in crate::cli) compared: Compared,
    pub(in crate::cli) fitted: Option<Fitted>,
}
