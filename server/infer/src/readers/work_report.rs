//! The report on all work, where its class is not that of the resolution steps.
//!
//! ```prolog
//! tables(N, Ts) :- findall(R, (between(1, N, I), findall(P, (between(1, N, J), P is I*J), R)), Ts).    % one step, O(n²) work
//! ```

use std::sync::Arc;

use costlens_algebra::Expr;
use costlens_algebra::growth::{Growth, growth, growth_within};

use crate::report::{AllWork, Bound, MoreWork, PatternReport};
use crate::summary::Summary;
use crate::summary::work::Work;

impl Summary {
    /// Returns a summary whose costs are those of all work; `None` if they are at most a multiple of the steps, or unknown.
    #[must_use]
    pub fn of_work(&self) -> Option<Summary> {
        let Work::Bounds(bounds) = &self.work else {
            return None;
        };
        Some(Summary {
            first: bounds.first.clone(),
            all: bounds.all.clone(),
            work: Work::default(),
            unknown: Vec::new(),
            ..self.clone()
        })
    }

    /// Compares all work with a report on steps.
    pub(super) fn compared_work(&self, steps: &PatternReport) -> AllWork {
        let Bound::Finite(upper) = steps.headline.where_bounded().1 else {
            return AllWork::Unknown;
        };
        if self.work == Work::Unknown {
            return AllWork::Unknown;
        }
        let (Some(of_work), Work::Bounds(bounds)) = (self.of_work(), &self.work) else {
            return AllWork::OfSteps;
        };
        let report = of_work.reported(steps.origin);
        let Bound::Finite(work) = report.headline.where_bounded().1 else {
            return AllWork::Unknown;
        };
        let is_whole =
            |report: &PatternReport| matches!(report.headline.all.upper, Bound::Finite(_));
        if is_whole(steps) && !is_whole(&report) {
            return AllWork::Unknown;
        }
        match class(&report, work).is_in(&class(steps, upper)) {
            true => AllWork::OfSteps,
            false => AllWork::More(Arc::new(MoreWork {
                report,
                by: bounds.by.clone(),
            })),
        }
    }
}

/// Returns the growth class of a bound of a headline.
fn class(report: &PatternReport, bound: &Expr) -> Growth {
    match report.main_piece() {
        Some(main) if report.headline.conditional || report.headline.bounded.is_some() => {
            growth_within(bound, &main.when)
        }
        _ => growth(bound),
    }
}
