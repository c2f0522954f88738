//! The page of a report. It is readable without scripts; with them, predicates can be filtered and tables sorted.

mod parts;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use costlens_analysis::report::Condition;
use costlens_ide::reports::overview::Class;
use maud::{Markup, html};

use super::groups::name;
use crate::cli::check::sarif::encoded;
use crate::cli::files::Source;
use crate::cli::json::report::{Document, Predicate};
use crate::cli::lockfile::{folder_of, seen_from};
use crate::cli::page::{PageColumn, code, in_code, page, quiet, table};

const STYLE: &str = include_str!("page/report.css");
const SCRIPT: &str = include_str!("page/report.js");

/// The number of predicates above which a class is initially collapsed.
const MOST_OPEN: usize = 40;

/// The addresses of lines in files.
pub(super) struct Links {
    /// A template with `{file}` and `{line}`.
    template: Option<String>,
    /// The paths of files relative to the page, by file name.
    places: HashMap<String, String>,
}

impl Links {
    /// Returns the addresses for a page at this path.
    pub(super) fn new(template: Option<&str>, page: &Path, sources: &[Source]) -> Self {
        let folder = folder_of(page);
        let place = |source: &Source| match template {
            Some(_) => source
                .name
                .replace('\\', "/")
                .trim_start_matches("./")
                .to_owned(),
            None => seen_from(&folder, &source.place),
        };
        let of = sources.iter().map(|s| (s.name.clone(), place(s)));
        Links {
            template: template.map(str::to_owned),
            places: of.collect(),
        }
    }

    /// Renders a line of a file as a link. Files outside the workspace get no link.
    fn link(&self, file: &str, line: usize, text: &Markup) -> Markup {
        let Some(place) = self.places.get(file) else {
            return text.clone();
        };
        let (file, line) = (encoded(place), line.to_string());
        let address = match &self.template {
            Some(template) => template.replace("{file}", &file).replace("{line}", &line),
            None => format!("{file}#L{line}"),
        };
        html! { a href=(address) { (text) } }
    }

    /// Renders `src/lists.pl:12` as a link to that line.
    fn place(&self, file: &str, line: usize) -> Markup {
        self.link(file, line, &html! { (file) ":" (line) })
    }
}

/// A section of the page: its anchor, its title, its contents.
struct Section {
    anchor: &'static str,
    title: String,
    body: Markup,
}

/// Renders the page.
pub(super) fn html(document: &Document, links: &Links, paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let title = format!("Costs of {}", names.join(", "));
    let sections = [
        overview(document),
        parts::chains(document, links),
        predicates(document, links),
        parts::assertions(document, links),
        parts::unknown(document, links),
        parts::fixes(document, links),
        parts::platforms(document),
        parts::problems(document, links),
    ];
    let shown = || sections.iter().filter(|section| !section.body.0.is_empty());
    let body = html! {
        h1 { (title) } "\n"
        p { (summary(document)) } "\n"
        nav aria-label="Contents" {
            ul class="contents" { "\n"
                @for section in shown() {
                    li { a href={ "#" (section.anchor) } { (section.title) } } "\n"
                }
            }
        } "\n"
        @for section in shown() {
            section aria-labelledby=(section.anchor) { "\n"
                h2 id=(section.anchor) { (section.title) } "\n"
                (section.body)
            } "\n"
        }
        p class="quiet" {
            "Costlens " (env!("CARGO_PKG_VERSION"))
            ". Bounds are proved for every size; what is not proved is unknown."
        } "\n"
    };
    page(&title, &body, STYLE, SCRIPT)
}

fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Formats a percentage: `83%`; a proper part is never rounded to 0% or 100%.
fn percent(part: usize, all: usize) -> String {
    match (part, all) {
        (0, _) | (_, 0) => "0%".to_owned(),
        (part, all) if part == all => "100%".to_owned(),
        (part, all) => format!("{}%", (part * 100 / all).clamp(1, 99)),
    }
}

fn summary(document: &Document) -> String {
    let all = document.predicates.len();
    let bounded = document
        .predicates
        .iter()
        .filter(|p| p.unknown.is_none())
        .count();
    format!(
        "{} in {}; {} ({}) have an upper bound on resolution steps or are proved to run for ever.",
        plural(all, "predicate", "predicates"),
        plural(document.files, "file", "files"),
        bounded,
        percent(bounded, all)
    )
}

/// Renders the classes with their numbers of predicates and bars.
fn overview(document: &Document) -> Section {
    let all = document.predicates.len();
    let most = (document.classes.iter().map(|c| c.predicates).max()).map_or(1, |most| most.max(1));
    let used = document.classes.iter().filter(|c| c.predicates > 0);
    let rows = used.map(|c| {
        let width = c.predicates as f64 * 100.0 / most as f64;
        vec![
            html! { a href={ "#class-" (c.class) } { (c.label) } },
            html! { (c.predicates) },
            html! { (percent(c.predicates, all)) },
            html! { span class={ "bar " (c.class) } style=(format!("width:{width:.1}%")) {} },
        ]
    });
    let columns = [
        PageColumn::text("class of the upper bound"),
        PageColumn::number("predicates"),
        PageColumn::number("share"),
        PageColumn::text("of the largest"),
    ];
    let caption = "Predicates by the class of their upper bound";
    Section {
        anchor: "classes",
        title: "Classes".to_owned(),
        body: table(caption, &columns, rows),
    }
}

/// Renders a table of predicates for each class, the highest class first.
fn predicates(document: &Document, links: &Links) -> Section {
    let classes = Class::ALL.into_iter().rev();
    Section {
        anchor: "predicates",
        title: format!("Predicates ({})", document.predicates.len()),
        body: html! {
            @if !document.predicates.is_empty() {
                div id="filter" {} "\n"
                @for class in classes { (of_class(document, class, links)) }
            }
        },
    }
}

fn of_class(document: &Document, class: Class, links: &Links) -> Markup {
    let all = document.predicates.iter();
    let predicates: Vec<&Predicate> = all.filter(|p| p.class == class.name()).collect();
    let count = predicates.len();
    if count == 0 {
        return Markup::default();
    }
    let is_open = count <= MOST_OPEN && class != Class::Unknown;
    let with_times = document.platform.is_some() && class != Class::Unknown;
    let mut columns = vec![
        PageColumn::text("predicate"),
        PageColumn::text(match class {
            Class::Unknown => "reason",
            _ => "cost in steps",
        }),
    ];
    if with_times {
        columns.push(PageColumn::number(format!("time, sizes {}", document.size)));
    }
    columns.push(PageColumn::text("place"));
    let rows = predicates.into_iter().map(|p| {
        let mut cells = vec![html! { code title=(p.pattern) { (name(p)) } }, cost(p)];
        if with_times {
            cells.push(time(p));
        }
        cells.push(links.place(&p.file, p.line));
        cells
    });
    let caption = format!("Predicates of class {}", class.label());
    html! {
        details id={ "class-" (class.name()) } open[is_open] { "\n"
            summary { h3 { (class.label()) " " (quiet(&plural(count, "predicate", "predicates"))) } } "\n"
            (table(&caption, &columns, rows))
        } "\n"
    }
}

/// Renders the time of a predicate, with its condition.
fn time(p: &Predicate) -> Markup {
    let condition = p.time_assumes.as_deref().and_then(Condition::named);
    html! {
        (p.time.as_deref().unwrap_or("?"))
        @if let Some(condition) = condition { " " (condition.text()) }
    }
}

/// Renders the cost of a predicate, or the reason why there is none, with its caveats.
fn cost(p: &Predicate) -> Markup {
    let mut notes = Vec::new();
    if p.guessed {
        notes.push("call pattern guessed".to_owned());
    }
    if !p.rests_on.is_empty() {
        notes.push(format!("on trust: {}", p.rests_on.join(", ")));
    }
    html! {
        @match &p.unknown {
            Some(missing) if missing.cause.is_empty() => (missing.reason),
            Some(missing) => { "in " (code(&missing.cause)) ": " (in_code(&missing.reason)) }
            None => (p.cost),
        }
        @if !notes.is_empty() { " " (quiet(&format!("({})", notes.join("; ")))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_not_rounded_to_all_or_nothing() {
        assert_eq!(percent(0, 10), "0%");
        assert_eq!(percent(1, 1000), "1%");
        assert_eq!(percent(999, 1000), "99%");
        assert_eq!(percent(10, 10), "100%");
        assert_eq!(percent(0, 0), "0%");
    }

    fn source(name: &str, place: &str) -> Source {
        Source {
            name: name.to_owned(),
            place: place.to_owned(),
            text: String::new(),
        }
    }

    #[test]
    fn links_are_seen_from_the_page() {
        let sources = [source("src/a b.pl", "/w/src/a b.pl")];
        let links = Links::new(None, Path::new("/w/out/r.html"), &sources);
        assert_eq!(
            links.place("src/a b.pl", 3).into_string(),
            "<a href=\"../src/a%20b.pl#L3\">src/a b.pl:3</a>"
        );
        assert_eq!(links.place("<lib>.pl", 3).into_string(), "&lt;lib&gt;.pl:3");
    }

    #[test]
    fn a_template_makes_addresses() {
        let sources = [source("./src/a.pl", "/w/src/a.pl")];
        let template = "https://example.org/{file}?x=\"#L{line}";
        let links = Links::new(Some(template), Path::new("r.html"), &sources);
        assert_eq!(
            links.link("./src/a.pl", 7, &html! { "a" }).into_string(),
            "<a href=\"https://example.org/src/a.pl?x=&quot;#L7\">a</a>"
        );
    }
}
