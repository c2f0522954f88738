//! The page of a report. It is readable without scripts; with them, predicates can be filtered and tables be sorted.

mod parts;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use costlens_analysis::report::Condition;
use costlens_ide::plot::escaped;
use costlens_ide::reports::overview::Class;

use super::groups::name;
use crate::cli::check::sarif::encoded;
use crate::cli::files::Source;
use crate::cli::json::report::{Document, Predicate};
use crate::cli::lockfile::{folder_of, seen_from};
use crate::cli::page::{Column, page, table};

const STYLE: &str = include_str!("page/report.css");
const SCRIPT: &str = include_str!("page/report.js");

/// Classes with more predicates are initially collapsed.
const MOST_OPEN: usize = 40;

/// The addresses of lines of files.
pub(super) struct Links {
    /// A template with `{file}` and `{line}`.
    template: Option<String>,
    /// Files by their names, as they are seen from the page.
    places: HashMap<String, String>,
}

impl Links {
    /// Returns the addresses in a page that is written to this path.
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

    /// Returns a line of a file as a link, with a text that is HTML. A file outside of the workspace gets no link.
    fn link(&self, file: &str, line: usize, text: &str) -> String {
        let Some(place) = self.places.get(file) else {
            return text.to_owned();
        };
        let (file, line) = (encoded(place), line.to_string());
        let address = match &self.template {
            Some(template) => template.replace("{file}", &file).replace("{line}", &line),
            None => format!("{file}#L{line}"),
        };
        format!(
            "<a href=\"{}\">{text}</a>",
            escaped(&address).replace('"', "&quot;")
        )
    }

    /// Returns `src/lists.pl:12` as a link to that line.
    fn place(&self, file: &str, line: usize) -> String {
        self.link(file, line, &escaped(&format!("{file}:{line}")))
    }
}

/// A section of the page: its anchor, its title, its text.
struct Section {
    anchor: &'static str,
    title: String,
    body: String,
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
    let shown: Vec<&Section> = sections.iter().filter(|s| !s.body.is_empty()).collect();
    let mut body = format!(
        "<h1>{}</h1>\n<p>{}</p>\n",
        escaped(&title),
        summary(document)
    );
    body.push_str("<nav aria-label=\"Contents\"><ul class=\"contents\">\n");
    for section in &shown {
        let _ = writeln!(
            body,
            "<li><a href=\"#{}\">{}</a></li>",
            section.anchor,
            escaped(&section.title)
        );
    }
    body.push_str("</ul></nav>\n");
    for section in &shown {
        let _ = write!(
            body,
            "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
            section.anchor,
            escaped(&section.title),
            section.body
        );
    }
    let _ = writeln!(
        body,
        "<p class=\"quiet\">Costlens {}. Bounds are proved for every size; what is not proved is unknown.</p>",
        env!("CARGO_PKG_VERSION")
    );
    page(&title, &body, STYLE, SCRIPT)
}

fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Returns `83%`; a part is never rounded to all or to nothing.
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

/// Renders the classes with their numbers, each with a bar.
fn overview(document: &Document) -> Section {
    let all = document.predicates.len();
    let most = document
        .classes
        .iter()
        .map(|c| c.predicates)
        .max()
        .unwrap_or(0)
        .max(1);
    let rows = document
        .classes
        .iter()
        .filter(|c| c.predicates > 0)
        .map(|c| {
            let bar = format!(
                "<span class=\"bar {}\" style=\"width:{:.1}%\"></span>",
                c.class,
                c.predicates as f64 * 100.0 / most as f64
            );
            vec![
                format!("<a href=\"#class-{}\">{}</a>", c.class, escaped(c.label)),
                c.predicates.to_string(),
                percent(c.predicates, all),
                bar,
            ]
        });
    let columns = [
        Column::text("class of the upper bound"),
        Column::number("predicates"),
        Column::number("share"),
        Column::text("of the largest"),
    ];
    Section {
        anchor: "classes",
        title: "Classes".to_owned(),
        body: table(
            "Predicates by the class of their upper bound",
            &columns,
            rows,
        ),
    }
}

/// Renders a table of predicates for each class, the most expensive first.
fn predicates(document: &Document, links: &Links) -> Section {
    let mut body = String::from("<div id=\"filter\"></div>\n");
    let with_times = document.platform.is_some();
    for class in Class::ALL.into_iter().rev() {
        let of: Vec<&Predicate> = (document.predicates.iter())
            .filter(|p| p.class == class.name())
            .collect();
        if of.is_empty() {
            continue;
        }
        let open = match of.len() <= MOST_OPEN && class != Class::Unknown {
            true => " open",
            false => "",
        };
        let _ = write!(
            body,
            "<details id=\"class-{}\"{open}>\n<summary><h3>{} <span class=\"quiet\">{}</span></h3></summary>\n",
            class.name(),
            class.label(),
            plural(of.len(), "predicate", "predicates")
        );
        let mut columns = vec![
            Column::text("predicate"),
            Column::text(match class {
                Class::Unknown => "reason",
                _ => "cost in steps",
            }),
        ];
        if with_times && class != Class::Unknown {
            columns.push(Column::number(format!("time, sizes {}", document.size)));
        }
        columns.push(Column::text("place"));
        let rows = of.into_iter().map(|p| {
            let mut cells = vec![
                format!(
                    "<code title=\"{}\">{}</code>",
                    attribute(&p.pattern),
                    escaped(&name(p))
                ),
                cost(p),
            ];
            if with_times && class != Class::Unknown {
                let mut time = p.time.as_deref().map_or_else(|| "?".to_owned(), escaped);
                let assumed = p.time_assumes.as_deref().and_then(Condition::named);
                if let Some(condition) = assumed {
                    let _ = write!(time, " {}", condition.text());
                }
                cells.push(time);
            }
            cells.push(links.place(&p.file, p.line));
            cells
        });
        let caption = format!("Predicates of class {}", class.label());
        body.push_str(&table(&caption, &columns, rows));
        body.push_str("</details>\n");
    }
    Section {
        anchor: "predicates",
        title: format!("Predicates ({})", document.predicates.len()),
        body: match document.predicates.is_empty() {
            true => String::new(),
            false => body,
        },
    }
}

/// Renders the cost of a predicate, or the reason that there is none, with its caveats.
fn cost(p: &Predicate) -> String {
    let mut cell = match &p.unknown {
        Some(missing) if missing.cause.is_empty() => escaped(&missing.reason),
        Some(missing) => format!(
            "in <code>{}</code>: {}",
            escaped(&missing.cause),
            parts::in_code(&missing.reason)
        ),
        None => escaped(&p.cost),
    };
    let mut notes = Vec::new();
    if p.guessed {
        notes.push("call pattern guessed".to_owned());
    }
    if !p.rests_on.is_empty() {
        notes.push(format!("on trust: {}", p.rests_on.join(", ")));
    }
    if !notes.is_empty() {
        let _ = write!(
            cell,
            " <span class=\"quiet\">({})</span>",
            escaped(&notes.join("; "))
        );
    }
    cell
}

/// Escapes a text for an attribute.
fn attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
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
            links.place("src/a b.pl", 3),
            "<a href=\"../src/a%20b.pl#L3\">src/a b.pl:3</a>"
        );
        assert_eq!(links.place("<lib>.pl", 3), "&lt;lib&gt;.pl:3");
    }

    #[test]
    fn a_template_makes_addresses() {
        let sources = [source("./src/a.pl", "/w/src/a.pl")];
        let template = "https://example.org/{file}?x=\"#L{line}";
        let links = Links::new(Some(template), Path::new("r.html"), &sources);
        assert_eq!(
            links.link("./src/a.pl", 7, "a"),
            "<a href=\"https://example.org/src/a.pl?x=&quot;#L7\">a</a>"
        );
    }
}
