//! A validation as a page: drawings, tables, and violations.

use std::fmt::Write as _;

use costlens_ide::plot::escaped;
use costlens_ide::present::size_meaning;

use super::engine::{EngineClock, OfTime};
use super::found::{OfPattern, Ran, Validated, drawing};
use super::resource::OfResource;
use super::text::{In, cells, facts, head, last_line, outside, sentence, time_facts, why_stopped};
use crate::cli::page::{Column, page, table};

/// Renders the page.
pub(super) fn html(validated: &Validated) -> String {
    let title = format!("Validation of {}", validated.predicate);
    let mut body = format!(
        "<h1>Validation of <code>{}</code></h1>\n<p>{}:{}. {}.</p>\n",
        escaped(&validated.predicate),
        escaped(&validated.file),
        validated.line,
        capital(&last_line(validated)),
    );
    for pattern in &validated.patterns {
        body.push_str(&of_pattern(validated, pattern));
    }
    page(&title, &body, "", "")
}

/// Capitalises a sentence.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

fn of_pattern(validated: &Validated, pattern: &OfPattern) -> String {
    let mut out = format!(
        "<section>\n<h2><code>{}</code></h2>\n",
        escaped(&pattern.head)
    );
    match &pattern.ran {
        Err(why) => {
            let _ = writeln!(out, "<p>Not run: {}.</p>", escaped(why));
        }
        Ok(ran) => {
            let meanings: Vec<String> = (ran.axes.iter())
                .map(|size| escaped(&size_meaning(size, &validated.arguments)))
                .collect();
            if !meanings.is_empty() {
                let _ = writeln!(out, "<p>{}</p>", meanings.join(", "));
            }
            for of in &ran.resources {
                out.push_str(&of_resource(validated, ran, of));
            }
            match (&ran.time, &validated.clock) {
                (Some(Ok(time)), Some(clock)) => {
                    out.push_str(&of_time(validated, ran, time, clock));
                }
                (Some(Err(why)), Some(clock)) => {
                    let _ = writeln!(
                        out,
                        "<p>No times on {}: {}.</p>",
                        escaped(&clock.name),
                        escaped(why)
                    );
                }
                _ => {}
            }
            for stopped in &ran.observed.stopped {
                let _ = writeln!(out, "<p>{}.</p>", capital(&escaped(&why_stopped(*stopped))));
            }
        }
    }
    out.push_str("</section>\n");
    out
}

fn of_resource(validated: &Validated, ran: &Ran, of: &OfResource) -> String {
    let name = escaped(&of.compared.name);
    let mut out = format!("<h3>{name}</h3>\n{}", described(&facts(ran, of)));
    for violation in &of.compared.violations {
        let _ = writeln!(
            out,
            "<p class=\"wrong\"><strong>Contradicted:</strong> {}</p>",
            escaped(&sentence(validated, &of.compared, violation))
        );
    }
    if let Some(svg) = drawing(ran, of, &validated.arguments, None) {
        let _ = writeln!(out, "<figure>{svg}</figure>");
    }
    out.push_str(&rows(
        ran,
        of,
        In::Counts,
        &format!("Counts of {name} by size"),
    ));
    out
}

fn of_time(validated: &Validated, ran: &Ran, time: &OfTime, clock: &EngineClock) -> String {
    let name = escaped(&clock.name);
    let facts = described(&time_facts(ran, time, clock));
    let mut out = format!("<h3>time on {name}</h3>\n{facts}");
    for one in &time.told {
        let _ = writeln!(
            out,
            "<p class=\"wrong\"><strong>Outside:</strong> {}.</p>",
            escaped(&outside(one, clock))
        );
    }
    if time.outside > 0 {
        let _ = writeln!(out, "<p>{}.</p>", escaped(&clock.advice()));
    }
    if let Some(svg) = drawing(ran, &time.of, &validated.arguments, Some(clock)) {
        let _ = writeln!(out, "<figure>{svg}</figure>");
    }
    out.push_str(&rows(
        ran,
        &time.of,
        In::Time,
        &format!("Times on {name} by size"),
    ));
    out
}

/// Facts about a resource; the first is its bound.
fn described(facts: &[(String, String)]) -> String {
    let mut out = "<dl>\n".to_owned();
    for (i, (what, text)) in facts.iter().enumerate() {
        let what = if i == 0 { "bound" } else { what };
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(what), escaped(text));
    }
    out.push_str("</dl>\n");
    out
}

fn rows(ran: &Ran, of: &OfResource, kind: In, caption: &str) -> String {
    let columns: Vec<Column> = head(ran, kind).into_iter().map(Column::number).collect();
    let rows = of.compared.rows.iter().map(|row| {
        let mut cells: Vec<String> = cells(row, kind).iter().map(|cell| escaped(cell)).collect();
        // The last column includes the notes after it.
        if row.violates
            && let (Some(word), Some(last)) = (cells.pop(), cells.last_mut())
        {
            *last = format!(
                "<strong class=\"wrong\">{last} {}</strong>",
                word.to_lowercase()
            );
        }
        cells
    });
    table(caption, &columns, rows)
}
