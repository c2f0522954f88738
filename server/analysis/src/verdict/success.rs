//! Verdicts on the types of arguments on success.

use costlens_algebra::rat;
use costlens_infer::regular::known_type;
use costlens_infer::report::{Bound, PatternReport, Piece};
use costlens_infer::types::Type;
use costlens_syntax::assertions::DeclaredType;

use super::message::argument_name;
use super::precondition::are_disjoint;
use super::{AssertionVerdict, JudgedProperty, NOT_UNDERSTOOD, UpperLimits, Verdict, soften};

impl JudgedProperty<'_> {
    /// Returns the verdict on the type of an argument (from 0) on success. `is_exact` is true if the written type has all values of
    /// `declared`.
    pub(super) fn success_type(
        &self,
        argument: usize,
        declared: &DeclaredType,
        is_exact: bool,
        report: &PatternReport,
    ) -> AssertionVerdict {
        let name = argument_name(self.assertion, argument);
        let Some(asserted) = known_type(declared, self.types) else {
            return self.undecided(format!("the type of {name} is none that Costlens knows"));
        };
        let Some(success) = (self.success)(&report.pattern) else {
            return self.undecided(format!(
                "nothing is known about what calls {} leave",
                report.pattern
            ));
        };
        let Some(types) = success else {
            return self.decided(report, Verdict::Checked, "no call succeeds".to_owned());
        };
        let Some(found) = types.get(argument) else {
            return self.undecided(format!("nothing is known of {name} on success"));
        };
        let on_success = format!("on success {name} is {found}{}", self.for_calls(report));
        if is_exact && self.is_told(declared) && found.is_within(&asserted) {
            return self.decided(report, Verdict::Checked, on_success);
        }
        let (domain, is_complete) = self.domain(report, UpperLimits::Kept);
        let succeeds = |piece: &Piece| match &piece.solutions.lower {
            Bound::Finite(e) => e.as_constant().is_some_and(|c| c >= rat(1)),
            _ => false,
        };
        let admitted = |piece: &&Piece| !piece.when.and_all(&domain).is_empty();
        let mut admitted = report.steps.iter().filter(admitted);
        let is_met = !report.errors_possible && admitted.any(succeeds);
        if is_met && are_disjoint(found, &asserted, self.is_swi) {
            let mut verdict = self.decided(report, Verdict::False, on_success);
            if !is_complete {
                soften(&mut verdict, NOT_UNDERSTOOD);
                verdict.message = format!("not decided: {NOT_UNDERSTOOD}");
            }
            return verdict;
        }
        self.undecided(format!("{on_success}, which proves nothing of it"))
    }

    /// Returns whether the analysis can represent the declared type exactly. For `nat` it cannot: it only knows that the value is an
    /// integer.
    fn is_told(&self, declared: &DeclaredType) -> bool {
        let mut inner = declared;
        while let DeclaredType::List(element) = inner {
            inner = element;
        }
        match inner {
            DeclaredType::NonNegative | DeclaredType::Positive => false,
            // Variables in lists count as arbitrary terms.
            DeclaredType::Var => matches!(declared, DeclaredType::Var),
            DeclaredType::Named(name) => {
                self.types.is_exact(name) && matches!(self.types.named(name), Some(Type::Tree(_)))
            }
            _ => true,
        }
    }

    fn for_calls(&self, report: &PatternReport) -> String {
        match self.assertion.declares_calls() {
            true => String::new(),
            false => format!(
                " for calls {}, because no modes are declared",
                report.pattern
            ),
        }
    }
}
