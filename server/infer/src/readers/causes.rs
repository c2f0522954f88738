//! The reasons why an upper bound is missing: the literal that causes it, however deep in the call graph, and advice for the user.
//!
//! In `p(X) :- q(X). q(X) :- r(X). r(X) :- undefined(X), r(X).`, all three predicates lack a bound because of the same goal, and each
//! report names that goal. If there are several causes, those that must be removed first are reported first: a goal that cannot be
//! followed, then an unknown size, then a recursion that may not end.

mod loops;
mod names;
mod passed;
mod recursion;
mod repeats;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::Var;
use costlens_algebra::linear::Region;
use costlens_body::Goal;
use costlens_catalog::is_endless;
use costlens_program::language::calls;
use costlens_recurrences::{SolvedPiece, Value, Why};
use costlens_syntax::term::{Term, TermId};

use self::recursion::{recursion, unmeasured};
use self::repeats::repeated;
use super::LiteralPlace;
use crate::clause::callee_cost::goal_not_followed;
use crate::component::Component;
use crate::component::costs::{Costs, Rank};
use crate::lattice::types::Metric;
use crate::relative::depends_on;
use crate::report::{Functor, Side, Subject, Unknown};
use crate::summary::node::Node;
use crate::summary::pieces::is_fuel;
use crate::summary::{Summary, diverges_on};
use crate::tree::runs::RegionRuns;
use crate::tree::{CallStep, Callee, Generator, Obstacle, Step, for_each_step};
use crate::world::World;
use crate::world::lookup::values_at;

/// The maximum number of reported causes.
const MOST_TOLD: usize = 4;

/// Returns the root causes of missing upper bounds, in the order in which they should be removed, and the rank of the first, if it lies in
/// a goal.
pub(crate) fn unknown(
    component: &Component<'_>,
    costs: &Costs,
    summary: &Summary,
    own: usize,
) -> (Vec<Unknown>, Option<Rank>) {
    let missing: Vec<&SolvedPiece> = (summary.all.upper.iter())
        .filter(|p| matches!(p.value, Value::Unknown(_)))
        .filter(|p| !diverges_on(summary, &p.region))
        .collect();
    let Some(first) = missing.first() else {
        return (Vec::new(), None);
    };
    let mut found = causes(component, costs, own, &missing);
    // The sort is stable: among equal ranks, literal order is kept.
    found.sort_by_key(|(rank, _)| *rank);
    // If an unknown goal is the cause, a recursion that uses its results is not reported.
    if found.first().is_some_and(|(rank, _)| *rank == Rank::Goal) {
        found.retain(|(rank, cause)| {
            !(*rank == Rank::Unmeasured || *rank == Rank::Recursion && cause.types_help)
        });
    }
    let mut seen = BTreeSet::new();
    found.retain(|(_, c)| seen.insert((c.cause.clone(), c.reason.clone())));
    found.truncate(MOST_TOLD);
    let rank = found.first().map(|(rank, _)| *rank);
    if rank.is_some() {
        return (found.into_iter().map(|(_, cause)| cause).collect(), rank);
    }
    if !is_fuel(&first.value)
        && let Some(cause) = recursion(component, costs, summary, own, &missing)
    {
        return (vec![cause], None);
    }
    if !is_fuel(&first.value)
        && let Some(cause) = generators(component, costs, own, &missing)
    {
        return (vec![cause], None);
    }
    if !is_fuel(&first.value)
        && let Some(cause) = repeated(component, costs, summary, own, &missing)
    {
        return (vec![cause], None);
    }
    let calls_itself = calls_itself(component, costs, own);
    let name = names::of_node(component, &component.nodes[own]);
    let cause = no_form(&first.value, summary, calls_itself, &name);
    (vec![cause], None)
}

/// Returns the callees whose bounds cannot be used, since the sizes of what they get are not known, with the reasons; nothing if other goals
/// are unknown as well.
pub(crate) fn callees_of_unknown_sizes(
    component: &Component<'_>,
    costs: &Costs,
) -> Vec<(Subject, Unknown)> {
    let mut found: Vec<(Subject, Unknown)> = Vec::new();
    for (at, node) in component.nodes.iter().enumerate() {
        let mut is_hopeless = false;
        let worlds = costs.runs[at].iter().flat_map(|region| &region.worlds);
        for run in worlds.flat_map(|world| &world.clauses) {
            for_each_step(&run.tree, &mut |step| match step {
                Step::Unknown(_) => is_hopeless = true,
                Step::Call(call) => {
                    let Callee::Outside(callee) = &call.callee else {
                        return;
                    };
                    let sizes = (callee.params.iter().zip(&call.args))
                        .filter(|(_, size)| size.upper.is_none());
                    let sizes: Vec<_> = sizes.map(|(p, _)| p).collect();
                    let Some(first) = sizes.first() else {
                        return;
                    };
                    let variables = sizes.iter().map(|p| p.var).collect();
                    if !depends_on(callee, &variables) {
                        return;
                    }
                    let name = &callee.predicate;
                    let Some(of) = component.shared.program.cost_subject(name) else {
                        return;
                    };
                    if found.iter().any(|(other, _)| *other == of) {
                        return;
                    }
                    let place = LiteralPlace {
                        clause: run.clause,
                        literal: call.literal,
                    };
                    let (argument, metric) = (first.argument - 1, first.metric);
                    let reason = unknown_size(component, node, place, argument, metric, name);
                    found.push((of, of_literal(node, place, reason)));
                }
                _ => {}
            });
        }
        if is_hopeless {
            return Vec::new();
        }
    }
    found
}

/// Returns a reason for a missing bound that lies in a literal.
fn of_literal(node: &Node, place: LiteralPlace, reason: String) -> Unknown {
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason,
        cause: node.name.clone(),
        literal: Some((place.clause, place.literal)),
        help: String::new(),
        types_help: false,
        declare: None,
        missing: None,
    }
}

/// Returns a goal that may have unboundedly many solutions. Returns `None` if the runs without an upper bound contain a recursive call.
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
        help: "Use its first solution only (`once/1`, a cut), or state in a `trust` assertion how many it has.".to_owned(),
        types_help: false,
        declare: None,
        missing: None,
    })
}

/// Returns the goals and sizes that cause the missing bound.
fn causes(
    component: &Component<'_>,
    costs: &Costs,
    own: usize,
    missing: &[&SolvedPiece],
) -> Vec<(Rank, Unknown)> {
    let is_missing = |r: &RegionRuns| missing.iter().any(|piece| meets(&r.region, &piece.region));
    let mut found = causes_in(component, costs, own, &is_missing);
    for (i, _) in nodes_from(component, own).skip(1) {
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

/// Returns the causes in the clauses of one node, without duplicates.
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
                        Step::Solutions(_, Some(goal)) if goal.endless => {
                            let cause = of_endless(component, node, run.clause, goal);
                            Some((Rank::Recursion, cause))
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

/// Obstacles and callees that have been reported and need no further inspection.
#[derive(Default)]
struct Blamed {
    obstacles: BTreeSet<usize>,
    /// The callees, identified by the addresses of their summaries.
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
        declare: None,
        missing: obstacle.missing.clone(),
    }
}

/// Describes a goal with infinitely many solutions that is followed by goals that may fail for each of them.
fn of_endless(component: &Component<'_>, node: &Node, clause: usize, goal: &Generator) -> Unknown {
    let of = &goal.predicate;
    let (reason, help) = if loops::is_cut_after(component, node, clause) {
        let reason = match loops::input(component, node, clause) {
            Some(given) => format!("how often `{of}` is tried again depends on {given}"),
            None => format!("how often what follows `{of}` fails before it succeeds is not known"),
        };
        let help = match is_endless(&of.name, of.arity) {
            true => "If there is a limit, use `between(1, Limit, _)` in place of `repeat`.",
            false => "",
        };
        (reason, help)
    } else {
        (
            format!("`{of}` has infinitely many solutions, and what follows it may fail each time"),
            "Let what follows it succeed in the end, and cut there (`!`).",
        )
    };
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason,
        cause: node.name.clone(),
        literal: Some((clause, goal.literal)),
        help: help.to_owned(),
        types_help: false,
        declare: None,
        missing: None,
    }
}

/// Returns all nodes, starting with the given node.
fn nodes_from<'c>(
    component: &'c Component<'_>,
    own: usize,
) -> impl Iterator<Item = (usize, &'c Node)> {
    let all = || component.nodes.iter().enumerate();
    all()
        .skip(own)
        .take(1)
        .chain(all().filter(move |(i, _)| *i != own))
}

fn meets(a: &Region, b: &Region) -> bool {
    !a.and_all(b).is_empty()
}

/// Returns the reason why a call leaves its caller without a bound: the callee's root cause, or an unknown size.
fn of_call(
    component: &Component<'_>,
    node: &Node,
    world: &World,
    clause: usize,
    call: &CallStep,
    blamed: &mut Blamed,
) -> Option<(Rank, Unknown)> {
    let place = LiteralPlace {
        clause,
        literal: call.literal,
    };
    let here = |reason: String, help: &str| Unknown {
        help: help.to_owned(),
        ..of_literal(node, place, reason)
    };
    match &call.callee {
        Callee::Outside(summary) => {
            let unsized_argument = (summary.params.iter().zip(&call.args))
                .find(|(p, size)| size.upper.is_none() && mentions(summary, p.var));
            if let Some(argument) = goal_not_known(summary, call) {
                let (reason, help) = goal_not_followed(&summary.predicate, argument);
                return Some((Rank::Goal, here(reason, &help)));
            }
            let is_blamed = blamed.callees.contains(&Arc::as_ptr(summary));
            // If the length of the list is unknown, the missing bound for long lists is not the cause.
            if let Some((argument, _)) = unsized_argument
                && has_bound(summary)
                && summary.unknown.iter().all(Unknown::is_recursion)
            {
                let (argument, metric) = (argument.argument - 1, argument.metric);
                let callee = &summary.predicate;
                let reason = unknown_size(component, node, place, argument, metric, callee);
                return Some((Rank::Size, here(reason, "")));
            }
            if let Some(root) = summary.unknown.first()
                && !(is_blamed && unsized_argument.is_none())
                && may_be_unknown(summary, world, call)
            {
                blamed.callees.insert(Arc::as_ptr(summary));
                return Some((Rank::Goal, root.clone()));
            }
            let (unsized_argument, _) = unsized_argument?;
            let (argument, metric) = (unsized_argument.argument - 1, unsized_argument.metric);
            let callee = &summary.predicate;
            let reason = unknown_size(component, node, place, argument, metric, callee);
            Some((Rank::Size, here(reason, "")))
        }
        Callee::Inside(i) => {
            let callee = &component.nodes[*i];
            if callee.params.is_empty() {
                let (rank, cause) = unmeasured(component, node, place, callee);
                let unknown = Unknown {
                    types_help: cause.types_help,
                    ..here(cause.reason, &cause.help)
                };
                return Some((rank, unknown));
            }
            let (param, _) = (callee.params.iter().zip(&call.args))
                .find(|(_, size)| size.upper.is_none() && size.lower.is_none())?;
            let slot = param.slot;
            if slot.metric == Metric::Int
                && let Some((reason, help)) = lowered(component, node, place, callee, slot.argument)
            {
                return Some((Rank::Size, here(reason, &help)));
            }
            let (argument, metric) = (slot.argument, slot.metric);
            let callee = &callee.name;
            let reason = unknown_size(component, node, place, argument, metric, callee);
            Some((Rank::Size, here(reason, "")))
        }
    }
}

/// Returns whether some calls have an upper bound in terms of their sizes.
fn has_bound(summary: &Summary) -> bool {
    let is_bound =
        |p: &SolvedPiece| matches!(&p.value, Value::Known(e) if e.as_constant().is_none());
    summary.all.upper.iter().any(is_bound)
}

/// Explains a recursive call with a difference as an argument (`M is N-C`), if the subtracted number is not proved positive or is a list
/// element. Returns the reason and the advice.
fn lowered(
    component: &Component<'_>,
    node: &Node,
    place: LiteralPlace,
    callee: &Node,
    argument: usize,
) -> Option<(String, String)> {
    let number = names::argument(&callee.name, argument).unwrap_or(argument + 1);
    let name = names::of_node(component, callee);
    let by = |by: &str| format!("argument {number} of this call to `{name}` is lowered by {by}");
    Some(match taken_away(component, node, place, argument)? {
        SubtractedVariable::Untested => (
            by("a number that is not known to be above 0, so it is not known to get smaller"),
            "Test before the subtraction that the number which is taken away is above 0."
                .to_owned(),
        ),
        SubtractedVariable::Part(whole) => (
            by(&format!(
                "a part of argument {}, and a bound cannot depend on the value of that part",
                names::argument(&node.name, whole).unwrap_or(whole + 1)
            )),
            format!("State what `{name}` costs in a `trust` assertion."),
        ),
    })
}

/// A subtracted variable.
enum SubtractedVariable {
    /// The clause does not compare the variable with a number.
    Untested,
    /// The clause compares the variable with a number, and the variable is a subterm of the argument with this index (from 0).
    Part(usize),
}

/// Returns the subtracted variable if an argument of a call is a difference. Returns `None` for numbers, and for tested variables that are
/// not subterms of an argument.
fn taken_away(
    component: &Component<'_>,
    node: &Node,
    LiteralPlace { clause, literal }: LiteralPlace,
    argument: usize,
) -> Option<SubtractedVariable> {
    let clauses = component.shared.program.clauses(&node.name)?;
    let clause = clauses.get(clause)?;
    let terms = &*clause.terms;
    let passed = terms.args(literal).get(argument).map(|&a| terms.get(a));
    let Some(Term::Var(passed)) = passed else {
        return None;
    };
    let bodies = clause.guard.into_iter().chain(clause.body);
    let goals: Vec<TermId> = bodies
        .flat_map(|body| calls(terms, body))
        .map(|call| call.goal)
        .collect();
    let is_compared = |variable: &u32| {
        goals.iter().any(|&goal| {
            let sides = terms.args(goal).iter().map(|&side| terms.get(side));
            matches!(Goal::lower(terms, goal), Goal::Compare(..))
                && terms.variables_of(goal).contains(variable)
                && sides
                    .into_iter()
                    .any(|side| matches!(side, Term::Integer(_)))
        })
    };
    let taken = goals.iter().find_map(|&goal| {
        let Goal::Is { result, expression } = Goal::lower(terms, goal) else {
            return None;
        };
        let is_it = matches!(terms.get(result), Term::Var(v) if v == passed);
        match terms.get(*terms.matches(expression, "-", 2)?.get(1)?) {
            Term::Var(taken) if is_it => Some(*taken),
            _ => None,
        }
    })?;
    if !is_compared(&taken) {
        return Some(SubtractedVariable::Untested);
    }
    let mut head = terms.args(clause.head).iter();
    let whole = head.position(|&term| terms.variables_of(term).contains(&taken))?;
    let is_part = !matches!(terms.get(terms.args(clause.head)[whole]), Term::Var(_));
    is_part.then_some(SubtractedVariable::Part(whole))
}

/// Explains that the cost of a call depends on an unknown size.
fn unknown_size(
    component: &Component<'_>,
    node: &Node,
    place: LiteralPlace,
    argument: usize,
    metric: Metric,
    callee: &Functor,
) -> String {
    let what = match metric {
        Metric::Length => "length",
        Metric::Int => "value",
        Metric::Size => "size",
        Metric::Chars => "number of characters",
        Metric::Keys => "number of keys",
    };
    let is_list = argument + 2 == callee.arity && names::is_in_text(component, node, place, callee);
    let which = match names::argument(callee, argument) {
        _ if is_list => "the list that is parsed".to_owned(),
        Some(number) => format!("argument {number}"),
        None => "an argument".to_owned(),
    };
    let callee = names::of_call(component, node, place, callee);
    format!("no formula was found for the {what} of {which} in this call to `{callee}`")
}

/// Returns whether the callee lacks an upper bound for some possible arguments of the call.
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

/// Returns whether a predicate is directly or indirectly recursive.
fn calls_itself(component: &Component<'_>, costs: &Costs, own: usize) -> bool {
    let mut found = false;
    for (i, _) in nodes_from(component, own) {
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

/// Explains why the solver stopped, if no goal is the cause.
fn no_form(value: &Value, summary: &Summary, calls_itself: bool, name: &str) -> Unknown {
    let fuel = is_fuel(value);
    let (reason, help) = match value {
        Value::Unknown(Why::Fuel) => (
            "the counted steps of the analysis were used up before a bound was found".to_owned(),
            "Split the predicate into smaller ones, or declare narrower types.",
        ),
        Value::Unknown(Why::NotProved(_)) => (
            format!("the formula that fits small sizes of `{name}` is not proved for all sizes"),
            "",
        ),
        _ if calls_itself => (
            format!("no formula was found for the number of recursive calls of `{name}`"),
            "",
        ),
        _ => (
            format!("no formula was found for what the calls in `{name}` cost together"),
            "",
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
        declare: None,
        missing: None,
    }
}

/// Returns the argument (from 0) of a call in which the callee gets a goal whose cost it needs and that the caller does not know.
fn goal_not_known(summary: &Summary, call: &CallStep) -> Option<usize> {
    let values = call.args.get(summary.params.len()..)?;
    let mut passed = summary.parameters.iter().zip(values);
    passed.find_map(|(p, value)| match p.parameter.of {
        Subject::Argument(i) if value.upper.is_none() && mentions(summary, p.var) => Some(i),
        _ => None,
    })
}
