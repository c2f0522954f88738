//! `costlens bounds`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use costlens_analysis::report::{Origin, PatternReport, PredicateName, Side};
use costlens_ide::at::{GivenSize, steps_at};
use costlens_ide::bounds::{FileBounds, PredicateBounds};
use costlens_ide::host::{Cancelled, Host};
use costlens_ide::markdown::indicator;
use costlens_ide::present::{
    class_readable, describe, determinism_text, first_is_all, names, pattern_head, size_meaning,
};
use costlens_ide::regions::region_readable;
use serde_json::{Value, json};

use super::files::{self, Source};
use super::output::{Log, aligned, print};
use super::sizes::{parse_at, parse_indicator, parse_point};
use super::{Format, Outcome, json};
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only this predicate; may be given several times.
    #[arg(long, value_name = "NAME/ARITY", value_parser = parse_indicator)]
    predicate: Vec<PredicateName>,
    /// What is counted. `steps`, resolution steps, is the one resource of this version.
    #[arg(long, value_name = "NAME", default_value = "steps", value_parser = parse_resource)]
    resource: Vec<String>,
    /// Evaluate the bounds: `1=30,2=5` gives argument 1 the size 30 and argument 2 the size 5.
    #[arg(long, value_name = "SIZES", value_parser = |s: &str| parse_at(s).map(At))]
    at: Option<At>,
    /// Evaluate the bounds at many points: a file of lines `{"pred":"nrev/2","sizes":{"1":30}}`.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "at")]
    sizes: Option<PathBuf>,
    /// How results are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A list of sizes as one argument.
#[derive(Clone, Debug)]
struct At(Vec<GivenSize>);

fn parse_resource(name: &str) -> Result<String, String> {
    if name == "steps" {
        Ok(name.to_owned())
    } else {
        Err(format!(
            "bounds on `{name}` are not inferred by this version: the only resource is `steps`"
        ))
    }
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let (sources, usable) = files::read(&options.paths, log);
    let mut outcome = if usable {
        Outcome::Fine
    } else {
        Outcome::Unusable
    };
    let mut host = Host::new();
    let mut all: Vec<(Source, FileBounds)> = Vec::new();
    for source in sources {
        let file = host.open(&source.name, &source.text);
        let bounds = host.snapshot().bounds(file).map_err(interrupted)?;
        let count = bounds.predicates.len();
        log.detail(&format!("`{}`: {count} predicates", source.name));
        all.push((source, bounds));
    }
    for wanted in &options.predicate {
        let has = |b: &FileBounds| b.predicates.iter().any(|p| p.report.predicate == *wanted);
        if !all.iter().any(|(_, b)| has(b)) {
            log.error(&format!("no file defines `{}`", indicator(wanted)));
            outcome = Outcome::Unusable;
        }
    }
    if !options.predicate.is_empty() {
        for (_, bounds) in &mut all {
            bounds
                .predicates
                .retain(|p| options.predicate.contains(&p.report.predicate));
        }
        all.retain(|(_, bounds)| !bounds.predicates.is_empty());
    }
    let at = options.at.as_ref().map(|a| a.0.as_slice());
    if let Some(points) = &options.sizes {
        evaluate_points(points, &all)?;
        return Ok(outcome);
    }
    match options.format {
        Format::Json => print(&json::lines(&as_json(&all, at)))?,
        Format::Text => print(&as_text(&all, at))?,
    }
    Ok(outcome)
}

/// Nothing writes while a command runs.
pub(super) fn interrupted(_: Cancelled) -> anyhow::Error {
    anyhow!("the analysis was interrupted")
}

/// Answers the points of a file, one line each.
fn evaluate_points(path: &Path, all: &[(Source, FileBounds)]) -> anyhow::Result<()> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let point = parse_point(line).map_err(|e| anyhow!("{name}, line {}: {e}", i + 1))?;
        let found = (all.iter().flat_map(|(_, b)| &b.predicates))
            .find(|p| p.report.predicate == point.predicate);
        let at = (found.and_then(|p| p.report.patterns.first())).map_or(
            Value::Null,
            |p| json!({"steps": json::at(&steps_at(p, &point.given))}),
        );
        let mut answer = point.fields;
        answer.insert("at".to_owned(), at);
        out.push_str(&Value::Object(answer).to_string());
        out.push('\n');
    }
    print(&out)?;
    Ok(())
}

fn as_json(all: &[(Source, FileBounds)], at: Option<&[GivenSize]>) -> Value {
    let (mut predicates, mut diagnostics) = (Vec::new(), Vec::new());
    for (source, bounds) in all {
        diagnostics.extend(json::diagnostics(source, &bounds.diagnostics));
        let lines = LineIndex::new(&source.text);
        for p in &bounds.predicates {
            let line = lines.position(&source.text, p.offset, Encoding::Utf8).0 + 1;
            predicates.push(json::predicate(&source.name, &bounds.module, line, p, at));
        }
    }
    json!({"schema": json::SCHEMA, "platform": null, "predicates": predicates, "diagnostics": diagnostics})
}

fn as_text(all: &[(Source, FileBounds)], at: Option<&[GivenSize]>) -> String {
    let mut out = String::new();
    let mut inferred = false;
    for (source, bounds) in all {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&source.name);
        out.push('\n');
        if bounds.predicates.is_empty() {
            out.push_str("  no predicates\n");
            continue;
        }
        // Rows align over the file; what belongs below a row is kept apart until then.
        let (mut rows, mut below) = (Vec::new(), Vec::new());
        for p in &bounds.predicates {
            for (i, pattern) in p.report.patterns.iter().enumerate() {
                inferred |= pattern.origin == Origin::Inferred;
                rows.push(row(p, pattern, at));
                below.push(details(p, pattern, i));
            }
            if p.report.patterns.is_empty() {
                rows.push(vec![
                    indicator(&p.report.predicate),
                    "no call pattern".to_owned(),
                ]);
                below.push(Vec::new());
            }
        }
        let table = aligned(&rows, "  ");
        for (line, details) in table.lines().zip(below) {
            out.push_str(line);
            out.push('\n');
            for detail in details {
                out.push_str("      ");
                out.push_str(&detail);
                out.push('\n');
            }
        }
    }
    if inferred {
        out.push_str("\n~ the call pattern is inferred from the clauses, not declared\n");
    }
    out
}

/// The pattern, its determinism, its class, its bounds, their sizes.
fn row(p: &PredicateBounds, pattern: &PatternReport, at: Option<&[GivenSize]>) -> Vec<String> {
    let names = names(&pattern.sizes);
    let mark = if pattern.origin == Origin::Inferred {
        "~"
    } else {
        ""
    };
    let head = pattern_head(&p.report.predicate.name, &pattern.pattern, &p.arguments);
    let (class, bounds) = match pattern.main_piece() {
        None => (String::new(), "nothing is known".to_owned()),
        Some(piece) => {
            let (lower, upper) = piece.envelope();
            let class = class_readable(upper, &names).unwrap_or_default();
            (class, describe(piece.kind, lower, upper, &names))
        }
    };
    let meanings: Vec<String> = (pattern.sizes.iter())
        .map(|s| size_meaning(s, &p.arguments))
        .collect();
    let mut cells = vec![
        format!("{mark}{head}"),
        determinism_text(pattern.determinism).to_owned(),
        class,
        bounds,
    ];
    if let Some(given) = at {
        let at = steps_at(pattern, given);
        let show = |v: &costlens_ide::at::Value| match v {
            costlens_ide::at::Value::Infinite => "diverges".to_owned(),
            other => other.exact().unwrap_or_else(|| "?".to_owned()),
        };
        let (lower, upper) = (show(&at.first.lower), show(&at.all.upper));
        cells.push(if lower == upper {
            format!("at: {upper}")
        } else {
            format!("at: {lower} to {upper}")
        });
    }
    cells.push(meanings.join(", "));
    cells
}

/// Pieces, first solutions and reasons, a line each.
fn details(p: &PredicateBounds, pattern: &PatternReport, index: usize) -> Vec<String> {
    let names = names(&pattern.sizes);
    let mut lines = Vec::new();
    if let Some(piece) = pattern.main_piece()
        && !first_is_all(pattern)
        && piece.first != piece.all
    {
        lines.push(format!(
            "to the first solution: {}",
            describe(piece.kind, &piece.first.lower, &piece.first.upper, &names)
        ));
    }
    for (i, piece) in pattern.steps.iter().enumerate() {
        if i != pattern.main {
            let (lower, upper) = piece.envelope();
            let when = region_readable(&piece.when, &names);
            lines.push(format!(
                "for {when}: {}",
                describe(piece.kind, lower, upper, &names)
            ));
        }
    }
    for (i, u) in pattern.unknown.iter().enumerate() {
        let place = (p.causes.get(index).and_then(|c| c.get(i)?.as_ref()))
            .map_or_else(String::new, |place| {
                format!(" ({}:{})", place.file, place.line)
            });
        let side = match u.side {
            Side::Lower => "lower",
            Side::Upper => "upper",
        };
        let help = if u.help.is_empty() {
            String::new()
        } else {
            format!(" {}", u.help)
        };
        let reason = u.reason.trim_end_matches('.');
        lines.push(format!(
            "no {side} bound: in {}{place}, {reason}.{help}",
            indicator(&u.cause)
        ));
    }
    lines
}
