//! The sections of a report after the predicates.

use maud::{Markup, html};

use super::{Links, Section, plural};
use crate::cli::json::report::{Assertion, Cause, Document, Link};
use crate::cli::page::{PageColumn, code, in_code, quiet, table};

/// The maximum number of listed root causes of a kind.
const MOST_CAUSES: usize = 200;

/// Renders the most expensive chains of calls.
pub(super) fn chains(document: &Document, links: &Links) -> Section {
    let body = html! {
        @if !document.chains.is_empty() {
            p {
                "From a predicate down the call that takes the largest part of its bound, as long as one takes more than the predicate's own clauses."
            } "\n"
            ol class="chains" { "\n"
                @for chain in &document.chains {
                    li {
                        ol { "\n"
                            @for link in &chain.links { li { (one_link(link, links)) } "\n" }
                        }
                    } "\n"
                }
            } "\n"
        }
    };
    Section {
        anchor: "chains",
        title: "Costliest chains of calls".to_owned(),
        body,
    }
}

fn one_link(link: &Link, links: &Links) -> Markup {
    html! {
        (code(&link.predicate)) " " strong { (link.cost) } " "
        span class="quiet" { (links.place(&link.file, link.line)) }
        br;
        (most_expensive(link, links))
    }
}

/// Renders the call that takes the largest part of a predicate's bound, or the reason why none is named.
fn most_expensive(link: &Link, links: &Links) -> Markup {
    match (&link.call, &link.recursion) {
        (Some(call), _) => {
            let goal = code(&call.goal);
            let goal = match call.line {
                Some(line) => links.link(&link.file, line, &goal),
                None => goal,
            };
            html! {
                (quiet("most in one call:")) " " (goal)
                @if let Some(share) = &call.share { ": " (share) }
            }
        }
        _ if link.cost == "?" => quiet("no upper bound is known"),
        _ if link.undivided => quiet("what each of its calls takes is not known"),
        (None, Some(goal)) => html! { (quiet("most in its recursion:")) " " (code(goal)) },
        (None, None) => quiet("no call takes more than its own clauses"),
    }
}

/// Renders the assertions; false assertions come first.
pub(super) fn assertions(document: &Document, links: &Links) -> Section {
    let verdicts = [
        ("false", "wrong", "False"),
        ("check", "doubt", "Not decided"),
        ("checked", "right", "Checked"),
    ];
    let body = html! {
        @for (verdict, mark, title) in verdicts {
            @let all = document.assertions.iter().filter(|a| a.verdict == verdict);
            @let of_verdict: Vec<&Assertion> = all.collect();
            @if !of_verdict.is_empty() {
                details open[verdict == "false"] { "\n"
                    summary {
                        h3 { span class=(mark) { (title) } " " span class="quiet" { (of_verdict.len()) } }
                    } "\n"
                    (assertion_table(title, &of_verdict, links))
                } "\n"
            }
        }
    };
    Section {
        anchor: "assertions",
        title: format!("Assertions ({})", document.assertions.len()),
        body,
    }
}

fn assertion_table(title: &str, assertions: &[&Assertion], links: &Links) -> Markup {
    let columns = ["predicate", "asserted", "verdict", "place"].map(PageColumn::text);
    let rows = assertions.iter().map(|a| {
        let verdict = html! {
            (in_code(&a.message))
            @if a.suppressed { " " (quiet("(ignored, as a comment asks)")) }
        };
        vec![
            code(&a.predicate),
            code(&a.property),
            verdict,
            links.place(&a.file, a.line),
        ]
    });
    let caption = format!("Assertions: {}", title.to_lowercase());
    table(&caption, &columns, rows)
}

/// Causes of one kind, and the number of predicates without a bound because of them.
struct Kind<'d> {
    name: &'d str,
    predicates: usize,
    causes: Vec<&'d Cause>,
}

fn kinds(causes: &[Cause]) -> Vec<Kind<'_>> {
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for cause in causes {
        let name = cause.missing.kind.as_str();
        match kinds.iter_mut().find(|kind| kind.name == name) {
            Some(kind) => {
                kind.predicates += cause.predicates;
                kind.causes.push(cause);
            }
            None => kinds.push(Kind {
                name,
                predicates: cause.predicates,
                causes: vec![cause],
            }),
        }
    }
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.predicates));
    kinds
}

/// Renders the causes of missing bounds, by kind.
pub(super) fn unknown(document: &Document, links: &Links) -> Section {
    let kinds = kinds(&document.unknown);
    let predicates: usize = kinds.iter().map(|kind| kind.predicates).sum();
    let body = html! {
        @if !kinds.is_empty() {
            p { "One cause may keep many predicates from a bound: those come first." } "\n"
        }
        @for kind in &kinds { (of_kind(kind, links)) }
    };
    Section {
        anchor: "unknown",
        title: format!("Unknown, by root cause ({predicates})"),
        body,
    }
}

fn of_kind(kind: &Kind<'_>, links: &Links) -> Markup {
    let numbers = format!(
        "{}, {}",
        plural(kind.predicates, "predicate", "predicates"),
        plural(kind.causes.len(), "cause", "causes")
    );
    let columns = [
        PageColumn::text("cause"),
        PageColumn::number("predicates"),
        PageColumn::text("reason, and what to do"),
        PageColumn::text("place"),
    ];
    let listed = kind.causes.iter().take(MOST_CAUSES);
    let rows = listed.map(|cause| cause_row(cause, links));
    let more = kind.causes.len().saturating_sub(MOST_CAUSES);
    html! {
        details { "\n"
            summary { h3 { (kind.name) " " (quiet(&numbers)) } } "\n"
            (table(&format!("Causes: {}", kind.name), &columns, rows))
            @if more > 0 {
                p class="quiet" {
                    (plural(more, "cause", "causes")) " more; " (code("costlens report --format json")) " has all."
                } "\n"
            }
        } "\n"
    }
}

fn cause_row(cause: &Cause, links: &Links) -> Vec<Markup> {
    let missing = &cause.missing;
    let mut examples = cause.examples.join(", ");
    let more = cause.predicates.saturating_sub(cause.examples.len());
    if more > 0 {
        examples.push_str(&format!(" and {more} more"));
    }
    let name = match missing.cause.as_str() {
        "" => html! { "-" },
        name => code(name),
    };
    let reason = html! {
        (in_code(&missing.reason))
        @if !missing.help.is_empty() { br; (in_code(&missing.help)) }
        br; (quiet(&format!("of {examples}")))
    };
    let place = match (&missing.file, missing.line) {
        (Some(file), Some(line)) => links.place(file, line),
        _ => html! { "-" },
    };
    vec![name, html! { (cause.predicates) }, reason, place]
}

/// Renders the cheaper variants that were found.
pub(super) fn fixes(document: &Document, links: &Links) -> Section {
    let fixes = &document.fixes;
    let columns = ["predicate", "variant", "rule", "place"].map(PageColumn::text);
    let rows = fixes.found.iter().map(|fix| {
        vec![
            code(&fix.predicate),
            in_code(&fix.title),
            code(&fix.rule),
            links.place(&fix.file, fix.line),
        ]
    });
    let body = html! {
        @if fixes.looked_at > 0 {
            p {
                "Looked for of " (fixes.looked_at) " of " (plural(fixes.of, "predicate", "predicates"))
                ", the costliest first. " (code("costlens fix --diff")) " shows the changes, " (code("--apply")) " writes them."
            } "\n"
        }
        @if !fixes.found.is_empty() { (table("Cheaper variants", &columns, rows)) }
    };
    Section {
        anchor: "fixes",
        title: format!("Cheaper variants ({})", fixes.found.len()),
        body,
    }
}

/// Renders the platform of times and the other platforms.
pub(super) fn platforms(document: &Document) -> Section {
    let columns = ["platform", "system", "measured", "where"].map(PageColumn::text);
    let rows = document.platforms.iter().map(|p| {
        let place = match (p.here, p.source.as_str()) {
            (true, _) => "on this machine",
            (_, "shipped") => "on another machine; it ships with Costlens",
            _ => "on another machine",
        };
        vec![
            code(&p.name),
            html! { (p.engine) },
            html! { (p.date) },
            html! { (place) },
        ]
    });
    let body = html! {
        @if let Some(name) = &document.platform {
            p { "Times are those of " (code(name)) ", where all sizes are " (document.size) "." } "\n"
        } @else {
            p {
                "No platform was chosen, so that there are no times: " (code("--platform NAME")) " chooses one, "
                (code("costlens calibrate")) " measures this machine."
            } "\n"
        }
        (table("Stored platforms", &columns, rows))
    };
    Section {
        anchor: "platforms",
        title: "Platforms".to_owned(),
        body,
    }
}

/// Renders the problems of files: syntax errors, exceeded budgets.
pub(super) fn problems(document: &Document, links: &Links) -> Section {
    let problems = &document.diagnostics;
    let columns = ["place", "severity", "problem", "rule"].map(PageColumn::text);
    let rows = problems.iter().map(|d| {
        vec![
            links.place(&d.file, d.line),
            html! { (d.severity) },
            in_code(&d.message),
            code(&d.code),
        ]
    });
    Section {
        anchor: "problems",
        title: format!("Problems ({})", problems.len()),
        body: html! { @if !problems.is_empty() { (table("Problems", &columns, rows)) } },
    }
}
