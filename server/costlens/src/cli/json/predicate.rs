//! A predicate and its bounds.

use std::collections::BTreeMap;

use costlens_algebra::Expr;
use costlens_algebra::text::{Names, to_text};
use costlens_analysis::report::{self, AllWork, Bound, PatternReport, PieceKind, SizeVariable};
use costlens_ide::present::parameters::{assumption_text, in_force, is_relative};
use costlens_ide::present::regions::region_text;
use costlens_ide::present::times::{conditional, time_text};
use costlens_ide::present::values::{self, GivenSize, StepsAt, steps_at};
use costlens_ide::present::{
    class_text, determinism_text, exact_text, headline, kind_text, names_with, origin_text,
    predicate_hint, upper_class_text, work_shown,
};
use costlens_ide::reports::bounds::FileLine;
use serde::Serialize;

use super::derivation::Derivation;
use super::evaluated::{EvaluatedPoint, evaluated_point};
use super::{Number, lower, upper};
use crate::cli::resources::{BoundsRow, ResourceBounds};

/// A predicate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Predicate {
    /// The module that its file defines; `user` if there is none.
    module: String,
    /// The name, without quotes.
    name: String,
    arity: usize,
    /// The file's name.
    file: String,
    /// The line of its first clause, from 1.
    line: usize,
    /// The hint that an editor shows; null if there is none.
    hint: Option<String>,
    /// The facts for each call pattern.
    patterns: Vec<Pattern>,
}

/// The facts for a call pattern.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Pattern {
    /// `+`, `-` or `?` for each argument.
    modes: Vec<&'static str>,
    /// The call type of each argument.
    types: Vec<String>,
    /// `declared`, `entry`, `called` or `inferred`.
    origin: &'static str,
    /// `det`, `semidet`, `multi`, `nondet` or `failure`.
    determinism: &'static str,
    /// `possible` if a call may raise an exception, `excluded` if not.
    errors: &'static str,
    /// The sizes on which bounds depend.
    sizes: Vec<Size>,
    /// The parameters on which bounds depend.
    parameters: Vec<Parameter>,
    /// The assumptions on which bounds rest.
    assumes: Vec<AssumedProperty>,
    /// The sizes of arguments on success.
    outputs: Vec<Output>,
    /// The number of solutions.
    solutions: Interval,
    /// The trusted assertions on which the bounds depend: files and lines.
    rests_on: Vec<String>,
    /// The bounds whose class hints and summaries show.
    headline: Headline,
    /// The bounds on each resource.
    bounds: BTreeMap<String, Bounds>,
    /// Missing bounds, with their root causes.
    unknown: Vec<Unknown>,
    /// The files that contain clauses of a multifile predicate.
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses_from: Option<Vec<String>>,
    /// The bounds on each resource at the sizes of `--at`.
    #[serde(flatten)]
    values: Option<AtSizes>,
    /// The derivation of the bounds, in `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Derivation>,
}

/// The bounds on all work, or on steps if these have the same class.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Headline {
    /// `steps` or `work`.
    resource: &'static str,
    /// The growth class of all work: `n^2`, `diverges`, `unknown`. If no bound on the work of built-ins is known, that of the steps.
    class: String,
    /// True if the class is that of all work.
    of_all_work: bool,
    /// The lower bound, up to the first solution; null if there is none.
    lower: Option<String>,
    /// The upper bound, over all solutions; null if there is none.
    upper: Option<String>,
    /// The sizes for which the bounds hold; null for all.
    condition: Option<String>,
    /// The sizes for which they do not hold; null if there are none.
    except: Option<String>,
}

/// Bounds at the given sizes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AtSizes {
    /// The values of the bounds.
    at: BTreeMap<String, At>,
    /// The evaluated upper bound, if there is no closed form.
    evaluated: Option<EvaluatedPoint>,
}

/// A size on which bounds depend.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Size {
    /// The argument, from 1.
    argument: usize,
    /// `length`, `int`, …
    metric: String,
    /// Its name in bounds.
    name: String,
    /// True if the size measures the elements of the argument.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(default))]
    element: bool,
}

/// A quantity other than the size of an argument on which bounds depend.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Parameter {
    /// Its name in bounds.
    name: String,
    /// `facts`: clauses of a predicate; `cost`: resolution steps of one call, as far as it runs; `solutions`: solutions of one call.
    kind: &'static str,
    /// The predicate, or null.
    of: Option<String>,
    /// The argument whose goal is called, from 1, or null.
    argument: Option<usize>,
    /// The reason why nothing else is known about the cost.
    reason: Option<String>,
    /// The predicate with the goal for which the parameter was introduced.
    cause: Option<String>,
    /// The file of this goal.
    file: Option<String>,
    /// Its line, from 1.
    line: Option<usize>,
    /// Advice for the user; may be empty.
    help: String,
}

/// An assumption on which bounds rest.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AssumedProperty {
    /// `at-most-one-solution`, `changes-no-term` (of a goal without known clauses, this includes that it ends and adds no clauses),
    /// `own-assumptions` (what the bounds of the predicate assume holds), `as-written` (no hook expands its clauses) or `no-other-clauses`.
    kind: &'static str,
    /// The predicate, or null.
    of: Option<String>,
    /// The argument whose goal is called, from 1, or null.
    argument: Option<usize>,
    /// The assumption as a sentence.
    text: String,
}

/// The size of an argument on success.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Output {
    /// The argument, from 1.
    argument: usize,
    /// The size metric.
    metric: String,
    lower: Option<String>,
    upper: Option<String>,
}

/// A lower and an upper bound; `inf` for proved divergence, null if unknown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Interval {
    lower: Option<String>,
    upper: Option<String>,
}

/// The bounds on a resource.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Bounds {
    /// To the first solution, failure or exception.
    first: Interval,
    /// Over all solutions.
    all: Interval,
    /// The lower bound of a run to its first solution.
    lower: Option<String>,
    /// The upper bound over all solutions: null if it is unknown in some region, `inf` if some region diverges.
    upper: Option<String>,
    /// True if the lower and upper bounds are equal for all sizes except those in `except`.
    exact: bool,
    /// The sizes for which these bounds hold; null if they hold for all sizes.
    condition: Option<String>,
    /// Small sizes and negative integers for which the bounds do not hold, although the cost is finite; null if there are none.
    except: Option<String>,
    /// The bounds in the region of unbounded sizes with the highest cost.
    main: Main,
    /// Both bounds in the display syntax.
    display: String,
    /// The growth of the lower bound.
    lower_class: String,
    /// The growth of the upper bound.
    upper_class: String,
    /// The bounds for each region of sizes.
    pieces: Vec<Piece>,
    /// `true`: proved; `relative`: proved in terms of parameters or under assumptions.
    status: &'static str,
    /// Fields that exist only for time.
    #[serde(flatten)]
    time: Option<TimeBounds>,
}

/// The bounds of a call on a resource for the sizes of a region.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Main {
    /// The sizes.
    when: String,
    lower: Option<String>,
    upper: Option<String>,
    /// To the first solution, failure or exception.
    first: Interval,
    /// Over all solutions.
    all: Interval,
}

/// Fields of bounds on time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TimeBounds {
    /// `ns`.
    unit: &'static str,
    /// The lower bound, computed with the lower ends of the constants' intervals.
    low: Option<String>,
    /// The upper bound, computed with the upper ends of the constants' intervals.
    high: Option<String>,
    /// The conditions under which the upper bounds hold: `integers < 2^63`.
    assumes: Vec<&'static str>,
    /// Garbage collection, if the platform has constants for it: at most `cells`/`first` collections.
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<CollectionBounds>,
}

/// Fields of garbage collection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CollectionBounds {
    /// An upper bound on the number of allocated cells.
    cells: Option<String>,
    /// The number of cells that are allocated before the first collection.
    first: String,
    /// The time of a collection without live cells, in nanoseconds.
    ns: String,
    /// The additional time per live cell, in nanoseconds.
    ns_per_live_cell: String,
}

/// Bounds in a region of sizes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Piece {
    /// The region: `n>=1, m=0`.
    when: String,
    lower: Option<String>,
    upper: Option<String>,
    /// `bounded`, `failure`, `diverges` or `unknown`.
    kind: &'static str,
}

/// A missing bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Unknown {
    /// The resource.
    resource: String,
    /// `lower` or `upper`.
    bound: &'static str,
    /// `fuel` if the step limit of the analysis was reached, otherwise `unknown`.
    kind: &'static str,
    /// The reason.
    reason: String,
    /// The predicate that causes the missing bound.
    cause: String,
    /// The file of the goal that causes the missing bound.
    file: Option<String>,
    /// Its line, from 1.
    line: Option<usize>,
    /// Advice for the user; may be empty.
    help: String,
}

/// Bounds at given sizes: numbers rounded outward, `"inf"` for proved divergence, null if unknown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct At {
    first: Values,
    all: Values,
    lower: Option<Number>,
    upper: Option<Number>,
    /// The lower bound as a decimal or a fraction.
    exact_lower: Option<String>,
    /// The upper bound as a decimal or a fraction.
    exact_upper: Option<String>,
    /// Fields that exist only for time.
    #[serde(flatten)]
    range: Option<TimeRange>,
}

/// Times, computed with the lower and upper ends of the intervals of a platform's constants.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TimeRange {
    low: Option<Number>,
    high: Option<Number>,
}

/// A lower and an upper value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Values {
    lower: Option<Number>,
    upper: Option<Number>,
}

/// Converts a predicate; `line` is the line of its first clause.
pub(in crate::cli) fn predicate(
    file: &str,
    module: &str,
    line: usize,
    row: &BoundsRow,
    at: Option<&[GivenSize]>,
) -> Predicate {
    let report = &row.steps.report;
    Predicate {
        module: module.to_owned(),
        name: report.predicate.name.to_string(),
        arity: report.predicate.arity,
        file: file.to_owned(),
        line,
        hint: predicate_hint(report).map(|(_, label)| label),
        patterns: (report.patterns.iter().enumerate())
            .map(|(i, report)| pattern(row, i, report, at))
            .collect(),
    }
}

impl Predicate {
    /// Adds the derivation of each pattern's bounds.
    pub(super) fn with_derivations(mut self, derivations: Vec<Derivation>) -> Self {
        for (pattern, derivation) in self.patterns.iter_mut().zip(derivations) {
            pattern.explanation = Some(derivation);
        }
        self
    }
}

fn pattern(
    row: &BoundsRow,
    index: usize,
    report: &PatternReport,
    at: Option<&[GivenSize]>,
) -> Pattern {
    let mentioned = row.sizes(index);
    let names = names_with(&mentioned, &report.parameters);
    let text = |e: &Option<Expr>| e.as_ref().map(|e| to_text(e, &names));
    let first = row.on.first().map(|on| &on.bounds);
    let clauses_from = first.map(|b| &b.clauses_from);
    Pattern {
        modes: report.pattern.modes(),
        types: (0..report.pattern.0.len())
            .map(|argument| report.type_name(argument))
            .collect(),
        origin: origin_text(report.origin),
        determinism: determinism_text(report.determinism),
        errors: match report.errors_possible {
            true => "possible",
            false => "excluded",
        },
        sizes: mentioned.iter().map(size).collect(),
        parameters: (report.parameters.iter().enumerate())
            .map(|(i, p)| {
                let places = row.steps.parameters.get(index);
                parameter(p, places.and_then(|all| all.get(i)?.as_ref()))
            })
            .collect(),
        assumes: (in_force(report).iter())
            .map(|assumption| assumed(assumption, &row.steps.arguments))
            .collect(),
        outputs: (report.outputs.iter())
            .map(|o| Output {
                argument: o.argument,
                metric: o.metric.to_string(),
                lower: text(&o.lower),
                upper: text(&o.upper),
            })
            .collect(),
        solutions: interval(&report.solutions, &names),
        rests_on: (first.and_then(|b| b.rests_on.get(index)).cloned()).unwrap_or_default(),
        headline: headline_of(
            row.steps.report.patterns.get(index).unwrap_or(report),
            &names,
        ),
        bounds: bounds(&row.on, index, &names),
        unknown: row.on.iter().flat_map(|on| unknown(on, index)).collect(),
        clauses_from: clauses_from.filter(|files| !files.is_empty()).cloned(),
        values: at.map(|given| AtSizes {
            at: all_at(&row.on, index, given),
            evaluated: (row.evaluated.get(index))
                .and_then(Option::as_ref)
                .map(evaluated_point),
        }),
        explanation: None,
    }
}

fn headline_of(steps: &PatternReport, names: &Names<'_>) -> Headline {
    let work = work_shown(steps);
    let shown = work.unwrap_or(steps);
    let (lower, upper) = shown.headline.envelope();
    Headline {
        resource: if work.is_some() { "work" } else { "steps" },
        class: upper_class_text(shown, names),
        of_all_work: steps.work != AllWork::Unknown
            && (work.is_some() || steps.work == AllWork::OfSteps),
        lower: exact_text(lower, names),
        upper: exact_text(upper, names),
        condition: headline::condition_text(shown, names),
        except: headline::except_text(shown, names),
    }
}

fn parameter(p: &report::ParameterVariable, place: Option<&FileLine>) -> Parameter {
    let why = p.why.as_deref();
    let (of, argument) = subject(&p.parameter.of);
    Parameter {
        name: p.name.clone(),
        kind: match p.parameter.kind {
            report::ParameterKind::Facts => "facts",
            report::ParameterKind::Cost => "cost",
            report::ParameterKind::Solutions => "solutions",
        },
        of,
        argument,
        reason: why.map(|why| why.reason.clone()),
        cause: why.map(|why| why.cause.to_string()),
        file: place.map(|place| place.file.clone()),
        line: place.map(|place| place.line),
        help: why.map_or_else(String::new, |why| why.help.clone()),
    }
}

fn assumed(
    assumption: &report::ParameterAssumption,
    arguments: &[Option<String>],
) -> AssumedProperty {
    let (of, argument) = subject(&assumption.of);
    AssumedProperty {
        kind: match assumption.claim {
            report::Claim::AtMostOneSolution => "at-most-one-solution",
            report::Claim::ChangesNothing | report::Claim::KeepsTerms => "changes-no-term",
            report::Claim::OwnAssumptions => "own-assumptions",
            report::Claim::AsWritten => "as-written",
            report::Claim::NoOtherClauses => "no-other-clauses",
        },
        of,
        argument,
        text: assumption_text(assumption, arguments, "`"),
    }
}

/// Returns the predicate and the argument of a subject.
fn subject(of: &report::Subject) -> (Option<String>, Option<usize>) {
    match of {
        report::Subject::Predicate(_, functor) => (Some(functor.to_string()), None),
        report::Subject::Argument(i) => (None, Some(i + 1)),
        report::Subject::Passed(functor, i) => (Some(functor.to_string()), Some(i + 1)),
    }
}

fn size(s: &SizeVariable) -> Size {
    Size {
        argument: s.argument,
        metric: s.metric.to_string(),
        name: s.name.clone(),
        element: s.element,
    }
}

/// Returns the bounds of a pattern on each resource.
fn bounds(all: &[ResourceBounds], index: usize, names: &Names<'_>) -> BTreeMap<String, Bounds> {
    let rows = all.iter().filter_map(|on| {
        let report = on.bounds.report.patterns.get(index)?;
        let main = report.main_piece()?;
        let mut bounds = on_resource(report, main, names);
        if on.is_time {
            let words = |_: PieceKind, lower: &Bound, upper: &Bound| time_text(lower, upper, names);
            bounds.display = conditional(report, headline::qualified(report, names, &words));
            let cautious = on.cautious.as_ref()?.report.patterns.get(index)?;
            let (low, high) = cautious.headline.envelope();
            bounds.time = Some(TimeBounds {
                unit: "ns",
                low: exact_text(low, names),
                high: exact_text(high, names),
                assumes: report.condition.iter().map(|c| c.name()).collect(),
                collection: on.collected.as_ref().and_then(|(cells, collection)| {
                    let report = cells.report.patterns.get(index)?;
                    Some(CollectionBounds {
                        cells: exact_text(report.headline.envelope().1, names),
                        first: collection.first.to_string(),
                        ns: collection.ns.to_string(),
                        ns_per_live_cell: collection.ns_per_live_cell.to_string(),
                    })
                }),
            });
        }
        Some((on.name.clone(), bounds))
    });
    rows.collect()
}

/// Returns the bounds of a pattern on each resource at given sizes.
pub(in crate::cli) fn all_at(
    all: &[ResourceBounds],
    index: usize,
    given: &[GivenSize],
) -> BTreeMap<String, At> {
    let rows = all.iter().filter_map(|on| {
        let report = on.bounds.report.patterns.get(index)?;
        let mut at = values_at(&steps_at(report, given));
        if on.is_time {
            let cautious = on.cautious.as_ref()?.report.patterns.get(index)?;
            at = at.with_range(&steps_at(cautious, given));
        }
        Some((on.name.clone(), at))
    });
    rows.collect()
}

fn interval(i: &report::Interval, names: &Names<'_>) -> Interval {
    Interval {
        lower: exact_text(&i.lower, names),
        upper: exact_text(&i.upper, names),
    }
}

fn on_resource(report: &PatternReport, main: &report::Piece, names: &Names<'_>) -> Bounds {
    let (lower, upper) = report.headline.envelope();
    let pieces = report.steps.iter().map(|piece| {
        let (lower, upper) = piece.envelope();
        Piece {
            when: region_text(&piece.when, names),
            lower: exact_text(lower, names),
            upper: exact_text(upper, names),
            kind: kind_text(piece.kind),
        }
    });
    Bounds {
        first: interval(&report.headline.first, names),
        all: interval(&report.headline.all, names),
        lower: exact_text(lower, names),
        upper: exact_text(upper, names),
        exact: lower == upper && exact_text(upper, names).is_some(),
        condition: headline::condition_text(report, names),
        except: headline::except_text(report, names),
        main: Main {
            when: region_text(&main.when, names),
            lower: exact_text(main.envelope().0, names),
            upper: exact_text(main.envelope().1, names),
            first: interval(&main.first, names),
            all: interval(&main.all, names),
        },
        display: headline::display(report, names),
        lower_class: class_text(report, lower, names),
        upper_class: upper_class_text(report, names),
        pieces: pieces.collect(),
        status: match is_relative(report) {
            true => "relative",
            false => "true",
        },
        time: None,
    }
}

/// Returns the resource's missing bounds, with their causes.
fn unknown(on: &ResourceBounds, index: usize) -> Vec<Unknown> {
    let report = on.bounds.report.patterns.get(index);
    let unknown = report.map_or(&[][..], |r| &r.unknown);
    let row = |(i, u): (usize, &report::Unknown)| {
        let causes = on.bounds.causes.get(index);
        let place = causes.and_then(|c| c.get(i)?.as_ref());
        Unknown {
            resource: on.name.clone(),
            bound: match u.side {
                report::Side::Lower => "lower",
                report::Side::Upper => "upper",
            },
            kind: if u.fuel { "fuel" } else { "unknown" },
            reason: u.reason.clone(),
            cause: u.cause.to_string(),
            file: place.map(|p| p.file.clone()),
            line: place.map(|p| p.line),
            help: u.help.clone(),
        }
    };
    unknown.iter().enumerate().map(row).collect()
}

/// Converts the values of bounds at given sizes.
pub(in crate::cli) fn values_at(at: &StepsAt) -> At {
    let values = |v: &values::ValueRange| Values {
        lower: lower(&v.lower),
        upper: upper(&v.upper),
    };
    At {
        first: values(&at.first),
        all: values(&at.all),
        lower: lower(&at.first.lower),
        upper: upper(&at.all.upper),
        exact_lower: at.first.lower.exact(),
        exact_upper: at.all.upper.exact(),
        range: None,
    }
}

impl At {
    /// Adds the times computed with the lowest and the highest constants.
    pub(in crate::cli) fn with_range(self, cautious: &StepsAt) -> Self {
        At {
            range: Some(TimeRange {
                low: lower(&cautious.first.lower),
                high: upper(&cautious.all.upper),
            }),
            ..self
        }
    }
}
