//! `--format text`: problems, drawn at their source lines.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use costlens_algebra::Rat;
use costlens_algebra::text::decimal;
use costlens_analysis::verdict::Verdict;
use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::diagnostics::{Diagnostic, Severity, rules};
use costlens_ide::present::indicator;
use costlens_ide::present::markup::aligned;
use costlens_ide::present::verdict_text;
use costlens_ide::reports::changes::{Change, ChangeKind};

use super::Results;
use super::finding::word_end;
use crate::cli::files::Source;
use crate::cli::output::coloured;
use crate::lines::{Encoding, LineIndex};

/// Formats problems at their source lines, then a line for each other assertion and each other change, then counts.
pub(super) fn text(results: &Results) -> String {
    let renderer = renderer();
    let (mut out, mut rows, mut numbers) = (String::new(), Vec::new(), Numbers::default());
    for (source, check) in &results.files {
        let lines = LineIndex::new(&source.text);
        for d in &check.diagnostics {
            numbers.add_diagnostic(d);
            out.push_str(&renderer.render(&[problem(source, d)]));
            out.push_str("\n\n");
        }
        for a in &check.assertions {
            let is_false = a.judged.verdict == Verdict::False;
            numbers.add_assertion(a);
            if !is_false {
                rows.push(row(source, &lines, a));
            } else if !a.suppressed {
                out.push_str(&renderer.render(&falsified(source, a)));
                out.push_str("\n\n");
            }
        }
    }
    out.push_str(&aligned(&rows, ""));
    out.push_str(&numbers.text());
    if !results.changes.is_empty() {
        out.push('\n');
        out.push_str(&changes(results));
    }
    out
}

/// Returns the columns for an assertion that is not false: its verdict, its place, and its text.
fn row(source: &Source, lines: &LineIndex, a: &AssertionCheck) -> Vec<String> {
    let (line, _) = lines.position(&source.text, a.range.start, Encoding::Utf8);
    vec![
        match a.judged.verdict {
            Verdict::Check => "not decided".to_owned(),
            other => verdict_text(other).to_owned(),
        },
        format!("{}:{}", source.name, line + 1),
        indicator(&a.judged.predicate),
        a.judged.text.clone(),
        match (&a.judged.reason, a.rests_on.as_slice()) {
            (Some(reason), _) => reason.clone(),
            (None, []) => String::new(),
            (None, lines) => format!("on trust: {}", lines.join(", ")),
        },
    ]
}

/// The numbers of assertions by verdict and of other findings.
#[derive(Default)]
struct Numbers {
    verdicts: [usize; 3],
    ignored: usize,
    unread: usize,
    over: usize,
    warnings: usize,
}

impl Numbers {
    fn add_diagnostic(&mut self, d: &Diagnostic) {
        match (d.rule == &rules::BUDGET, d.severity) {
            (true, _) => self.over += 1,
            (false, Severity::Error) => self.unread += 1,
            (false, Severity::Warning) => self.warnings += 1,
        }
    }

    fn add_assertion(&mut self, a: &AssertionCheck) {
        match a.judged.verdict {
            Verdict::False if a.suppressed => self.ignored += 1,
            verdict => self.verdicts[verdict as usize] += 1,
        }
    }

    /// Formats the numbers: a line for assertions, then lines for other findings.
    fn text(&self) -> String {
        let of = |verdict: Verdict| self.verdicts[verdict as usize];
        let counts = [
            (of(Verdict::False), "false"),
            (of(Verdict::Checked), "checked"),
            (of(Verdict::Check), "not decided"),
            (self.unread, "not readable"),
            (self.ignored, "false and ignored"),
        ];
        let counts: Vec<String> = (counts.iter().filter(|(n, _)| *n > 0))
            .map(|(n, verdict)| format!("{n} {verdict}"))
            .collect();
        let counts = match counts.is_empty() {
            true => String::new(),
            false => format!(": {}", counts.join(", ")),
        };
        let total = self.verdicts.iter().sum::<usize>() + self.ignored;
        let plural = if total == 1 { "" } else { "s" };
        let mut out = format!("{total} assertion{plural}{counts}\n");
        let others = [
            (
                self.over,
                "finding about a budget",
                "findings about budgets",
            ),
            (self.warnings, "warning", "warnings"),
        ];
        let others: Vec<String> = (others.into_iter().filter(|(n, ..)| *n > 0))
            .map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }))
            .collect();
        if !others.is_empty() {
            out.push_str(&format!("{}\n", others.join(", ")));
        }
        out
    }
}

/// Formats the changes: regressions at their source lines, a line for each other change, and the numbers of both.
pub(super) fn changes(results: &Results) -> String {
    let changes = &results.changes;
    let (renderer, mut out) = (renderer(), String::new());
    let (dearer, others): (Vec<_>, Vec<_>) = (changes.iter()).partition(|(_, c)| c.is_regression());
    for (file, change) in &dearer {
        out.push_str(&renderer.render(&[regression(
            &results.files[*file].0,
            change,
            results.severity,
        )]));
        out.push_str("\n\n");
    }
    for (_, change) in &others {
        let note = if change.is_suppressed {
            " (ignored)"
        } else {
            ""
        };
        out.push_str(&format!("{}: {}{note}\n", change.file, change.sentence()));
    }
    let of = |kind: ChangeKind| dearer.iter().filter(|(_, c)| c.kind == kind).count();
    let (incomparable, exceptions) = (of(ChangeKind::Incomparable), of(ChangeKind::Exception));
    let mut counts = vec![format!(
        "{} dearer",
        dearer.len() - incomparable - exceptions
    )];
    for (count, what) in [
        (exceptions, "may raise an exception"),
        (incomparable, "incomparable"),
    ] {
        if count > 0 {
            counts.push(format!("{count} {what}"));
        }
    }
    out.push_str(&match changes.len() {
        0 => "nothing changed\n".to_owned(),
        1 => format!("1 change: {}\n", counts.join(", ")),
        count => format!("{count} changes: {}\n", counts.join(", ")),
    });
    out
}

fn renderer() -> Renderer {
    match coloured() {
        true => Renderer::styled(),
        false => Renderer::plain(),
    }
}

fn falsified<'a>(source: &'a Source, a: &'a AssertionCheck) -> Vec<Group<'a>> {
    // The sizes are in the label at the place, the bounds below the source lines.
    let (label, bounds) = match a.message.split_once(": inferred ") {
        Some((sizes, bounds)) => (sizes, Some(format!("inferred {bounds}"))),
        None => (a.message.as_str(), None),
    };
    let mut snippet = Snippet::source(source.text.as_str())
        .path(source.name.as_str())
        .annotation(
            AnnotationKind::Primary
                .span(clamped(&source.text, &a.range))
                .label(label),
        );
    if let Some(head) = &a.head {
        snippet = snippet.annotation(
            AnnotationKind::Context
                .span(clamped(&source.text, head))
                .label(format!(
                    "`{}` is defined here",
                    indicator(&a.judged.predicate)
                )),
        );
    }
    if let Some(call) = &a.dominating {
        let goal = call.range.start..word_end(&source.text, call.range.start);
        snippet = snippet.annotation(
            AnnotationKind::Context
                .span(clamped(&source.text, &goal))
                .label(call.message.as_str()),
        );
    }
    let mut group = level(a.severity)
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
        let place = match sizes.as_slice() {
            // The witness has no sizes.
            [] => String::new(),
            sizes => format!("for {}: ", sizes.join(", ")),
        };
        let exact = |v: &Option<Rat>| v.as_ref().map_or_else(|| "unknown".to_owned(), decimal);
        let asserted = match &w.asserted {
            Some(value) => format!(", asserted {}", decimal(value)),
            None => String::new(),
        };
        group = group.element(Level::NOTE.message(format!(
            "{place}{}{}{asserted}",
            exact(&w.inferred),
            match a.judged.resource.as_deref() {
                Some("time") => " ns".to_owned(),
                Some(resource) => format!(" {resource}"),
                None => String::new(),
            },
        )));
    }
    vec![group]
}

/// Formats a regression at the predicate's head, with the call that caused it.
fn regression<'a>(source: &'a Source, change: &Change, severity: Severity) -> Group<'a> {
    let word = |offset: usize| clamped(&source.text, &(offset..word_end(&source.text, offset)));
    let place = word(change.offset.unwrap_or(0));
    let mut snippet = Snippet::source(source.text.as_str())
        .path(source.name.as_str())
        .annotation(AnnotationKind::Primary.span(place));
    if let Some((because, Some(at))) = &change.because {
        snippet = snippet.annotation(
            AnnotationKind::Context
                .span(word(*at))
                .label(because.clone()),
        );
    }
    level(severity)
        .primary_title(change.sentence())
        .id(rules::REGRESSION.id())
        .element(snippet)
}

fn problem<'a>(source: &'a Source, d: &'a Diagnostic) -> Group<'a> {
    level(d.severity)
        .primary_title(d.message.as_str())
        .id(d.rule.id())
        .element(
            Snippet::source(source.text.as_str())
                .path(source.name.as_str())
                .annotation(AnnotationKind::Primary.span(clamped(&source.text, &d.range))),
        )
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

/// Clamps a range to the text, at character boundaries.
fn clamped(text: &str, range: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(range.start);
    start..text.ceil_char_boundary(range.end).max(start)
}
