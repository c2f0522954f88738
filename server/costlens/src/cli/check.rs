//! `costlens check`.

use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use clap::Args;
use costlens_algebra::Rat;
use costlens_algebra::text::decimal;
use costlens_analysis::verdict::Verdict;
use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::diagnostics::{Diagnostic, Severity, rules};
use costlens_ide::host::Host;
use costlens_ide::present::indicator;
use costlens_ide::present::markup::aligned;
use costlens_ide::present::verdict_text;
use costlens_ide::reports::check::FileCheck;
use costlens_ide::resources::prices;

use super::files::{self, Source};
use super::json::check::{Document, assertion};
use super::output::{Log, coloured, print};
use super::resources::platform;
use super::{Format, Outcome, ReadingOptions, interrupted, json};
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The platform that assertions on time are about; `costlens platforms` lists them.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// How results are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let (sources, usable) = files::read(&options.paths, log);
    let platform = platform(options.platform.as_deref())?;
    let prices = platform.as_ref().map(prices);
    let mut host = Host::unedited();
    let mut all: Vec<(Source, FileCheck)> = Vec::new();
    let files = files::open(
        &mut host,
        &sources,
        &files::areas(&options.paths),
        &options.reading,
        log,
    );
    for (source, file) in sources.into_iter().zip(files) {
        let check = host
            .snapshot()
            .check(file, prices.as_ref())
            .map_err(interrupted)?;
        all.push((source, check));
    }
    match options.format {
        Format::Json => {
            let name = platform.as_ref().map(|p| p.name.as_str());
            print(&json::lines(&as_json(&all, name))?)?;
        }
        Format::Text => print(&as_text(&all))?,
    }
    let wrong = all.iter().any(|(_, c)| {
        c.assertions
            .iter()
            .any(|a| !a.suppressed && a.judged.verdict == Verdict::False)
            || c.diagnostics.iter().any(|d| d.severity == Severity::Error)
    });
    Ok(match (usable, wrong) {
        (false, _) => Outcome::Unusable,
        (true, true) => Outcome::Wrong,
        (true, false) => Outcome::Fine,
    })
}

fn as_text(all: &[(Source, FileCheck)]) -> String {
    let renderer = if coloured() {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    let count = |what: &str, n: usize, counts: &mut Vec<String>| {
        if n > 0 {
            counts.push(format!("{n} {what}"));
        }
    };
    let mut rows = Vec::new();
    let (mut numbers, mut problems, mut ignored) = ([0_usize; 3], 0, 0);
    for (source, check) in all {
        let lines = LineIndex::new(&source.text);
        for d in &check.diagnostics {
            problems += 1;
            out.push_str(&renderer.render(&[problem(source, d)]));
            out.push_str("\n\n");
        }
        for a in &check.assertions {
            if a.suppressed && a.judged.verdict == Verdict::False {
                ignored += 1;
                continue;
            }
            numbers[a.judged.verdict as usize] += 1;
            if a.judged.verdict == Verdict::False {
                out.push_str(&renderer.render(&falsified(source, a)));
                out.push_str("\n\n");
                continue;
            }
            let line = lines
                .position(&source.text, a.range.start, Encoding::Utf8)
                .0
                + 1;
            rows.push(vec![
                match a.judged.verdict {
                    Verdict::Check => "not decided".to_owned(),
                    other => verdict_text(other).to_owned(),
                },
                format!("{}:{line}", source.name),
                indicator(&a.judged.predicate),
                a.judged.text.clone(),
                match (&a.judged.reason, a.rests_on.as_slice()) {
                    (Some(reason), _) => reason.clone(),
                    (None, []) => String::new(),
                    (None, lines) => format!("on trust: {}", lines.join(", ")),
                },
            ]);
        }
    }
    out.push_str(&aligned(&rows, ""));
    let mut counts = Vec::new();
    count("false", numbers[Verdict::False as usize], &mut counts);
    count("checked", numbers[Verdict::Checked as usize], &mut counts);
    count("not decided", numbers[Verdict::Check as usize], &mut counts);
    count("not readable", problems, &mut counts);
    count("false and ignored", ignored, &mut counts);
    let total = numbers.iter().sum::<usize>() + ignored;
    let counts = if counts.is_empty() {
        String::new()
    } else {
        format!(": {}", counts.join(", "))
    };
    let plural = if total == 1 { "" } else { "s" };
    out.push_str(&format!("{total} assertion{plural}{counts}\n"));
    out
}

fn falsified<'a>(source: &'a Source, a: &'a AssertionCheck) -> Vec<Group<'a>> {
    // The sizes belong to the place, the bounds below it.
    let (label, bounds) = match a.message.split_once(": inferred ") {
        Some((sizes, bounds)) => (sizes, Some(format!("inferred {bounds}"))),
        None => (a.message.as_str(), None),
    };
    let mut snippet = Snippet::source(source.text.as_str())
        .path(source.name.as_str())
        .annotation(
            AnnotationKind::Primary
                .span(within(&source.text, &a.range))
                .label(label),
        );
    if let Some(head) = &a.head {
        snippet = snippet.annotation(
            AnnotationKind::Context
                .span(within(&source.text, head))
                .label(format!(
                    "`{}` is defined here",
                    indicator(&a.judged.predicate)
                )),
        );
    }
    let mut group = Level::ERROR
        .primary_title(format!(
            "an assertion about `{}` is false",
            indicator(&a.judged.predicate)
        ))
        .id(rules::ASSERTION_FALSE.id())
        .element(snippet);
    if let Some(bounds) = bounds {
        group = group.element(Level::NOTE.message(bounds));
    }
    if let Some(w) = &a.judged.witness {
        let sizes: Vec<String> = w.sizes.iter().map(|(n, k)| format!("{n} = {k}")).collect();
        let exact = |v: &Option<Rat>| v.as_ref().map_or_else(|| "unknown".to_owned(), decimal);
        group = group.element(Level::NOTE.message(format!(
            "for {}: {} steps, asserted {}",
            sizes.join(", "),
            exact(&w.inferred),
            exact(&w.asserted)
        )));
    }
    vec![group]
}

fn problem<'a>(source: &'a Source, d: &'a Diagnostic) -> Group<'a> {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    level
        .primary_title(d.message.as_str())
        .id(d.rule.id())
        .element(
            Snippet::source(source.text.as_str())
                .path(source.name.as_str())
                .annotation(AnnotationKind::Primary.span(within(&source.text, &d.range))),
        )
}

/// A range inside the text, on character boundaries.
fn within(text: &str, range: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(range.start);
    start..text.ceil_char_boundary(range.end).max(start)
}

fn as_json(all: &[(Source, FileCheck)], platform: Option<&str>) -> Document {
    let mut document = Document::new(platform);
    for (source, check) in all {
        let lines = LineIndex::new(&source.text);
        let line = |offset| lines.position(&source.text, offset, Encoding::Utf8).0 + 1;
        let assertions = check.assertions.iter();
        (document.assertions)
            .extend(assertions.map(|a| assertion(&source.name, line(a.range.start), a)));
        let diagnostics = json::diagnostics(source, &check.diagnostics);
        document.diagnostics.extend(diagnostics);
    }
    document
}
