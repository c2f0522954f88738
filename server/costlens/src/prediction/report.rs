//! The report about a call: proved bounds, and predictions from past runs.

use costlens_history::predict::{Predicted, Prediction};
use costlens_ide::present::values::{BoundValue, StepsAt, ValueRange};
use costlens_ide::reports::estimates::{Estimates, NoEstimates};

use super::call::PredictedCall;

/// The report about a call.
pub(crate) struct Report {
    pub(crate) call: PredictedCall,
    pub(crate) all: bool,
    /// The bounds, or the reason why there are none.
    pub(crate) bounds: Result<Estimates, NoEstimates>,
    /// The prediction from past runs, or the reason why there is none.
    pub(crate) prediction: Result<Prediction, String>,
    /// Predictions from runs on other engines: the time, and the events that they count.
    pub(crate) elsewhere: Vec<(String, Prediction)>,
}

impl Report {
    /// Returns the bounds for the requested part: up to the first solution, or over all solutions.
    pub(crate) fn values<'a>(&self, at: &'a StepsAt) -> &'a ValueRange {
        match self.all {
            true => &at.all,
            false => &at.first,
        }
    }
}

/// Returns the value, if lower and upper bound are equal.
pub(crate) fn exact(bounds: Option<&ValueRange>) -> Option<f64> {
    let ValueRange { lower, upper } = bounds?;
    match (lower, upper) {
        (BoundValue::Exact(low), BoundValue::Exact(high)) if low == high => upper.at_least(),
        _ => None,
    }
}

/// Limits a prediction to the proved bounds.
pub(crate) fn limited(bounds: Option<&ValueRange>, predicted: Predicted) -> Predicted {
    let least = bounds.and_then(|b| b.lower.at_most()).unwrap_or(0.0);
    let most = { bounds.and_then(|b| b.upper.at_least()) }.unwrap_or(f64::INFINITY);
    if least > most {
        return predicted;
    }
    Predicted {
        value: predicted.value.clamp(least, most),
        interval: { predicted.interval }
            .map(|(low, high)| (low.clamp(least, most), high.clamp(least, most))),
        ..predicted
    }
}
