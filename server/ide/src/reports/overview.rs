//! An overview of a workspace: the growth class of each predicate, the reasons for missing bounds, and the most expensive call chains.

use std::sync::Arc;

use costlens_algebra::Atom;
use costlens_algebra::growth::Growth;
use costlens_analysis::report::{Bound, Condition, Functor, PatternReport, PredicateReport, Side};
use costlens_program::SourceFile;
use num_bigint::BigInt;

use super::bounds::{FileLine, PredicateBounds, bounds, resource_bounds};
use super::check::{FileCheck, check};
use super::coverage::kind;
use crate::costs::calls::{CallCost, calls};
use crate::db::{Db, reached_report_alone};
use crate::file::File;
use crate::navigate::{target, with_clauses};
use crate::present::times::duration_text;
use crate::present::values::{BoundValue, GivenSize, steps_at};
use crate::present::{
    headline, hint_text, indicator, names_in, rank, report_head, steps_text, work_by, work_shown,
};
use crate::project::Project;
use crate::resources::{Prices, Resource};
use crate::settings::Threshold;

/// The maximum length of a call chain.
const LONGEST_CHAIN: usize = 12;

/// One year in nanoseconds. Longer times are not displayed as numbers.
const YEAR: f64 = 3.156e16;

/// A growth class of upper bounds, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `O(1)`, including failure without a step.
    Constant,
    /// `O(log n)`.
    Logarithmic,
    /// `O(n)`, in one size or the sum of several.
    Linear,
    /// `O(n·log n)`.
    Linearithmic,
    /// `O(n²)`, `O(n·m)`.
    Quadratic,
    /// `O(n³)`.
    Cubic,
    /// Other polynomials.
    Polynomial,
    /// `O(2ⁿ)`, `O(n!)`.
    Exponential,
    /// Proved to diverge.
    Diverges,
    /// Without an upper bound.
    Unknown,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 10] = [
        Self::Constant,
        Self::Logarithmic,
        Self::Linear,
        Self::Linearithmic,
        Self::Quadratic,
        Self::Cubic,
        Self::Polynomial,
        Self::Exponential,
        Self::Diverges,
        Self::Unknown,
    ];

    /// Returns the identifier of the class in machine-readable output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Logarithmic => "logarithmic",
            Self::Linear => "linear",
            Self::Linearithmic => "linearithmic",
            Self::Quadratic => "quadratic",
            Self::Cubic => "cubic",
            Self::Polynomial => "polynomial",
            Self::Exponential => "exponential",
            Self::Diverges => "diverges",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the label of the class for display.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Constant => "O(1)",
            Self::Logarithmic => "O(log n)",
            Self::Linear => "O(n)",
            Self::Linearithmic => "O(n·log n)",
            Self::Quadratic => "O(n²)",
            Self::Cubic => "O(n³)",
            Self::Polynomial => "other powers",
            Self::Exponential => "exponential",
            Self::Diverges => "runs for ever",
            Self::Unknown => "unknown",
        }
    }

    /// Classifies a pattern's upper bound.
    fn classify(report: &PatternReport) -> Self {
        let report = work_shown(report).unwrap_or(report);
        if report.main_piece().is_none() {
            return Self::Unknown;
        }
        match report.headline.envelope() {
            (Bound::Infinite, _) | (_, Bound::Infinite) => Self::Diverges,
            (_, Bound::Unknown) => Self::Unknown,
            (_, Bound::Finite(upper)) => Self::of_growth(&headline::dearest_growth(report, upper)),
        }
    }

    fn of_growth(growth: &Growth) -> Self {
        let is_power = |m: &costlens_algebra::Monomial| {
            let is_log = |a: &Atom| matches!(a, Atom::Log { .. });
            m.atom_exponentials.keys().any(is_log)
        };
        let degrees = growth
            .monomials()
            .iter()
            .map(costlens_algebra::Monomial::degree);
        match rank(growth) {
            Threshold::Constant => Self::Constant,
            Threshold::Logarithmic => Self::Logarithmic,
            Threshold::Linear => Self::Linear,
            Threshold::Linearithmic => Self::Linearithmic,
            Threshold::Exponential => Self::Exponential,
            Threshold::Quadratic if growth.monomials().iter().any(is_power) => Self::Polynomial,
            Threshold::Quadratic => match degrees.max() {
                Some(0..=2) | None => Self::Quadratic,
                Some(3) => Self::Cubic,
                Some(_) => Self::Polynomial,
            },
        }
    }
}

/// The root cause of a missing upper bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The kind of reason, without details of the predicate.
    pub kind: String,
    /// The reason.
    pub reason: String,
    /// The predicate that causes the problem. Empty if unknown.
    pub cause: String,
    /// The place of the cause.
    pub place: Option<FileLine>,
    /// Advice for the user. May be empty.
    pub help: String,
    /// True if the upper bound is missing for no other reason.
    pub is_only_cause: bool,
}

/// An overview of a predicate, with its displayed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateOverview {
    /// Name and arity.
    pub predicate: Functor,
    /// The offset of the first clause's head.
    pub offset: usize,
    /// The head with modes and types; name and arity if no call pattern is known.
    pub head: String,
    /// The growth class of the upper bound.
    pub class: Class,
    /// The cost, in the format of hints.
    pub cost: String,
    /// True if the call pattern was guessed.
    pub guessed: bool,
    /// True if the bound is exponential and may be loose.
    pub loose: bool,
    /// The trusted lines on which the bounds depend.
    pub rests_on: Vec<String>,
    /// The upper bound on time if every size has the requested value. `None` if no platform was given or the time is unknown.
    pub time: Option<String>,
    /// The condition under which the time bound holds.
    pub time_condition: Option<Condition>,
    /// The root cause if there is no upper bound.
    pub missing: Option<Missing>,
}

/// An overview of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileOverview {
    /// The predicates, in the order of their first clauses.
    pub predicates: Vec<PredicateOverview>,
    /// The verdicts on assertions, and the problems of the file.
    pub check: FileCheck,
}

/// The parameters of an overview.
#[derive(Clone, Copy, Debug)]
pub struct OverviewRequest<'a> {
    /// The platform for times.
    pub prices: Option<&'a Arc<Prices>>,
    /// The value of every size in times.
    pub size: i64,
    /// The project's budgets and severity levels.
    pub project: Option<&'a Project>,
}

/// Computes the overview of a file.
pub(crate) fn overview(db: &dyn Db, file: SourceFile, asked: &OverviewRequest<'_>) -> FileOverview {
    let all = bounds(db, file).predicates;
    let times = asked.prices.map(|prices| {
        let resource = Resource::Time(Arc::clone(prices));
        resource_bounds(db, file, &resource)
    });
    let predicates = all.iter().enumerate().map(|(i, bounds)| {
        let time = times.as_ref().and_then(|times| times.get(i));
        at_a_glance(bounds, time, asked.size)
    });
    FileOverview {
        predicates: predicates.collect(),
        check: check(db, file, asked.prices, asked.project),
    }
}

fn at_a_glance(
    bounds: &PredicateBounds,
    time: Option<&PredicateBounds>,
    size: i64,
) -> PredicateOverview {
    let report = &bounds.report;
    let telling = report.telling();
    let place = telling.and_then(|t| report.patterns.iter().position(|p| std::ptr::eq(p, t)));
    let class = telling.map_or(Class::Unknown, Class::classify);
    let head = telling.map(|t| report_head(&report.predicate.name, t, &bounds.arguments));
    let cost = telling.and_then(hint_text).map(|(_, text)| text);
    PredicateOverview {
        offset: bounds.offset,
        head: head.unwrap_or_else(|| indicator(&report.predicate)),
        class,
        cost: cost.map_or_else(
            || "cost ?".to_owned(),
            |text| text.trim_start_matches('~').to_owned(),
        ),
        guessed: telling.is_some_and(|t| t.origin == costlens_analysis::report::Origin::Inferred),
        loose: telling.is_some_and(|t| t.headline.loose.is_some()),
        rests_on: place
            .and_then(|i| bounds.rests_on.get(i))
            .cloned()
            .unwrap_or_default(),
        time: time
            .zip(place)
            .and_then(|(time, i)| time_at(&time.report, i, size)),
        time_condition: time
            .zip(place)
            .and_then(|(time, i)| time.report.patterns.get(i)?.condition),
        missing: (class == Class::Unknown).then(|| missing(bounds, place)),
        predicate: report.predicate.clone(),
    }
}

/// Formats the upper bound on time if all sizes of a pattern have the same value.
fn time_at(time: &PredicateReport, pattern: usize, size: i64) -> Option<String> {
    let report = time.patterns.get(pattern)?;
    let given: Vec<GivenSize> = (report.sizes.iter())
        .map(|s| GivenSize {
            argument: s.argument,
            element: s.element,
            name: None,
            metric: Some(s.metric.to_string()),
            value: BigInt::from(size),
        })
        .collect();
    let upper = steps_at(report, &given).all.upper;
    match &upper {
        BoundValue::Infinite => None,
        BoundValue::Exact(_) if upper.at_least().is_none_or(|ns| ns > YEAR) => {
            Some("more than a year".to_owned())
        }
        BoundValue::Exact(_) => upper.at_least().map(duration_text),
        BoundValue::Unknown => None,
    }
}

/// Returns the root cause of a missing upper bound.
fn missing(bounds: &PredicateBounds, pattern: Option<usize>) -> Missing {
    let report = pattern.and_then(|i| bounds.report.patterns.get(i));
    let unknown = report.map_or(&[][..], |p| &p.unknown);
    let chosen = unknown.iter().position(|u| u.side == Side::Upper);
    let Some(i) = chosen.or((!unknown.is_empty()).then_some(0)) else {
        let reason = match report {
            Some(_) => "no reason is known",
            None => "no call pattern is known",
        };
        return Missing {
            kind: reason.to_owned(),
            reason: reason.to_owned(),
            cause: String::new(),
            place: None,
            help: String::new(),
            is_only_cause: true,
        };
    };
    let causes = pattern.and_then(|p| bounds.causes.get(p));
    Missing {
        kind: kind(&unknown[i].reason),
        reason: unknown[i].reason.clone(),
        cause: (pattern.and_then(|p| bounds.cause_names.get(p)?.get(i)))
            .map_or_else(|| indicator(&unknown[i].cause), Clone::clone),
        place: causes.and_then(|causes| causes.get(i)?.clone()),
        help: unknown[i].help.clone(),
        is_only_cause: (unknown.iter())
            .filter(|other| other.side == Side::Upper)
            .all(|other| other.reason == unknown[i].reason),
    }
}

/// A link of a call chain: a predicate, and the call that contributes most to its bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Name and arity.
    pub predicate: String,
    /// The file with its clauses.
    pub file: File,
    /// The offset of the first clause's head.
    pub offset: usize,
    /// The upper bound on steps, formatted for display.
    pub cost: String,
    /// The most expensive call: its offset if known, the goal, and its share of the bound. `None` if the predicate's own clauses contribute
    /// most.
    pub call: Option<(Option<usize>, String, Option<String>)>,
    /// The largest contributor, if it is not a call of another predicate.
    pub own: Own,
    /// The goals whose work makes the work more than the steps: `memberchk/2`.
    pub work_by: Option<String>,
}

/// The largest contributor to a predicate's cost if it is not a call that leaves the recursion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// The predicate's own clauses.
    Clauses,
    /// A recursive call, given as its goal.
    Recursion(String),
    /// Unknown: the shares of the calls have no bound.
    Undivided,
}

/// Returns the chain of calls that contribute the largest part of a predicate's bound, starting with the predicate.
pub(crate) fn chain(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let mut next = Some((file, functor.clone(), None));
    while let Some((file, functor, pattern)) = next.take() {
        let Some(report) = reached_report_alone(db, file, &functor) else {
            break;
        };
        // Use the pattern of the call, if known.
        let as_called = (report.patterns.iter()).find(|p| Some(&p.pattern) == pattern.as_ref());
        let Some(of) = as_called.or_else(|| report.telling()) else {
            break;
        };
        let offset = with_clauses(db, file, &functor, |p| Some(p.clauses.first()?.head.0));
        let Some(offset) = offset else {
            break;
        };
        let name = indicator(&functor);
        if links
            .iter()
            .any(|l| l.predicate == name && l.file == File(file))
        {
            break;
        }
        let upper = of.headline.envelope().1;
        let mut link = Link {
            predicate: name,
            file: File(file),
            offset,
            cost: steps_text(upper, &names_in(of)),
            call: None,
            own: Own::Clauses,
            work_by: work_by(of, "`"),
        };
        let all = calls(db, file, &functor, of);
        let is_told = |c: &CallCost| c.share.is_some();
        link.own = match all.iter().find(|c| c.dominating && c.recursive) {
            Some(recursive) => Own::Recursion(recursive.goal.clone()),
            None => match all.iter().find(|c| c.recursive) {
                Some(recursive) if all.iter().filter(|c| !c.recursive).all(is_told) => {
                    Own::Recursion(recursive.goal.clone())
                }
                None if all.iter().all(is_told) => Own::Clauses,
                _ => Own::Undivided,
            },
        };
        let dominating = all
            .into_iter()
            .find(|call| call.dominating && !call.recursive);
        if let Some(call) = dominating {
            let share = call.share.as_ref().and_then(|s| s.text(of));
            link.call = Some((call.offset, call.goal.clone(), share));
            let callee = target(db, file, &call.callee);
            let home = callee.home.filter(|_| links.len() + 1 < LONGEST_CHAIN);
            next = home.map(|home| (home, callee.functor, Some(call.pattern)));
        }
        links.push(link);
    }
    links
}

#[cfg(test)]
mod tests {
    use costlens_algebra::{Expr, rat};

    use super::*;
    use crate::samples::{at_least, exact, n, nrev, piece, unknown, with_pieces};
    use costlens_analysis::report::PieceKind;

    fn class(e: &Expr) -> Class {
        let pieces = vec![piece(at_least(0), exact(e), PieceKind::Bounded)];
        Class::classify(&with_pieces(nrev(), pieces))
    }

    #[test]
    fn classes_are_those_of_upper_bounds() {
        assert_eq!(class(&Expr::int(7)), Class::Constant);
        assert_eq!(
            class(&Expr::flog(2, &(&n() + &Expr::int(1))).unwrap()),
            Class::Logarithmic
        );
        assert_eq!(class(&n().scale(&rat(3))), Class::Linear);
        assert_eq!(Class::classify(&nrev()), Class::Quadratic);
        assert_eq!(class(&n().pow(3)), Class::Cubic);
        assert_eq!(class(&n().pow(5)), Class::Polynomial);
        let power = Expr::exponential(&rat(2), crate::samples::N).unwrap();
        assert_eq!(class(&power), Class::Exponential);
        assert_eq!(Class::classify(&unknown()), Class::Unknown);
    }

    #[test]
    fn classes_are_in_the_order_of_cost() {
        assert!(Class::ALL.is_sorted());
        let names: std::collections::BTreeSet<&str> = Class::ALL.iter().map(|c| c.name()).collect();
        assert_eq!(names.len(), Class::ALL.len());
    }
}
