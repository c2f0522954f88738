//! The output of `costlens profile`.

use std::collections::BTreeMap;

use costlens_engines::profiled::Instrumented;
use costlens_machine::{
    Amounts, Centre as MeasuredCentre, CentreName, CentrePorts, Edge as MeasuredEdge, Enter, Head,
    Leave, Measured, Resource,
};
use costlens_profile::search::{Predicate, Tree};
use costlens_profile::{CentreRow, Profile, enter_name, leave_name, resource_name};
use serde::Serialize;

use super::SCHEMA;
use super::run::Run;
use crate::cli::profile::checks::{PropertyRow as ChecksRow, Verdict};
use crate::profiling::engines::Profiled;

/// Amounts by the names of resources: `time` in nanoseconds, and, with hooks, `steps`, `choice_points` and so on.
type Used = BTreeMap<&'static str, u64>;

/// A profile of a goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    /// `embedded` or `swi`.
    engine: &'static str,
    #[serde(flatten)]
    run: Run,
    /// The cost centres that were entered; the first one is the remainder.
    centres: Vec<Centre>,
    /// On SWI-Prolog: the call that analysis cannot follow, with the reason. All centres are then fully instrumented.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_followed: Option<String>,
    /// The edges: entries of a centre from another centre.
    edges: Vec<Edge>,
    /// With `--low-level`: the clause heads that were tried, for each edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    heads: Option<Vec<HeadRow>>,
    /// The use of the whole run: the sum over the centres, and over the edges.
    total: Used,
    /// The tree that `--auto` found.
    #[serde(skip_serializing_if = "Option::is_none")]
    bottleneck: Option<Bottleneck>,
    /// With `--check`: the program's assertions on costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Vec<Check>>,
}

/// A checked property of an assertion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Check {
    /// The file's name.
    file: String,
    /// From 1.
    line: usize,
    /// `qsort/2`.
    predicate: String,
    /// The source text of the property.
    property: String,
    /// `checked` by static analysis, `false`, `observed` if all observed values are as asserted, or `undecided`.
    verdict: &'static str,
    /// True if the verdict comes from a run.
    by_run: bool,
    /// The number of checked values: one per call, or one for the run.
    judged: u64,
    /// The call that violates the assertion; for a share checked with `--every`, the check that found the violation.
    goal: Option<String>,
    /// The observed value; in percent for a share.
    seen: Option<f64>,
    /// The asserted value.
    asserted: Option<f64>,
    /// The observation, as an assertion.
    observed: Option<String>,
    /// The explanation of static analysis, or the reason why nothing is decided.
    reason: Option<String>,
}

/// A cost centre.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Centre {
    /// A predicate (`append/3`), the name of a literal, or `remainder`.
    name: String,
    /// `remainder`, `predicate` or `literal`.
    kind: &'static str,
    /// False if only ports and time are measured.
    hooks: bool,
    /// On SWI-Prolog, for a predicate: `full`, or the fact about all its calls that reduces the instrumentation: `no_choicepoint` or
    /// `no_choicepoint_not_fails`.
    #[serde(skip_serializing_if = "Option::is_none")]
    instrumentation: Option<&'static str>,
    /// The number of calls.
    calls: u64,
    /// The number of exits with a solution.
    exits: u64,
    /// The number of redos by backtracking.
    redos: u64,
    /// The number of failures.
    fails: u64,
    /// The measurements for each pair of an entry port and an exit port.
    ports: Vec<Pair>,
    /// Its own use of resources.
    own: Used,
    /// Its use of resources including callees. Recursive calls are counted once.
    accumulated: Used,
}

/// An edge.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Edge {
    /// The centre that was running.
    from: String,
    /// The centre that was entered.
    to: String,
    /// The measurements for each pair of ports.
    ports: Vec<Pair>,
    /// The use of resources between the two ports.
    used: Used,
}

/// The measurements between two ports.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Pair {
    /// `call` or `redo`.
    enter: &'static str,
    /// `exit`, `fail`, `exception`, or `open` if a limit ended the run.
    leave: &'static str,
    /// The number of occurrences.
    count: u64,
    /// The use of resources between the two ports.
    used: Used,
}

/// A clause head, or a whole predicate, for the time after a centre was entered by an edge.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HeadRow {
    /// The centre at the start of the edge.
    from: String,
    /// The centre that was running.
    to: String,
    /// The predicate, which need not be a centre.
    predicate: String,
    /// The clause, from 1; null for the whole predicate. That row has the calls of a predicate without clauses, or the choice points of a predicate
    /// with clauses.
    clause: Option<usize>,
    /// The measurements for each pair of ports: `call`, or `redo` after backtracking from an earlier clause; and `exit` if the head unified, or else
    /// `fail`. Only `time` is measured; for predicates without clauses, nothing is.
    ports: Vec<Pair>,
    /// The number of times that its leading tests also held.
    steps: u64,
    /// The number of the predicate's choice points that cuts removed.
    skips: u64,
}

/// The tree of a search for the bottleneck.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Bottleneck {
    /// The resource that guided the search.
    resource: &'static str,
    /// The predicate in the tree with the highest own use.
    name: String,
    /// The number of profiles, excluding the profile for the call graph.
    iterations: usize,
    /// The resource's use in the whole run.
    total: u64,
    /// The predicates of the tree; each follows its caller.
    tree: Vec<Found>,
}

/// A predicate of the tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Found {
    /// The predicate, or `goal`.
    name: String,
    /// The index of its caller in the list.
    parent: Option<usize>,
    /// Its use including callees, limited to the use of its caller.
    used: u64,
    /// Its own use; null if the search did not descend to it.
    own: Option<u64>,
}

fn check(row: &ChecksRow) -> Check {
    let (name, arity) = &row.predicate;
    let violation = row.seen.as_ref().and_then(|seen| seen.violation.as_ref());
    Check {
        file: row.file.clone(),
        line: row.line,
        predicate: format!("{name}/{arity}"),
        property: row.property.clone(),
        verdict: row.verdict.name(),
        by_run: matches!(row.verdict, Verdict::FalseInRun | Verdict::Observed),
        judged: row.seen.as_ref().map_or(0, |seen| seen.judged),
        goal: violation.and_then(|v| v.goal.clone()),
        seen: violation.map(|v| v.observed),
        asserted: violation.map(|v| v.asserted),
        observed: row.observed.clone(),
        reason: row.reason.clone(),
    }
}

/// Returns the amounts of the measured resources; without hooks, only the time.
fn used(amounts: &Amounts, measured: &Measured, hooks: bool) -> Used {
    let shown = (measured.resources.iter().copied()).filter(|&r| hooks || r == Resource::Time);
    shown
        .map(|r| (resource_name(r), amounts.amount(r)))
        .collect()
}

fn pairs(ports: &CentrePorts, measured: &Measured, hooks: bool) -> Vec<Pair> {
    let entered = ports.pairs().filter(|(_, _, pair)| pair.count > 0);
    entered
        .map(|(enter, leave, pair)| Pair {
            enter: enter_name(enter),
            leave: leave_name(leave),
            count: pair.count,
            used: used(&pair.used, measured, hooks),
        })
        .collect()
}

fn centre(row: &CentreRow, known: &MeasuredCentre, measured: &Measured) -> Centre {
    Centre {
        name: row.name.clone(),
        kind: match known.name {
            CentreName::Remainder => "remainder",
            CentreName::Predicate(..) => "predicate",
            CentreName::Literal(_) => "literal",
        },
        hooks: row.hooks,
        instrumentation: None,
        calls: row.entered(Enter::Call),
        exits: row.left(Leave::Exit),
        redos: row.entered(Enter::Redo),
        fails: row.left(Leave::Fail),
        ports: pairs(&row.ports, measured, row.hooks),
        own: used(&row.own, measured, row.hooks),
        accumulated: used(&known.accumulated, measured, row.hooks),
    }
}

fn instrumentation(name: &CentreName, all: &[(Predicate, Instrumented)]) -> Option<&'static str> {
    let CentreName::Predicate(name, arity) = name else {
        return None;
    };
    let (_, parts) = { all.iter() }.find(|((of, n), _)| of == name && n == arity)?;
    Some(match parts {
        Instrumented::InFull => "full",
        Instrumented::NoChoicePoint => "no_choicepoint",
        Instrumented::NoChoicePointNorFailure => "no_choicepoint_not_fails",
    })
}

fn edge(profile: &Profile, edge: &MeasuredEdge) -> Edge {
    let (measured, hooks) = (&profile.measured, profile.rows[edge.to].hooks);
    Edge {
        from: profile.rows[edge.from].name.clone(),
        to: profile.rows[edge.to].name.clone(),
        ports: pairs(&edge.ports, measured, hooks),
        used: used(&edge.ports.used(), measured, hooks),
    }
}

fn head_row(profile: &Profile, head: &Head) -> Option<HeadRow> {
    let edge = profile.measured.edges.get(head.edge)?;
    let mut ports = Vec::new();
    for (enter, by) in ["call", "redo"].into_iter().zip(0..) {
        for (leave, to) in ["exit", "fail"].into_iter().zip(0..) {
            let count = head.counts.counts[by][to];
            let nanoseconds = head.counts.nanoseconds[by][to];
            let time = head.clause.map(|_| ("time", nanoseconds));
            if count > 0 {
                ports.push(Pair {
                    enter,
                    leave,
                    count,
                    used: time.into_iter().collect(),
                });
            }
        }
    }
    Some(HeadRow {
        from: profile.rows[edge.from].name.clone(),
        to: profile.rows[edge.to].name.clone(),
        predicate: format!("{}/{}", head.name, head.arity),
        clause: head.clause,
        ports,
        steps: head.counts.steps,
        skips: head.counts.skips,
    })
}

fn bottleneck(tree: &Tree, resource: Resource) -> Bottleneck {
    let name = |n: usize| match tree.found.get(n).and_then(|f| f.predicate.as_ref()) {
        Some((name, arity)) => format!("{name}/{arity}"),
        None => "goal".to_owned(),
    };
    let found = tree.found.iter().enumerate();
    Bottleneck {
        resource: resource_name(resource),
        name: name(tree.bottleneck().unwrap_or(0)),
        iterations: tree.iterations,
        total: tree.total,
        tree: found
            .map(|(n, found)| Found {
                name: name(n),
                parent: found.parent,
                used: found.used,
                own: found.own,
            })
            .collect(),
    }
}

impl Document {
    pub(in crate::cli) fn new(
        engine: &'static str,
        goal: &str,
        taken: &Profiled,
        tree: Option<(&Tree, Resource)>,
        checks: Option<&[ChecksRow]>,
        low_level: bool,
    ) -> Self {
        let profile = &taken.profile;
        let measured = &profile.measured;
        let rows = profile.rows.iter().zip(&measured.centres);
        Document {
            schema: SCHEMA,
            engine,
            run: Run::new(goal, &taken.ran),
            not_followed: taken.not_followed.clone(),
            centres: rows
                .map(|(row, known)| Centre {
                    instrumentation: instrumentation(&known.name, &taken.instrumented),
                    ..centre(row, known, measured)
                })
                .filter(|centre| centre.kind == "remainder" || !centre.ports.is_empty())
                .collect(),
            edges: measured.edges.iter().map(|e| edge(profile, e)).collect(),
            heads: low_level.then(|| {
                let rows = measured.heads.iter();
                rows.filter_map(|head| head_row(profile, head)).collect()
            }),
            total: used(&measured.total, measured, true),
            checks: checks.map(|rows| rows.iter().map(check).collect()),
            bottleneck: tree.map(|(tree, resource)| bottleneck(tree, resource)),
        }
    }
}
