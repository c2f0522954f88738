//! The text of verdicts.

use costlens_algebra::Expr;
use costlens_algebra::compare::Bound as Known;
use costlens_algebra::display::{display, spaced};
use costlens_algebra::text::Names;
use costlens_infer::report::{Determinism, PatternReport};
use costlens_infer::types::Metric;
use costlens_syntax::assertions::{Approximation, Assertion};
use num_bigint::BigInt;

use super::{AssertionVerdict, SizeInterval, Verdict};

/// The functions that a message compares, as shown to users.
pub(super) struct Shown {
    asserted: String,
    lower: Option<String>,
    upper: Option<String>,
}

impl Shown {
    /// Extracts the asserted function from a property that is shown as written: `cost(ub,steps,length(A)*log(length(A)))`.
    pub(super) fn written(
        property: &str,
        resource: Option<&str>,
        inferred: &(Known, Known),
        names: &Names<'_>,
    ) -> Self {
        let function = match property
            .split_once("=<")
            .or_else(|| property.split_once('='))
        {
            Some((_, function)) => function,
            None => {
                let inside = property.strip_suffix(')').unwrap_or(property);
                // `steps_ub(E)`, `cost(ub,steps,E)`, `cost(ub,allsols,steps,E)`
                let resource = resource.map(|r| format!("{r},"));
                let behind = resource
                    .and_then(|r| inside.rsplit_once(&r))
                    .or_else(|| inside.split_once('('));
                behind.map_or(inside, |(_, f)| f)
            }
        };
        Self {
            asserted: function.to_owned(),
            ..Self::new(&Expr::zero(), inferred, names)
        }
    }

    pub(super) fn new(asserted: &Expr, (lower, upper): &(Known, Known), names: &Names<'_>) -> Self {
        let text = |bound: &Known| match bound {
            Known::Finite(e) => Some(spaced(&display(e, names))),
            Known::Infinite => Some("inf".to_owned()),
            Known::Unknown => None,
        };
        Self {
            asserted: spaced(&display(asserted, names)),
            lower: text(lower),
            upper: text(upper),
        }
    }
}

/// Returns the name that an assertion uses for an argument (from 0).
pub(super) fn argument_name(assertion: &Assertion, argument: usize) -> String {
    match assertion
        .arguments
        .get(argument)
        .and_then(|a| a.name.as_ref())
    {
        Some(name) => name.to_string(),
        None => format!("argument {}", argument + 1),
    }
}

pub(super) fn determinism(inferred: Determinism) -> &'static str {
    match inferred {
        Determinism::Det => "exactly one solution",
        Determinism::Semidet => "at most one solution",
        Determinism::Multi => "at least one solution",
        Determinism::Nondet => "any number of solutions",
        Determinism::Failure => "no solution",
    }
}

/// Formats a message such as
/// `false for length(Xs) >= 18, checked for length(Xs) <= 17: inferred n²/2 + 3n/2 + 1, asserted at most 10n + 5, where n = length(Xs)`.
pub(super) fn function(
    verdict: &AssertionVerdict,
    shown: &Shown,
    approximation: Approximation,
    report: &PatternReport,
    assertion: &Assertion,
) -> String {
    let asserted = &shown.asserted;
    let claim = match approximation {
        Approximation::Upper => format!("at most {asserted}"),
        Approximation::Lower => format!("at least {asserted}"),
        Approximation::Exact => format!("exactly {asserted}"),
        Approximation::Order | Approximation::OrderUpper => format!("in O({asserted})"),
        Approximation::OrderLower => format!("in Ω({asserted})"),
    };
    let mut text = format!(
        "{}: {}, asserted {claim}",
        outcome(verdict, report, assertion),
        inferred(shown)
    );
    let used: Vec<String> = report
        .sizes
        .iter()
        .filter(|s| {
            [&verdict.asserted, &verdict.lower, &verdict.upper]
                .into_iter()
                .flatten()
                .any(|t| mentions(t, &s.name))
        })
        .map(|s| format!("{} = {}", s.name, measured(report, assertion, &s.name)))
        .filter(|s| s.split(" = ").next() != s.split(" = ").nth(1))
        .collect();
    if !used.is_empty() {
        text.push_str(", where ");
        text.push_str(&used.join(", "));
    }
    if !assertion.declares_calls() {
        text.push_str(&format!(
            "; for calls {}, because no modes are declared",
            report.pattern
        ));
    }
    if let Some(reason) = &verdict.reason
        && verdict.verdict == Verdict::Check
    {
        text.push_str("; ");
        text.push_str(reason);
    }
    text
}

/// Returns `length(Xs)`, or `N` for an integer.
fn measured(report: &PatternReport, assertion: &Assertion, size: &str) -> String {
    let Some(size) = report.sizes.iter().find(|s| s.name == size) else {
        return size.to_owned();
    };
    let argument = argument_name(assertion, size.argument - 1);
    match size.metric {
        Metric::Length => format!("length({argument})"),
        Metric::Int => argument,
        Metric::Size => format!("size({argument})"),
        Metric::Chars => format!("chars({argument})"),
        Metric::Keys => format!("keys({argument})"),
    }
}

fn outcome(verdict: &AssertionVerdict, report: &PatternReport, assertion: &Assertion) -> String {
    let all = match verdict.verdict {
        Verdict::Checked => "checked",
        Verdict::False => "false",
        Verdict::Check => "not decided",
    };
    let parts: Vec<String> = [
        (Verdict::False, "false"),
        (Verdict::Checked, "checked"),
        (Verdict::Check, "not decided"),
    ]
    .into_iter()
    .filter_map(|(of, word)| {
        let sizes: Vec<String> = verdict
            .intervals
            .iter()
            .enumerate()
            .filter(|(_, i)| i.verdict == of)
            .map(|(place, i)| interval(place == 0, i, &measured(report, assertion, &i.size)))
            .collect();
        (!sizes.is_empty()).then(|| format!("{word} for {}", sizes.join(" or ")))
    })
    .collect();
    // One verdict for every size needs no intervals.
    if verdict
        .intervals
        .iter()
        .all(|i| i.verdict == verdict.verdict)
    {
        return all.into();
    }
    parts.join(", ")
}

/// Formats an interval. The first interval starts with the smallest admitted size, so its lower limit is left out.
fn interval(first: bool, interval: &SizeInterval, size: &str) -> String {
    let from: Option<&BigInt> = interval
        .from
        .as_ref()
        .filter(|_| !first || interval.to == interval.from);
    match (from, &interval.to) {
        (Some(from), Some(to)) if from == to => format!("{size} = {from}"),
        (Some(from), Some(to)) => format!("{from} <= {size} <= {to}"),
        (Some(from), None) => format!("{size} >= {from}"),
        (None, Some(to)) => format!("{size} <= {to}"),
        (None, None) => format!("all {size}"),
    }
}

fn inferred(shown: &Shown) -> String {
    match (&shown.lower, &shown.upper) {
        (Some(lower), Some(upper)) if lower == upper => format!("inferred {lower}"),
        (Some(lower), Some(upper)) => format!("inferred between {lower} and {upper}"),
        (Some(lower), None) => format!("inferred at least {lower}, no upper bound"),
        (None, Some(upper)) => format!("inferred at most {upper}"),
        (None, None) => "nothing inferred".into(),
    }
}

/// Returns whether a size's name occurs in an expression.
fn mentions(expression: &str, name: &str) -> bool {
    expression
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == name)
}
