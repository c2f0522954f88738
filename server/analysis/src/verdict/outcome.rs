//! Verdicts on the outcome of calls: the number of solutions and the success sizes as functions, termination, exceptions.

use costlens_algebra::compare::{self, Verdict};
use costlens_algebra::{Constraint, Expr, Rat, Region, rat};
use costlens_catalog::{is_endless, may_wait, reads_input};
use costlens_infer::report::{Bound, Functor, Interval, PatternReport, Piece, Side};
use costlens_program::{Predicate, Resolved, callees, resolve};
use costlens_syntax::assertions::Property;
use rustc_hash::FxHashSet;

use super::{AssertionVerdict, JudgedProperty, KnownBounds, MAY_FAIL, UpperLimits, restricted};
use crate::db::Db;

impl JudgedProperty<'_> {
    /// Returns the verdict on a property of the outcome of calls.
    pub(super) fn outcome(&self, report: &PatternReport) -> AssertionVerdict {
        match &self.stated.property {
            Property::SolutionCount(approximation, expression) => {
                // A call that raises an exception has no further solutions.
                let counted = |interval: &Interval| match report.errors_possible {
                    false => interval.clone(),
                    true => Interval {
                        lower: match interval.lower {
                            Bound::Infinite => Bound::Infinite,
                            Bound::Finite(_) | Bound::Unknown => Bound::Unknown,
                        },
                        upper: interval.upper.clone(),
                    },
                };
                let missing = report.errors_possible.then(|| {
                    format!(
                        "an exception is possible in calls {}, and a call that raises one has fewer solutions",
                        report.pattern
                    )
                });
                let known = KnownBounds {
                    pieces: (report.steps.iter())
                        .map(|p| of_interval(p, &counted(&p.solutions)))
                        .collect(),
                    vacuous: Vec::new(),
                    headline: bounds(&counted(&report.solutions)),
                    missing,
                    doubt: None,
                };
                self.function(*approximation, expression, known, report)
            }
            Property::Size(approximation, argument, expression) => {
                match self.size_on_success(*argument, report) {
                    Ok(known) => self.function(*approximation, expression, known, report),
                    Err(reason) => self.undecided(reason),
                }
            }
            Property::Success(argument, declared, is_exact) => {
                self.success_type(*argument, declared, *is_exact, report)
            }
            Property::NotVerified(name) => match name.as_str() {
                "calls" => self.undecided(
                    "Costlens does not verify yet that every call is as it is declared".to_owned(),
                ),
                "terminates" => self.terminates(report),
                "no_exception" | "no_exceptions" => self.no_exception(report),
                name => self.undecided(format!("Costlens does not verify {name} yet")),
            },
            Property::RelativeCost(_) => self.undecided(
                "a share of a run is seen in runs alone: `costlens profile --check`".to_owned(),
            ),
            _ => self.undecided("it is judged elsewhere".to_owned()),
        }
    }

    /// Returns the bounds on the size of an argument (from 0) on success. They hold wherever the headline holds.
    fn size_on_success(
        &self,
        argument: usize,
        report: &PatternReport,
    ) -> Result<KnownBounds, String> {
        let name = super::message::argument_name(self.assertion, argument);
        let input = report
            .sizes
            .iter()
            .find(|s| s.argument == argument + 1 && !s.element);
        let output = report.outputs.iter().find(|o| o.argument == argument + 1);
        let (lower, upper) = match (output, input) {
            (Some(output), _) => (output.lower.clone(), output.upper.clone()),
            (None, Some(size)) => (Some(Expr::var(size.var)), Some(Expr::var(size.var))),
            (None, None) => {
                return Err(format!(
                    "no size of {name} on success was inferred for calls {}",
                    report.pattern
                ));
            }
        };
        let bound = |e: Option<Expr>| e.map_or(compare::Bound::Unknown, compare::Bound::Finite);
        let headline = (bound(lower), bound(upper));
        let holds = |number: &usize| match report.headline.conditional {
            true => *number == report.main,
            false => !report.headline.except.contains(number),
        };
        let pieces: Vec<&Piece> = (report.steps.iter().enumerate())
            .filter(|(number, piece)| holds(number) && !piece.fails())
            .map(|(_, piece)| piece)
            .collect();
        let succeeds = |piece: &&Piece| match &piece.solutions.lower {
            Bound::Finite(e) => e.as_constant().is_some_and(|c| c >= rat(1)),
            _ => false,
        };
        let failing = report.steps.iter().filter(|piece| piece.fails());
        Ok(KnownBounds {
            vacuous: failing.map(|piece| piece.when.clone()).collect(),
            doubt: (report.errors_possible || !pieces.iter().all(succeeds)).then_some(MAY_FAIL),
            pieces: (pieces.iter())
                .map(|piece| compare::Piece {
                    region: piece.when.clone(),
                    lower: headline.0.clone(),
                    upper: headline.1.clone(),
                })
                .collect(),
            missing: match &headline {
                (compare::Bound::Finite(_), compare::Bound::Finite(_)) => None,
                _ => Some(format!(
                    "a bound on the size of {name} on success is missing"
                )),
            },
            headline,
        })
    }

    /// Judges whether every call terminates: proved if there is an upper bound, refuted if calls of some admitted size run forever.
    fn terminates(&self, report: &PatternReport) -> AssertionVerdict {
        let (domain, complete) = self.domain(report, UpperLimits::Kept);
        let admitted = |piece: &&Piece| !piece.when.and_all(&domain).is_empty();
        let mut pieces = report.steps.iter().filter(admitted);
        let endless = pieces
            .clone()
            .find(|piece| piece.first.lower == Bound::Infinite);
        if let Some(piece) = endless
            && complete
            && a_point(&piece.when.and_all(&domain), report).is_some()
        {
            return self.decided(
                report,
                Verdict::False,
                "some of its calls run for ever".to_owned(),
            );
        }
        if pieces.all(|piece| matches!(piece.all.upper, Bound::Finite(_))) {
            // The cost of a callee without a bound may be infinite.
            if report.lacks_bound() {
                let why = report.first_cause().map_or_else(String::new, |why| {
                    format!(": {} (in {})", why.reason, why.cause)
                });
                return self.undecided(format!("a call in it may not end{why}"));
            }
            // Built-in predicates take no step.
            return match (self.endless)() {
                None => self.decided(
                    report,
                    Verdict::Checked,
                    "every call has an upper bound".to_owned(),
                ),
                Some(goal) => {
                    self.undecided(format!("the steps are bounded, and {goal} may not end"))
                }
            };
        }
        let cause = report.unknown.iter().find(|u| u.side == Side::Upper);
        self.undecided(match cause {
            Some(cause) => format!("no upper bound: {} (in {})", cause.reason, cause.cause),
            None => "no upper bound is known for some sizes".to_owned(),
        })
    }

    fn no_exception(&self, report: &PatternReport) -> AssertionVerdict {
        match report.errors_possible {
            false => self.decided(
                report,
                Verdict::Checked,
                "no call raises an exception".to_owned(),
            ),
            true => self.undecided(format!(
                "an exception is possible in calls {}",
                report.pattern
            )),
        }
    }

    pub(super) fn decided(
        &self,
        report: &PatternReport,
        verdict: Verdict,
        why: String,
    ) -> AssertionVerdict {
        let word = match verdict {
            Verdict::Checked => "checked",
            Verdict::False => "false",
            Verdict::Check => "not decided",
        };
        AssertionVerdict {
            verdict,
            rests_on: report.rests_on.clone(),
            message: format!("{word}: {why}"),
            ..self.blank()
        }
    }
}

/// Returns a point of a region. A region without integer points may not be recognised as empty, so this function searches for a point.
pub(super) fn a_point(region: &Region, report: &PatternReport) -> Option<Vec<(String, Rat)>> {
    let mut region = region.clone();
    let mut point = Vec::new();
    for size in &report.sizes {
        let (least, most) = region.bounds(&Expr::var(size.var));
        let at = least.or(most).unwrap_or_else(|| rat(0));
        region = restricted(
            region,
            Constraint::eq(&Expr::var(size.var), &Expr::constant(at.clone())),
        );
        point.push((size.name.clone(), at));
    }
    let is_whole = point.iter().all(|(_, at)| at.is_integer());
    (is_whole && !region.is_empty()).then_some(point)
}

/// Returns a built-in that a predicate may call, directly or indirectly, and that may run forever without affecting a bound: a built-in
/// that reads (`read/1` waits for its input), or a built-in with infinitely many solutions.
pub(super) fn endless(db: &dyn Db, predicate: Predicate<'_>) -> Option<Functor> {
    let mut seen: FxHashSet<Predicate<'_>> = FxHashSet::from_iter([predicate]);
    let mut stack = vec![predicate];
    while let Some(caller) = stack.pop() {
        for callee in callees(db, caller) {
            let (name, arity) = (callee.name.as_str(), callee.arity);
            if may_wait(name, arity) || reads_input(name, arity) || is_endless(name, arity) {
                return Some(callee.clone());
            }
            let found = resolve(db, caller.file(db), callee).map(Resolved::predicate);
            stack.extend(found.filter(|&found| seen.insert(found)));
        }
    }
    None
}

fn of_interval(piece: &Piece, interval: &Interval) -> compare::Piece {
    let (lower, upper) = bounds(interval);
    compare::Piece {
        region: piece.when.clone(),
        lower,
        upper,
    }
}

fn bounds(interval: &Interval) -> (compare::Bound, compare::Bound) {
    let bound = |bound: &Bound| match bound {
        Bound::Finite(e) => compare::Bound::Finite(e.clone()),
        Bound::Infinite => compare::Bound::Infinite,
        Bound::Unknown => compare::Bound::Unknown,
    };
    let lower = match bound(&interval.lower) {
        compare::Bound::Unknown => compare::Bound::Finite(Expr::zero()),
        known => known,
    };
    (lower, bound(&interval.upper))
}
