//! Recurrence systems in mathematical notation: `nrev(n) = nrev(n-1)+n+1 for n ≥ 1`.

use std::collections::BTreeMap;

use costlens_algebra::display::display;
use costlens_algebra::linear::Region;
use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, Cell, System};

use crate::component::Component;
use crate::report::Side;
use crate::summary::Summary;
use crate::summary::names::{names_of, region_text};
use crate::summary::node::Node;

/// Returns the equations of the upper bound over all solutions, or of the lower bound up to the first solution, with one equation per cell.
/// If a cell has several alternatives, the value is the greatest (for upper bounds) or the least (for lower bounds):
///
/// ```text
/// del(n) = max(del(n-1)+1, 1)    for n ≥ 1
/// ```
pub(crate) fn equations(
    component: &Component<'_>,
    system: &System,
    side: Side,
    summary: &Summary,
) -> Vec<String> {
    let n = component.nodes.len();
    let shown = match side {
        Side::Upper => 0..n,
        Side::Lower => n..2 * n,
    };
    let labels = labels(component);
    let label = |function: usize| match (labels.get(function % n.max(1)), function < 2 * n, side) {
        (Some(label), true, Side::Upper) if function >= n => format!("first_{label}"),
        (Some(label), true, Side::Lower) if function < n => format!("all_{label}"),
        (Some(label), true, _) => label.clone(),
        _ => match component.sums.node(function).and_then(|i| labels.get(i)) {
            Some(label) => format!("sum_{label}"),
            None => "∞".to_owned(),
        },
    };
    let entry = names_of(summary);
    let mut lines = Vec::new();
    for f in shown {
        let Some(function) = system.functions.get(f) else {
            continue;
        };
        let own: BTreeMap<Var, String> = (function.params.iter().enumerate())
            .map(|(i, &v)| {
                let name = if f % n == 0 {
                    entry(v)
                } else {
                    match ["n", "m", "k", "p"].get(i) {
                        Some(name) => (*name).to_owned(),
                        None => format!("n{}", i + 1),
                    }
                };
                (v, name)
            })
            .collect();
        let head: Vec<&str> = (function.params.iter())
            .filter_map(|v| own.get(v).map(String::as_str))
            .collect();
        let head = applied(&label(f), &head);
        // Neighbouring regions with equal cells are merged.
        let mut cells: Vec<(Region, String)> = (function.cells.iter())
            .map(|cell| (cell.region.clone(), cell_value(cell, &own, &label, side)))
            .collect();
        join(&mut cells);
        for (at, value) in &cells {
            // `p(n) = 2n+1 for n = 0` becomes `p(n) = 1 for n = 0`.
            let single = (function.cells.iter())
                .find(|cell| cell.region == *at)
                .and_then(|cell| at_single_sizes(cell, &function.params))
                .map(|cell| cell_value(&cell, &own, &label, side));
            let value = single.as_ref().unwrap_or(value);
            // `≈ 2.718·n!` is rounded, so the line is not an equation.
            let relation = if value.starts_with('≈') { "" } else { "= " };
            let line = match region(at, &own) {
                Some(at) => format!("{head} {relation}{value}    for {at}"),
                None => format!("{head} {relation}{value}"),
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// Substitutes the sizes that a cell's region fixes. Returns `None` if it fixes none.
fn at_single_sizes(cell: &Cell, params: &[Var]) -> Option<Cell> {
    let fixed: BTreeMap<Var, Expr> = (params.iter())
        .filter_map(|&v| match cell.region.bounds(&Expr::var(v)) {
            (Some(low), Some(high)) if low == high => Some((v, Expr::constant(low))),
            _ => None,
        })
        .collect();
    if fixed.is_empty() {
        return None;
    }
    let mut cell = cell.clone();
    for alternative in &mut cell.alternatives {
        let expressions = (alternative.results.iter_mut().flat_map(|r| &mut r.args))
            .chain(&mut alternative.value);
        for e in expressions {
            *e = e.substitute(&fixed)?;
        }
    }
    Some(cell)
}

/// Returns the right-hand side of a cell's equation.
fn cell_value(
    cell: &Cell,
    own: &BTreeMap<Var, String>,
    label: &dyn Fn(usize) -> String,
    side: Side,
) -> String {
    let mut values: Vec<String> = Vec::new();
    for alternative in &cell.alternatives {
        let value = right_side(alternative, own, label);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    keep_extreme_number(&mut values, side);
    match (values.as_slice(), side) {
        ([], _) => "0".to_owned(),
        ([one], _) => one.clone(),
        (many, Side::Upper) => format!("max({})", many.join(", ")),
        (many, Side::Lower) => format!("min({})", many.join(", ")),
    }
}

/// Keeps only the greatest or least of several constants: `max(f(n-1)+1, 0, 2)` becomes `max(f(n-1)+1, 2)`.
fn keep_extreme_number(values: &mut Vec<String>, side: Side) {
    let numbers = values.iter().filter_map(|v| v.parse::<i64>().ok());
    let kept = match side {
        Side::Upper => numbers.max(),
        Side::Lower => numbers.min(),
    };
    values.retain(|v| {
        v.parse::<i64>()
            .ok()
            .is_none_or(|number| Some(number) == kept)
    });
}

fn join(cells: &mut Vec<(Region, String)>) {
    'again: loop {
        for i in 0..cells.len() {
            for j in i + 1..cells.len() {
                if cells[i].1 == cells[j].1
                    && let Some(union) = cells[i].0.union_if_convex(&cells[j].0)
                {
                    cells[i].0 = union.simplified();
                    cells.remove(j);
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// Names functions after their predicates, with a number if a predicate has several patterns.
fn labels(component: &Component<'_>) -> Vec<String> {
    let nodes = &component.nodes;
    (nodes.iter().enumerate())
        .map(|(i, node)| {
            let alike = |n: &&Node| n.name.name == node.name.name;
            let before = nodes[..i].iter().filter(alike).count();
            if before == 0 {
                node.name.name.to_string()
            } else {
                format!("{}_{}", node.name.name, before + 1)
            }
        })
        .collect()
}

fn applied(name: &str, arguments: &[impl AsRef<str>]) -> String {
    if arguments.is_empty() {
        return name.to_owned();
    }
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    format!("{name}({})", arguments.join(", "))
}

/// Returns the text of an alternative: `nrev(n-1)+n+1`, `part(j)+2 for some 0 ≤ j`.
fn right_side(
    alternative: &Alternative,
    own: &BTreeMap<Var, String>,
    label: &dyn Fn(usize) -> String,
) -> String {
    let mut known = own.clone();
    let local = |i: usize| match ["i", "j", "l"].get(i) {
        Some(name) => (*name).to_owned(),
        None => format!("i{}", i + 1),
    };
    for (i, &l) in alternative.locals.iter().enumerate() {
        known.insert(l, local(i));
    }
    let mut results = Vec::new();
    for result in &alternative.results {
        let called = {
            let lookup = Names::new(|v| name_in(&known, v));
            let arguments: Vec<String> = result.args.iter().map(|a| display(a, &lookup)).collect();
            applied(&label(result.function), &arguments)
        };
        known.insert(result.var, called);
        results.push(result.var);
    }
    let Some(value) = &alternative.value else {
        return "?".to_owned();
    };
    let mut text = sum(value, &results, &known);
    if !alternative.constraints.constraints().is_empty()
        && let Some(at) = region(&alternative.constraints, &known)
    {
        text.push_str(&format!(" with {at}"));
    }
    text
}

/// Returns the text of a sum in which the called functions come first, each with its factor: `2·f(n-1)+n+1`.
fn sum(value: &Expr, results: &[Var], known: &BTreeMap<Var, String>) -> String {
    let lookup = Names::new(|v| name_in(known, v));
    let mut factors: Vec<(String, Expr)> = Vec::new();
    let mut rest = Expr::zero();
    for (m, c) in value.terms() {
        let called = (results.iter()).find(|v| m.powers.get(v) == Some(&1));
        match called {
            Some(&v) => {
                let mut m = m.clone();
                m.powers.remove(&v);
                // Two calls with the same arguments are two variables with the same name.
                let name = name_in(known, v);
                match factors.iter_mut().find(|(w, _)| *w == name) {
                    Some((_, factor)) => factor.add_monomial(m, c.clone()),
                    None => factors.push((name, Expr::monomial(m, c.clone()))),
                }
            }
            None => rest.add_monomial(m.clone(), c.clone()),
        }
    }
    factors.sort_by_key(|(name, _)| results.iter().position(|&v| name_in(known, v) == *name));
    let mut text = String::new();
    let mut add = |part: String| {
        if !text.is_empty() && !part.starts_with('-') {
            text.push('+');
        }
        text.push_str(&part);
    };
    for (name, factor) in &factors {
        if *factor == Expr::int(1) {
            add(name.clone());
        } else if factor.terms().count() == 1 {
            add(format!("{}·{name}", display(factor, &lookup)));
        } else {
            add(format!("({})·{name}", display(factor, &lookup)));
        }
    }
    if !rest.is_zero() || factors.is_empty() {
        add(display(&rest, &lookup));
    }
    text
}

fn name_in(known: &BTreeMap<Var, String>, v: Var) -> String {
    (known.get(&v).cloned()).unwrap_or_else(|| format!("x{}", v.0))
}

/// Returns the sizes in a region as text, or `None` if the region is unconstrained.
fn region(region: &Region, known: &BTreeMap<Var, String>) -> Option<String> {
    if region.simplified().constraints().is_empty() {
        return None;
    }
    let text = region_text(region, &Names::new(|v| name_in(known, v)));
    Some(ranges(&text.replace(">=", "≥").replace("<=", "≤")))
}

/// Rewrites `n ≤ 1, n ≥ 0` as `0 ≤ n ≤ 1`.
fn ranges(text: &str) -> String {
    let parts: Vec<&str> = text.split(", ").collect();
    let upper = |size: &str| {
        (parts.iter()).find_map(|p| {
            p.split_once(" ≤ ")
                .filter(|(s, _)| *s == size)
                .map(|(_, u)| u)
        })
    };
    let lower =
        |size: &str| (parts.iter()).any(|p| p.split_once(" ≥ ").is_some_and(|(s, _)| s == size));
    let read = parts.iter().filter_map(|part| {
        if let Some((size, least)) = part.split_once(" ≥ ")
            && let Some(most) = upper(size)
        {
            return Some(format!("{least} ≤ {size} ≤ {most}"));
        }
        let said = part.split_once(" ≤ ").is_some_and(|(size, _)| lower(size));
        (!said).then(|| (*part).to_owned())
    });
    read.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn two_ends_are_one_range() {
        assert_eq!(ranges("n ≤ 1, n ≥ 0"), "0 ≤ n ≤ 1");
        assert_eq!(ranges("n ≥ 0, m ≥ 2, n ≤ m"), "0 ≤ n ≤ m, m ≥ 2");
        assert_eq!(ranges("n = 1, m ≥ n"), "n = 1, m ≥ n");
    }
}
