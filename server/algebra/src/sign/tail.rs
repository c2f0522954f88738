//! Signs of expressions with factorials and logarithms: points are checked individually until the sign of the remaining tail is proved.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::Sign;
use super::side::SignPiece;
use crate::atom::Atom;
use crate::expr::{Expr, Rat, Var};
use crate::linear::{Constraint, Region};
use crate::prove;

/// The number of integers that are checked individually.
const HEAD: u32 = 48;

/// Returns whether an expression contains factorials or logarithms.
pub(super) fn applies(e: &Expr) -> bool {
    e.atoms()
        .into_iter()
        .any(|atom| atom.is_factorial() || matches!(atom, Atom::Log { .. }))
}

/// Returns the pieces for n >= 0. The sign is undecided where the expression is undefined or no proof is found.
pub(super) fn pieces(e: &Expr, v: Var) -> Vec<SignPiece> {
    let mut pieces: Vec<SignPiece> = Vec::new();
    let mut push = |start: BigInt, sign: Option<Sign>| {
        if pieces.last().is_none_or(|last| last.sign != sign) {
            pieces.push(SignPiece { start, sign });
        }
    };
    let mut next = 0;
    for k in 0..HEAD {
        let at = BigInt::from(k);
        let value = e.eval(&|w| (w == v).then(|| at.clone()));
        if k == next {
            next = 2 * k + 1;
            if let Some(sign) = value.as_ref().and_then(|value| sign_from(e, v, &at, value)) {
                push(at, Some(sign));
                return pieces;
            }
        }
        push(at, value.map(|value| Sign::from_integer(value.numer())));
    }
    push(BigInt::from(HEAD), None);
    pieces
}

/// Returns the sign at all integers of at least `start` if it is proved; `value` is the value at `start`.
fn sign_from(e: &Expr, v: Var, start: &BigInt, value: &Rat) -> Option<Sign> {
    let at = Expr::constant(Rat::from_integer(start.clone()));
    let on = Region::everything().and(Constraint::ge(&Expr::var(v), &at)?);
    if value.is_zero() {
        return prove::zero(e, &on).then_some(Sign::Zero);
    }
    // Prove that the expression stays at least this far from 0, or a thousandth of this distance if it comes closer again.
    let (towards, sign) = if value.is_positive() {
        (e.clone(), Sign::Positive)
    } else {
        (-e, Sign::Negative)
    };
    [1, 1_000].into_iter().find_map(|part| {
        let least = value.abs() / Rat::from_integer(BigInt::from(part));
        let beyond = &towards - &Expr::constant(least);
        prove::nonnegative(&beyond, &on).then_some(sign)
    })
}
