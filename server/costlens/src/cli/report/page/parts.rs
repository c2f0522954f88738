//! Sections of a report after that of the predicates.

use std::fmt::Write as _;

use costlens_ide::plot::escaped;

use super::{Links, Section, plural};
use crate::cli::json::report::{Assertion, Cause, Document, Link};
use crate::cli::page::{Column, table};

/// Root causes of a kind that are listed.
const MOST_CAUSES: usize = 200;

/// Formats text between backticks as code.
pub(super) fn in_code(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        match i % 2 {
            0 => out.push_str(&escaped(part)),
            _ => {
                let _ = write!(out, "<code>{}</code>", escaped(part));
            }
        }
    }
    out
}

/// Renders the most expensive chains of calls.
pub(super) fn chains(document: &Document, links: &Links) -> Section {
    let mut body = String::new();
    if !document.chains.is_empty() {
        body.push_str(
            "<p>From a predicate down the call that takes the largest part of its bound, as long as one takes more than the predicate's own clauses.</p>\n<ol class=\"chains\">\n",
        );
    }
    for chain in &document.chains {
        body.push_str("<li><ol>\n");
        for link in &chain.links {
            let _ = writeln!(body, "<li>{}</li>", one_link(link, links));
        }
        body.push_str("</ol></li>\n");
    }
    if !document.chains.is_empty() {
        body.push_str("</ol>\n");
    }
    Section {
        anchor: "chains",
        title: "Costliest chains of calls".to_owned(),
        body,
    }
}

fn one_link(link: &Link, links: &Links) -> String {
    let mut out = format!(
        "<code>{}</code> <strong>{}</strong> <span class=\"quiet\">{}</span>",
        escaped(&link.predicate),
        escaped(&link.cost),
        links.place(&link.file, link.line)
    );
    match &link.call {
        None if link.cost == "?" => {
            out.push_str("<br><span class=\"quiet\">no upper bound is known</span>");
        }
        None if link.undivided => {
            out.push_str(
                "<br><span class=\"quiet\">what each of its calls takes is not known</span>",
            );
        }
        None => match &link.recursion {
            Some(goal) => {
                let _ = write!(
                    out,
                    "<br><span class=\"quiet\">most in its recursion:</span> <code>{}</code>",
                    escaped(goal)
                );
            }
            None => out.push_str(
                "<br><span class=\"quiet\">no call takes more than its own clauses</span>",
            ),
        },
        Some(call) => {
            let goal = format!("<code>{}</code>", escaped(&call.goal));
            let goal = match call.line {
                Some(line) => links.link(&link.file, line, &goal),
                None => goal,
            };
            let share = call
                .share
                .as_deref()
                .map_or_else(String::new, |s| format!(": {}", escaped(s)));
            let _ = write!(
                out,
                "<br><span class=\"quiet\">most in one call:</span> {goal}{share}"
            );
        }
    }
    out
}

/// Renders the assertions, those that are false first.
pub(super) fn assertions(document: &Document, links: &Links) -> Section {
    let mut body = String::new();
    for (verdict, mark, title) in [
        ("false", "wrong", "False"),
        ("check", "doubt", "Not decided"),
        ("checked", "right", "Checked"),
    ] {
        let of: Vec<&Assertion> = { document.assertions.iter() }
            .filter(|a| a.verdict == verdict)
            .collect();
        if of.is_empty() {
            continue;
        }
        let open = if verdict == "false" { " open" } else { "" };
        let _ = write!(
            body,
            "<details{open}>\n<summary><h3><span class=\"{mark}\">{title}</span> <span class=\"quiet\">{}</span></h3></summary>\n",
            of.len()
        );
        let columns = [
            Column::text("predicate"),
            Column::text("asserted"),
            Column::text("verdict"),
            Column::text("place"),
        ];
        let rows = of.into_iter().map(|a| {
            let ignored = match a.suppressed {
                true => " <span class=\"quiet\">(ignored, as a comment asks)</span>",
                false => "",
            };
            vec![
                format!("<code>{}</code>", escaped(&a.predicate)),
                format!("<code>{}</code>", escaped(&a.property)),
                format!("{}{ignored}", in_code(&a.message)),
                links.place(&a.file, a.line),
            ]
        });
        body.push_str(&table(
            &format!("Assertions: {}", title.to_lowercase()),
            &columns,
            rows,
        ));
        body.push_str("</details>\n");
    }
    Section {
        anchor: "assertions",
        title: format!("Assertions ({})", document.assertions.len()),
        body,
    }
}

/// Renders the causes that prevent bounds of predicates, by kind.
pub(super) fn unknown(document: &Document, links: &Links) -> Section {
    let mut kinds: Vec<(&str, usize, Vec<&Cause>)> = Vec::new();
    for cause in &document.unknown {
        let kind = cause.missing.kind.as_str();
        match kinds.iter_mut().find(|(name, ..)| *name == kind) {
            Some((_, count, causes)) => {
                *count += cause.predicates;
                causes.push(cause);
            }
            None => kinds.push((kind, cause.predicates, vec![cause])),
        }
    }
    kinds.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    let mut body = String::new();
    if !kinds.is_empty() {
        body.push_str(
            "<p>One cause may keep many predicates from a bound: those come first.</p>\n",
        );
    }
    for (kind, count, causes) in &kinds {
        let _ = write!(
            body,
            "<details>\n<summary><h3>{} <span class=\"quiet\">{}, {}</span></h3></summary>\n",
            escaped(kind),
            plural(*count, "predicate", "predicates"),
            plural(causes.len(), "cause", "causes")
        );
        let columns = [
            Column::text("cause"),
            Column::number("predicates"),
            Column::text("reason, and what to do"),
            Column::text("place"),
        ];
        let rows = causes
            .iter()
            .take(MOST_CAUSES)
            .map(|cause| row(cause, links));
        body.push_str(&table(
            &format!("Causes: {}", escaped(kind)),
            &columns,
            rows,
        ));
        if let Some(more @ 1..) = causes.len().checked_sub(MOST_CAUSES) {
            let _ = writeln!(
                body,
                "<p class=\"quiet\">{} more; <code>costlens report --format json</code> has all.</p>",
                plural(more, "cause", "causes")
            );
        }
        body.push_str("</details>\n");
    }
    let all: usize = kinds.iter().map(|(_, count, _)| count).sum();
    Section {
        anchor: "unknown",
        title: format!("Unknown, by root cause ({all})"),
        body,
    }
}

fn row(cause: &Cause, links: &Links) -> Vec<String> {
    let missing = &cause.missing;
    let help = match missing.help.as_str() {
        "" => String::new(),
        help => format!("<br>{}", in_code(help)),
    };
    let more = cause.predicates.saturating_sub(cause.examples.len());
    let mut examples = cause.examples.join(", ");
    if more > 0 {
        let _ = write!(examples, " and {more} more");
    }
    let place = missing.file.as_deref().zip(missing.line);
    vec![
        match missing.cause.as_str() {
            "" => "-".to_owned(),
            name => format!("<code>{}</code>", escaped(name)),
        },
        cause.predicates.to_string(),
        format!(
            "{}{help}<br><span class=\"quiet\">of {}</span>",
            in_code(&missing.reason),
            escaped(&examples)
        ),
        place.map_or_else(|| "-".to_owned(), |(file, line)| links.place(file, line)),
    ]
}

/// Renders the cheaper variants that were found.
pub(super) fn fixes(document: &Document, links: &Links) -> Section {
    let fixes = &document.fixes;
    let mut body = String::new();
    if fixes.looked_at > 0 {
        let _ = writeln!(
            body,
            "<p>Looked for of {} of {}, the costliest first. <code>costlens fix --diff</code> shows the changes, <code>--apply</code> writes them.</p>",
            fixes.looked_at,
            plural(fixes.of, "predicate", "predicates")
        );
    }
    if !fixes.found.is_empty() {
        let columns = [
            Column::text("predicate"),
            Column::text("variant"),
            Column::text("rule"),
            Column::text("place"),
        ];
        let rows = fixes.found.iter().map(|fix| {
            vec![
                format!("<code>{}</code>", escaped(&fix.predicate)),
                in_code(&fix.title),
                format!("<code>{}</code>", escaped(&fix.rule)),
                links.place(&fix.file, fix.line),
            ]
        });
        body.push_str(&table("Cheaper variants", &columns, rows));
    }
    Section {
        anchor: "fixes",
        title: format!("Cheaper variants ({})", fixes.found.len()),
        body,
    }
}

/// Renders the platform of times and the other platforms.
pub(super) fn platforms(document: &Document) -> Section {
    let mut body = String::new();
    let _ = match &document.platform {
        Some(name) => writeln!(
            body,
            "<p>Times are those of <code>{}</code>, where all sizes are {}.</p>",
            escaped(name),
            document.size
        ),
        None => writeln!(
            body,
            "<p>No platform was chosen, so that there are no times: <code>--platform NAME</code> chooses one, <code>costlens calibrate</code> measures this machine.</p>"
        ),
    };
    let columns = [
        Column::text("platform"),
        Column::text("system"),
        Column::text("measured"),
        Column::text("where"),
    ];
    let rows = document.platforms.iter().map(|p| {
        let place = match (p.here, p.source.as_str()) {
            (true, _) => "on this machine",
            (_, "shipped") => "on another machine; it ships with Costlens",
            _ => "on another machine",
        };
        vec![
            format!("<code>{}</code>", escaped(&p.name)),
            escaped(&p.engine),
            escaped(&p.date),
            place.to_owned(),
        ]
    });
    body.push_str(&table("Stored platforms", &columns, rows));
    Section {
        anchor: "platforms",
        title: "Platforms".to_owned(),
        body,
    }
}

/// Renders the problems of files: unreadable clauses, exceeded budgets.
pub(super) fn problems(document: &Document, links: &Links) -> Section {
    let all = &document.diagnostics;
    let body = match all.is_empty() {
        true => String::new(),
        false => {
            let columns = [
                Column::text("place"),
                Column::text("severity"),
                Column::text("problem"),
                Column::text("rule"),
            ];
            let rows = all.iter().map(|d| {
                vec![
                    links.place(&d.file, d.line),
                    escaped(&d.severity),
                    in_code(&d.message),
                    format!("<code>{}</code>", escaped(&d.code)),
                ]
            });
            table("Problems", &columns, rows)
        }
    };
    Section {
        anchor: "problems",
        title: format!("Problems ({})", all.len()),
        body,
    }
}
