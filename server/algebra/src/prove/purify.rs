//! Purification of floors, logarithms and sequences: each atom is replaced by a variable that known facts about the atom constrain.
//!
//! - `q = ⌊a/d⌋`: `d·q <= a <= d·q + d-1`, which describes the floor completely.
//! - `k = ⌊log_b e⌋` together with `p = b^k`: `p <= e <= b·p - 1`, `p >= 1`, and tangents that are lower bounds on the power p. Two
//!   logarithms with the same base differ by at least c if `e >= b^c·f`, and by at most c if `e <= b^c·f + b^c - 1`; the remaining range of
//!   the difference is split into cases. `fpow(X, N, P) :- N > 0, H is N//2, fpow(X, H, Q)`: since `2h <= n <= 2h+1` and h >= 1, the
//!   logarithms of n and h differ by exactly 1.
//! - `⌈log_b e⌉` likewise, with `e <= p <= b·e - 1`.
//! - A sequence `u` with non-negative coefficients is, for sufficiently large indices, at least the minimum of d consecutive values.

mod definitions;
mod logarithms;
mod purified;

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

use super::RESERVED_VARIABLES;
use super::proof::Proof;
use crate::atom::Atom;
use crate::expr::{Expr, Var, rat};
use crate::linear::Region;
pub(super) use definitions::{defined, quotient, relaxed, why_defined, why_floor, without_floors};
pub(super) use purified::{SmallLogarithms, purified};

/// The largest number of atoms in an expression that is purified.
const ATOM_LIMIT: usize = 8;

/// Returns atom-free forms of the expression, in cases that together cover the region. Returns `None` if an atom is undefined or there are
/// too many atoms or cases.
pub(super) fn cases(expr: &Expr, on: &Region, small: SmallLogarithms) -> Option<Cases> {
    if expr.atoms().len() > ATOM_LIMIT || !defined(expr, on) {
        return None;
    }
    if let Some((_, _, cases)) = residues(expr, on) {
        return Some(cases);
    }
    let (purified, cases) = purified(expr, on, small)?;
    let expr = purified.replaced(expr)?;
    Some(
        cases
            .into_iter()
            .filter(|region| !region.is_empty())
            .map(|region| (expr.clone(), region))
            .collect(),
    )
}

/// Combines the proofs of the cases from [`cases`] into one proof.
pub(super) fn written(
    expr: &Expr,
    on: &Region,
    small: SmallLogarithms,
    then: Vec<Proof>,
) -> Option<Proof> {
    if let Some((var, period, _)) = residues(expr, on) {
        return Some(Proof::Residues {
            var,
            period,
            quotient: RESIDUE_QUOTIENT,
            then,
        });
    }
    let (purified, _) = purified(expr, on, small)?;
    let mut then = then.into_iter();
    let proof = purified.written(on, &mut |_| then.next())?;
    then.next().is_none().then_some(proof)
}

/// The variable for the quotient in [`residues`].
const RESIDUE_QUOTIENT: Var = Var(RESERVED_VARIABLES + 0x8000 + 0x100);

/// Atom-free expressions, each with its region; together the regions cover the original region.
type Cases = Vec<(Expr, Region)>;

/// Eliminates floors of a single variable by substituting `n = d·m + r` for each residue r. Returns the variable, d, and the cases.
fn residues(expr: &Expr, on: &Region) -> Option<(Var, u32, Cases)> {
    const PERIOD_LIMIT: u32 = 12;
    let (mut period, mut variable) = (BigInt::one(), None);
    for atom in expr.atoms() {
        let (Atom::Floor(e), [v]) = (atom, &atom.argument().variables()[..]) else {
            return None;
        };
        if variable.is_some_and(|w| w != *v) {
            return None;
        }
        variable = Some(*v);
        for (_, c) in e.terms() {
            period = num_integer::Integer::lcm(&period, c.denom());
        }
    }
    let (v, period) = (variable?, period.to_u32().filter(|d| *d <= PERIOD_LIMIT)?);
    let m = Expr::var(RESIDUE_QUOTIENT).scale(&rat(period.into()));
    let cases = (0..period).map(|r| {
        let by = BTreeMap::from([(v, &m + &Expr::int(r.into()))]);
        Some((expr.substitute(&by)?, on.substitute(&by)?))
    });
    Some((v, period, cases.collect::<Option<_>>()?))
}

/// Returns whether an expression contains powers of logarithms.
pub(super) fn has_powers(e: &Expr) -> bool {
    e.terms()
        .flat_map(|(m, _)| m.atom_exponentials.keys())
        .any(|atom| matches!(atom, Atom::Log { .. }))
}

/// Returns whether an expression contains sequences.
pub(super) fn has_sequences(e: &Expr) -> bool {
    e.atoms()
        .into_iter()
        .any(|atom| matches!(atom, Atom::CFinite { .. }))
}
