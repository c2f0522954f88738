//! Cells whose equations show that they have no upper bound.
//!
//! - In `p(X) :- q(X, Y), p(Y).` the size of `Y` may be unknown. Then `T(n) = max over m of T(m) + 1`, which has no finite solution, since
//!   `m` may equal `n`.
//! - `T(n) = T(n+1) + 1` for all n from some number on increases forever.
//! - The value of an alternative, or a call with a local in its arguments, may grow with an unbounded local.
//!
//! Such cells are given up first, without trying values or forms.

use std::collections::BTreeMap;

use costlens_algebra::{Constraint, Expr, Monomial, Rat, Region, Var, rat};

use crate::graph::{CellId, enabled, linear_coefficient, own_cost};
use crate::solver::state::SolverState;
use crate::system::{Alternative, CallResult, Function};

/// Returns true only if a cell is proved to have no upper bound at one of its points. Unless the step is a constant, this must be proved
/// for all points of the cell: a loop that counts up by a variable step runs forever only for some steps, and for the other steps a part of
/// the cell has a bound.
pub(crate) fn is_stuck(state: &SolverState<'_>, id: CellId) -> bool {
    let function = &state.system.functions[id.0];
    let cell = &function.cells[id.1];
    let landings = &state.graph.landings[id.0][id.1];
    let everywhere = |on: &Region| {
        (on.project_inside(&hidden(function, on))).is_some_and(|all| cell.region.implies_all(&all))
    };
    cell.alternatives.iter().zip(landings).any(|(a, landings)| {
        let Some(landings) = landings else {
            return false;
        };
        let on = enabled(&cell.region, a);
        let mut calls = a.results.iter().zip(landings);
        calls.any(|(call, landing)| {
            landing.cells.contains(&id)
                && (stays(state, id, a, call, &on).is_some_and(|on| {
                    is_costly(a, call, &on)
                        && (cost_without_calls(a).as_constant().is_some() || everywhere(&on))
                }) || goes_on(function, a, call, &on)
                    && is_costly(a, call, &on)
                    && everywhere(&on))
        }) || has_no_most(function, a, &on) && everywhere(&on)
    }) || calls_have_no_most(state, id)
}

/// Returns the variables of a region that are not sizes of the function.
fn hidden(function: &Function, on: &Region) -> Vec<Var> {
    let is_hidden = |v: &Var| !function.params.contains(v);
    on.variables().into_iter().filter(is_hidden).collect()
}

/// Returns the cost of an alternative without its calls, or 0 if it has no value.
fn cost_without_calls(alternative: &Alternative) -> Expr {
    let value = alternative.value.as_ref();
    value.map_or_else(Expr::zero, |value| own_cost(value, &results(alternative)))
}

/// Returns whether the alternative has a point in the region, and costs at least 1 more than the call at all such points. Nonconstant
/// factors are not considered.
fn is_costly(alternative: &Alternative, call: &CallResult, on: &Region) -> bool {
    let Some(value) = &alternative.value else {
        return false;
    };
    let results = results(alternative);
    let own = cost_without_calls(alternative);
    let one = Expr::int(1);
    !falls(value, &results)
        && linear_coefficient(value, call.var, &results)
            .is_some_and(|c| c.as_constant().is_some_and(|c| c >= rat(1)))
        && match own.as_constant() {
            Some(own) => own >= rat(1),
            None => Constraint::ge(&own, &one).is_some_and(|costs| on.implies(&costs)),
        }
        && has_point(on)
}

/// Returns whether a value may decrease when a result increases.
fn falls(value: &Expr, results: &[Var]) -> bool {
    let falls =
        |(m, c): (&Monomial, &Rat)| *c < rat(0) && m.variables().any(|v| results.contains(&v));
    value.terms().any(falls)
}

fn results(alternative: &Alternative) -> Vec<Var> {
    alternative.results.iter().map(|r| r.var).collect()
}

/// Returns whether the region `on` is closed under the call: the call leads from each of its points to a point at which the same call is
/// possible.
fn goes_on(function: &Function, alternative: &Alternative, call: &CallResult, on: &Region) -> bool {
    let results = results(alternative);
    let of_results = |v: &Var| results.contains(v);
    if call.args.len() != function.params.len()
        // The functions determine the results, which therefore cannot be chosen freely.
        || on.variables().iter().any(of_results)
        || call
            .args
            .iter()
            .flat_map(Expr::variables)
            .any(|v| of_results(&v))
    {
        return false;
    }
    let by: BTreeMap<Var, Expr> = (function.params.iter().copied())
        .zip(call.args.iter().cloned())
        .collect();
    (on.project_inside(&hidden(function, on)))
        .and_then(|possible| possible.substitute(&by))
        .is_some_and(|next| on.implies_all(&next))
}

/// Returns whether the value of an alternative without calls is unbounded at some point: it grows in some direction that changes only
/// locals, and in which the region is unbounded.
fn has_no_most(function: &Function, alternative: &Alternative, on: &Region) -> bool {
    let value = alternative.value.as_ref();
    alternative.results.is_empty()
        && value.is_some_and(|value| grows(function, alternative, value, on))
        && has_point(on)
}

/// Returns whether, at each point of the cell, the cost of some call is unbounded in the locals: the cost of a callee without calls of its
/// own (`T(n, m) >= m`) grows with a local of `T(n, m) = T(n-1, k)`.
fn calls_have_no_most(state: &SolverState<'_>, (f, c): CellId) -> bool {
    let function = &state.system.functions[f];
    let cell = &function.cells[c];
    let mut parts: Vec<Region> = Vec::new();
    for (a, landings) in cell.alternatives.iter().zip(&state.graph.landings[f][c]) {
        let (Some(landings), Some(value)) = (landings, &a.value) else {
            continue;
        };
        let of_locals = |v: &Var| a.locals.contains(v);
        for (call, landing) in a.results.iter().zip(landings) {
            let results = results(a);
            let args: Vec<Var> = call.args.iter().flat_map(Expr::variables).collect();
            if !args.iter().any(of_locals) || args.iter().any(|v| results.contains(v)) {
                continue;
            }
            let times = linear_coefficient(value, call.var, &results).and_then(|c| c.as_constant());
            let Some(times) = times.filter(|t| *t > rat(0) && !falls(value, &results)) else {
                continue;
            };
            let on = cell.region.and_all(&a.constraints);
            for &(g, d) in &landing.cells {
                let callee = &state.system.functions[g];
                let by: BTreeMap<Var, Expr> = (callee.params.iter().copied())
                    .zip(call.args.iter().cloned())
                    .collect();
                let target = &callee.cells[d];
                let alone = |w: &&Alternative| w.results.is_empty() && w.locals.is_empty();
                for w in target.alternatives.iter().filter(alone) {
                    let worth = w.value.as_ref().and_then(|e| e.substitute(&by));
                    let inside = target.region.and_all(&w.constraints).substitute(&by);
                    let (Some(worth), Some(inside)) = (worth, inside) else {
                        continue;
                    };
                    let (on, sum) = (
                        on.and_all(&inside),
                        &cost_without_calls(a) + &worth.scale(&times),
                    );
                    if grows(function, a, &sum, &on) {
                        parts.extend(on.project_inside(&hidden(function, &on)));
                    }
                }
            }
        }
    }
    !parts.is_empty() && cell.region.covered_by(&parts)
}

/// Returns whether a value grows in some direction that changes only locals and in which the region is unbounded.
fn grows(function: &Function, alternative: &Alternative, value: &Expr, on: &Region) -> bool {
    let of_locals = |v: &Var| alternative.locals.contains(v);
    if !value.is_linear() || !value.variables().iter().any(of_locals) {
        return false;
    }
    let direction = |e: &Expr| {
        let mut change = Expr::zero();
        for (m, c) in e.terms() {
            if m.variables().any(|v| !function.params.contains(&v)) {
                change.add_monomial(m.clone(), c.clone());
            }
        }
        change
    };
    let along: Option<Region> = (on.constraints().iter())
        .map(|c| Constraint::new(&direction(&c.expr()), c.relation()))
        .chain([Constraint::ge(&direction(value), &Expr::int(1))])
        .collect();
    along.is_some_and(|along| has_point(&along))
}

/// Returns the region on which the call lands in the cell at the same point, insofar as values depend on the point.
fn stays(
    state: &SolverState<'_>,
    (f, _): CellId,
    alternative: &Alternative,
    call: &CallResult,
    on: &Region,
) -> Option<Region> {
    let function = &state.system.functions[f];
    let mut on = on.clone();
    if call.args.len() != function.params.len() {
        return None;
    }
    for ((&param, arg), &matters) in function
        .params
        .iter()
        .zip(&call.args)
        .zip(&state.relevant[f])
    {
        if !matters {
            continue;
        }
        let of_results = |v: &Var| alternative.results.iter().any(|r| r.var == *v);
        if arg.variables().iter().any(of_results) {
            return None; // other functions determine these sizes
        }
        let same = Constraint::eq(arg, &Expr::var(param))?;
        if same.is_contradiction() {
            return None;
        }
        on = on.and(same);
    }
    Some(on)
}

/// Returns true only if the region is proved to contain an integer point.
fn has_point(region: &Region) -> bool {
    !region.is_empty()
        && region
            .project_inside(&region.variables())
            .is_some_and(|rest| !rest.is_empty())
}
