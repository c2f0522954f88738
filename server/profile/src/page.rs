//! Renders a profile as a page: one HTML file with a flame graph, tables and the call graph, without external resources.

mod flame;

use costlens_machine::{Enter, Leave, Resource};
use maud::{Markup, PreEscaped, html};

use crate::draw::{Drawing, percent};
use crate::profile::{Profile, amount_text, resource_name};

/// The contents of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'p> {
    /// The goal, which is the title.
    pub goal: &'p str,
    /// A summary of the run and its outcome.
    pub summary: &'p str,
    /// The profile.
    pub profile: &'p Profile,
    /// The resource that determines the order and the drawing.
    pub resource: Resource,
    /// The call graph, or the tree of a search.
    pub drawing: &'p Drawing,
    /// The checked assertions: the text, and whether the assertion is false.
    pub checks: &'p [(String, bool)],
}

/// The colours for light and dark screens.
const STYLE: &str = include_str!("page/page.css");
/// The script that zooms in on a frame of the flame graph on a click.
const SCRIPT: &str = include_str!("page/zoom.js");

impl Page<'_> {
    /// Returns the page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let resource = resource_name(self.resource);
        let page = html! {
            (PreEscaped("<!doctype html>\n"))
            html lang="en" { "\n"
                head { "\n"
                    meta charset="utf-8"; "\n"
                    meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                    title { (self.goal) } "\n"
                    style { "\n" (PreEscaped(STYLE)) } "\n"
                } "\n"
                body { "\n"
                    h1 { code { (self.goal) } } "\n"
                    p { (self.summary) } "\n"
                    (self.assertions())
                    h2 { "Flame graph of " (resource) } "\n"
                    (flame::svg(self.profile, self.resource))
                    h2 { "Cost centres" } "\n"
                    (self.centres())
                    h2 { "Edges" } "\n"
                    (self.edges())
                    h2 { "Calls" } "\n"
                    div class="drawing" { (PreEscaped(self.drawing.svg())) } "\n"
                    script { "\n" (PreEscaped(SCRIPT)) } "\n"
                } "\n"
            } "\n"
        };
        page.into_string()
    }

    fn assertions(&self) -> Markup {
        html! {
            @if !self.checks.is_empty() {
                h2 { "Assertions" } "\n"
                ul { "\n"
                    @for (text, is_false) in self.checks {
                        li class=[is_false.then_some("false")] { (text) } "\n"
                    }
                } "\n"
            }
        }
    }

    /// Returns the resources that the run used; the page's resource comes first.
    fn shown(&self) -> Vec<Resource> {
        let measured = &self.profile.measured;
        let others = { measured.resources.iter().copied() }
            .filter(|&r| r != self.resource && measured.total.amount(r) > 0);
        std::iter::once(self.resource).chain(others).collect()
    }

    fn centres(&self) -> Markup {
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

    fn edges(&self) -> Markup {
        let shown = self.shown();
        let mut head: Vec<String> = ["from", "to", "%"].map(str::to_owned).to_vec();
        head.extend(shown.iter().map(|&r| resource_name(r).to_owned()));
        let mut edges: Vec<_> = (self.profile.measured.edges.iter())
            .map(|edge| (edge, edge.ports.used()))
            .collect();
        edges.sort_by_key(|(_, used)| std::cmp::Reverse(used.amount(self.resource)));
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

/// Renders a table whose first `names` columns are names and whose other columns are numbers.
fn table(head: &[String], rows: &[Vec<String>], names: usize) -> Markup {
    let class = |column: usize| (column >= names).then_some("number");
    html! {
        div class="wide" {
            table { "\n"
                tr { @for (i, cell) in head.iter().enumerate() { th class=[class(i)] { (cell) } } } "\n"
                @for row in rows {
                    tr { @for (i, cell) in row.iter().enumerate() { td class=[class(i)] { (cell) } } } "\n"
                }
            }
        } "\n"
    }
}
