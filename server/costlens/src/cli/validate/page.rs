//! A validation as a page: drawings, tables, and violations.

use costlens_ide::present::size_meaning;
use maud::{Markup, html};

use super::found::{OfPattern, Ran, Validated, drawing};
use super::sections::{of_resource, of_time};
use super::text::{last_line, why_stopped};
use crate::cli::page::{capital, page};

/// Renders the page.
pub(super) fn html(validated: &Validated) -> String {
    let title = format!("Validation of {}", validated.predicate);
    let place = format!("{}:{}", validated.file, validated.line);
    let body = html! {
        h1 { "Validation of " code { (validated.predicate) } } "\n"
        p { (place) ". " (capital(&last_line(validated))) "." } "\n"
        @for pattern in &validated.patterns { (of_pattern(validated, pattern)) }
    };
    page(&title, &body, "", "")
}

fn of_pattern(validated: &Validated, pattern: &OfPattern) -> Markup {
    html! {
        section { "\n"
            h2 { code { (pattern.head) } } "\n"
            @match &pattern.ran {
                Err(why) => { p { "Not run: " (why) "." } "\n" }
                Ok(ran) => (of_runs(validated, ran)),
            }
        } "\n"
    }
}

fn of_runs(validated: &Validated, ran: &Ran) -> Markup {
    let arguments = &validated.arguments;
    let meanings: Vec<String> = (ran.axes.iter())
        .map(|size| size_meaning(size, arguments))
        .collect();
    html! {
        @if !meanings.is_empty() { p { (meanings.join(", ")) } "\n" }
        @for of in &ran.resources {
            (of_resource(validated, ran, of).html(drawing(ran, of, arguments, None)))
        }
        @if let (Some(time), Some(clock)) = (&ran.time, &validated.clock) {
            @match time {
                Ok(time) => (of_time(ran, time, clock).html(drawing(ran, &time.of, arguments, Some(clock)))),
                Err(why) => { p { "No times on " (clock.name) ": " (why) "." } "\n" }
            }
        }
        @for stopped in &ran.observed.stopped { p { (capital(&why_stopped(*stopped))) "." } "\n" }
    }
}
