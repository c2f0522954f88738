//! Assertions of inferred bounds. They prevent bounds from getting worse, or replace false bounds.
//!
//! ```prolog
//! %! len(+Xs:list, -N) is det.                       %! len(+Xs:list, -N) is det.
//! len([], 0).                               →        %  @cost steps = length(Xs)+1
//! len([_|Xs], N) :- len(Xs, M), N is M+1.            len([], 0).
//! ```
//!
//! In Ciao's dialect, the assertion is a `pred` assertion: `true` for an inferred bound, or `check` for a bound that must be preserved.

use costlens_analysis::report::{Bound, Functor, Origin, PatternReport};
use costlens_analysis::verdict::{AssertionVerdict, Verdict};
use costlens_program::positions::positions;
use costlens_program::{SourceFile, file_assertions};
use costlens_syntax::Dialect;
use costlens_syntax::assertions::{Approximation, CostType, Origin as Written, Property};

use super::Action;
use super::variant::Variant;
use crate::db::{Db, reached_report};
use crate::diagnostics::rules;
use crate::diagnostics::verdicts::{AssertionCheck, verdicts};
use crate::file::{Edit, line_begin};
use crate::predicate::arguments::argument_names;
use crate::predicate::assertion::{assertion, expression};
use crate::predicate::mode_line::{argument_or_letter, is_declarable, mode_line};
use crate::present::finite;

/// Returns the actions that assert the bound of a predicate without asserted costs.
pub(super) fn inferred(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<Action> {
    let is_stated = |property: &Property| matches!(property, Property::Cost(_));
    let assertions = file_assertions(db, file);
    let mut own = (assertions.list.iter().zip(&assertions.places))
        .filter(|(a, _)| a.name == functor.name && a.arity == functor.arity);
    if { own.clone() }.any(|(a, _)| a.properties.iter().any(|s| is_stated(&s.property))) {
        return Vec::new();
    }
    let places = positions(db, file);
    let first = (places.iter().find(|p| p.functor == *functor)).and_then(|p| p.clauses.first());
    let (Some(report), Some(first)) = (reached_report(db, file, functor), first) else {
        return Vec::new();
    };
    let Some(pattern) = report.telling() else {
        return Vec::new();
    };
    let names = argument_names(db, file, functor);
    let action = |title: String, edit: Edit| Action {
        title,
        rule: &rules::ASSERT_INFERRED,
        predicate: functor.clone(),
        cost: (String::new(), String::new()),
        better_for: String::new(),
        offset: first.range.0,
        unit: "steps".to_owned(),
        times: None,
        tested_inputs: 0,
        missing: Vec::new(),
        edits: vec![edit],
    };
    let begin = first.range.0;
    if file.parsed(db).dialect() == Dialect::Ciao {
        let titles = [
            ("true", "Insert the inferred assertion"),
            ("check", "Insert the inferred bounds as a `check` assertion"),
        ];
        let of = |(status, title): (&str, &str)| {
            let text = assertion(status, functor, pattern, &names)?;
            Some(action(
                title.to_owned(),
                inserted(begin, format!("{text}\n")),
            ))
        };
        return titles.into_iter().filter_map(of).collect();
    }
    let Some(cost) = cost_line(pattern, &names) else {
        return Vec::new();
    };
    let edit = match own.find(|(a, _)| a.origin == Written::Comment) {
        // The line applies to the calls of the existing mode line.
        Some((_, place)) => (pattern.origin != Origin::Inferred)
            .then(|| end_of_comment(&file.parsed(db).text, place.range.0))
            .flatten()
            .map(|end| inserted(end, format!("%  {cost}\n"))),
        None => (pattern.pattern.0.iter().all(is_declarable)).then(|| {
            let line = mode_line(functor, &pattern.pattern, &names);
            inserted(begin, format!("%! {line}.\n%  {cost}\n"))
        }),
    };
    // The mode line may be less precise than the analysis.
    let as_read: String = cost.split_whitespace().skip(1).collect();
    let is_meant = |there: &AssertionVerdict| there.text == as_read;
    edit.filter(|edit| is_proved(db, file, functor, edit, &is_meant))
        .map(|edit| action(format!("Assert the inferred bound: `{cost}`"), edit))
        .into_iter()
        .collect()
}

fn inserted(at: usize, text: String) -> Edit {
    Edit {
        range: at..at,
        text,
    }
}

/// Formats a bound that holds for all sizes as a line of an assertion: `@cost steps =< length(Xs)+1`.
fn cost_line(pattern: &PatternReport, names: &[Option<String>]) -> Option<String> {
    let (lower, upper) = held(pattern, CostType::Call)?;
    let upper = in_words(upper, pattern, names)?;
    let sign = match in_words(lower, pattern, names) {
        Some(lower) if lower == upper => "=",
        _ => "=<",
    };
    Some(format!("@cost steps {sign} {upper}"))
}

/// Returns the bounds on a part of a call if they hold for all sizes.
fn held(pattern: &PatternReport, part: CostType) -> Option<(&Bound, &Bound)> {
    let headline = &pattern.headline;
    if headline.conditional || !headline.except.is_empty() {
        return None;
    }
    let bounds = match part {
        CostType::Call | CostType::CallExit | CostType::CallFail => &headline.first,
        CostType::AllSolutions => &headline.all,
        _ => return None,
    };
    Some((&bounds.lower, &bounds.upper))
}

fn in_words(bound: &Bound, pattern: &PatternReport, names: &[Option<String>]) -> Option<String> {
    let arguments: Vec<String> = (0..pattern.pattern.0.len())
        .map(|i| argument_or_letter(i, names))
        .collect();
    expression(finite(bound)?, &pattern.sizes, &arguments)
}

/// Returns the end of the last line of the comment that contains a `%` line. Returns `None` for a comment between `/*` and `*/`.
fn end_of_comment(text: &str, from: usize) -> Option<usize> {
    let begin = line_begin(text, from);
    let mut end = begin;
    for line in text.get(begin..)?.split_inclusive('\n') {
        if !line.trim_start().starts_with('%') || !line.ends_with('\n') {
            break;
        }
        end += line.len();
    }
    (end > begin).then_some(end)
}

/// Returns the action that replaces a false bound by the inferred bound. The edited assertion is verified before the action is offered.
pub(super) fn relaxed(db: &dyn Db, file: SourceFile, check: &AssertionCheck) -> Option<Action> {
    let judged = &check.judged;
    let functor = &judged.predicate;
    if judged.verdict != Verdict::False || judged.resource.as_deref() != Some("steps") {
        return None;
    }
    let (side, part) = (judged.approximation?, judged.cost_type?);
    let names = argument_names(db, file, functor);
    let report = reached_report(db, file, functor)?;
    report.patterns.iter().find_map(|pattern| {
        let (lower, upper) = held(pattern, part)?;
        let bound = match side {
            Approximation::Lower => lower,
            Approximation::Upper | Approximation::Exact => upper,
            Approximation::Order | Approximation::OrderUpper | Approximation::OrderLower => {
                return None;
            }
        };
        let is_exact = side == Approximation::Exact && lower == upper;
        let side = match side {
            Approximation::Exact if !is_exact => Approximation::Upper,
            side => side,
        };
        let cost = in_words(bound, pattern, &names)?;
        let edit = replacement(check, side, part, &cost);
        // The ranges are valid in this file, since only clauses of other predicates were removed.
        let place = (judged.assertion, judged.property);
        let is_meant = |there: &AssertionVerdict| (there.assertion, there.property) == place;
        is_proved(db, file, functor, &edit, &is_meant).then(|| Action {
            title: format!("Relax the assertion to the inferred bound: `{}`", edit.text),
            rule: &rules::RELAX_ASSERTION,
            predicate: functor.clone(),
            cost: (judged.text.clone(), edit.text.clone()),
            better_for: String::new(),
            offset: edit.range.start,
            unit: "steps".to_owned(),
            times: None,
            tested_inputs: 0,
            missing: Vec::new(),
            edits: vec![edit],
        })
    })
}

/// Returns the edit that replaces the side and the cost of an assertion, in the assertion's syntax.
fn replacement(check: &AssertionCheck, side: Approximation, part: CostType, cost: &str) -> Edit {
    let range = check.range.clone();
    if check.judged.origin == Written::Directive {
        let part = match part {
            CostType::Call => String::new(),
            part => format!("{},", part.name()),
        };
        return Edit {
            range,
            text: format!("cost({},{part}steps,{cost})", side.name()),
        };
    }
    let sign = match side {
        Approximation::Upper => "=<",
        Approximation::Lower => ">=",
        _ => "=",
    };
    // The range follows `@cost`.
    Edit {
        range,
        text: format!("steps {sign} {cost}"),
    }
}

/// Returns whether an assertion of a predicate is proved after an edit.
fn is_proved(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    edit: &Edit,
    is_meant: &dyn Fn(&AssertionVerdict) -> bool,
) -> bool {
    let variant = Variant::with_edits(db, file, functor, std::slice::from_ref(edit));
    verdicts(&variant.db, variant.file, None).iter().any(|row| {
        let there = &row.judged;
        there.predicate == *functor && there.verdict == Verdict::Checked && is_meant(there)
    })
}
