//! The times of a predicate and its variant on a platform. Provides the text for the title, and tests whether the variant is slower there.

use std::sync::Arc;

use costlens_algebra::Expr;
use costlens_analysis::report::PatternReport;

use super::gain::Version;
use super::sizes::Sizes;
use crate::present::finite;
use crate::present::times::{TimeChange, change};
use crate::resources::{Calibrated, time};

/// The times of two versions under their first patterns.
pub(super) struct VersionTimes {
    old: PatternReport,
    new: PatternReport,
}

impl VersionTimes {
    /// Returns the times. Returns `None` if the file does not define the predicate.
    pub(super) fn compute(
        before: Version<'_>,
        after: Version<'_>,
        on: &Calibrated,
    ) -> Option<Self> {
        let first = |(db, file, functor): Version<'_>| {
            let times = time(db, file, functor, &on.prices)?;
            Arc::clone(&times.estimate).patterns.first().cloned()
        };
        Some(Self {
            old: first(before)?,
            new: first(after)?,
        })
    }

    /// Returns the times before and after, at a size at which both are reasonably short. Returns `None` if either time has no upper bound.
    pub(super) fn change(&self, on: &Calibrated) -> Option<TimeChange> {
        change(&self.old, &self.new, on)
    }

    /// Returns true for a variant that takes longer at the displayed size, or is proved to take longer above some size.
    pub(super) fn are_worse(&self, told: Option<&TimeChange>) -> bool {
        told.is_some_and(|change| change.is_longer) || self.is_proved_longer() == Some(true)
    }

    fn is_proved_longer(&self) -> Option<bool> {
        let mut sizes = Sizes::common(&self.old, &self.new)?;
        let was = finite(&self.old.main_piece()?.all.upper)?;
        let is = sizes.renamed(finite(&self.new.main_piece()?.all.upper)?, &self.new)?;
        let longer = sizes.for_which(&(&is - was), &Expr::zero());
        Some(longer.is_some())
    }
}
