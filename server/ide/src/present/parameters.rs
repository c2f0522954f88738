//! Parameters of bounds and the assumptions of bounds with parameters, in words.

use std::collections::BTreeMap;

use costlens_analysis::report::{
    Bound, Claim, Determinism, Functor, ParameterAssumption, ParameterKind, ParameterVariable,
    PatternReport, Subject,
};

use super::{argument_name, indicator};

/// Describes a parameter: `par = clauses of par/2`, `G1 = most steps of a call of P`.
#[must_use]
pub fn parameter_meaning(parameter: &ParameterVariable, arguments: &[Option<String>]) -> String {
    let of = subject_text(&parameter.parameter.of, arguments);
    let what = match parameter.parameter.kind {
        ParameterKind::Facts => "clauses of",
        ParameterKind::Cost => "most steps of a call of",
        ParameterKind::Solutions => "most solutions of a call of",
    };
    format!("{} = {what} {of}", parameter.name)
}

/// Returns the assumptions on which a report's upper bounds rest, one sentence for each property, as far as the report has upper bounds.
#[must_use]
pub fn assumptions_text(
    report: &PatternReport,
    arguments: &[Option<String>],
    quote: &str,
) -> Vec<String> {
    let mut by_claim: BTreeMap<Claim, Vec<String>> = BTreeMap::new();
    for assumption in in_force(report) {
        let of = subject_text(&assumption.of, arguments);
        let all = by_claim.entry(assumption.claim).or_default();
        all.push(format!("{quote}{of}{quote}"));
    }
    by_claim
        .into_iter()
        .map(|(claim, of)| sentence(claim, &of))
        .collect()
}

/// States an assumption about one or more subjects.
fn sentence(claim: Claim, of: &[String]) -> String {
    let one = of.len() == 1;
    let of = listed(of);
    match claim {
        Claim::AtMostOneSolution if one => format!("{of} has at most one solution"),
        Claim::AtMostOneSolution => format!("{of} have at most one solution each"),
        Claim::ChangesNothing if one => {
            format!(
                "{of} ends, changes no term in place, adds no clauses and makes no goal run later"
            )
        }
        Claim::ChangesNothing => {
            format!(
                "{of} end, change no terms in place, add no clauses and make no goals run later"
            )
        }
        Claim::KeepsTerms if one => format!("{of} changes no term in place that is used here"),
        Claim::KeepsTerms => format!("{of} change no terms in place that are used here"),
        Claim::AsWritten => {
            format!("the clauses of {of} run as they are written, and no hook expands them")
        }
        Claim::OwnAssumptions => format!("what the bounds of {of} assume holds"),
        Claim::NoOtherClauses => {
            format!("no clauses are added to {of} except by goals in which they are written")
        }
    }
}

/// Describes an assumption: `` `render/2` has at most one solution ``.
#[must_use]
pub fn assumption_text(
    assumption: &ParameterAssumption,
    arguments: &[Option<String>],
    quote: &str,
) -> String {
    let of = subject_text(&assumption.of, arguments);
    sentence(assumption.claim, &[format!("{quote}{of}{quote}")])
}

/// Returns the assumptions on which a report rests: those of its upper bounds, or of its other claims.
#[must_use]
pub fn in_force(report: &PatternReport) -> &[ParameterAssumption] {
    let is_bounded = |bound: &Bound| matches!(bound, Bound::Finite(_));
    let claims = report
        .steps
        .iter()
        .any(|piece| is_bounded(&piece.all.upper))
        || report.determinism != Determinism::Nondet
        || is_bounded(&report.solutions.upper)
        || !report.outputs.is_empty();
    match claims {
        true => &report.assumes,
        false => &[],
    }
}

/// Returns whether the bounds of a report hold only relative to parameters or assumptions.
#[must_use]
pub fn is_relative(report: &PatternReport) -> bool {
    !report.parameters.is_empty() || !in_force(report).is_empty()
}

/// Returns the name of a subject: `par/2`, the name of an argument.
#[must_use]
pub fn subject_text(of: &Subject, arguments: &[Option<String>]) -> String {
    match of {
        // A name with a module is not quoted.
        Subject::Predicate(_, functor) if functor.name.contains(':') => functor.to_string(),
        Subject::Predicate(_, functor) => indicator(functor),
        Subject::Argument(i) => argument_name(i + 1, arguments),
        Subject::Passed(functor, i) => passed(functor, *i),
    }
}

fn passed(functor: &Functor, argument: usize) -> String {
    format!(
        "the goal in argument {} of {}",
        argument + 1,
        indicator(functor)
    )
}

fn listed(all: &[String]) -> String {
    match all {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => all.concat(),
    }
}
