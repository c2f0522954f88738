//! Assumptions about goals and facts on which a verdict would rest.

use costlens_infer::report::{Claim, ParameterAssumption, PredicateReport, Subject};
use costlens_syntax::assertions::{Approximation, Property, SolutionsClaim};

use super::JudgedProperty;

impl JudgedProperty<'_> {
    /// Returns the subject of an assumption on which the property rests if the bounds of a report prove it. Lower bounds on costs rest only
    /// on the assumption that goals end, because the goals after one that does not end take no steps.
    pub(super) fn assumption(&self, report: &PredicateReport) -> Option<String> {
        let is_lower = match &self.stated.property {
            Property::Cost(cost) => matches!(
                cost.approximation,
                Approximation::Lower | Approximation::OrderLower
            ),
            Property::Solutions(SolutionsClaim::Any) => return None,
            _ => false,
        };
        let concerns = |a: &&ParameterAssumption| {
            !is_lower || matches!(a.claim, Claim::ChangesNothing | Claim::AsWritten)
        };
        let assumed = self.fitting(report)?.assumes.iter().find(concerns)?;
        Some(match &assumed.of {
            Subject::Predicate(_, functor) => format!("`{functor}`"),
            Subject::Argument(i) => format!("the goal in argument {}", i + 1),
            Subject::Passed(functor, i) => {
                format!("the goal in argument {} of `{functor}`", i + 1)
            }
        })
    }

    /// Returns the predicate that has other bounds if a hook of the program expands its clauses.
    pub(super) fn as_written(&self, report: &PredicateReport) -> Option<String> {
        let mut all = self.fitting(report)?.assumes.iter();
        let found = all.find(|a| a.claim == Claim::AsWritten)?;
        match &found.of {
            Subject::Predicate(_, functor) => Some(format!("`{functor}`")),
            Subject::Argument(_) | Subject::Passed(..) => None,
        }
    }
}
