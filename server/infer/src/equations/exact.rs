//! Values of integer outputs: a lower bound is either exact or not used.
//!
//! The solver bounds quantities that are never negative, and 0 is its trivial lower bound. The value of an integer output can be negative
//! (`p(0, R) :- R is -3.`), so candidates for such values are checked separately. The equation must hold identically on every cell and
//! alternative, in both the system of lower values and the system of upper values. The two systems can differ, for example after
//! `between(1, 9, X)`. By induction on the length of a successful derivation, the output then has exactly the candidate's value.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::Region;
use costlens_algebra::prove::zero;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, CallResult, SolvedPiece, System, Value};

/// Returns the functions whose candidate is exactly the value at every success, given the systems of lower and upper values.
pub(crate) fn exact_functions(
    systems: &[System],
    candidate: &[Vec<SolvedPiece>],
) -> BTreeSet<usize> {
    let functions = systems.iter().map(|s| s.functions.len()).min();
    let mut exact: BTreeSet<usize> = (0..functions.unwrap_or(0)).collect();
    loop {
        let wrong: Vec<usize> = exact
            .iter()
            .copied()
            .filter(|&f| !(systems.iter()).all(|s| holds(s, candidate, f, &exact)))
            .collect();
        if wrong.is_empty() {
            return exact;
        }
        for f in wrong {
            exact.remove(&f);
        }
    }
}

/// Returns whether each equation of a function holds identically, given the functions with exact values. In the system of lower values
/// alone, this proves that the candidate is a lower bound, since a value is not below the lower end of its range.
pub(crate) fn holds(
    system: &System,
    candidate: &[Vec<SolvedPiece>],
    f: usize,
    exact: &BTreeSet<usize>,
) -> bool {
    let Some(pieces) = candidate.get(f) else {
        return false;
    };
    system.functions[f].cells.iter().all(|cell| {
        pieces.iter().all(|piece| {
            let on = cell.region.and_all(&piece.region);
            on.is_empty()
                || cell.alternatives.is_empty()
                || match &piece.value {
                    Value::Known(value) => cell
                        .alternatives
                        .iter()
                        .all(|a| alternative_holds(system, candidate, a, value, &on, exact)),
                    _ => false,
                }
        }) && cell
            .region
            .covered_by(&pieces.iter().map(|p| p.region.clone()).collect::<Vec<_>>())
    })
}

/// Returns whether an alternative has the candidate's value for every combination of pieces that its calls may select.
fn alternative_holds(
    system: &System,
    candidate: &[Vec<SolvedPiece>],
    alternative: &Alternative,
    claimed: &Expr,
    on: &Region,
    exact: &BTreeSet<usize>,
) -> bool {
    let Some(value) = &alternative.value else {
        return false;
    };
    // Locals are sizes of subterms: the claim must hold for all their values.
    let on = on.and_all(&alternative.constraints);
    if on.is_empty() {
        return true;
    }
    let mut branches: Vec<(Region, BTreeMap<Var, Expr>)> = vec![(on, BTreeMap::new())];
    for call in &alternative.results {
        if !exact.contains(&call.function) {
            return false;
        }
        let mut next = Vec::new();
        for (region, known) in branches {
            let Some(landings) = land(system, candidate, call, &region, &known) else {
                return false;
            };
            next.extend(landings);
        }
        if next.len() > 64 {
            return false;
        }
        branches = next;
    }
    branches.iter().all(|(region, known)| {
        value
            .substitute(known)
            .is_some_and(|v| zero(&(&v - claimed), region))
    })
}

/// Returns the pieces that a call may select, with the call's value in each.
fn land(
    system: &System,
    candidate: &[Vec<SolvedPiece>],
    call: &CallResult,
    region: &Region,
    known: &BTreeMap<Var, Expr>,
) -> Option<Vec<(Region, BTreeMap<Var, Expr>)>> {
    let callee = system.functions.get(call.function)?;
    let args: Option<Vec<Expr>> = call.args.iter().map(|a| a.substitute(known)).collect();
    let by: BTreeMap<Var, Expr> = callee.params.iter().copied().zip(args?).collect();
    let mut landings = Vec::new();
    for piece in candidate.get(call.function)? {
        let inside = region.and_all(&piece.region.substitute(&by)?);
        if inside.is_empty() {
            continue;
        }
        let Value::Known(e) = &piece.value else {
            return None;
        };
        let mut more = known.clone();
        more.insert(call.var, e.substitute(&by)?);
        landings.push((inside, more));
    }
    Some(landings)
}
