//! Solves component by component: computes exact values, fits a form that passes through them, and proves it. If this fails, infers inexact
//! bounds.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::Expr;

use crate::forms::families::Families;
use crate::forms::rates;
use crate::forms::sample::Sample;
use crate::graph::CellId;
use crate::solver::compose::{self, Composed};
use crate::solver::projected::SolveComponent;
use crate::solver::state::{Cut, Failure, ProvedBounds, SolverState};
use crate::solver::{exact, exponents, inexact, projected, stuck, summed};
use crate::system::{Direction, Value, Why};

/// The maximum number of attempts at a component, each without the cells that failed in the previous attempts.
const ATTEMPT_LIMIT: u32 = 8;

/// Computes the greatest set of cells in which every alternative certainly makes a call that stays in the set, at a cost.
pub(crate) fn divergence(state: &mut SolverState<'_>) {
    let mut inside: BTreeSet<CellId> = BTreeSet::new();
    for component in &state.graph.components {
        for &(f, c) in component {
            // Only cells in which every feasible alternative has a call qualify.
            let usable: Vec<_> = state.graph.landings[f][c].iter().flatten().collect();
            let is_open = !state.values.contains_key(&(f, c));
            if is_open && !usable.is_empty() && usable.iter().all(|l| !l.is_empty()) {
                inside.insert((f, c));
            }
        }
    }
    while !inside.is_empty() && state.fuel > 0 {
        let guesses = inside.iter().map(|&id| (id, Value::Diverges)).collect();
        match state.proved(&guesses) {
            Ok(lines) => {
                for (id, line) in lines {
                    state.set(id, Value::Diverges, line);
                }
                return;
            }
            Err((id, _)) => {
                inside.remove(&id);
            }
        }
    }
}

/// Assigns a value to each of the open cells.
pub(crate) fn solve(state: &mut SolverState<'_>, cells: &[CellId]) {
    let mut open: Vec<CellId> = cells
        .iter()
        .copied()
        .filter(|id| !state.values.contains_key(id))
        .collect();
    if state.direction == Direction::Upper {
        keep_unused(state, &mut open);
        drop_stuck(state, &mut open);
        drop_unbounded(state, &mut open);
    }
    let mut attempts = 0;
    while !open.is_empty() {
        attempts += 1;
        state.settle();
        if state.fuel == 0 || attempts > ATTEMPT_LIMIT {
            for id in open {
                state.set(id, Value::Unknown(Why::Fuel), "no fuel left");
            }
            return;
        }
        let tried: Option<Vec<&Why>> = open.iter().map(|id| state.tried.get(id)).collect();
        let failed = if let Some(Some(&why)) = tried.as_ref().map(|t| t.first()) {
            (open[0], why.clone())
        } else if by_fewer_sizes(state, &open, projected::divided) {
            return;
        } else {
            let beside = projected::divided_beside(state, &open, solve);
            let attempted = attempt(state, &open);
            let is_linear =
                |id| matches!(state.values.get(id), Some(Value::Known(e)) if e.is_linear());
            if let Some(found) = beside
                && state.cut.is_none()
                && !open.iter().all(is_linear)
            {
                keep_projected(state, found);
                return;
            }
            let Err(failed) = attempted else {
                return;
            };
            failed
        };
        let (id, why) = failed;
        if state.cut.is_some() {
            return;
        }
        if state.may_leave_out && by_fewer_sizes(state, &open, projected::search) {
            return;
        }
        // Give up on one cell and, for upper bounds, also on its callers.
        state.set(id, Value::Unknown(why), "no bound found");
        open.retain(|&other| other != id);
        if state.direction == Direction::Upper {
            drop_unbounded(state, &mut open);
        }
    }
}

/// Searches for bounds of all cells that ignore one size.
fn by_fewer_sizes(
    state: &mut SolverState<'_>,
    open: &[CellId],
    search: fn(&mut SolverState<'_>, &[CellId], SolveComponent) -> Option<ProvedBounds>,
) -> bool {
    let Some(found) = search(state, open, solve) else {
        return false;
    };
    keep_projected(state, found);
    true
}

fn keep_projected(state: &mut SolverState<'_>, found: ProvedBounds) {
    state.keep_loose(found, &|_| "the equations in fewer sizes".to_owned());
}

/// Assigns the bound 0 to cells in which no alternative is feasible: `halt` has size 1, and `step(N, [])` size 3.
fn keep_unused(state: &mut SolverState<'_>, open: &mut Vec<CellId>) {
    let is_unused = |&(f, c): &CellId| state.graph.landings[f][c].iter().all(Option::is_none);
    let unused: Vec<CellId> = open.iter().copied().filter(is_unused).collect();
    for id in unused {
        if guess(state, id, Expr::zero(), "no alternative can be used") {
            open.retain(|&other| other != id);
        }
    }
}

/// Gives up on cells whose equations show that they have no upper bound.
fn drop_stuck(state: &mut SolverState<'_>, open: &mut Vec<CellId>) {
    let found: Vec<CellId> = (open.iter().copied())
        .filter(|&id| stuck::is_stuck(state, id))
        .collect();
    for id in found {
        let how = "its equations have no upper bound";
        state.set(id, Value::Unknown(Why::NoForm), how);
        open.retain(|&other| other != id);
    }
}

/// Gives up on cells with an alternative without a value or with a call to an unknown cell, since they have no upper bound.
fn drop_unbounded(state: &mut SolverState<'_>, open: &mut Vec<CellId>) {
    loop {
        let found = open
            .iter()
            .copied()
            .find_map(|id| Some((id, no_upper(state, id)?)));
        let Some((id, why)) = found else { return };
        state.set(id, Value::Unknown(why), "an alternative has no bound");
        open.retain(|&other| other != id);
    }
}

/// Returns the reason why a cell has no upper bound, if its alternatives show it.
fn no_upper(state: &SolverState<'_>, id: CellId) -> Option<Why> {
    let cell = &state.system.functions[id.0].cells[id.1];
    let usable = cell
        .alternatives
        .iter()
        .zip(&state.graph.landings[id.0][id.1])
        .filter_map(|(a, l)| Some((a, l.as_ref()?)));
    for (alternative, landings) in usable {
        if alternative.value.is_none() {
            return Some(Why::Unbounded);
        }
        for landing in landings {
            let unknown = |id: &CellId| {
                matches!(
                    state.values.get(id),
                    Some(Value::Unknown(_) | Value::Diverges)
                )
            };
            if landing.outside || landing.cells.iter().any(unknown) {
                return Some(Why::Callee);
            }
        }
    }
    None
}

/// Solves all cells, or returns one that failed.
fn attempt(state: &mut SolverState<'_>, open: &[CellId]) -> Result<(), Failure> {
    state.turns.forget();
    let exponents = exponents::of_cells(state, open);
    let mut samples: BTreeMap<CellId, Sample> = BTreeMap::new();
    for &id in open {
        let sample = exact::sample(state, id);
        samples.insert(id, sample.ok_or((id, Why::NoForm))?);
    }
    let families = Families::of_cells(
        state.system,
        state.graph,
        open,
        &exponents,
        state.direction,
        &|id| match state.values.get(&id) {
            Some(Value::Known(e)) => Some(e.clone()),
            _ => None,
        },
    );
    if let Some(found) = inexact::depths(state, &samples, &families) {
        keep_fitted(state, &samples, found);
        return Ok(());
    }
    let reason = match exact::solve(state, &samples, &families) {
        Ok(()) => return Ok(()),
        Err(reason) => reason,
    };
    if state.cut.is_some() {
        return Err(reason);
    }
    if let [id] = open[..] {
        let found = compose::cell(state, id);
        match found.or_else(|| compose::extreme(state, id)) {
            Some(Composed::Value(e)) => {
                let how = "the bounds of its calls, put together";
                if guess(state, id, e, how) {
                    return Ok(());
                }
            }
            Some(Composed::Cut(constraint)) if state.may_cut => {
                state.cut = Some(Cut {
                    cell: id,
                    constraint,
                });
                return Err(reason);
            }
            _ => {}
        }
    }
    let mut bases = rates::of_cells(state.system, state.graph, open, state.direction);
    bases.extend(exponents);
    bases.sort();
    bases.dedup();
    if let Some(found) = inexact::search(state, &samples, &bases, &families) {
        keep_fitted(state, &samples, found);
        return Ok(());
    }
    if let (&[id], Direction::Upper) = (open, state.direction) {
        let how = "the most that a turn takes, times the turns";
        for e in summed::guesses(state, id) {
            if guess(state, id, e, how) {
                state.loose.insert(id);
                return Ok(());
            }
        }
    }
    if state.may_cut && state.direction == Direction::Upper {
        let cut = exact::wider_cut(state, reason.0, &families);
        state.cut = cut.map(|constraint| Cut {
            cell: reason.0,
            constraint,
        });
    }
    state.evaluator.forget();
    Err(reason)
}

/// Stores a guess for one cell if it is proved.
fn guess(state: &mut SolverState<'_>, id: CellId, e: Expr, how: &str) -> bool {
    let value = Value::Known(e);
    let Ok(lines) = state.proved(&BTreeMap::from([(id, value.clone())])) else {
        return false;
    };
    for line in lines.into_values() {
        state.set(id, value.clone(), format!("{how}; {line}"));
    }
    true
}

/// Stores bounds from a linear program.
fn keep_fitted(
    state: &mut SolverState<'_>,
    samples: &BTreeMap<CellId, Sample>,
    found: ProvedBounds,
) {
    state.evaluator.forget();
    state.keep_loose(found, &|id| {
        format!("linear program over {} points", samples[&id].points.len())
    });
}
