//! Cells that call only solved cells: the bounds of the callees are substituted into the value.
//!
//! `gcd(A, B, G) :- B > A, R is A mod B, gcd(B, R, G)` makes a single call, to the solved case. The bounds of this case need not be forms
//! that a few values can identify.

use std::collections::BTreeMap;

use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Constraint, Expr, Region, Var};

use crate::graph::{CellId, arguments, enabled};
use crate::solver::state::SolverState;
use crate::system::{Alternative, Direction, Value};

/// The outcome of composing bounds.
pub(crate) enum Composed {
    Value(Expr),
    /// The call lands in pieces with different bounds; on each side of this constraint it lands in fewer pieces.
    Cut(Constraint),
}

/// Returns the value of a cell with a single alternative whose calls are all solved, or `None` if it cannot be composed.
pub(crate) fn cell(state: &SolverState<'_>, id: CellId) -> Option<Composed> {
    let function = &state.system.functions[id.0];
    let cell = &function.cells[id.1];
    let mut usable = cell
        .alternatives
        .iter()
        .zip(&state.graph.landings[id.0][id.1])
        .filter(|(_, landings)| landings.is_some());
    let (alternative, _) = usable.next()?;
    if usable.next().is_some() || !cell.region.implies_all(&alternative.constraints) {
        return None;
    }
    put_together(state, id, alternative)
}

/// Returns the value of a cell with several such alternatives: the value of an alternative that is not less (for lower bounds, not greater)
/// than the other alternatives wherever they are feasible. If this depends on the sign of a size, the cell is cut at 0.
///
/// `pairs(Xss) :- member(Xs, Xss), member(Ys, Xss), apart(Xs, Ys)` costs `2n²·m² + …`: the search does not try forms of such a high degree.
pub(crate) fn extreme(state: &SolverState<'_>, id: CellId) -> Option<Composed> {
    let function = &state.system.functions[id.0];
    let cell = &function.cells[id.1];
    let all = cell.alternatives.iter();
    let usable = all.zip(&state.graph.landings[id.0][id.1]);
    let usable = usable.filter(|(_, landings)| landings.is_some());
    let values: Option<Vec<(Region, Expr)>> = (usable)
        .map(
            |(alternative, _)| match put_together(state, id, alternative)? {
                Composed::Value(e) => Some((enabled(&cell.region, alternative), e)),
                Composed::Cut(_) => None,
            },
        )
        .collect();
    let values = values.filter(|values| values.len() > 1)?;
    let most = values.iter().map(|(_, e)| e).find(|e| {
        values.iter().all(|(on, other)| {
            let excess = match state.direction {
                Direction::Upper => *e - other,
                Direction::Lower => other - *e,
            };
            nonnegative(&excess, on)
        })
    });
    if let Some(most) = most {
        return Some(Composed::Value(most.clone()));
    }
    let mut signs =
        (function.params.iter()).filter_map(|&v| Constraint::ge(&Expr::var(v), &Expr::int(0)));
    let is_open = |c: &Constraint| {
        let both = [vec![c.clone()], c.negated()];
        both.into_iter()
            .flatten()
            .all(|c| !cell.region.and(c).is_empty())
    };
    signs.find(is_open).map(Composed::Cut)
}

/// Returns the value of an alternative whose calls are all solved.
fn put_together(
    state: &SolverState<'_>,
    id: CellId,
    alternative: &Alternative,
) -> Option<Composed> {
    let function = &state.system.functions[id.0];
    let on = enabled(&function.cells[id.1].region, alternative);
    let mut by: BTreeMap<Var, Expr> = BTreeMap::new();
    for position in 0..alternative.results.len() {
        match call(state, alternative, position, &on, &function.params)? {
            Composed::Value(e) => {
                by.insert(alternative.results[position].var, e);
            }
            cut @ Composed::Cut(_) => return Some(cut),
        }
    }
    let value = alternative.value.as_ref()?.substitute(&by)?;
    let known = |v: &Var| function.params.contains(v);
    value
        .variables()
        .iter()
        .all(known)
        .then_some(Composed::Value(value))
}

/// Returns the bound of a call, or the constraint at which it changes.
fn call(
    state: &SolverState<'_>,
    alternative: &Alternative,
    position: usize,
    on: &Region,
    params: &[Var],
) -> Option<Composed> {
    let call = &alternative.results[position];
    let callee = state.system.functions.get(call.function)?;
    let args = arguments(call, position, callee, on)?;
    if !args.facts.is_empty() {
        return None;
    }
    let mut found: Option<Expr> = None;
    let mut boundary = None;
    for (c, target) in callee.cells.iter().enumerate() {
        let here = target.region.substitute(&args.linear)?;
        if on.and_all(&here).is_empty() {
            continue;
        }
        let Some(Value::Known(bound)) = state.values.get(&(call.function, c)) else {
            return None;
        };
        let bound = bound.substitute(&args.values)?;
        let of_params = |c: &&Constraint| c.variables().all(|v| params.contains(&v));
        let undecided = |c: &&Constraint| !on.implies(c);
        let cut = here.constraints().iter().filter(of_params).find(undecided);
        match &found {
            Some(other) if *other == bound => {}
            Some(_) => return boundary.or(cut.cloned()).map(Composed::Cut),
            None => found = Some(bound),
        }
        boundary = boundary.or(cut.cloned());
    }
    found.map(Composed::Value)
}
