//! Loops over several sizes: the maximum cost per iteration multiplied by the number of iterations.
//!
//! `mm([R|Rs], Cols, [O|Os]) :- mv(Cols, R, O), mm(Rs, Cols, Os)` takes up to `k·m + m + 2` or up to `m·p + 2m + 2` steps in each
//! iteration, and therefore never more than `k·m + m·p + 2m + 2`. Polynomials of degree three in four sizes have more coefficients than the
//! points can determine.

use std::collections::BTreeMap;

use costlens_algebra::{Expr, Monomial, Rat, Var, rat};
use num_traits::Signed;

use crate::graph::{CellId, linear_coefficient, own_cost};
use crate::solver::state::SolverState;
use crate::system::Value;

/// Returns candidate upper bounds for a cell that decreases along one size, or in which no size changes.
pub(crate) fn guesses(state: &SolverState<'_>, (f, c): CellId) -> Vec<Expr> {
    let function = &state.system.functions[f];
    let mut turn: BTreeMap<Monomial, Rat> = BTreeMap::new();
    let mut along: Option<Var> = None;
    let mut ends: Vec<Expr> = Vec::new();
    let alternatives = function.cells[c].alternatives.iter();
    for (alternative, landings) in alternatives.zip(&state.graph.landings[f][c]) {
        let (Some(landings), Some(value)) = (landings, &alternative.value) else {
            continue;
        };
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        for (m, c) in own_cost(value, &results).terms() {
            let known = m.is_plain() && m.variables().all(|v| function.params.contains(&v));
            if !known {
                return Vec::new();
            }
            let most = turn.entry(m.clone()).or_default();
            if *most < *c {
                *most = c.clone();
            }
        }
        for (call, landing) in alternative.results.iter().zip(landings) {
            let once = linear_coefficient(value, call.var, &results).and_then(|e| e.as_constant());
            if call.function != f || once != Some(rat(1)) {
                return Vec::new();
            }
            let changes = function.params.iter().zip(&call.args);
            let mut changes = changes.filter(|(p, arg)| **arg != Expr::var(**p));
            let (Some((&p, arg)), None) = (changes.next(), changes.next()) else {
                return Vec::new();
            };
            let by = (&Expr::var(p) - arg).as_constant();
            if by.is_none_or(|by| by < rat(1)) || along.is_some_and(|v| v != p) {
                return Vec::new();
            }
            along = along.or(landing.cells.contains(&(f, c)).then_some(p));
            for id in &landing.cells {
                if let Some(Value::Known(end)) = state.values.get(id)
                    && !ends.contains(end)
                {
                    ends.push(end.clone());
                }
            }
        }
    }
    turn.retain(|_, c| c.is_positive());
    let turn = turn
        .into_iter()
        .fold(Expr::zero(), |sum, (m, c)| &sum + &Expr::monomial(m, c));
    let all = match along {
        Some(v) if turn.variables().contains(&v) => return Vec::new(),
        Some(v) => &turn * &Expr::var(v),
        None => turn,
    };
    ends.iter().map(|end| &all + end).collect()
}
