//! Marks of a profile in the texts of its program: the share of each predicate next to its first clause, and the shares of calls next to
//! the literals.
//!
//! ```text
//! nrev([], []).                      ▁ 2% · 101 steps · bound 5,151, seen 5,151
//! nrev([X|Xs], Ys) :-
//!     nrev(Xs, Zs),
//!     app(Zs, [X], Ys).              █ 96% · 5,050 steps
//! ```
//!
//! The share of a literal is the share of the edge from its predicate to the called predicate. If several literals call the same predicate,
//! each is marked with the whole share.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use costlens_events::Event;
use costlens_ide::host::{File, Host};
use costlens_ide::navigate::names::{Name, NameRole};
use costlens_ide::present::indicator;
use costlens_ide::present::reach::thousands;
use costlens_ide::present::values::BoundValue;
use costlens_ide::reports::estimates::ParameterValues;
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::{Amounts, CentreName, Enter, Leave, Resource};
use costlens_profile::search::Predicate;
use costlens_profile::single::Single;
use costlens_profile::{Heat, Profile, amount_text, resource_name};
use costlens_program::Functor;

use super::interrupted;

/// Bars for shares, in eight heights.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A mark next to a predicate or a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) file: File,
    /// The byte offset of the mark, at the end of a line.
    pub(crate) offset: usize,
    /// `▆ 75% · 3,800 steps`, preceded by the name if several marks are at the end of the line.
    pub(crate) label: String,
    /// Details, in Markdown.
    pub(crate) tooltip: String,
    /// The byte range of the marked name.
    pub(crate) named: Range<usize>,
    /// The heat of its share.
    pub(crate) heat: Heat,
}

/// The position of a predicate: its name in the head of its first clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamePlace {
    pub(crate) file: File,
    pub(crate) range: Range<usize>,
}

/// The texts of a program, with the occurrences of predicate names in them.
pub(crate) struct Places {
    files: Vec<(File, String, Arc<[Name]>)>,
    first: BTreeMap<Functor, NamePlace>,
}

impl Places {
    /// Looks up the names in the files of a program.
    ///
    /// # Errors
    /// Fails if a file no longer exists.
    pub(crate) fn resolve(host: &Host, program: &Runnable) -> anyhow::Result<Self> {
        let snapshot = host.snapshot();
        let (mut files, mut first) = (Vec::new(), BTreeMap::new());
        for part in &program.parts {
            if let Some(file) = snapshot.file(&part.name).map_err(interrupted)? {
                let names = snapshot.names(file).map_err(interrupted)?;
                for name in names.iter().filter(|name| name.role == NameRole::Head) {
                    first
                        .entry(name.functor.clone())
                        .or_insert_with(|| NamePlace {
                            file,
                            range: name.range.clone(),
                        });
                }
                files.push((file, part.text.clone(), names));
            }
        }
        Ok(Places { files, first })
    }

    /// Returns the files.
    pub(crate) fn files(&self) -> impl Iterator<Item = File> {
        self.files.iter().map(|(file, ..)| *file)
    }

    /// Returns the position of a predicate's first clause.
    pub(crate) fn predicate(&self, (name, arity): &Predicate) -> Option<&NamePlace> {
        self.first.get(&Functor::new(name.clone(), *arity))
    }
}

/// The marks of a profile.
pub(crate) struct Marking<'p> {
    profile: &'p Profile,
    resource: Resource,
    source: String,
    bounds: BTreeMap<Predicate, (String, u64)>,
    /// The entered predicates, with the indices of their centres.
    centres: BTreeMap<Functor, usize>,
}

/// A mark before its name is added to the label.
struct UnplacedMark {
    offset: usize,
    name: String,
    text: String,
    tooltip: String,
    named: Range<usize>,
    heat: Heat,
}

impl<'p> Marking<'p> {
    /// Creates marks with the shares of a resource. `source` names the goal and the engine, for tooltips; `bounds` contains upper bounds of
    /// predicates that were called once, with their counts.
    pub(crate) fn new(
        profile: &'p Profile,
        resource: Resource,
        source: String,
        bounds: BTreeMap<Predicate, (String, u64)>,
    ) -> Self {
        let entered = profile.by_share(resource).into_iter();
        let centres = entered.filter_map(|n| match &profile.measured.centres[n].name {
            CentreName::Predicate(name, arity) => Some((Functor::new(name.clone(), *arity), n)),
            CentreName::Remainder | CentreName::Literal(_) => None,
        });
        Marking {
            centres: centres.collect(),
            profile,
            resource,
            source,
            bounds,
        }
    }

    /// Returns the marks in the files of a program, by file and position.
    pub(crate) fn marks(&self, places: &Places) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (file, text, names) in &places.files {
            let mut found = self.of_heads(text, names);
            found.extend(self.of_literals(text, names));
            // The sort is stable, so on each line the marks of the head come first.
            found.sort_by_key(|mark| mark.offset);
            for n in 0..found.len() {
                let shares = |other: Option<&UnplacedMark>| {
                    other.is_some_and(|other| other.offset == found[n].offset)
                };
                let is_alone = !shares(n.checked_sub(1).and_then(|b| found.get(b)))
                    && !shares(found.get(n + 1));
                let UnplacedMark {
                    offset,
                    name,
                    text,
                    tooltip,
                    named,
                    heat,
                } = &found[n];
                marks.push(Mark {
                    file: *file,
                    offset: *offset,
                    label: match is_alone {
                        true => text.clone(),
                        false => format!("{name} {text}"),
                    },
                    tooltip: tooltip.clone(),
                    named: named.clone(),
                    heat: *heat,
                });
            }
        }
        marks
    }

    fn centre(&self, functor: &Functor) -> Option<usize> {
        self.centres.get(functor).copied()
    }

    fn of_heads(&self, text: &str, names: &[Name]) -> Vec<UnplacedMark> {
        let mut known: BTreeSet<&Functor> = BTreeSet::new();
        let mut found = Vec::new();
        for name in names.iter().filter(|name| name.role == NameRole::Head) {
            let Some(centre) = self.centre(&name.functor) else {
                continue;
            };
            // Mark only the first clause.
            if !known.insert(&name.functor) {
                continue;
            }
            let row = &self.profile.rows[centre];
            let share = self.profile.share(&row.own, self.resource);
            let mut label = self.label(share, &amount_of(&row.own, self.resource));
            let predicate = (name.functor.name.clone(), name.functor.arity);
            if let Some((bound, seen)) = self.bounds.get(&predicate) {
                let seen = thousands(&seen.to_string());
                label.push_str(&format!(" · bound {bound}, seen {seen}"));
            }
            found.push(UnplacedMark {
                offset: end_of_line(text, name.range.end),
                name: indicator(&name.functor),
                text: label,
                tooltip: self.details(centre),
                named: name.range.clone(),
                heat: Heat::from_share(share),
            });
        }
        found
    }

    fn of_literals(&self, text: &str, names: &[Name]) -> Vec<UnplacedMark> {
        // The literals of each edge.
        let mut literals: BTreeMap<(usize, usize), Vec<&Name>> = BTreeMap::new();
        for name in names.iter().filter(|name| name.role == NameRole::Call) {
            let caller = name.owner.as_ref().and_then(|owner| self.centre(owner));
            if let (Some(from), Some(to)) = (caller, self.centre(&name.functor)) {
                literals.entry((from, to)).or_default().push(name);
            }
        }
        let mut found = Vec::new();
        for edge in &self.profile.measured.edges {
            let used = edge.ports.used();
            let Some(places) = literals.get(&(edge.from, edge.to)) else {
                continue;
            };
            if used.amount(self.resource) == 0 {
                continue;
            }
            let share = self.profile.share(&used, self.resource);
            let mut label = self.label(share, &amount_of(&used, self.resource));
            if places.len() > 1 {
                label.push_str(&format!(" in {} places", places.len()));
            }
            let to = &self.profile.rows[edge.to].name;
            let from = &self.profile.rows[edge.from].name;
            for name in places {
                found.push(UnplacedMark {
                    offset: end_of_line(text, name.range.end),
                    name: indicator(&name.functor),
                    text: label.clone(),
                    tooltip: format!(
                        "What `{to}` itself uses when it is called by `{from}`.\n\n{}",
                        self.source
                    ),
                    named: name.range.clone(),
                    heat: Heat::from_share(share),
                });
            }
        }
        found
    }

    fn label(&self, share: f64, amount: &str) -> String {
        format!("{} {} · {amount}", bar(share), percent(share))
    }

    /// Returns details about a predicate: its shares, ports and resources.
    fn details(&self, centre: usize) -> String {
        let (row, known) = (
            &self.profile.rows[centre],
            &self.profile.measured.centres[centre],
        );
        let of = |amounts| percent(self.profile.share(amounts, self.resource));
        let ports = [
            ("calls", row.entered(Enter::Call)),
            ("exits", row.left(Leave::Exit)),
            ("redos", row.entered(Enter::Redo)),
            ("fails", row.left(Leave::Fail)),
            ("exceptions", row.left(Leave::Exception)),
        ];
        let ports: Vec<String> = { ports.into_iter() }
            .filter(|&(_, n)| n > 0)
            .map(|(name, n)| format!("{} {name}", thousands(&n.to_string())))
            .collect();
        let measured = self.profile.measured.resources.iter();
        let used: Vec<String> = measured
            .filter(|&&r| row.own.amount(r) > 0 && (row.hooks || r == Resource::Time))
            .map(|&r| amount_of(&row.own, r))
            .collect();
        format!(
            "`{}` itself: {} of {}; with all that it calls: {}.\n\n{}\n\n{}\n\n{}",
            row.name,
            of(&row.own),
            amount_of(&self.profile.measured.total, self.resource),
            of(&known.accumulated),
            ports.join(", "),
            used.join(", "),
            self.source
        )
    }
}

/// Formats an amount with its unit: `5,151 steps`, `1.2 ms`.
pub(crate) fn amount_of(amounts: &Amounts, resource: Resource) -> String {
    let text = amount_text(amounts, resource);
    match resource {
        Resource::Time => text,
        _ => format!(
            "{} {}",
            thousands(&text),
            resource_name(resource).replace('_', " ")
        ),
    }
}

/// Formats a percentage: `43%`; for small shares `0.4%`.
pub(crate) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.05..0.95 => format!("{percent:.1}%"),
        _ => format!("{percent:.0}%"),
    }
}

fn bar(share: f64) -> char {
    let heights = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];
    let height = heights.iter().take_while(|&&h| share > h).count();
    BARS[height.min(BARS.len() - 1)]
}

/// Returns the end of the line that contains a byte, before trailing blanks.
fn end_of_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.split('\n').next().unwrap_or_default().trim_end().len()
}

/// Returns upper bounds on the steps of the only calls of their predicates, at the sizes of their arguments. Unknown bounds are omitted.
///
/// # Errors
/// Fails if a file no longer exists.
pub(crate) fn bounds(
    host: &Host,
    places: &Places,
    calls: &[Single],
) -> anyhow::Result<BTreeMap<Predicate, (String, u64)>> {
    let snapshot = host.snapshot();
    let mut found = BTreeMap::new();
    for call in calls {
        let Some(place) = places.predicate(&call.predicate) else {
            continue;
        };
        let events = &[Event::Step];
        let estimates = snapshot.estimates(
            place.file,
            &call.terms,
            call.goal,
            events,
            None,
            ParameterValues::Unknown,
        );
        let estimates = estimates.map_err(interrupted)?;
        // A bound that depends on a user's assertion is not suitable for comparison.
        let proved = estimates.ok().filter(|e| e.asserted.is_empty());
        let at = proved.and_then(|e| e.events.into_iter().next());
        if let Some((_, at)) = at
            && let BoundValue::Exact(_) = &at.first.upper
            && let Some(exact) = at.first.upper.exact()
        {
            let bound = match exact.chars().all(|c| c.is_ascii_digit()) {
                true => thousands(&exact),
                false => exact,
            };
            found.insert(call.predicate.clone(), (bound, call.steps));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_and_percentages_of_shares() {
        let shown = |share| format!("{} {}", bar(share), percent(share));
        assert_eq!(shown(0.0), "▁ 0%");
        assert_eq!(shown(0.004), "▁ 0.4%");
        assert_eq!(shown(0.125), "▁ 12%");
        assert_eq!(shown(0.43), "▄ 43%");
        assert_eq!(shown(0.876), "█ 88%");
        assert_eq!(shown(1.0), "█ 100%");
    }

    #[test]
    fn marks_stand_at_the_end_of_the_line() {
        assert_eq!(end_of_line("p(X) :-  \n q.", 1), 7);
        assert_eq!(end_of_line("p", 1), 1);
    }
}
