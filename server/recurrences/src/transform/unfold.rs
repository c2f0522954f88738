//! Unfolding of a system's own calls, for recursions that divide a size in two steps, but not in a single step.
//!
//! In Euclid's algorithm, `gcd(A, B, G) :- B > 0, R is A mod B, gcd(B, R, G)`, the second argument may decrease by as little as 1. But if R
//! is more than half of B, the next remainder is B - R: after two steps it is at most half of its original value. The least solution of
//! `T = Φ(T)` is also the least solution of `T = Φ(Φ(T))`, in which every call is at a half.

use std::collections::BTreeMap;

use costlens_algebra::{Expr, Region, Var};

use crate::graph::quotients::quotients;
use crate::graph::{CellId, Graph, arguments, enabled, linear_coefficient};
use crate::system::{Alternative, CallResult, Cell, System};

/// The maximum number of alternatives in an unfolded cell.
const LIMIT: usize = 24;

/// The first number for variables of unfolded alternatives.
const FRESH: u32 = 0x5000_0000;

/// Unfolds the recursive calls of functions, for upper bounds. Returns `None` unless the unfolding changes every recursive call of some
/// function into a call at a quotient of a size, which must not already be the case.
#[must_use]
pub fn halving(system: &System) -> Option<System> {
    if !(0..system.functions.len()).any(|f| jumps(system, f)) {
        return None;
    }
    let graph = Graph::new(system);
    let mut changed = false;
    let mut unfolded = system.clone();
    for f in 0..system.functions.len() {
        if divides(system, &graph, f) {
            continue;
        }
        let Some(cells) = function(system, &graph, f) else {
            continue;
        };
        let before = std::mem::replace(&mut unfolded.functions[f].cells, cells);
        if divides(&unfolded, &Graph::new(&unfolded), f) {
            changed = true;
        } else {
            unfolded.functions[f].cells = before;
        }
    }
    changed.then_some(unfolded)
}

/// Returns whether the function calls itself at a nonconstant distance. Most recursions decrease by one and need no further analysis.
fn jumps(system: &System, f: usize) -> bool {
    let function = &system.functions[f];
    let alternatives = function.cells.iter().flat_map(|c| &c.alternatives);
    let mut own = alternatives
        .flat_map(|a| &a.results)
        .filter(|r| r.function == f);
    own.any(|call| {
        let mut pairs = function.params.iter().zip(&call.args);
        pairs.any(|(&p, arg)| (&Expr::var(p) - arg).as_constant().is_none())
    })
}

/// Returns the calls of an alternative that may lead back to its cell.
fn inner(system: &System, graph: &Graph, (f, c): CellId, a: usize) -> Vec<usize> {
    let Some(landings) = &graph.landings[f][c][a] else {
        return Vec::new();
    };
    let component = graph.component_of[&(f, c)];
    let alternative = &system.functions[f].cells[c].alternatives[a];
    let comes_back = |i: &usize| {
        let landing = landings.get(*i);
        landing.is_some_and(|l| l.cells.iter().any(|id| graph.component_of[id] == component))
    };
    (0..alternative.results.len())
        .filter(|&i| alternative.results[i].function == f)
        .filter(comes_back)
        .collect()
}

/// Returns whether the function calls itself, each time at a quotient of the same size.
fn divides(system: &System, graph: &Graph, f: usize) -> bool {
    let function = &system.functions[f];
    let mut calls = 0;
    let mut positions: Vec<usize> = (0..function.params.len()).collect();
    for (c, cell) in function.cells.iter().enumerate() {
        for (a, alternative) in cell.alternatives.iter().enumerate() {
            let on = enabled(&cell.region, alternative);
            for at in inner(system, graph, (f, c), a) {
                let call = &alternative.results[at];
                calls += 1;
                positions.retain(|&i| {
                    let part = call.args.get(i);
                    part.is_some_and(|e| {
                        !quotients(e, &function.params[i..=i], &on, true).is_empty()
                    })
                });
            }
        }
    }
    calls > 0 && !positions.is_empty()
}

/// Returns the cells of a function, unfolded where possible, or `None` if no cell can be unfolded.
fn function(system: &System, graph: &Graph, f: usize) -> Option<Vec<Cell>> {
    let mut cells = system.functions[f].cells.clone();
    let mut any = false;
    for (c, cell) in cells.iter_mut().enumerate() {
        if let Some(alternatives) = of_cell(system, graph, (f, c))
            && alternatives.len() <= LIMIT
            && alternatives != cell.alternatives
        {
            any = true;
            cell.alternatives = alternatives;
        }
    }
    any.then_some(cells)
}

/// Returns the alternatives of a cell, each with its recursive call unfolded, or `None` if some alternative cannot be unfolded.
fn of_cell(system: &System, graph: &Graph, (f, c): CellId) -> Option<Vec<Alternative>> {
    let cell = &system.functions[f].cells[c];
    let mut alternatives = Vec::new();
    for (a, alternative) in cell.alternatives.iter().enumerate() {
        match inner(system, graph, (f, c), a)[..] {
            [] => alternatives.push(alternative.clone()),
            [at] => {
                let Some(landings) = &graph.landings[f][c][a] else {
                    continue;
                };
                if landings[at].outside {
                    return None;
                }
                let on = enabled(&cell.region, alternative);
                for &(_, target) in &landings[at].cells {
                    alternatives.extend(unfold_call(system, &on, alternative, at, target)?);
                }
            }
            _ => return None,
        }
    }
    Some(alternatives)
}

/// Replaces a call of an alternative with the alternatives of the called function's cell `target`.
fn unfold_call(
    system: &System,
    on: &Region,
    alternative: &Alternative,
    at: usize,
    target: usize,
) -> Option<Vec<Alternative>> {
    let call = &alternative.results[at];
    let callee = &system.functions[call.function];
    let args = arguments(call, at, callee, on)?;
    let later = &alternative.results[at + 1..];
    let steers = later
        .iter()
        .any(|r| r.args.iter().any(|e| e.variables().contains(&call.var)));
    if !args.facts.is_empty() || steers {
        return None;
    }
    let value = alternative.value.as_ref()?;
    let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
    let factor = linear_coefficient(value, call.var, &results)?.as_constant()?;
    if num_traits::Signed::is_negative(&factor) {
        return None;
    }
    let cell = &callee.cells[target];
    let here = alternative
        .constraints
        .and_all(&cell.region.substitute(&args.linear)?);
    // If no alternative of the callee is feasible, its value is 0, which is at most the value of the other alternatives.
    let nothing = Alternative::default();
    let mut found = Vec::new();
    for inner in cell.alternatives.iter().chain([&nothing]) {
        let mut by = args.linear.clone();
        let mut fresh = FRESH;
        let mut renamed = |v: Var, by: &mut BTreeMap<Var, Expr>| {
            while alternative.locals.contains(&Var(fresh)) || results.contains(&Var(fresh)) {
                fresh += 1;
            }
            let new = Var(fresh);
            fresh += 1;
            by.insert(v, Expr::var(new));
            new
        };
        let mut locals = alternative.locals.clone();
        for &v in &inner.locals {
            locals.push(renamed(v, &mut by));
        }
        let mut calls: Vec<CallResult> = alternative.results[..at].to_vec();
        for r in &inner.results {
            let args: Option<Vec<Expr>> = r.args.iter().map(|e| e.substitute(&by)).collect();
            calls.push(CallResult {
                var: renamed(r.var, &mut by),
                function: r.function,
                args: args?,
            });
        }
        calls.extend(later.iter().cloned());
        let inside = match &inner.value {
            Some(value) => value.substitute(&by)?,
            None if inner == &nothing => Expr::zero(),
            None => return None,
        };
        let region = here.and_all(&inner.constraints.substitute(&by)?);
        if on.and_all(&region).is_empty() {
            continue;
        }
        found.push(Alternative {
            locals,
            constraints: region,
            results: calls,
            value: Some(value.substitute(&BTreeMap::from([(call.var, inside)]))?),
        });
    }
    Some(found)
}
