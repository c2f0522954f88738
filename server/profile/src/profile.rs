//! The measurements of a run, by centre.

use std::time::Duration;

use costlens_machine::{Amounts, CentreName, CentrePorts, Enter, Leave, Measured, Resource};

/// A profile.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The measurements of the machine.
    pub measured: Measured,
    /// The centres, by number; the first is the remainder.
    pub rows: Vec<CentreRow>,
}

/// The measurements of a centre: the sums over the edges that lead to it.
#[derive(Clone, Debug)]
pub struct CentreRow {
    /// The centre's name as displayed.
    pub name: String,
    /// The counts of port pairs, with the use between the ports.
    pub ports: CentrePorts,
    /// The centre's own use, excluding other centres in the meantime.
    pub own: Amounts,
    /// Set if the centre's events are shown.
    pub hooks: bool,
}

impl Profile {
    /// Creates a profile from a machine's measurements. Events are not shown for the centres in `nohooks`.
    #[must_use]
    pub fn new(measured: Measured, nohooks: &[CentreName]) -> Self {
        let mut rows: Vec<CentreRow> = (measured.centres.iter())
            .map(|centre| CentreRow {
                name: name_of(&centre.name),
                ports: CentrePorts::default(),
                own: Amounts::default(),
                hooks: measured.resources.len() > 1 && !nohooks.contains(&centre.name),
            })
            .collect();
        for edge in &measured.edges {
            rows[edge.to].ports.add(&edge.ports);
        }
        for row in &mut rows {
            row.own = row.ports.used();
        }
        Profile { measured, rows }
    }

    /// Returns an amount as a share of the run's total of a resource, between 0 and 1.
    #[must_use]
    pub fn share(&self, amounts: &Amounts, resource: Resource) -> f64 {
        ratio(
            amounts.amount(resource),
            self.measured.total.amount(resource),
        )
    }

    /// Returns the number of a centre.
    #[must_use]
    pub fn centre(&self, name: &CentreName) -> Option<usize> {
        self.measured.centres.iter().position(|c| c.name == *name)
    }

    /// Returns the numbers of the entered centres, by decreasing share of a resource; ties are in declaration order.
    #[must_use]
    pub fn by_share(&self, resource: Resource) -> Vec<usize> {
        let entered = |n: &usize| {
            self.rows[*n]
                .ports
                .pairs()
                .any(|(_, _, pair)| pair.count > 0)
        };
        let mut order: Vec<usize> = (0..self.rows.len()).filter(entered).collect();
        order.sort_by_key(|&n| std::cmp::Reverse(self.rows[n].own.amount(resource)));
        order
    }
}

/// Returns a ratio, or 0 if the whole is 0.
#[expect(clippy::cast_precision_loss, reason = "shares are only displayed")]
#[must_use]
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 / whole as f64
}

/// Returns the displayed name of a centre.
#[must_use]
pub fn name_of(name: &CentreName) -> String {
    match name {
        CentreName::Remainder => "remainder".to_owned(),
        CentreName::Predicate(name, arity) => format!("{name}/{arity}"),
        CentreName::Literal(name) => name.clone(),
    }
}

/// Returns the name of a resource, on the command line and in JSON.
#[must_use]
pub fn resource_name(resource: Resource) -> &'static str {
    match resource {
        Resource::Time => "time",
        Resource::Steps => "steps",
        Resource::HeadUnifications => "head_unifications",
        Resource::Goals => "goals",
        Resource::Backtracks => "backtracks",
        Resource::ChoicePoints => "choice_points",
        Resource::Cuts => "cuts",
        Resource::UselessCuts => "useless_cuts",
        Resource::Skips => "skips",
        Resource::HeapCells => "heap_cells",
        Resource::Instructions => "instructions",
    }
}

/// Returns the name of an entry port, in tables and in JSON.
#[must_use]
pub fn enter_name(port: Enter) -> &'static str {
    match port {
        Enter::Call => "call",
        Enter::Redo => "redo",
    }
}

/// Returns the name of an exit port, in tables and in JSON.
#[must_use]
pub fn leave_name(port: Leave) -> &'static str {
    match port {
        Leave::Exit => "exit",
        Leave::Fail => "fail",
        Leave::Exception => "exception",
        Leave::Open => "open",
    }
}

/// Returns an amount as text; times have a unit.
#[must_use]
pub fn amount_text(amounts: &Amounts, resource: Resource) -> String {
    let amount = amounts.amount(resource);
    if resource != Resource::Time {
        return amount.to_string();
    }
    let seconds = Duration::from_nanos(amount).as_secs_f64();
    match amount {
        0..1_000_000 => format!("{:.1} µs", seconds * 1e6),
        1_000_000..1_000_000_000 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// Returns the resource with a name.
#[must_use]
pub fn resource_of(name: &str) -> Option<Resource> {
    Resource::ALL
        .into_iter()
        .find(|&r| resource_name(r) == name)
}

impl CentreRow {
    /// Returns the number of times that the centre was entered by a port.
    #[must_use]
    pub fn entered(&self, by: Enter) -> u64 {
        count(&self.ports, |enter, _| enter == by)
    }

    /// Returns the number of times that the centre was left by a port.
    #[must_use]
    pub fn left(&self, by: Leave) -> u64 {
        count(&self.ports, |_, leave| leave == by)
    }
}

/// Returns the sum of the counts of some pairs of ports.
pub fn count(ports: &CentrePorts, wanted: impl Fn(Enter, Leave) -> bool) -> u64 {
    let pairs = ports
        .pairs()
        .filter(|(enter, leave, _)| wanted(*enter, *leave));
    pairs.map(|(_, _, pair)| pair.count).sum()
}
