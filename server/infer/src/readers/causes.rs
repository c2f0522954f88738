//! Why an upper bound is missing: the literal that is to blame, however deep below the predicate, and what the user can do.
//!
//! In `p(X) :- q(X). q(X) :- r(X). r(X) :- undefined(X), r(X).` all three have no bound because of the same goal, and each says so. Of several
//! causes the one comes first without whose removal nothing else helps: a goal that cannot be followed, then a size that is not known,
//! then a recursion that may not end.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::display::display;
use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{SolvedPiece, Value, Why};
use costlens_syntax::term::TermId;
use num_traits::Signed as _;

use crate::component::Component;
use crate::component::costs::{Costs, Rank};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::report::{Side, Unknown};
use crate::summary::names::names_of;
use crate::summary::node::Node;
use crate::summary::pieces::is_fuel;
use crate::summary::{Summary, diverges_on};
use crate::tree::runs::RegionRuns;
use crate::tree::{CallStep, Callee, Obstacle, Step, for_each_step};
use crate::world::World;
use crate::world::lookup::values_at;

/// Causes that are told.
const MOST_TOLD: usize = 4;

/// The root causes of missing upper bounds, the first to be removed in front.
pub(crate) fn unknown(
    component: &Component<'_>,
    costs: &Costs,
    summary: &Summary,
    own: usize,
) -> Vec<Unknown> {
    let missing: Vec<&SolvedPiece> = (summary.all.upper.iter())
        .filter(|p| matches!(p.value, Value::Unknown(_)))
        .filter(|p| !diverges_on(summary, &p.region))
        .collect();
    let Some(first) = missing.first() else {
        return Vec::new();
    };
    let mut found = causes(component, costs, own, &missing);
    // Stable: among equals the first literal comes first.
    found.sort_by_key(|(rank, _)| *rank);
    let mut seen = BTreeSet::new();
    found.retain(|(_, c)| seen.insert((c.cause.clone(), c.reason.clone())));
    found.truncate(MOST_TOLD);
    if !found.is_empty() {
        return found.into_iter().map(|(_, cause)| cause).collect();
    }
    if !is_fuel(&first.value)
        && let Some(cause) = recursion(component, costs, summary, own, &missing)
    {
        return vec![cause];
    }
    if !is_fuel(&first.value)
        && let Some(cause) = generators(component, costs, own, &missing)
    {
        return vec![cause];
    }
    let calls_itself = calls_itself(component, costs, own);
    vec![no_form(&first.value, summary, calls_itself)]
}

/// A goal that may succeed any number of times, where no recursion is to blame.
fn generators(
    component: &Component<'_>,
    costs: &Costs,
    own: usize,
    missing: &[&SolvedPiece],
) -> Option<Unknown> {
    let node = &component.nodes[own];
    let is_missing = |r: &&RegionRuns| missing.iter().any(|piece| meets(&r.region, &piece.region));
    let (mut found, mut recurs) = (None, false);
    for region in costs.runs[own].iter().filter(is_missing) {
        for run in region.worlds.iter().flat_map(|world| &world.clauses) {
            for_each_step(&run.tree, &mut |step| match step {
                Step::Call(call) => recurs |= matches!(call.callee, Callee::Inside(_)),
                Step::Solutions(size, Some(goal)) if size.upper.is_none() && found.is_none() => {
                    found = Some((run.clause, goal.clone()));
                }
                _ => {}
            });
        }
    }
    let (clause, goal) = found.filter(|_| !recurs)?;
    Some(Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: format!(
            "how often `{}` succeeds is not known, and what follows it runs each time",
            goal.predicate
        ),
        cause: node.name.clone(),
        literal: Some((clause, goal.literal)),
        help: format!(
            "Use its first solution only (`once/1`, a cut), or state how many `{}` has in a `trust` assertion.",
            goal.predicate
        ),
        types_help: false,
    })
}

/// The goals and the sizes that are to blame, wherever the bound is missing.
fn causes(
    component: &Component<'_>,
    costs: &Costs,
    own: usize,
    missing: &[&SolvedPiece],
) -> Vec<(Rank, Unknown)> {
    let is_missing = |r: &RegionRuns| missing.iter().any(|piece| meets(&r.region, &piece.region));
    let mut found = causes_in(component, costs, own, &is_missing);
    for (i, _) in from(component, own).skip(1) {
        let known = costs.causes.borrow().get(&i).map(Rc::clone);
        let there = known.unwrap_or_else(|| {
            let there: Rc<[_]> = Rc::from(causes_in(component, costs, i, &|_| true));
            costs.causes.borrow_mut().insert(i, Rc::clone(&there));
            there
        });
        found.extend(there.iter().cloned());
    }
    found
}

/// Those in the clauses of one node, each once.
fn causes_in(
    component: &Component<'_>,
    costs: &Costs,
    at: usize,
    is_asked: &dyn Fn(&RegionRuns) -> bool,
) -> Vec<(Rank, Unknown)> {
    let node = &component.nodes[at];
    let obstacles = component.shared.obstacles[at].borrow();
    let mut found: Vec<(Rank, Unknown)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut blamed = Blamed::default();
    for region in costs.runs[at].iter().filter(|r| is_asked(r)) {
        for world in &region.worlds {
            for run in &world.clauses {
                for_each_step(&run.tree, &mut |step| {
                    let cause = match step {
                        Step::Unknown(index) if blamed.obstacles.insert(*index) => {
                            (obstacles.get(*index)).map(|o| (Rank::Goal, of_obstacle(node, o)))
                        }
                        Step::Call(call) => {
                            of_call(component, node, &world.world, run.clause, call, &mut blamed)
                        }
                        _ => None,
                    };
                    if let Some((rank, cause)) = cause
                        && seen.insert((rank, cause.cause.clone(), cause.reason.clone()))
                    {
                        found.push((rank, cause));
                    }
                });
            }
        }
    }
    found
}

/// Obstacles and callees that have been blamed, and need not be looked at again.
#[derive(Default)]
struct Blamed {
    obstacles: BTreeSet<usize>,
    /// By the addresses of their summaries.
    callees: BTreeSet<*const Summary>,
}

fn of_obstacle(node: &Node, obstacle: &Obstacle) -> Unknown {
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: obstacle.reason.clone(),
        cause: node.name.clone(),
        literal: obstacle.literal.map(|l| (obstacle.clause, l)),
        help: obstacle.help.clone(),
        types_help: false,
    }
}

/// The nodes, one of them first.
fn from<'c>(component: &'c Component<'_>, own: usize) -> impl Iterator<Item = (usize, &'c Node)> {
    let all = || component.nodes.iter().enumerate();
    all()
        .skip(own)
        .take(1)
        .chain(all().filter(move |(i, _)| *i != own))
}

fn meets(a: &Region, b: &Region) -> bool {
    !a.and_all(b).is_empty()
}

/// Why a call keeps its caller from a bound: its own root cause, or a size that is not known.
fn of_call(
    component: &Component<'_>,
    node: &Node,
    world: &World,
    clause: usize,
    call: &CallStep,
    blamed: &mut Blamed,
) -> Option<(Rank, Unknown)> {
    let here = |reason: String, help: &str| Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason,
        cause: node.name.clone(),
        literal: Some((clause, call.literal)),
        help: help.to_owned(),
        types_help: false,
    };
    match &call.callee {
        Callee::Outside(summary) => {
            let unsized_argument = (summary.params.iter().zip(&call.args))
                .find(|(p, size)| size.upper.is_none() && mentions(summary, p.var));
            let is_blamed = blamed.callees.contains(&Arc::as_ptr(summary));
            if let Some(root) = summary.unknown.first()
                && !(is_blamed && unsized_argument.is_none())
                && may_be_unknown(summary, world, call)
            {
                blamed.callees.insert(Arc::as_ptr(summary));
                return Some((Rank::Goal, root.clone()));
            }
            let (unsized_argument, _) = unsized_argument?;
            let reason = unknown_size(
                unsized_argument.argument,
                unsized_argument.metric,
                &summary.predicate.to_string(),
            );
            Some((Rank::Size, here(reason, SIZE_HELP)))
        }
        Callee::Inside(i) => {
            let callee = &component.nodes[*i];
            if callee.params.is_empty() {
                let (reason, help) = unmeasured(callee);
                let cause = Unknown {
                    types_help: true,
                    ..here(reason, &help)
                };
                return Some((Rank::Recursion, cause));
            }
            let (param, _) = (callee.params.iter().zip(&call.args))
                .find(|(_, size)| size.upper.is_none() && size.lower.is_none())?;
            let slot = param.slot;
            let reason = unknown_size(slot.argument + 1, slot.metric, &callee.name.to_string());
            Some((Rank::Size, here(reason, SIZE_HELP)))
        }
    }
}

/// Help where a size is not known.
const SIZE_HELP: &str = "Bounds at single sizes may be known where no formula is: see `costlens explain`. Else compute the argument in a way \
     whose result has a size that can be told beforehand.";

fn unknown_size(argument: usize, metric: Metric, callee: &str) -> String {
    let what = match metric {
        Metric::Length => "how long",
        Metric::Int | Metric::Size => "how large",
    };
    format!(
        "{what} argument {argument} of this call of `{callee}` is cannot be told by a formula, and the cost depends on it"
    )
}

/// Tells whether the callee has no upper bound for some arguments of the call.
fn may_be_unknown(summary: &Summary, world: &World, call: &CallStep) -> bool {
    let settled = world.unsplit();
    match values_at(
        &summary.all.upper,
        &summary.vars(),
        &call.args,
        &settled,
        &|_| false,
    ) {
        Ok(values) => {
            values.is_empty() || (values.iter()).any(|(v, _)| !matches!(v, Value::Known(_)))
        }
        Err(_) => true,
    }
}

fn mentions(summary: &Summary, v: Var) -> bool {
    summary
        .all
        .upper
        .iter()
        .any(|p| matches!(&p.value, Value::Known(e) if e.variables().contains(&v)))
}

/// Of a recursion in which nothing is measured.
fn unmeasured(callee: &Node) -> (String, String) {
    let types = &callee.pattern.0;
    let has = |ty: &Type| types.contains(ty);
    let name = &callee.name;
    let (why, help) = if has(&Type::Number) {
        (
            "the number that gets smaller may be a float, and what is taken from a float may not make it smaller",
            "Declare it an integer where it is one: `%! p(+N:int)`.",
        )
    } else if has(&Type::Any) {
        (
            "its arguments may be unbound, so nothing is known to get smaller",
            "Declare which arguments are bound, and to what: `%! p(+Xs:list, +N:int, -R)`.",
        )
    } else if has(&Type::Nonvar) {
        (
            "of its arguments nothing more is known than that they are bound, so nothing is known to get smaller",
            "Declare their types: `%! p(+Xs:list, +N:int, +T:ground)`.",
        )
    } else if types.iter().any(|t| t.is_bound()) {
        (
            "none of its arguments has a size that can get smaller: lists, integers and ground terms have one",
            "Add an argument that counts down, with a guard such as `N > 0`.",
        )
    } else {
        (
            "all its arguments are unbound, so nothing gets smaller",
            "Declare which arguments are bound, and to what: `%! p(+Xs:list, +N:int, -R)`.",
        )
    };
    (format!("`{name}` calls itself, and {why}"), help.to_owned())
}

/// The recursive call that nothing ends: none of its arguments gets smaller down to a limit.
fn recursion(
    component: &Component<'_>,
    costs: &Costs,
    summary: &Summary,
    own: usize,
    missing: &[&SolvedPiece],
) -> Option<Unknown> {
    let mut best: Option<(u8, Unknown)> = None;
    for (i, node) in from(component, own) {
        let regions = (costs.runs[i].iter())
            .filter(|r| i != own || missing.iter().any(|p| meets(&r.region, &p.region)));
        for world in regions.flat_map(|r| &r.worlds) {
            for run in &world.clauses {
                for_each_step(&run.tree, &mut |step| {
                    if let Step::Call(call) = step
                        && matches!(call.callee, Callee::Inside(callee) if callee == i)
                        && let Some((rank, reason, help)) =
                            endless(node, world.world.region(), call, run.clause, summary)
                        && best.as_ref().is_none_or(|(b, _)| rank < *b)
                    {
                        let literal: (usize, TermId) = (run.clause, call.literal);
                        let cause = Unknown {
                            home: None,
                            side: Side::Upper,
                            fuel: false,
                            reason,
                            cause: node.name.clone(),
                            literal: Some(literal),
                            help,
                            types_help: false,
                        };
                        best = Some((rank, cause));
                    }
                });
            }
        }
    }
    best.map(|(_, cause)| cause)
}

/// Says what is wrong with a recursive call; none if one of its arguments gets smaller (or larger) up to a limit.
fn endless(
    node: &Node,
    region: &Region,
    call: &CallStep,
    clause: usize,
    summary: &Summary,
) -> Option<(u8, String, String)> {
    let one = Expr::int(1);
    let (mut falling, mut growing) = (None, None);
    for (param, size) in node.params.iter().zip(&call.args) {
        let v = Expr::var(param.var);
        let down = |upper: &Expr| nonnegative(&(&(&v - upper) - &one), region);
        let up = |lower: &Expr| nonnegative(&(&(lower - &v) - &one), region);
        if size.upper.as_ref().is_some_and(down) {
            if param.slot.metric.least().is_some() || is_limited(param.var, region, true) {
                return None;
            }
            falling = falling.or(Some(param.slot));
        } else if size.lower.as_ref().is_some_and(up) {
            if is_limited(param.var, region, false) {
                return None;
            }
            growing = growing.or(Some((param.slot, size)));
        }
    }
    let clause = clause + 1;
    if let Some(slot) = falling {
        let reason = format!(
            "`{}` calls itself in clause {clause} with a smaller number in argument {}, but no test there keeps it from falling for ever",
            node.name,
            slot.argument + 1
        );
        let help = format!(
            "Add a guard to clause {clause} that ends it, such as `N > 0` for its argument {}.",
            slot.argument + 1
        );
        return Some((0, reason, help));
    }
    let names = names_of(summary);
    let names = Names::new(names);
    let is_named =
        |e: &Expr| (e.variables().iter()).all(|v| summary.params.iter().any(|p| p.var == *v));
    let shown = |size: &Size| {
        let e = size.as_exact()?;
        is_named(e).then(|| display(e, &names))
    };
    let help = "Let an argument get smaller in every call: a shorter list, or a number that a guard such as `N > 0` stops.";
    if let Some((slot, size)) = growing {
        let to = shown(size).map_or_else(String::new, |e| format!(" ({e})"));
        let reason = format!(
            "`{}` calls itself in clause {clause} with a larger argument {}{to}, and nothing says where that ends",
            node.name,
            slot.argument + 1
        );
        return Some((1, reason, help.to_owned()));
    }
    let unchanged = (node.params.iter().zip(&call.args))
        .all(|(p, size)| size.as_exact() == Some(&Expr::var(p.var)));
    let reason = if unchanged {
        format!(
            "`{}` calls itself in clause {clause} with arguments as large as its own",
            node.name
        )
    } else {
        let which = (node.params.iter().zip(&call.args))
            .filter(|(p, size)| size.as_exact() != Some(&Expr::var(p.var)))
            .find_map(|(p, size)| Some((p, shown(size)?)));
        let which = which.map_or_else(String::new, |(p, e)| {
            format!(": argument {} is {e} there", p.slot.argument + 1)
        });
        format!(
            "`{}` calls itself in clause {clause}, and no argument is known to get smaller{which}",
            node.name
        )
    };
    Some((2, reason, help.to_owned()))
}

/// Tells whether the region has an end for a variable, which may depend on the other sizes.
fn is_limited(v: Var, region: &Region, below: bool) -> bool {
    let (low, high) = region.bounds(&Expr::var(v));
    if (if below { low } else { high }).is_some() {
        return true;
    }
    region.constraints().iter().any(|c| {
        let e = c.expr();
        let mut m = costlens_algebra::Monomial::one();
        m.powers.insert(v, 1);
        let a = e.coefficient(&m);
        if below {
            a.is_positive()
        } else {
            a.is_negative()
        }
    })
}

/// Tells whether a predicate calls itself, directly or through others.
fn calls_itself(component: &Component<'_>, costs: &Costs, own: usize) -> bool {
    let mut found = false;
    for (i, _) in from(component, own) {
        for run in (costs.runs[i].iter())
            .flat_map(|r| &r.worlds)
            .flat_map(|w| &w.clauses)
        {
            for_each_step(&run.tree, &mut |step| {
                found |=
                    matches!(step, Step::Call(call) if matches!(call.callee, Callee::Inside(_)));
            });
        }
    }
    found
}

/// Where no goal is to blame: what the solver was stopped by.
fn no_form(value: &Value, summary: &Summary, calls_itself: bool) -> Unknown {
    let fuel = is_fuel(value);
    let (reason, help) = match value {
        Value::Unknown(Why::Fuel) => (
            "the counted steps of the analysis were used up before a bound was found".to_owned(),
            "Split the predicate into smaller ones, or declare narrower types.",
        ),
        Value::Unknown(Why::NotProved(e)) => {
            let names = names_of(summary);
            let form = to_text(e, &Names::new(names));
            (
                format!("{form} fits the first values, but it is not proved for all sizes"),
                NO_FORM_HELP,
            )
        }
        _ if calls_itself => (
            "no formula was found for the number of its recursive calls".to_owned(),
            NO_FORM_HELP,
        ),
        _ => (
            "no formula was found for what its calls cost together".to_owned(),
            "Bound the sizes that its calls get, for instance by a test on a number in front of them.",
        ),
    };
    Unknown {
        home: None,
        side: Side::Upper,
        fuel,
        reason,
        cause: summary.predicate.clone(),
        literal: None,
        help: help.to_owned(),
        types_help: false,
    }
}

/// Help where only a formula is missing.
const NO_FORM_HELP: &str =
    "`costlens explain` shows the equations, and bounds at single sizes where these are known.";
