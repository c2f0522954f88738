//! Assertions about several sizes: proofs over regions, and a search for a refuting point.

use std::collections::BTreeSet;

use super::points::{Points, SizeValues};
use super::{Approx, Bound, Judged, Piece, Verdict, Witness};
use super::{bound_variables, refuting_value, shortcoming};
use crate::expr::{Expr, Rat, Var};
use crate::prove;
use crate::sign::Sign;

/// Judges an assertion about several sizes. The pieces are in the domain and cover it.
pub(super) fn judge(kind: Approx, asserted: &Expr, pieces: &[Piece]) -> Judged {
    let mut all: BTreeSet<Var> = asserted.variables().into_iter().collect();
    all.extend(pieces.iter().flat_map(bound_variables));
    all.extend(pieces.iter().flat_map(|p| p.region.variables()));
    let mut witness: Option<Witness> = None;
    let mut reason = None;
    for piece in pieces {
        if is_proved(kind, asserted, piece) {
            continue;
        }
        match refutation(kind, asserted, piece, &all) {
            Some(found) if found.inferred.is_some() => {
                witness = Some(found);
                break;
            }
            Some(found) => witness = witness.or(Some(found)),
            None => reason = reason.or(Some(shortcoming(kind, piece).to_owned())),
        }
    }
    let overall = match (&witness, &reason) {
        (Some(_), _) => Verdict::False,
        (None, Some(_)) => Verdict::Check,
        (None, None) => Verdict::Checked,
    };
    Judged {
        variable: None,
        intervals: Vec::new(),
        reason: reason.filter(|_| witness.is_none()),
        overall,
        witness,
    }
}

fn is_proved(kind: Approx, asserted: &Expr, piece: &Piece) -> bool {
    let region = &piece.region;
    match kind {
        Approx::Ub | Approx::O | Approx::Oub => match &piece.upper {
            Bound::Finite(upper) => prove::nonnegative(&(asserted - upper), region),
            Bound::Infinite | Bound::Unknown => false,
        },
        Approx::Lb | Approx::Olb => match &piece.lower {
            Bound::Finite(lower) => prove::nonnegative(&(lower - asserted), region),
            Bound::Infinite => true,
            Bound::Unknown => false,
        },
        Approx::Eq => match (&piece.lower, &piece.upper) {
            (Bound::Finite(lower), Bound::Finite(upper)) => {
                prove::zero(&(asserted - lower), region) && prove::zero(&(asserted - upper), region)
            }
            _ => false,
        },
    }
}

/// Returns a point of the piece at which a bound refutes the assertion.
fn refutation(
    kind: Approx,
    asserted: &Expr,
    piece: &Piece,
    all: &BTreeSet<Var>,
) -> Option<Witness> {
    let points = Points::new(&piece.region, all);
    let refuted_at = |at: &SizeValues<'_>| -> Option<(Option<Rat>, Option<Rat>)> {
        let value = asserted.eval(at)?;
        refuting_value(kind, &value, piece, at).map(|inferred| (inferred, Some(value)))
    };
    let found = points.search(&points.grid(), &refuted_at).or_else(|| {
        let crossings = points.crossings(&differences(&points, kind, asserted, piece));
        points.search(&crossings, &refuted_at)
    });
    found.map(|(sizes, (inferred, asserted))| Witness {
        sizes,
        inferred,
        asserted,
    })
}

/// Returns the differences between the assertion and the bounds that may refute it, each with the refuting sign.
fn differences(
    points: &Points<'_>,
    kind: Approx,
    asserted: &Expr,
    piece: &Piece,
) -> Vec<(Expr, Sign)> {
    let difference = |bound: &Bound, refuting: Sign| match bound {
        Bound::Finite(e) => Some((points.reduced(&(asserted - e))?, refuting)),
        Bound::Infinite | Bound::Unknown => None,
    };
    let mut differences = Vec::new();
    if matches!(kind, Approx::Ub | Approx::Eq) {
        differences.extend(difference(&piece.lower, Sign::Negative));
    }
    if matches!(kind, Approx::Lb | Approx::Eq) {
        differences.extend(difference(&piece.upper, Sign::Positive));
    }
    differences
}
