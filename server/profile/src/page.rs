//! A profile as a page: one HTML file with a flame graph, tables and the graph of calls, without external resources.

mod flame;

use std::fmt::Write as _;

use costlens_machine::{Enter, Leave, Resource};

use crate::draw::{Drawing, escaped, percent};
use crate::profile::{Profile, amount_text, resource_name};

/// The contents of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'p> {
    /// The goal, which is the title.
    pub goal: &'p str,
    /// A summary of how and where the run ended.
    pub summary: &'p str,
    /// The profile.
    pub profile: &'p Profile,
    /// The resource by which the page is ordered and drawn.
    pub resource: Resource,
    /// The graph of calls, or the tree of a search.
    pub drawing: &'p Drawing,
    /// The checked assertions: the text, and whether it is false.
    pub checks: &'p [(String, bool)],
}

/// The colours for light and dark screens.
const STYLE: &str = include_str!("page/page.css");
/// The script that zooms in on a frame of the flame graph when it is clicked.
const SCRIPT: &str = include_str!("page/zoom.js");

impl Page<'_> {
    /// Returns the page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let goal = escaped(self.goal);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{goal}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1><code>{goal}</code></h1>\n<p>{}</p>\n",
            escaped(self.summary)
        );
        if !self.checks.is_empty() {
            out.push_str("<h2>Assertions</h2>\n<ul>\n");
            for (text, is_false) in self.checks {
                let class = if *is_false { " class=\"false\"" } else { "" };
                let _ = writeln!(out, "<li{class}>{}</li>", escaped(text));
            }
            out.push_str("</ul>\n");
        }
        let resource = resource_name(self.resource);
        let _ = write!(
            out,
            "<h2>Flame graph of {resource}</h2>\n{}<h2>Cost centres</h2>\n{}<h2>Edges</h2>\n{}<h2>Calls</h2>\n<div class=\"drawing\">{}</div>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            flame::svg(self.profile, self.resource),
            self.centres(),
            self.edges(),
            self.drawing.svg()
        );
        out
    }

    /// Returns the resources that the run used, the one of the page first.
    fn shown(&self) -> Vec<Resource> {
        let measured = &self.profile.measured;
        let others = { measured.resources.iter().copied() }
            .filter(|&r| r != self.resource && measured.total.of(r) > 0);
        std::iter::once(self.resource).chain(others).collect()
    }

    fn centres(&self) -> String {
        let shown = self.shown();
        let mut head: Vec<String> = ["cost centre", "%"].map(str::to_owned).to_vec();
        head.extend(shown.iter().map(|&r| resource_name(r).to_owned()));
        head.push(format!("{} with calls", resource_name(self.resource)));
        head.extend(["calls", "exits", "redos", "fails", "exceptions"].map(str::to_owned));
        let mut rows = Vec::new();
        for n in self.profile.by_share(self.resource) {
            let (row, centre) = (&self.profile.rows[n], &self.profile.measured.centres[n]);
            let amount = |amounts, resource| match row.hooks || resource == Resource::Time {
                true => amount_text(amounts, resource),
                false => "-".to_owned(),
            };
            let mut line = vec![
                row.name.clone(),
                percent(self.profile.share(&row.own, self.resource)),
            ];
            line.extend(shown.iter().map(|&r| amount(&row.own, r)));
            line.push(amount(&centre.accumulated, self.resource));
            line.extend(
                [
                    row.entered(Enter::Call),
                    row.left(Leave::Exit),
                    row.entered(Enter::Redo),
                    row.left(Leave::Fail),
                    row.left(Leave::Exception),
                ]
                .map(|n| n.to_string()),
            );
            rows.push(line);
        }
        table(&head, &rows, 1)
    }

    fn edges(&self) -> String {
        let shown = self.shown();
        let mut head: Vec<String> = ["from", "to", "%"].map(str::to_owned).to_vec();
        head.extend(shown.iter().map(|&r| resource_name(r).to_owned()));
        let mut edges: Vec<_> = (self.profile.measured.edges.iter())
            .map(|edge| (edge, edge.ports.used()))
            .collect();
        edges.sort_by_key(|(_, used)| std::cmp::Reverse(used.of(self.resource)));
        let rows: Vec<Vec<String>> = edges
            .iter()
            .map(|(edge, used)| {
                let name = |n: usize| self.profile.rows[n].name.clone();
                let share = percent(self.profile.share(used, self.resource));
                let mut line = vec![name(edge.from), name(edge.to), share];
                line.extend(shown.iter().map(|&r| amount_text(used, r)));
                line
            })
            .collect();
        table(&head, &rows, 2)
    }
}

/// Returns a table whose first `names` columns are names and the others numbers.
fn table(head: &[String], rows: &[Vec<String>], names: usize) -> String {
    let mut out = String::from("<div class=\"wide\"><table>\n");
    let mut line = |cells: &[String], tag: &str| {
        out.push_str("<tr>");
        for (column, cell) in cells.iter().enumerate() {
            let class = if column < names {
                ""
            } else {
                " class=\"number\""
            };
            let _ = write!(out, "<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        out.push_str("</tr>\n");
    };
    line(head, "th");
    for row in rows {
        line(row, "td");
    }
    out.push_str("</table></div>\n");
    out
}
