//! The condition under which lower bounds may be proved by induction.
//!
//! `f <= Φ(f)` implies that `f` is below the greatest fixpoint. It is also below the least fixpoint if no unfolding can continue forever at
//! finite cost. Within a component it suffices that each alternative with a call into the component either costs at least 1 itself or
//! decreases one linear measure that is bounded below, and that results are multiplied only by integers. By induction first on a number K
//! and then on the measure, the least solution is at least `min(f, K)` for every K.

use costlens_algebra::{Constraint, Expr, Region, Var, prove, rat};

use crate::graph::{CellId, Graph, RESULT_LIMIT, enabled, integer_valued, own_cost};
use crate::system::System;

/// Decides for each component of the graph whether the condition holds.
pub(crate) fn components(system: &System, graph: &Graph, fuel: &mut u64) -> Vec<bool> {
    graph
        .components
        .iter()
        .enumerate()
        .map(|(i, cells)| component(system, graph, i, cells, fuel))
        .collect()
}

/// A call within the component.
#[derive(Clone)]
struct ComponentCall {
    caller: usize,
    on: Region,
    callee: usize,
    args: Vec<Expr>,
}

fn component(
    system: &System,
    graph: &Graph,
    index: usize,
    cells: &[CellId],
    fuel: &mut u64,
) -> bool {
    let (mut free, mut all) = (Vec::new(), Vec::new());
    let mut integral = true;
    for &(f, c) in cells {
        let cell = &system.functions[f].cells[c];
        for (alternative, landings) in cell.alternatives.iter().zip(&graph.landings[f][c]) {
            let (Some(landings), Some(value)) = (landings, &alternative.value) else {
                continue;
            };
            let internal = |l: &crate::graph::Landing| {
                l.cells.iter().any(|id| graph.component_of[id] == index)
            };
            if !landings.iter().any(internal) {
                continue;
            }
            *fuel = fuel.saturating_sub(1);
            if *fuel == 0 || alternative.results.len() > RESULT_LIMIT {
                return false;
            }
            let on = enabled(&cell.region, alternative);
            let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
            let costs = &own_cost(value, &results) - &Expr::int(1);
            let natural = results.iter().fold(on.clone(), |r, &v| {
                match Constraint::ge(&Expr::var(v), &Expr::zero()) {
                    Some(c) => r.and(c),
                    None => r,
                }
            });
            let costs = prove::nonnegative(&costs, &on);
            integral = integral && integer_valued(value, &natural);
            for (call, landing) in alternative.results.iter().zip(landings) {
                if internal(landing) {
                    let call = ComponentCall {
                        caller: f,
                        on: on.clone(),
                        callee: call.function,
                        args: call.args.clone(),
                    };
                    if !costs {
                        free.push(call.clone());
                    }
                    all.push(call);
                }
            }
        }
    }
    (integral && (free.is_empty() || descends(system, &free))) || descends(system, &all)
}

/// Returns true only if one of the measures `Σ λᵢ·paramᵢ` with λ in {-1, 0, 1} is proved to decrease in every call and to be bounded below.
fn descends(system: &System, calls: &[ComponentCall]) -> bool {
    if calls.is_empty() {
        return true;
    }
    let arity = system.functions[calls[0].caller].params.len();
    if arity > 4
        || calls.iter().any(|c| {
            system.functions[c.caller].params.len() != arity
                || system.functions[c.callee].params.len() != arity
        })
    {
        return false;
    }
    let choices = 3usize.pow(u32::try_from(arity).unwrap_or(0));
    (1..choices).any(|mut code| {
        let weights: Vec<i64> = (0..arity)
            .map(|_| {
                let w = [0, 1, -1][code % 3];
                code /= 3;
                w
            })
            .collect();
        let weigh = |values: &mut dyn Iterator<Item = Expr>| {
            values
                .zip(&weights)
                .fold(Expr::zero(), |sum, (e, &w)| &sum + &e.scale(&rat(w)))
        };
        calls.iter().all(|call| {
            let params = &system.functions[call.caller].params;
            let before = weigh(&mut params.iter().map(|&p| Expr::var(p)));
            let after = weigh(&mut call.args.iter().cloned());
            call.on.bounds(&before).0.is_some()
                && prove::nonnegative(&(&(&before - &after) - &Expr::int(1)), &call.on)
        })
    })
}
