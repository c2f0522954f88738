//! Bases of exponentials that a closed form may have.

use std::collections::BTreeSet;

use costlens_algebra::{Expr, Monomial, Rat, rat};

use crate::graph::CellId;
use crate::solver::state::SolverState;
use crate::system::Value;

/// Returns the bases of exponentials that may occur: the number of calls from a clause to its component, factors of arguments, and bases
/// that already occur.
pub(crate) fn of_cells(state: &SolverState<'_>, cells: &[CellId]) -> Vec<Rat> {
    let mut found = BTreeSet::new();
    for &(f, c) in cells {
        let cell = &state.system.functions[f].cells[c];
        for (alternative, landings) in cell.alternatives.iter().zip(&state.graph.landings[f][c]) {
            let (Some(landings), Some(value)) = (landings, &alternative.value) else {
                continue;
            };
            let mut total = rat(0);
            // The coefficients of calls with equal sizes are added: if each of two parts of a term is traversed twice, 2 is also a
            // candidate.
            let mut alike: Vec<(&[Expr], Rat)> = Vec::new();
            for (call, landing) in alternative.results.iter().zip(landings) {
                if landing.cells.iter().any(|id| cells.contains(id)) {
                    let mut m = Monomial::one();
                    m.powers.insert(call.var, 1);
                    let coefficient = value.coefficient(&m);
                    if coefficient > rat(1) {
                        found.insert(coefficient.clone());
                    }
                    total += coefficient.clone();
                    match alike.iter_mut().find(|(args, _)| *args == call.args) {
                        Some((_, count)) => *count += coefficient,
                        None => alike.push((&call.args, coefficient)),
                    }
                }
                for arg in &call.args {
                    found.extend(
                        arg.terms()
                            .filter(|(m, _)| !m.is_one())
                            .map(|(_, c)| c.clone()),
                    );
                }
                for id in &landing.cells {
                    if let Some(Value::Known(e)) = state.values.get(id) {
                        found.extend(bases_of(e));
                    }
                }
            }
            found.insert(total);
            found.extend(alike.into_iter().map(|(_, count)| count));
            found.extend(bases_of(value));
        }
    }
    found.retain(|b| *b > rat(1) && *b <= rat(64));
    found.into_iter().take(3).collect()
}

fn bases_of(e: &Expr) -> Vec<Rat> {
    e.terms()
        .flat_map(|(m, _)| m.exponentials.values().cloned())
        .collect()
}
