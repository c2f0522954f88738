//! `costlens bounds`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, anyhow};
use clap::Args;
use costlens_analysis::report::{
    Bound, EvaluatedPoint, Origin, PatternReport, PredicateName, Side, SizeVariable,
};
use costlens_ide::at::{GivenSize, steps_at};
use costlens_ide::bounds::PredicateBounds;
use costlens_ide::diagnostics::{Diagnostic, SYNTAX};
use costlens_ide::host::{Cancelled, File, Host};
use costlens_ide::markdown::indicator;
use costlens_ide::present::{
    class_readable, describe, determinism_text, first_is_all, names, pattern_head, size_meaning,
};
use costlens_ide::regions::region_readable;
use costlens_ide::resources::{duration_text, time_text};
use costlens_ide::shares::Shares;
use serde_json::{Value, json};

use super::files::{self, Source};
use super::output::{Log, aligned, print};
use super::resources::{Named, On, asked, parse_resource, platform};
use super::sizes::{parse_at, parse_indicator, parse_point};
use super::{Format, Outcome, ReadingOptions, certificate, json, shares};
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only this predicate; may be given several times.
    #[arg(long, value_name = "NAME/ARITY", value_parser = parse_indicator)]
    predicate: Vec<PredicateName>,
    /// What is counted: `steps` (resolution steps, where nothing else is asked for), `time` on a platform, or an event such as
    /// `giunif`, `is/2`, `op(+/2)`; may be given several times.
    #[arg(long, value_name = "NAME", value_parser = parse_resource)]
    resource: Vec<Named>,
    /// The platform whose constants make times of events; `costlens platforms` lists them.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Evaluate the bounds: `1=30,2=5` gives argument 1 the size 30 and argument 2 the size 5.
    #[arg(long, value_name = "SIZES", value_parser = |s: &str| parse_at(s).map(At))]
    at: Option<At>,
    /// Evaluate the bounds at many points: a file of lines `{"pred":"nrev/2","sizes":{"1":30}}`.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "at")]
    sizes: Option<PathBuf>,
    /// Write the equations, the bounds and their proofs to a file, for `costlens verify`.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Instead of the bounds: how many predicates have some, and what keeps the others from one.
    #[arg(long, conflicts_with_all = ["at", "sizes", "resource", "certificate"])]
    summary: bool,
    #[command(flatten)]
    reading: ReadingOptions,
    /// How results are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A list of sizes as one argument.
#[derive(Clone, Debug)]
struct At(Vec<GivenSize>);

/// The bounds of a file's predicates on all resources that are asked for.
struct FileRows {
    source: Source,
    file: File,
    module: String,
    diagnostics: Vec<Diagnostic>,
    rests_on: Vec<String>,
    predicates: Vec<Row>,
}

/// The bounds of a predicate.
pub(super) struct Row {
    pub(super) steps: PredicateBounds,
    /// One for each resource that is asked for.
    pub(super) on: Vec<On>,
    /// For each pattern, its upper bound on steps at the sizes that are asked for, where no closed form says it.
    pub(super) evaluated: Vec<Option<EvaluatedPoint>>,
}

impl Row {
    /// The bounds on steps alone.
    pub(super) fn of_steps(steps: PredicateBounds) -> Self {
        Row {
            on: vec![On::steps(steps.clone())],
            steps,
            evaluated: Vec::new(),
        }
    }

    /// The upper bound on steps at given sizes, where no closed form says it.
    fn evaluate(
        &self,
        host: &Host,
        file: File,
        pattern: usize,
        given: &[GivenSize],
    ) -> anyhow::Result<Option<EvaluatedPoint>> {
        let report = &self.steps.report;
        let Some(asked) = report.patterns.get(pattern) else {
            return Ok(None);
        };
        if !self.on.iter().any(|on| on.name == "steps") {
            return Ok(None);
        }
        (host.snapshot())
            .evaluate(file, &report.predicate, asked, given)
            .map_err(interrupted)
    }

    fn is(&self, predicate: &PredicateName) -> bool {
        self.steps.report.predicate == *predicate
    }

    /// The sizes that the bounds of a pattern mention, whatever resource they are on.
    pub(super) fn sizes(&self, index: usize) -> Vec<SizeVariable> {
        let of = |p: &PredicateBounds| p.report.patterns.get(index).map(|r| r.sizes.clone());
        let mut sizes: Vec<SizeVariable> = of(&self.steps).unwrap_or_default();
        for size in self.on.iter().filter_map(|on| of(&on.bounds)).flatten() {
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
        sizes.sort_by_key(|s| (s.argument, s.var));
        sizes
    }
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let (sources, usable) = files::read(&options.paths, log);
    let mut outcome = if usable {
        Outcome::Fine
    } else {
        Outcome::Unusable
    };
    let platform = platform(options.platform.as_deref())?;
    let asked = asked(&options.resource, platform.as_ref())?;
    let mut host = Host::unedited();
    let mut all: Vec<FileRows> = Vec::new();
    let mut systems = Vec::new();
    let files = files::open(
        &mut host,
        &sources,
        &files::areas(&options.paths),
        &options.reading,
        log,
    );
    let threads = files::threads();
    (host.snapshot())
        .prepare(&files, threads)
        .map_err(interrupted)?;
    if options.summary {
        return summary(options, &host, &files, threads, outcome, log);
    }
    for (source, file) in sources.into_iter().zip(files) {
        let snapshot = host.snapshot();
        let bounds = snapshot.bounds(file).map_err(interrupted)?;
        let count = bounds.predicates.len();
        log.detail(&format!("`{}`: {count} predicates", source.name));
        if options.format != Format::Json {
            warn_of_unread(&source, &bounds.diagnostics, log);
        }
        let mut on: Vec<Vec<On>> = bounds.predicates.iter().map(|_| Vec::new()).collect();
        for asked in &asked {
            let found = asked.of(&snapshot, file, &bounds.predicates);
            for (row, on) in on.iter_mut().zip(found.map_err(interrupted)?) {
                row.push(on);
            }
        }
        if options.certificate.is_some() {
            for p in &bounds.predicates {
                let report = &p.report;
                if !options.predicate.is_empty() && !options.predicate.contains(&report.predicate) {
                    continue;
                }
                for pattern in &report.patterns {
                    let found = snapshot.certificates(file, &report.predicate, &pattern.pattern);
                    systems.extend(found.map_err(interrupted)?.iter().map(certificate::system));
                }
            }
        }
        let rows = bounds.predicates.into_iter().zip(on);
        all.push(FileRows {
            source,
            file,
            module: bounds.module,
            diagnostics: bounds.diagnostics,
            rests_on: bounds.rests_on,
            predicates: rows
                .map(|(steps, on)| Row {
                    steps,
                    on,
                    evaluated: Vec::new(),
                })
                .collect(),
        });
    }
    for wanted in &options.predicate {
        if !all
            .iter()
            .any(|f| f.predicates.iter().any(|p| p.is(wanted)))
        {
            log.error(&format!("no file defines `{}`", indicator(wanted)));
            outcome = Outcome::Unusable;
        }
    }
    if !options.predicate.is_empty() {
        for file in &mut all {
            file.predicates
                .retain(|p| options.predicate.contains(&p.steps.report.predicate));
        }
        all.retain(|file| !file.predicates.is_empty());
    }
    if let Some(path) = &options.certificate {
        let text = certificate::document(&systems).to_string();
        let name = path.display();
        std::fs::write(path, text).with_context(|| format!("cannot write `{name}`"))?;
    }
    let at = options.at.as_ref().map(|a| a.0.as_slice());
    if let Some(points) = &options.sizes {
        evaluate_points(points, &all)?;
        return Ok(outcome);
    }
    if let Some(given) = at {
        for file in &mut all {
            for row in &mut file.predicates {
                for i in 0..row.steps.report.patterns.len() {
                    let point = row.evaluate(&host, file.file, i, given)?;
                    row.evaluated.push(point);
                }
            }
        }
    }
    match options.format {
        Format::Json => {
            let name = platform.as_ref().map(|p| p.name.as_str());
            print(&json::lines(&as_json(&all, name, at)))?;
        }
        Format::Text => print(&as_text(&all, at))?,
    }
    Ok(outcome)
}

/// Counts the predicates instead of showing their bounds.
fn summary(
    options: &Options,
    host: &Host,
    files: &[File],
    threads: usize,
    mut outcome: Outcome,
    log: &Log,
) -> anyhow::Result<Outcome> {
    let found: Mutex<BTreeSet<PredicateName>> = Mutex::default();
    let asked = |name: &PredicateName| {
        let is_asked = options.predicate.contains(name);
        if is_asked {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.insert(name.clone());
        }
        is_asked || options.predicate.is_empty()
    };
    let of_files = (host.snapshot())
        .count(files, threads, &asked)
        .map_err(interrupted)?;
    let (mut shares, mut counted) = (Shares::default(), 0);
    for of_file in of_files {
        counted += usize::from(options.predicate.is_empty() || of_file.predicates > 0);
        shares.add_all(of_file);
    }
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let missing = options
        .predicate
        .iter()
        .filter(|name| !found.contains(name));
    for wanted in missing {
        log.error(&format!("no file defines `{}`", indicator(wanted)));
        outcome = Outcome::Unusable;
    }
    match options.format {
        Format::Json => {
            let found = shares::as_json(&shares, counted);
            let value = json!({"schema": json::SCHEMA, "platform": null, "shares": found});
            print(&json::lines(&value))?;
        }
        Format::Text => print(&shares::as_text(&shares, counted))?,
    }
    Ok(outcome)
}

/// Nothing writes while a command runs.
pub(super) fn interrupted(_: Cancelled) -> anyhow::Error {
    anyhow!("the analysis was interrupted")
}

/// Answers the points of a file, one line each.
fn evaluate_points(path: &Path, all: &[FileRows]) -> anyhow::Result<()> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let point = parse_point(line).map_err(|e| anyhow!("{name}, line {}: {e}", i + 1))?;
        let found = (all.iter().flat_map(|f| &f.predicates)).find(|p| p.is(&point.predicate));
        let at = (found.filter(|p| !p.steps.report.patterns.is_empty()))
            .map_or(Value::Null, |p| json::all_at(&p.on, 0, &point.given));
        let mut answer = point.fields;
        answer.insert("at".to_owned(), at);
        out.push_str(&Value::Object(answer).to_string());
        out.push('\n');
    }
    print(&out)?;
    Ok(())
}

/// Of so many clauses of a file that cannot be read is told one by one.
const MOST_UNREAD: usize = 10;

/// Tells of clauses that cannot be read: what is said of their predicates, and of those that call them, is said without them.
fn warn_of_unread(source: &Source, diagnostics: &[Diagnostic], log: &Log) {
    let unread: Vec<&Diagnostic> = (diagnostics.iter()).filter(|d| d.code == SYNTAX).collect();
    let lines = LineIndex::new(&source.text);
    for d in unread.iter().take(MOST_UNREAD) {
        let (line, column) = lines.position(&source.text, d.range.start, Encoding::Utf8);
        log.warning(&format!(
            "{}:{}:{}: {}: the clause is not read",
            source.name,
            line + 1,
            column + 1,
            d.message
        ));
    }
    if let Some(more @ 1..) = unread.len().checked_sub(MOST_UNREAD) {
        log.warning(&format!("{}: and {more} more clauses", source.name));
    }
}

fn as_json(all: &[FileRows], platform: Option<&str>, at: Option<&[GivenSize]>) -> Value {
    let (mut predicates, mut diagnostics, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for file in all {
        let source = &file.source;
        files.push(json!({"file": source.name, "module": file.module, "rests_on": file.rests_on}));
        diagnostics.extend(json::diagnostics(source, &file.diagnostics));
        let lines = LineIndex::new(&source.text);
        for p in &file.predicates {
            let offset = p.steps.offset;
            let line = lines.position(&source.text, offset, Encoding::Utf8).0 + 1;
            predicates.push(json::predicate(&source.name, &file.module, line, p, at));
        }
    }
    json!({"schema": json::SCHEMA, "platform": platform, "files": files, "predicates": predicates, "diagnostics": diagnostics})
}

fn as_text(all: &[FileRows], at: Option<&[GivenSize]>) -> String {
    let mut out = String::new();
    let mut inferred = false;
    for file in all {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&file.source.name);
        out.push('\n');
        if file.predicates.is_empty() {
            out.push_str("  no predicates\n");
            continue;
        }
        // Rows align over the file; what belongs below a row is kept apart until then.
        let (mut rows, mut below) = (Vec::new(), Vec::new());
        for p in &file.predicates {
            for i in 0..p.steps.report.patterns.len() {
                let mut lines = Vec::new();
                for (k, on) in p.on.iter().enumerate() {
                    let Some(pattern) = on.bounds.report.patterns.get(i) else {
                        continue;
                    };
                    // The first resource has the row, the others a line each below.
                    if k == 0 {
                        inferred |= pattern.origin == Origin::Inferred;
                        let evaluated = p.evaluated.get(i).and_then(Option::as_ref);
                        rows.push(row(on, pattern, &p.sizes(i), at, evaluated));
                    } else {
                        lines.push(format!("{}: {}", on.name, other(on, pattern, at)));
                    }
                    lines.extend(details(on, pattern, i));
                }
                below.push(lines);
            }
            if p.steps.report.patterns.is_empty() {
                rows.push(vec![
                    indicator(&p.steps.report.predicate),
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
fn row(
    on: &On,
    pattern: &PatternReport,
    sizes: &[SizeVariable],
    at: Option<&[GivenSize]>,
    evaluated: Option<&EvaluatedPoint>,
) -> Vec<String> {
    let names = names(&pattern.sizes);
    let p = &on.bounds;
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
            let text = if on.is_time {
                time_text(lower, upper, &names)
            } else {
                describe(piece.kind, lower, upper, &names)
            };
            (class, text)
        }
    };
    let meanings: Vec<String> = (sizes.iter())
        .map(|s| size_meaning(s, &p.arguments))
        .collect();
    let mut cells = vec![
        format!("{mark}{head}"),
        determinism_text(pattern.determinism).to_owned(),
        class,
        bounds,
    ];
    if let Some(given) = at {
        let mut shown = values(on, pattern, given);
        if let Some(point) = evaluated.filter(|_| on.name == "steps") {
            shown.push_str(&format!(" (at most {} by the recurrence)", point.all));
        }
        cells.push(shown);
    }
    cells.push(meanings.join(", "));
    cells
}

/// The bounds on another resource than that of the row.
fn other(on: &On, pattern: &PatternReport, at: Option<&[GivenSize]>) -> String {
    let names = names(&pattern.sizes);
    let Some(piece) = pattern.main_piece() else {
        return "nothing is known".to_owned();
    };
    let (lower, upper) = piece.envelope();
    let text = if on.is_time {
        time_text(lower, upper, &names)
    } else {
        describe(piece.kind, lower, upper, &names)
    };
    match at {
        Some(given) => format!("{text}, {}", values(on, pattern, given)),
        None => text,
    }
}

/// `at: 496`, `at: 30 to 496`.
fn values(on: &On, pattern: &PatternReport, given: &[GivenSize]) -> String {
    let at = steps_at(pattern, given);
    let show = |v: &costlens_ide::at::Value| match v {
        costlens_ide::at::Value::Infinite => "diverges".to_owned(),
        other => (if on.is_time {
            other.at_least().map(duration_text)
        } else {
            other.exact()
        })
        .unwrap_or_else(|| "?".to_owned()),
    };
    let (lower, upper) = (show(&at.first.lower), show(&at.all.upper));
    if lower == upper {
        format!("at: {upper}")
    } else {
        format!("at: {lower} to {upper}")
    }
}

/// Pieces, first solutions and reasons, a line each.
fn details(on: &On, pattern: &PatternReport, index: usize) -> Vec<String> {
    let names = names(&pattern.sizes);
    let mut lines = Vec::new();
    let p = &on.bounds;
    let text = |kind, lower: &Bound, upper: &Bound| {
        if on.is_time {
            time_text(lower, upper, &names)
        } else {
            describe(kind, lower, upper, &names)
        }
    };
    if let Some(piece) = pattern.main_piece()
        && !first_is_all(pattern)
        && piece.first != piece.all
    {
        lines.push(format!(
            "to the first solution: {}",
            text(piece.kind, &piece.first.lower, &piece.first.upper)
        ));
    }
    for (i, piece) in pattern.steps.iter().enumerate() {
        if i != pattern.main {
            let (lower, upper) = piece.envelope();
            let when = region_readable(&piece.when, &names);
            lines.push(format!("for {when}: {}", text(piece.kind, lower, upper)));
        }
    }
    if index == 0 && !p.clauses_from.is_empty() {
        lines.push(format!("clauses of {}", p.clauses_from.join(", ")));
    }
    if let Some(trust) = p.rests_on.get(index).filter(|t| !t.is_empty()) {
        lines.push(format!("rests on trust: {}", trust.join(", ")));
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
