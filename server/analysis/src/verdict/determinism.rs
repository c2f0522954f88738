//! Verdicts on determinism: `is det`, `not_fails`, `fails`, `multi`.

use costlens_algebra::rat;
use costlens_infer::report::{Bound, Determinism, PatternReport, Piece};
use costlens_syntax::assertions::{Origin, SolutionsClaim};

use super::outcome::a_point;
use super::{AssertionVerdict, JudgedProperty, NOT_UNDERSTOOD, UpperLimits, Verdict, message};

impl JudgedProperty<'_> {
    /// Returns the verdict on an assertion about the number of solutions.
    pub(super) fn solutions(
        &self,
        claim: SolutionsClaim,
        report: &PatternReport,
    ) -> AssertionVerdict {
        use Determinism as D;
        let inferred = report.determinism;
        let (domain, is_complete) = self.domain(report, UpperLimits::Kept);
        let admitted = |piece: &&Piece| !piece.when.and_all(&domain).is_empty();
        let pieces: Vec<&Piece> = report.steps.iter().filter(admitted).collect();
        // True if there is more than one solution for all sizes of some region.
        let several = pieces.iter().any(|piece| match &piece.solutions.lower {
            Bound::Finite(e) => e.as_constant().is_some_and(|c| c > rat(1)),
            _ => false,
        });
        // A goal that runs forever does not fail.
        let runs_on = |bound: fn(&Piece) -> bool| pieces.iter().any(|piece| bound(piece));
        let is_endless = runs_on(|piece| piece.first.lower == Bound::Infinite);
        let may_be_endless =
            report.lacks_bound() || runs_on(|piece| !matches!(piece.all.upper, Bound::Finite(_)));
        // The pieces without a solution for all sizes of a region. For mode lines, only a violation by all calls is reported: `+N:int` in a
        // recursion down to 0 is meant for natural numbers.
        let is_stated = self.assertion.origin == Origin::Directive;
        let failing = { pieces.iter() }.filter(|piece| is_stated && piece.fails());
        let failing = { failing }.find_map(|piece| a_point(&piece.when.and_all(&domain), report));
        // These claims apply to calls that end without an exception. If every call may raise an exception, the claims cannot be refuted.
        let ends = !report.errors_possible;
        let decided = match claim {
            SolutionsClaim::AtMostOne => (
                matches!(inferred, D::Det | D::Semidet | D::Failure),
                several && ends,
            ),
            SolutionsClaim::AtLeastOne => (
                matches!(inferred, D::Det | D::Multi),
                (failing.is_some() || inferred == D::Failure) && ends,
            ),
            SolutionsClaim::ExactlyOne => (
                inferred == D::Det,
                (several || failing.is_some() || inferred == D::Failure) && ends,
            ),
            SolutionsClaim::None => (
                inferred == D::Failure && !may_be_endless && (self.endless)().is_none(),
                matches!(inferred, D::Det | D::Multi) && ends || is_endless,
            ),
            SolutionsClaim::Any => (true, false),
        };
        let mut verdict = self.blank();
        verdict.rests_on.clone_from(&report.rests_on);
        let word = match (claim, is_endless, may_be_endless) {
            (SolutionsClaim::None, true, _) => "that calls run for ever",
            (SolutionsClaim::None, _, _) if inferred == D::Failure && decided == (false, false) => {
                "no solution, but not that every call ends,"
            }
            _ => message::determinism(inferred),
        };
        (verdict.verdict, verdict.message) = match decided {
            (true, _) if ends || claim == SolutionsClaim::Any => {
                (Verdict::Checked, format!("checked: inferred {word}"))
            }
            (true, _) => {
                let message = format!("checked: inferred {word}, unless an exception is raised");
                (Verdict::Checked, message)
            }
            (_, true) => {
                let may_succeed = inferred != D::Failure && !several;
                let at = failing.filter(|point| {
                    may_succeed && !point.is_empty() && claim != SolutionsClaim::None
                });
                let message = match at {
                    Some(point) => {
                        let sizes = point.iter().map(|(name, at)| format!("{name} = {at}"));
                        let sizes: Vec<String> = sizes.collect();
                        format!("false: no solution for {}", sizes.join(", "))
                    }
                    None => format!("false: inferred {word}"),
                };
                (Verdict::False, message)
            }
            _ => {
                let unless = match ends {
                    true => "",
                    false => ", unless an exception is raised",
                };
                let reason = format!("inferred {word} for calls {}{unless}", report.pattern);
                verdict.reason = Some(reason.clone());
                (Verdict::Check, format!("not decided: {reason}"))
            }
        };
        if verdict.verdict == Verdict::False && !is_complete {
            return self.undecided(NOT_UNDERSTOOD.to_owned());
        }
        verdict
    }
}
