//! What is known of a call that is predicted.

use costlens_history::predict::Prediction;
use costlens_ide::present::values::{StepsAt, Values};
use costlens_ide::reports::estimates::{Estimates, NoEstimates};

use crate::cli::recording::Call;

/// What is known of a call.
pub(in crate::cli) struct Report {
    pub(in crate::cli) call: Call,
    pub(in crate::cli) all: bool,
    /// The bounds, or why there are none.
    pub(in crate::cli) bounds: Result<Estimates, NoEstimates>,
    /// The prediction from past runs, or why there is none.
    pub(in crate::cli) prediction: Result<Prediction, String>,
}

impl Report {
    /// The bounds on what was asked for: the first solution or all.
    pub(in crate::cli) fn of<'a>(&self, at: &'a StepsAt) -> &'a Values {
        match self.all {
            true => &at.all,
            false => &at.first,
        }
    }
}
