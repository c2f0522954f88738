//! Formats a profile as tables.

use std::collections::BTreeMap;

use costlens_ide::present::markup::aligned;
use costlens_machine::{Amounts, CentrePorts, Enter, HeadCounts, Leave, Resource};
use costlens_profile::search::{Tree, TreeNode};
use costlens_profile::{Profile, amount_text, resource_name};

/// The port pairs, with their names in tables.
const PAIRS: [(&str, Enter, Leave); 8] = [
    ("call-exit", Enter::Call, Leave::Exit),
    ("call-fail", Enter::Call, Leave::Fail),
    ("call-exception", Enter::Call, Leave::Exception),
    ("call-open", Enter::Call, Leave::Open),
    ("redo-exit", Enter::Redo, Leave::Exit),
    ("redo-fail", Enter::Redo, Leave::Fail),
    ("redo-exception", Enter::Redo, Leave::Exception),
    ("redo-open", Enter::Redo, Leave::Open),
];

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Returns the port pairs that occur in any row.
fn pairs_of<'p>(
    rows: impl Iterator<Item = &'p CentrePorts> + Clone,
) -> Vec<(&'static str, Enter, Leave)> {
    let used = |&(_, enter, leave): &(_, Enter, Leave)| {
        rows.clone().any(|ports| ports.pair(enter, leave).count > 0)
    };
    PAIRS.into_iter().filter(used).collect()
}

/// Formats the tables of a profile: centres, their other events, and edges.
pub(crate) fn profile(profile: &Profile, resource: Resource) -> String {
    let has = |resource: &Resource| profile.measured.has(*resource);
    let shown: Vec<Resource> = [Resource::Steps, Resource::Time]
        .into_iter()
        .filter(has)
        .collect();
    let resource = if has(&resource) {
        resource
    } else {
        Resource::Time
    };
    let order = profile.by_share(resource);
    let mut out = centres(profile, resource, &shown, &order);
    let others = others(profile, &order);
    if !others.is_empty() {
        out.push('\n');
        out.push_str(&others);
    }
    out.push('\n');
    out.push_str(&edges(profile, resource, &shown));
    out
}

/// Formats the table of `profile_dump/0`: the centres, ordered by steps if these are measured.
pub(crate) fn dumped(profile: &Profile) -> String {
    let has = |resource: &Resource| profile.measured.has(*resource);
    let shown: Vec<Resource> = [Resource::Steps, Resource::Time]
        .into_iter()
        .filter(has)
        .collect();
    let by = shown.first().copied().unwrap_or(Resource::Time);
    centres(profile, by, &shown, &profile.by_share(by))
}

fn centres(profile: &Profile, by: Resource, shown: &[Resource], order: &[usize]) -> String {
    let pairs = pairs_of(order.iter().map(|&n| &profile.rows[n].ports));
    let mut head = vec!["cost centre".to_owned(), format!("% {}", resource_name(by))];
    for &resource in shown {
        let name = resource_name(resource);
        head.extend([name.to_owned(), format!("{name} with calls")]);
    }
    head.extend(pairs.iter().map(|(name, ..)| (*name).to_owned()));
    let mut table = vec![head];
    for &n in order {
        let (row, centre) = (&profile.rows[n], &profile.measured.centres[n]);
        let visible = |resource| row.hooks || resource == Resource::Time;
        let mut line = vec![row.name.clone()];
        line.push(match visible(by) {
            true => percent(profile.share(&row.own, by)),
            false => "-".to_owned(),
        });
        for &resource in shown {
            line.extend(
                [&row.own, &centre.accumulated].map(|amounts| match visible(resource) {
                    true => amount_text(amounts, resource),
                    false => "-".to_owned(),
                }),
            );
        }
        let count = |&(_, enter, leave): &(_, Enter, Leave)| row.ports.pair(enter, leave).count;
        line.extend(pairs.iter().map(|pair| count(pair).to_string()));
        table.push(line);
    }
    let mut total = vec!["total".to_owned(), percent(1.0)];
    for &resource in shown {
        total.extend([
            amount_text(&profile.measured.total, resource),
            String::new(),
        ]);
    }
    table.push(total);
    aligned(&table, "")
}

/// Formats the events that the first table omits.
fn others(profile: &Profile, order: &[usize]) -> String {
    let wanted: Vec<Resource> = (Resource::ALL.into_iter())
        .filter(|r| !matches!(r, Resource::Steps | Resource::Time))
        .filter(|&r| profile.measured.total.amount(r) > 0)
        .collect();
    if wanted.is_empty() {
        return String::new();
    }
    let mut head = vec!["cost centre".to_owned()];
    head.extend(wanted.iter().map(|&r| resource_name(r).to_owned()));
    let mut table = vec![head];
    for &n in order {
        let row = &profile.rows[n];
        if row.hooks {
            let mut line = vec![row.name.clone()];
            line.extend(wanted.iter().map(|&r| row.own.amount(r).to_string()));
            table.push(line);
        }
    }
    let mut total = vec!["total".to_owned()];
    total.extend(
        wanted
            .iter()
            .map(|&r| profile.measured.total.amount(r).to_string()),
    );
    table.push(total);
    aligned(&table, "")
}

fn edges(profile: &Profile, by: Resource, shown: &[Resource]) -> String {
    let edges = &profile.measured.edges;
    let pairs = pairs_of(edges.iter().map(|e| &e.ports));
    let mut head = vec![
        "from".to_owned(),
        "to".to_owned(),
        format!("% {}", resource_name(by)),
    ];
    head.extend(shown.iter().map(|&r| resource_name(r).to_owned()));
    head.extend(pairs.iter().map(|(name, ..)| (*name).to_owned()));
    let mut order: Vec<(Amounts, usize)> = (edges.iter().enumerate())
        .map(|(n, edge)| (edge.ports.used(), n))
        .collect();
    order.sort_by_key(|(used, _)| std::cmp::Reverse(used.amount(by)));
    let mut table = vec![head];
    for (used, n) in order {
        let edge = &edges[n];
        let visible = |r| profile.rows[edge.to].hooks || r == Resource::Time;
        let shown_of = |text: String, r| if visible(r) { text } else { "-".to_owned() };
        let mut line = vec![
            profile.rows[edge.from].name.clone(),
            profile.rows[edge.to].name.clone(),
        ];
        line.push(shown_of(percent(profile.share(&used, by)), by));
        line.extend(shown.iter().map(|&r| shown_of(amount_text(&used, r), r)));
        let count = |&(_, enter, leave): &(_, Enter, Leave)| edge.ports.pair(enter, leave).count;
        line.extend(pairs.iter().map(|pair| count(pair).to_string()));
        table.push(line);
    }
    aligned(&table, "")
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
            "bottleneck: {} uses {} of the {} itself ({} profile{})\n",
            name(&tree.found[n]),
            own(&tree.found[n]).unwrap_or_default(),
            resource_name(resource),
            tree.iterations,
            if tree.iterations == 1 { "" } else { "s" }
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
