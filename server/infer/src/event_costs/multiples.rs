//! Systems that are multiples of each other.

use std::collections::BTreeMap;

use costlens_algebra::{Expr, Rat, Var, rat};
use costlens_recurrences::{Alternative, SolvedPiece, System, Value, Why};
use num_traits::{One as _, Signed as _, Zero as _};

use crate::summary::pieces::Pieces;

/// Multiplies bounds by a constant.
pub(super) fn scaled(pieces: &Pieces, factor: &Rat) -> Pieces {
    if factor.is_one() {
        return pieces.clone();
    }
    pieces
        .iter()
        .map(|p| SolvedPiece {
            region: p.region.clone(),
            value: match &p.value {
                Value::Known(e) => Value::Known(e.scale(factor)),
                // Scaling does not help a form that could not be proved.
                Value::Unknown(Why::NotProved(_)) => Value::Unknown(Why::NoForm),
                other => other.clone(),
            },
        })
        .collect()
}

/// Returns the number c > 0 with Φ(c·f) = c·Φ₀(f) for the functions Φ of `system` and Φ₀ of `base`. The systems must be linear in the
/// results and may differ only in their constants, which are c times as large in `system`.
pub(super) fn factor(base: &System, system: &System) -> Option<Rat> {
    let (a, b) = (&base.functions, &system.functions);
    if a.len() != b.len() || a.is_empty() {
        return None;
    }
    let mut factor: Option<Rat> = None;
    // The last function is infinite, and therefore a multiple of itself.
    for (f, g) in a.iter().zip(b).take(a.len() - 1) {
        if f.params != g.params || f.cells.len() != g.cells.len() {
            return None;
        }
        for (c, d) in f.cells.iter().zip(&g.cells) {
            if c.region != d.region || c.alternatives.len() != d.alternatives.len() {
                return None;
            }
            for (x, y) in c.alternatives.iter().zip(&d.alternatives) {
                if !agrees(x, y, &mut factor) {
                    return None;
                }
            }
        }
    }
    Some(factor.unwrap_or_else(|| rat(1)))
}

fn agrees(x: &Alternative, y: &Alternative, factor: &mut Option<Rat>) -> bool {
    let same = x.locals == y.locals && x.constraints == y.constraints && x.results == y.results;
    let results: Vec<Var> = x.results.iter().map(|r| r.var).collect();
    let mentions = |e: &Expr| e.variables().iter().any(|v| results.contains(v));
    let free = x.results.iter().flat_map(|r| &r.args).all(|e| !mentions(e))
        && x.constraints
            .variables()
            .iter()
            .all(|v| !results.contains(v));
    if !same || !free {
        return false;
    }
    match (&x.value, &y.value) {
        (None, None) => true,
        (Some(x), Some(y)) => {
            let (Some((own, calls)), Some((other, other_calls))) =
                (parts(x, &results), parts(y, &results))
            else {
                return false;
            };
            calls == other_calls && is_multiple(&own, &other, factor)
        }
        _ => false,
    }
}

/// Splits a value into the terms without results and the terms with exactly one result to the first power. Returns `None` if there are
/// other terms.
fn parts(value: &Expr, results: &[Var]) -> Option<(Expr, Expr)> {
    let (mut own, mut calls) = (Expr::zero(), Expr::zero());
    for (m, k) in value.terms() {
        let term = Expr::monomial(m.clone(), k.clone());
        let mentioned = term.variables();
        let used: Vec<&Var> = results.iter().filter(|r| mentioned.contains(r)).collect();
        match used.as_slice() {
            [] => own = &own + &term,
            [result] => {
                // A term is linear if it is zero when the result is zero and doubles when the result doubles.
                let twice = BTreeMap::from([(**result, Expr::var(**result).scale(&rat(2)))]);
                if term.substitute(&twice)? != term.scale(&rat(2)) {
                    return None;
                }
                calls = &calls + &term;
            }
            _ => return None,
        }
    }
    Some((own, calls))
}

fn is_multiple(own: &Expr, other: &Expr, factor: &mut Option<Rat>) -> bool {
    if own.is_zero() || other.is_zero() {
        return own.is_zero() && other.is_zero();
    }
    if let Some(factor) = factor {
        return own.scale(factor) == *other;
    }
    let Some((m, k)) = own.terms().next() else {
        return false;
    };
    let ratio = other.coefficient(m) / k.clone();
    if ratio.is_zero() || ratio.is_negative() || own.scale(&ratio) != *other {
        return false;
    }
    *factor = Some(ratio);
    true
}
