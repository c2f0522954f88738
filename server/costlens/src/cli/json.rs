//! The shapes of `--format json`, schema 1: fields are added, never renamed.

use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Rat};
use costlens_analysis::report::{
    Evaluated, EvaluatedPoint, Interval, PatternReport, Piece, Side, Unknown,
};
use costlens_ide::at::{GivenSize, StepsAt, Value as Number, Values, steps_at};
use costlens_ide::diagnostics::{Diagnostic, Severity};
use costlens_ide::present::{
    class_text, determinism_text, exact_text, hint_text, interval_text, kind_text, names,
    origin_text,
};
use costlens_ide::regions::region_text;
use costlens_ide::resources::time_text;
use num_bigint::BigInt;
use serde_json::{Map, Value, json};

use super::bounds::Row;
use super::files::Source;
use super::resources::On;
use crate::lines::{Encoding, LineIndex};

/// The schema number.
pub(super) const SCHEMA: u32 = 1;

/// A value over many lines, with a line end.
pub(super) fn lines(value: &Value) -> String {
    format!("{value:#}\n")
}

pub(super) fn predicate(
    file: &str,
    module: &str,
    line: usize,
    row: &Row,
    at: Option<&[GivenSize]>,
) -> Value {
    let report = &row.steps.report;
    let patterns: Vec<Value> = (report.patterns.iter().enumerate())
        .map(|(i, report)| pattern(row, i, report, at))
        .collect();
    json!({
        "module": module,
        "name": report.predicate.name.as_str(),
        "arity": report.predicate.arity,
        "file": file,
        "line": line,
        "hint": report.telling().and_then(hint_text).map(|(_, label)| label),
        "patterns": patterns,
    })
}

fn pattern(row: &Row, index: usize, report: &PatternReport, at: Option<&[GivenSize]>) -> Value {
    let mentioned = row.sizes(index);
    let names = names(&mentioned);
    let sizes: Vec<Value> = (mentioned.iter())
        .map(|s| {
            let mut size =
                json!({"argument": s.argument, "metric": s.metric.to_string(), "name": s.name});
            if s.element {
                size["element"] = json!(true);
            }
            size
        })
        .collect();
    let text = |e: &Option<Expr>| e.as_ref().map(|e| to_text(e, &names));
    let outputs: Vec<Value> = (report.outputs.iter())
        .map(|o| {
            json!({
                "argument": o.argument,
                "metric": o.metric.to_string(),
                "lower": text(&o.lower),
                "upper": text(&o.upper),
            })
        })
        .collect();
    let types: Vec<String> = report.pattern.0.iter().map(ToString::to_string).collect();
    let rests_on = (row.on.first()).and_then(|on| on.bounds.rests_on.get(index));
    let mut value = json!({
        "modes": report.pattern.modes(),
        "types": types,
        "origin": origin_text(report.origin),
        "determinism": determinism_text(report.determinism),
        "errors": if report.errors_possible { "possible" } else { "excluded" },
        "sizes": sizes,
        "outputs": outputs,
        "solutions": interval(&report.solutions, &names),
        "rests_on": rests_on.map_or(&[][..], Vec::as_slice),
        "bounds": bounds(&row.on, index, &names),
        "unknown": unknown(&row.on, index),
    });
    if let Some(on) = row
        .on
        .first()
        .filter(|on| !on.bounds.clauses_from.is_empty())
    {
        value["clauses_from"] = json!(on.bounds.clauses_from);
    }
    if let Some(given) = at {
        value["at"] = all_at(&row.on, index, given);
        let evaluated = row.evaluated.get(index).and_then(Option::as_ref);
        value["evaluated"] = evaluated.map_or(Value::Null, evaluated_point);
    }
    value
}

/// An upper bound at sizes for which no closed form says it: beside `at`, which is the value of the printed expression.
pub(super) fn evaluated_point(point: &EvaluatedPoint) -> Value {
    let number = |n: &BigInt| upper(&Number::Exact(Rat::from_integer(n.clone())));
    json!({"steps": {
        "first": {"upper": number(&point.first)},
        "all": {"upper": number(&point.all)},
        "upper": number(&point.all),
        "exact_upper": point.all.to_string(),
    }})
}

/// Such upper bounds at several sizes.
pub(super) fn evaluated(evaluated: &Evaluated) -> Value {
    let points = evaluated.points.iter().map(|point| {
        let names = evaluated.sizes.iter().map(|s| s.name.clone());
        let sizes = names.zip(point.sizes.iter().map(|&k| json!(k)));
        let mut value = evaluated_point(point);
        value["sizes"] = object(sizes);
        value
    });
    Value::Array(points.collect())
}

/// The bounds of a pattern on each resource.
fn bounds(all: &[On], index: usize, names: &Names<'_>) -> Value {
    let rows = all.iter().filter_map(|on| {
        let report = on.bounds.report.patterns.get(index)?;
        let main = report.main_piece()?;
        let mut value = resource(report, main, names);
        if on.is_time {
            let (lower, upper) = main.envelope();
            value["display"] = json!(time_text(lower, upper, names));
            value["unit"] = json!("ns");
            let cautious = on.cautious.as_ref()?.report.patterns.get(index)?;
            let (low, high) = cautious.main_piece()?.envelope();
            value["low"] = json!(exact_text(low, names));
            value["high"] = json!(exact_text(high, names));
        }
        Some((on.name.clone(), value))
    });
    object(rows)
}

/// The bounds of a pattern on each resource at given sizes.
pub(super) fn all_at(all: &[On], index: usize, given: &[GivenSize]) -> Value {
    let rows = all.iter().filter_map(|on| {
        let report = on.bounds.report.patterns.get(index)?;
        let mut value = at(&steps_at(report, given));
        if on.is_time {
            let cautious = on.cautious.as_ref()?.report.patterns.get(index)?;
            let cautious = steps_at(cautious, given);
            value["low"] = lower(&cautious.first.lower);
            value["high"] = upper(&cautious.all.upper);
        }
        Some((on.name.clone(), value))
    });
    object(rows)
}

fn interval(i: &Interval, names: &Names<'_>) -> Value {
    json!({"lower": exact_text(&i.lower, names), "upper": exact_text(&i.upper, names)})
}

fn resource(report: &PatternReport, main: &Piece, names: &Names<'_>) -> Value {
    let (lower, upper) = main.envelope();
    let pieces: Vec<Value> = (report.steps.iter())
        .map(|piece| {
            let (lower, upper) = piece.envelope();
            json!({
                "when": region_text(&piece.when, names),
                "lower": exact_text(lower, names),
                "upper": exact_text(upper, names),
                "kind": kind_text(piece.kind),
            })
        })
        .collect();
    json!({
        "first": interval(&main.first, names),
        "all": interval(&main.all, names),
        "lower": exact_text(lower, names),
        "upper": exact_text(upper, names),
        "exact": lower == upper && exact_text(upper, names).is_some(),
        "display": interval_text(lower, upper, names),
        "lower_class": class_text(lower, names),
        "upper_class": class_text(upper, names),
        "pieces": pieces,
        "status": "true",
    })
}

fn unknown(all: &[On], index: usize) -> Value {
    let of = |on: &'_ On| -> Vec<Value> {
        let report = on.bounds.report.patterns.get(index);
        let unknown = report.map_or(&[][..], |r| &r.unknown);
        let row = |(i, u): (usize, &Unknown)| {
            let causes = on.bounds.causes.get(index);
            let place = causes.and_then(|c| c.get(i)?.as_ref());
            json!({
                "resource": on.name,
                "bound": match u.side { Side::Lower => "lower", Side::Upper => "upper" },
                "kind": if u.fuel { "fuel" } else { "unknown" },
                "reason": u.reason,
                "cause": u.cause.to_string(),
                "file": place.map(|p| p.file.as_str()),
                "line": place.map(|p| p.line),
                "help": u.help,
            })
        };
        unknown.iter().enumerate().map(row).collect()
    };
    Value::Array(all.iter().flat_map(of).collect())
}

/// Bounds at given sizes: numbers rounded outward, `"inf"` for a proved divergence, null for unknown.
pub(super) fn at(at: &StepsAt) -> Value {
    let values = |v: &Values| json!({"lower": lower(&v.lower), "upper": upper(&v.upper)});
    json!({
        "first": values(&at.first),
        "all": values(&at.all),
        "lower": lower(&at.first.lower),
        "upper": upper(&at.all.upper),
        "exact_lower": at.first.lower.exact(),
        "exact_upper": at.all.upper.exact(),
    })
}

/// A number not above the value.
pub(super) fn lower(value: &Number) -> Value {
    match value {
        Number::Infinite => json!("inf"),
        other => other.at_most().map_or(Value::Null, Value::from),
    }
}

/// A number not below the value.
pub(super) fn upper(value: &Number) -> Value {
    match value {
        Number::Infinite => json!("inf"),
        other => other.at_least().map_or(Value::Null, Value::from),
    }
}

/// What could not be read, with lines and columns from 1; columns count characters.
pub(super) fn diagnostics(source: &Source, found: &[Diagnostic]) -> Vec<Value> {
    let lines = LineIndex::new(&source.text);
    let row = |d: &Diagnostic| {
        let (line, column) = lines.position(&source.text, d.range.start, Encoding::Utf32);
        json!({
            "file": source.name,
            "line": line + 1,
            "column": column + 1,
            "severity": match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            "code": d.code,
            "message": d.message,
        })
    };
    found.iter().map(row).collect()
}

/// An object from its fields.
pub(super) fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(fields.into_iter().collect::<Map<_, _>>())
}
