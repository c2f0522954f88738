//! Cells that call themselves for the same sizes, at a cost: they have no upper bound.
//!
//! Of `p(X) :- q(X, Y), p(Y).` nothing may be known of how large `Y` is. Then `T(n) = max over m of T(m) + 1`, which is no number, since `m` may be
//! `n`. That is seen from the equations alone, before any values are looked at and forms are tried, which takes a thousand times as long.

use costlens_algebra::{Constraint, Expr, Rat, Region, Var, rat};

use crate::graph::{CellId, enabled, linear_coefficient, own_cost};
use crate::solver::state::State;
use crate::system::{Alternative, CallResult};

/// True only if it is proved that an alternative costs at least 1 more than the cell itself, at one of its points.
pub(crate) fn is_stuck(state: &State<'_>, id: CellId) -> bool {
    let cell = &state.system.functions[id.0].cells[id.1];
    let landings = &state.graph.landings[id.0][id.1];
    cell.alternatives.iter().zip(landings).any(|(a, landings)| {
        let Some(landings) = landings else {
            return false;
        };
        let mut calls = a.results.iter().zip(landings);
        calls.any(|(call, landing)| {
            landing.cells.contains(&id)
                && is_costly(a, call)
                && stays(state, id, a, call).is_some_and(|on| has_point(&on))
        })
    })
}

/// True where the alternative costs at least 1 more than the call. Factors that are no numbers are not looked at.
fn is_costly(alternative: &Alternative, call: &CallResult) -> bool {
    let Some(value) = &alternative.value else {
        return false;
    };
    let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
    let least_one = |e: &Expr| e.as_constant().is_some_and(|c| c >= rat(1));
    let falls = |(_, c): (_, &Rat)| *c < rat(0);
    !value.terms().any(falls)
        && linear_coefficient(value, call.var, &results).is_some_and(|c| least_one(&c))
        && least_one(&own_cost(value, &results))
}

/// The region on which the call is one of the cell at the same point, as far as anything depends on it.
fn stays(
    state: &State<'_>,
    (f, c): CellId,
    alternative: &Alternative,
    call: &CallResult,
) -> Option<Region> {
    let function = &state.system.functions[f];
    let mut on = enabled(&function.cells[c].region, alternative);
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
            return None; // how large these are is said by other functions
        }
        let same = Constraint::eq(arg, &Expr::var(param))?;
        if same.is_contradiction() {
            return None;
        }
        on = on.and(same);
    }
    Some(on)
}

/// True only if it is proved that there is an integer point.
fn has_point(region: &Region) -> bool {
    !region.is_empty()
        && region
            .project_inside(&region.variables())
            .is_some_and(|rest| !rest.is_empty())
}
