//! Renders a profile as a page: a flame graph, tables and the call graph.

mod flame;

use costlens_machine::{Enter, Leave, Resource};
use costlens_profile::draw::Drawing;
use costlens_profile::{Profile, resource_name};
use maud::{Markup, PreEscaped, html};

use super::tables::{Measure, centres, edges};
use crate::report::html::page;

/// The contents of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'p> {
    /// The goal, which is the title.
    pub(crate) goal: &'p str,
    /// A summary of the run and its outcome.
    pub(crate) summary: &'p str,
    pub(crate) profile: &'p Profile,
    /// The resource that determines the order and the drawing.
    pub(crate) resource: Resource,
    /// The call graph, or the tree of a search.
    pub(crate) drawing: &'p Drawing,
    /// The checked assertions: the text, and whether the assertion is false.
    pub(crate) checks: &'p [(String, bool)],
}

const STYLE: &str = include_str!("page/profile.css");
/// The script that zooms in on a frame of the flame graph on a click.
const SCRIPT: &str = include_str!("page/zoom.js");

impl Page<'_> {
    /// Returns the page as HTML.
    pub(crate) fn html(&self) -> String {
        let body = html! {
            h1 { code { (self.goal) } } "\n"
            p class="quiet" { (self.summary) } "\n"
            (self.assertions())
            h2 { "Flame graph of " (resource_name(self.resource)) } "\n"
            (flame::svg(self.profile, self.resource))
            h2 { "Cost centres" } "\n"
            (self.centres())
            h2 { "Edges" } "\n"
            (self.edges())
            h2 { "Calls" } "\n"
            div class="drawing" { (PreEscaped(self.drawing.svg())) } "\n"
        };
        page(self.goal, &body, STYLE, SCRIPT)
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

    /// Returns the share of the page's resource, and the use of each resource that the run used.
    fn used(&self) -> Vec<Measure> {
        let measured = &self.profile.measured;
        let others = { measured.resources.iter().copied() }
            .filter(|&r| r != self.resource && measured.total.amount(r) > 0);
        let first = [Measure::Share(self.resource), Measure::Own(self.resource)];
        first.into_iter().chain(others.map(Measure::Own)).collect()
    }

    fn centres(&self) -> Markup {
        let mut measures = self.used();
        measures.extend([
            Measure::WithCalls(self.resource),
            Measure::Visits(Some(Enter::Call), None),
            Measure::Visits(None, Some(Leave::Exit)),
            Measure::Visits(Some(Enter::Redo), None),
            Measure::Visits(None, Some(Leave::Fail)),
            Measure::Visits(None, Some(Leave::Exception)),
        ]);
        let order = self.profile.by_share(self.resource);
        centres(self.profile, &order, &measures).html()
    }

    fn edges(&self) -> Markup {
        edges(self.profile, self.resource, &self.used()).html()
    }
}
