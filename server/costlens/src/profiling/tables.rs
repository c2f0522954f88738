//! The tables of a profile: cost centres and edges with their measurements, for texts and pages.

use costlens_machine::{Amounts, CentrePorts, Edge, Enter, Leave, Resource};
use costlens_profile::{Profile, amount_text, count, enter_name, leave_name, resource_name};

use crate::report::{Row, Table, columns, percent};

/// A measurement: a column of a table.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    /// The share of the run's total.
    Share(Resource),
    /// The use without other centres.
    Own(Resource),
    /// The use including callees.
    WithCalls(Resource),
    /// The number of visits through these ports; `None` is any port.
    Visits(Option<Enter>, Option<Leave>),
}

/// The measurements of a centre or of an edge.
struct Measured<'p> {
    profile: &'p Profile,
    ports: &'p CentrePorts,
    own: Amounts,
    /// For an edge, this is its own use.
    with_calls: Amounts,
    /// False if only ports and time are shown.
    hooks: bool,
}

impl Measure {
    /// Returns the pairs of ports through which centres were visited.
    pub(super) fn pairs<'p>(visits: impl Iterator<Item = &'p CentrePorts>) -> Vec<Self> {
        let mut sum = CentrePorts::default();
        visits.for_each(|ports| sum.add(ports));
        let occurring = sum.pairs().filter(|(_, _, pair)| pair.count > 0);
        { occurring }
            .map(|(enter, leave, _)| Measure::Visits(Some(enter), Some(leave)))
            .collect()
    }

    fn name(self) -> String {
        match self {
            Measure::Share(resource) => format!("% {}", resource_name(resource)),
            Measure::Own(resource) => resource_name(resource).to_owned(),
            Measure::WithCalls(resource) => format!("{} with calls", resource_name(resource)),
            Measure::Visits(enter, leave) => match (enter.map(enter_name), leave.map(leave_name)) {
                (Some(enter), Some(leave)) => format!("{enter}-{leave}"),
                (enter, leave) => format!("{}s", enter.or(leave).unwrap_or("visit")),
            },
        }
    }

    /// Returns the measurement of the whole run, if it is a sum over all rows.
    fn total(self, profile: &Profile) -> String {
        match self {
            Measure::Share(_) => percent(1.0),
            Measure::Own(resource) => amount_text(&profile.measured.total, resource),
            _ => String::new(),
        }
    }
}

impl Measured<'_> {
    fn row(&self, names: &[&str], measures: &[Measure]) -> Row {
        let names = names.iter().map(|&name| name.to_owned());
        let cells = measures.iter().map(|&measure| self.cell(measure));
        names.chain(cells).collect()
    }

    fn cell(&self, measure: Measure) -> String {
        match measure {
            Measure::Share(resource) | Measure::Own(resource) | Measure::WithCalls(resource)
                if !self.hooks && resource != Resource::Time =>
            {
                "-".to_owned()
            }
            Measure::Share(resource) => percent(self.profile.share(&self.own, resource)),
            Measure::Own(resource) => amount_text(&self.own, resource),
            Measure::WithCalls(resource) => amount_text(&self.with_calls, resource),
            Measure::Visits(by, to) => count(self.ports, |enter, leave| {
                by.is_none_or(|port| port == enter) && to.is_none_or(|port| port == leave)
            })
            .to_string(),
        }
    }
}

/// Returns the measurements of these centres.
pub(super) fn centres(profile: &Profile, centres: &[usize], measures: &[Measure]) -> Table {
    let rows = centres.iter().map(|&n| {
        let row = &profile.rows[n];
        let measured = Measured {
            profile,
            ports: &row.ports,
            own: row.own,
            with_calls: profile.measured.centres[n].accumulated,
            hooks: row.hooks,
        };
        measured.row(&[&row.name], measures)
    });
    Table {
        caption: "Measurements of cost centres".to_owned(),
        columns: columns(&["cost centre"], measures.iter().map(|m| m.name())),
        rows: rows.collect(),
    }
}

/// Returns the measurements of all edges, sorted by decreasing use of a resource.
pub(super) fn edges(profile: &Profile, by: Resource, measures: &[Measure]) -> Table {
    let edges = profile.measured.edges.iter();
    let mut edges: Vec<(Amounts, &Edge)> = edges.map(|edge| (edge.ports.used(), edge)).collect();
    edges.sort_by_key(|(used, _)| std::cmp::Reverse(used.amount(by)));
    let rows = edges.into_iter().map(|(used, edge)| {
        let [from, to] = [edge.from, edge.to].map(|n| &profile.rows[n]);
        let measured = Measured {
            profile,
            ports: &edge.ports,
            own: used,
            with_calls: used,
            hooks: to.hooks,
        };
        measured.row(&[&from.name, &to.name], measures)
    });
    Table {
        caption: "Measurements of edges".to_owned(),
        columns: columns(&["from", "to"], measures.iter().map(|m| m.name())),
        rows: rows.collect(),
    }
}

/// Returns the row of the whole run.
pub(super) fn total(profile: &Profile, measures: &[Measure]) -> Row {
    let totals = measures.iter().map(|measure| measure.total(profile));
    std::iter::once("total".to_owned()).chain(totals).collect()
}
