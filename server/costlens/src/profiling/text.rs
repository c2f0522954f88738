//! Formats a profile as tables.

use std::collections::BTreeMap;

use costlens_ide::present::markup::aligned;
use costlens_machine::{Amounts, HeadCounts, Resource};
use costlens_profile::search::{Tree, TreeNode};
use costlens_profile::{Profile, amount_text, resource_name};

use super::tables::{self, Measure};
use crate::report::{counted, percent};

/// Formats the tables of a profile: centres, their other events, and edges.
pub(crate) fn profile(profile: &Profile, resource: Resource) -> String {
    let by = match profile.measured.has(resource) {
        true => resource,
        false => Resource::Time,
    };
    let order = profile.by_share(by);
    let others = others(profile, &order).map_or_else(String::new, |others| format!("\n{others}"));
    let centres = centres(profile, by, &order);
    format!("{centres}{others}\n{}", edges(profile, by))
}

/// Formats the table of `profile_dump/0`: the centres, ordered by steps if these are measured.
pub(crate) fn dumped(profile: &Profile) -> String {
    let by = shown(profile).next().unwrap_or(Resource::Time);
    centres(profile, by, &profile.by_share(by))
}

/// Returns the measured resources among steps and time.
fn shown(profile: &Profile) -> impl Iterator<Item = Resource> {
    let resources = [Resource::Steps, Resource::Time].into_iter();
    resources.filter(|&resource| profile.measured.has(resource))
}

fn centres(profile: &Profile, by: Resource, order: &[usize]) -> String {
    let mut measures = vec![Measure::Share(by)];
    measures.extend(shown(profile).flat_map(|r| [Measure::Own(r), Measure::WithCalls(r)]));
    measures.extend(Measure::pairs(
        order.iter().map(|&n| &profile.rows[n].ports),
    ));
    with_total(profile, order, &measures)
}

fn with_total(profile: &Profile, centres: &[usize], measures: &[Measure]) -> String {
    let mut table = tables::centres(profile, centres, measures);
    table.rows.push(tables::total(profile, measures));
    table.text()
}

/// Formats the events that the first table omits, if there are any.
fn others(profile: &Profile, order: &[usize]) -> Option<String> {
    let measures: Vec<Measure> = (Resource::ALL.into_iter())
        .filter(|r| !matches!(r, Resource::Steps | Resource::Time))
        .filter(|&r| profile.measured.total.amount(r) > 0)
        .map(Measure::Own)
        .collect();
    let with_hooks = order.iter().copied().filter(|&n| profile.rows[n].hooks);
    (!measures.is_empty()).then(|| with_total(profile, &with_hooks.collect::<Vec<_>>(), &measures))
}

fn edges(profile: &Profile, by: Resource) -> String {
    let mut measures = vec![Measure::Share(by)];
    measures.extend(shown(profile).map(Measure::Own));
    let edges = profile.measured.edges.iter();
    measures.extend(Measure::pairs(edges.map(|edge| &edge.ports)));
    tables::edges(profile, by, &measures).text()
}

/// Formats the table of heads tried while each centre was running, and of predicates without clauses, sorted by use.
pub(crate) fn heads(profile: &Profile, by: Resource) -> String {
    let mut sums: BTreeMap<(usize, String, Option<usize>), HeadCounts> = BTreeMap::new();
    for head in &profile.measured.heads {
        let Some(edge) = profile.measured.edges.get(head.edge) else {
            continue;
        };
        let predicate = format!("{}/{}", head.name, head.arity);
        let sum = sums.entry((edge.to, predicate, head.clause)).or_default();
        sum.add(&head.counts);
    }
    let head = [
        "cost centre",
        "head",
        "call-exit",
        "call-fail",
        "redo-exit",
        "redo-fail",
        "time",
        "steps",
        "skips",
    ];
    let mut table = vec![head.map(ToOwned::to_owned).to_vec()];
    for n in profile.by_share(by) {
        let mut of_centre: Vec<_> = sums.iter().filter(|((of, ..), _)| *of == n).collect();
        let tries = |counts: &HeadCounts| counts.counts.iter().flatten().sum::<u64>();
        of_centre.sort_by_key(|(_, counts)| std::cmp::Reverse(tries(counts)));
        for ((_, predicate, clause), counts) in of_centre {
            let mut line = vec![profile.rows[n].name.clone()];
            line.push(match clause {
                Some(number) => format!("{predicate}, clause {number}"),
                None => predicate.clone(),
            });
            let ports = counts.counts.iter().flatten();
            line.extend(ports.map(ToString::to_string));
            let mut time = Amounts::default();
            let nanoseconds = counts.nanoseconds.iter().flatten().sum();
            time.add_amount(Resource::Time, nanoseconds);
            line.push(amount_text(&time, Resource::Time));
            line.extend([counts.steps, counts.skips].map(|n| n.to_string()));
            table.push(line);
        }
    }
    aligned(&table, "")
}

/// Formats the tree found by a search, each predicate below its caller.
pub(crate) fn tree(tree: &Tree, resource: Resource) -> String {
    let name = |found: &TreeNode| match &found.predicate {
        Some((name, arity)) => format!("{name}/{arity}"),
        None => "the goal".to_owned(),
    };
    let own = |found: &TreeNode| found.own.map(|own| percent(tree.share(own)));
    let mut out = String::new();
    if let Some(n) = tree.bottleneck() {
        out.push_str(&format!(
            "bottleneck: {} uses {} of the {} itself ({})\n",
            name(&tree.found[n]),
            own(&tree.found[n]).unwrap_or_default(),
            resource_name(resource),
            counted(tree.iterations, "profile", "profiles")
        ));
    }
    let head = ["", "with calls", "itself"].map(ToOwned::to_owned);
    let mut table = vec![head.to_vec()];
    for (depth, found) in tree.walk() {
        table.push(vec![
            format!("{}{}", "  ".repeat(depth), name(found)),
            percent(tree.share(found.used)),
            own(found).unwrap_or_default(),
        ]);
    }
    out.push_str(&aligned(&table, ""));
    out.push('\n');
    out
}
