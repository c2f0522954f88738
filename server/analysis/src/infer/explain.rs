//! Why a bound is missing, and how one came about.

use std::collections::BTreeSet;

use costlens_algebra::linear::{Region, Relation};
use costlens_algebra::system::{Value, Why};
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Var};

use super::solve::{Component, Costs, is_fuel};
use super::summary::Summary;
use super::tree::{CallStep, Callee, End, Step, Tree};
use crate::report::{Explanation, Side, Unknown};

/// The root causes of missing upper bounds, the most telling first.
pub(crate) fn unknown(component: &Component<'_>, costs: &Costs, summary: &Summary) -> Vec<Unknown> {
    let missing = |pieces: &[costlens_algebra::system::SolvedPiece]| {
        pieces
            .iter()
            .filter(|p| matches!(p.value, Value::Unknown(_)))
            .filter(|p| !diverges_on(summary, &p.region))
            .map(|p| p.value.clone())
            .next()
    };
    let Some(value) = missing(&summary.all.upper) else {
        return Vec::new();
    };
    let mut causes: Vec<Unknown> = Vec::new();
    for (i, node) in component.nodes.iter().enumerate() {
        let obstacles = component.shared.obstacles[i].borrow();
        for region in &costs.runs[i] {
            for world in &region.worlds {
                for run in &world.clauses {
                    for_each_step(&run.tree, &mut |step| match step {
                        Step::Unknown(index) => {
                            if let Some(o) = obstacles.get(*index) {
                                causes.push(Unknown {
                                    side: Side::Upper,
                                    fuel: false,
                                    reason: o.reason.clone(),
                                    cause: node.name.clone(),
                                    literal: o.literal.map(|l| (o.clause, l)),
                                    help: o.help.clone(),
                                });
                            }
                        }
                        Step::Call(call) => {
                            causes.extend(call_cause(component, node, run.clause, call))
                        }
                        _ => {}
                    });
                }
            }
        }
    }
    let mut seen = BTreeSet::new();
    causes.retain(|c| seen.insert((c.cause.clone(), c.reason.clone())));
    causes.truncate(4);
    if causes.is_empty() {
        causes.push(Unknown {
            side: Side::Upper,
            fuel: is_fuel(&value),
            reason: no_form(&value, summary),
            cause: summary.predicate.clone(),
            literal: None,
            help: no_form_help(component, costs).to_owned(),
        });
    }
    causes
}

/// What the user can do where the equations have no solution: it depends on what the equations are like.
fn no_form_help(component: &Component<'_>, costs: &Costs) -> &'static str {
    let n = component.nodes.len();
    let own = costs.upper.functions.iter().take(n);
    let (mut measured, mut ranges) = (false, false);
    for function in own {
        measured |= !function.params.is_empty();
        ranges |= function
            .cells
            .iter()
            .flat_map(|c| &c.alternatives)
            .any(|a| !a.locals.is_empty());
    }
    match (measured, ranges) {
        (false, _) => {
            "State what decreases: give the argument a type with a size (`list`, `int`), or a guard such as `N > 0`."
        }
        (true, true) => {
            "Sizes in recursive calls are known only as ranges here (how long each part of a split list is); `explain` shows the equations."
        }
        (true, false) => {
            "Polynomials and exponentials are tried; `explain` shows the equations. A guard such as `N > 0` may be missing."
        }
    }
}

fn no_form(value: &Value, summary: &Summary) -> String {
    match value {
        Value::Unknown(Why::Fuel) => "the analysis used up its steps".to_owned(),
        Value::Unknown(Why::NotProved(e)) => {
            let names = names_of(summary);
            format!(
                "the equations suggest {}, but no proof of it was found",
                to_text(e, &Names::new(names))
            )
        }
        _ => "the equations have no solution among the forms that are tried, or the recursion does not end for some sizes"
            .to_owned(),
    }
}

/// Why a call keeps its caller from a bound: its own root cause, or a size that is not known.
fn call_cause(
    component: &Component<'_>,
    node: &super::node::Node,
    clause: usize,
    call: &CallStep,
) -> Option<Unknown> {
    match &call.callee {
        Callee::Outside(summary) => {
            if let Some(root) = summary.unknown.first() {
                return Some(root.clone());
            }
            let unsized_argument = summary
                .params
                .iter()
                .zip(&call.args)
                .find(|(p, size)| size.upper.is_none() && mentions(summary, p.var))?;
            Some(Unknown {
                side: Side::Upper,
                fuel: false,
                reason: format!(
                    "the size of argument {} of the call of `{}` is not known",
                    unsized_argument.0.argument, summary.predicate
                ),
                cause: node.name.clone(),
                literal: Some((clause, call.literal)),
                help: "The goals before it do not determine this size in a way that is followed."
                    .to_owned(),
            })
        }
        Callee::Inside(i) => {
            let callee = &component.nodes[*i];
            if callee.params.is_empty() {
                return Some(Unknown {
                    side: Side::Upper,
                    fuel: false,
                    reason: format!(
                        "no argument of the recursive call of `{}` has a size that is measured",
                        callee.name
                    ),
                    cause: node.name.clone(),
                    literal: Some((clause, call.literal)),
                    help:
                        "Lists and integers are measured; declare them: `%! p(+Xs:list, +N:int)`."
                            .to_owned(),
                });
            }
            let (argument, _) = callee
                .params
                .iter()
                .zip(&call.args)
                .map(|(p, size)| (p.argument + 1, size))
                .find(|(_, size)| size.upper.is_none() && size.lower.is_none())?;
            Some(Unknown {
                side: Side::Upper,
                fuel: false,
                reason: format!(
                    "the size of argument {argument} of the recursive call of `{}` is not known",
                    callee.name
                ),
                cause: node.name.clone(),
                literal: Some((clause, call.literal)),
                help: "The goals before it do not determine this size in a way that is followed."
                    .to_owned(),
            })
        }
    }
}

fn mentions(summary: &Summary, v: Var) -> bool {
    summary
        .all
        .upper
        .iter()
        .any(|p| matches!(&p.value, Value::Known(e) if e.variables().contains(&v)))
}

/// Whether the lower bound is infinite on all of a region.
pub(crate) fn diverges_on(summary: &Summary, region: &Region) -> bool {
    let diverging: Vec<Region> = summary
        .all
        .lower
        .iter()
        .chain(&summary.first.lower)
        .filter(|p| matches!(p.value, Value::Diverges))
        .map(|p| p.region.clone())
        .collect();
    !diverging.is_empty() && region.covered_by(&diverging)
}

fn for_each_step(tree: &Tree, f: &mut dyn FnMut(&Step)) {
    let mut stack = vec![tree];
    while let Some(tree) = stack.pop() {
        for step in &tree.steps {
            f(step);
            match step {
                Step::Once(t, _) | Step::Failed(t) | Step::AllOf(t) | Step::PartOf(t) => {
                    stack.push(t)
                }
                _ => {}
            }
        }
        match &tree.end {
            End::Either(parts) | End::Each(parts) => stack.extend(parts),
            _ => {}
        }
    }
}

fn names_of(summary: &Summary) -> impl Fn(Var) -> String + '_ {
    |v| {
        summary
            .params
            .iter()
            .find(|p| p.var == v)
            .map_or_else(|| format!("x{}", v.0), |p| p.name.clone())
    }
}

/// A region in words: `n >= 1, m = 0`.
pub(crate) fn region_text(region: &Region, names: &Names<'_>) -> String {
    let mut parts = Vec::new();
    for c in region.simplified().constraints() {
        // Positive terms on the left, the others and the constant on the right.
        let (mut left, mut right) = (Expr::zero(), Expr::zero());
        for (m, k) in c.expr.terms() {
            if num_traits::Signed::is_positive(k) && !m.is_one() {
                left.add_monomial(m.clone(), k.clone());
            } else {
                right.add_monomial(m.clone(), -k.clone());
            }
        }
        let relation = match c.relation {
            Relation::NonNegative => ">=",
            Relation::Zero => "=",
        };
        if left.is_zero() && c.relation == Relation::NonNegative {
            // -n + 3 >= 0 reads better as n <= 3.
            let variables =
                right
                    .terms()
                    .filter(|(m, _)| !m.is_one())
                    .fold(Expr::zero(), |mut e, (m, k)| {
                        e.add_monomial(m.clone(), k.clone());
                        e
                    });
            let constant = &variables - &right;
            parts.push(format!(
                "{} <= {}",
                to_text(&variables, names),
                to_text(&constant, names)
            ));
        } else {
            parts.push(format!(
                "{} {relation} {}",
                to_text(&left, names),
                to_text(&right, names)
            ));
        }
    }
    if parts.is_empty() {
        "always".to_owned()
    } else {
        parts.join(", ")
    }
}

/// How the bounds came about, for `explain`.
pub(crate) fn explanation(
    component: &Component<'_>,
    costs: &Costs,
    summary: &Summary,
) -> Explanation {
    let names = names_of(summary);
    let mut text = Explanation::default();
    for p in &summary.params {
        text.pattern.push(format!(
            "{} = {}(argument {})",
            p.name, p.metric, p.argument
        ));
    }
    for region in &costs.runs[0] {
        let at = region_text(&region.region, &Names::new(&names));
        let mut sets: Vec<String> = region
            .worlds
            .iter()
            .map(|w| {
                let clauses: Vec<String> = w
                    .clauses
                    .iter()
                    .map(|c| (c.clause + 1).to_string())
                    .collect();
                match clauses.as_slice() {
                    [] => "no clause".to_owned(),
                    [one] => format!("clause {one}"),
                    many => format!("clauses {}", many.join(", ")),
                }
            })
            .collect();
        sets.sort();
        sets.dedup();
        text.cases.push(format!("{at}: {}", sets.join(", or ")));
    }
    for (argument, sides) in &summary.outputs {
        let what = format!("size of argument {} on success", argument + 1);
        text.sizes
            .extend(both_sides(&what, sides, &Names::new(&names)));
    }
    let solutions = both_sides("solutions", &summary.solutions, &Names::new(&names));
    text.sizes.extend(solutions);
    text.equations = equations(component, costs, summary);
    for piece in &summary.all.upper {
        let at = region_text(&piece.region, &Names::new(&names));
        text.solution.push(match &piece.value {
            Value::Known(e) => format!("steps <= {} for {at}", to_text(e, &Names::new(&names))),
            Value::Diverges => format!("steps are infinite for {at}"),
            Value::Unknown(_) if diverges_on(summary, &piece.region) => {
                format!("steps are infinite for {at}")
            }
            Value::Unknown(_) => format!("no upper bound for {at}"),
        });
    }
    for piece in &summary.first.lower {
        let at = region_text(&piece.region, &Names::new(&names));
        text.solution.push(match &piece.value {
            Value::Known(e) => format!("steps >= {} for {at}", to_text(e, &Names::new(&names))),
            _ => format!(
                "steps are infinite for {at}: every way to go on is a call of the same kind"
            ),
        });
    }
    for (side, solution) in [
        ("upper", &costs.upper_solution),
        ("lower", &costs.lower_solution),
    ] {
        for line in &solution.proof {
            let line = proof_line(component, line).map(|l| format!("{side} bound, {l}"));
            text.verification
                .extend(line.filter(|l| !text.verification.contains(l)));
        }
    }
    text
}

/// A line of the solver's proof with the function's name; none for functions that only help.
fn proof_line(component: &Component<'_>, line: &str) -> Option<String> {
    let n = component.nodes.len();
    let (index, rest) = line.strip_prefix("function ")?.split_once(": ")?;
    let index: usize = index.parse().ok()?;
    let node = component.nodes.get(index % n).filter(|_| index < 2 * n)?;
    let what = if index < n {
        "all solutions"
    } else {
        "first solution"
    };
    Some(format!("{what} of {} {}: {rest}", node.name, node.pattern))
}

/// Lower and upper bounds of a size, in one line where they agree.
fn both_sides(what: &str, sides: &super::summary::Sides, names: &Names<'_>) -> Vec<String> {
    let lines = |word: &str, pieces: &super::summary::Pieces| {
        pieces
            .iter()
            .filter_map(|piece| match &piece.value {
                Value::Known(e) => {
                    let at = region_text(&piece.region, names);
                    Some(format!("{what}: {word}{} for {at}", to_text(e, names)))
                }
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    if sides.lower == sides.upper {
        return lines("", &sides.lower);
    }
    let mut all = lines("at least ", &sides.lower);
    all.extend(lines("at most ", &sides.upper));
    all
}

/// The equations of the upper bound over all solutions, one line for each alternative of each cell.
fn equations(component: &Component<'_>, costs: &Costs, summary: &Summary) -> Vec<String> {
    let names = names_of(summary);
    let n = component.nodes.len();
    let mut lines = Vec::new();
    for (f, function) in costs.upper.functions.iter().enumerate().take(n) {
        let node = &component.nodes[f];
        let own: std::collections::BTreeMap<Var, String> = function
            .params
            .iter()
            .enumerate()
            .map(|(i, v)| {
                (
                    *v,
                    if f == 0 {
                        names(*v)
                    } else {
                        ["n", "m", "k", "p"]
                            .get(i)
                            .map_or_else(|| format!("x{i}"), |s| (*s).to_owned())
                    },
                )
            })
            .collect();
        let head: Vec<String> = function.params.iter().map(|v| own[v].clone()).collect();
        for cell in &function.cells {
            let at = region_text(
                &cell.region,
                &Names::new(|v| own.get(&v).cloned().unwrap_or_else(|| names(v))),
            );
            for alternative in &cell.alternatives {
                let mut known = own.clone();
                for (i, l) in alternative.locals.iter().enumerate() {
                    known.insert(*l, format!("j{}", i + 1));
                }
                for result in &alternative.results {
                    let name = if result.function >= 2 * n {
                        "infinite".to_owned()
                    } else {
                        let callee = &component.nodes[result.function % n];
                        let first = if result.function >= n { "first_" } else { "" };
                        let args: Vec<String> = result
                            .args
                            .iter()
                            .map(|a| {
                                to_text(
                                    a,
                                    &Names::new(|v| {
                                        known
                                            .get(&v)
                                            .cloned()
                                            .unwrap_or_else(|| format!("x{}", v.0))
                                    }),
                                )
                            })
                            .collect();
                        format!("{first}{}({})", callee.name.name, args.join(", "))
                    };
                    known.insert(result.var, name);
                }
                let lookup = |v: Var| {
                    known
                        .get(&v)
                        .cloned()
                        .unwrap_or_else(|| format!("x{}", v.0))
                };
                let value = alternative
                    .value
                    .as_ref()
                    .map_or_else(|| "?".to_owned(), |e| to_text(e, &Names::new(lookup)));
                let mut line = format!(
                    "{}({}) = {value}    for {at}",
                    node.name.name,
                    head.join(", ")
                );
                if !alternative.constraints.constraints().is_empty() {
                    line.push_str(&format!(
                        " and some {}",
                        region_text(&alternative.constraints, &Names::new(lookup))
                    ));
                }
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
    }
    lines
}
