//! Merging of pieces: `n = 0: 1` and `n >= 1: n + 1` become `n >= 0: n + 1`.

use costlens_algebra::{Expr, Region, prove};
use rustc_hash::FxHashSet;

use crate::system::{SolvedPiece, Value};

/// The maximum number of pieces of a function that is merged.
const PIECE_LIMIT: usize = 64;

/// Returns the function with fewer pieces: pieces are merged if the union of their regions is a region.
pub(crate) fn pieces(pieces: &[SolvedPiece]) -> Vec<SolvedPiece> {
    let mut pieces = pieces.to_vec();
    if pieces.len() > PIECE_LIMIT {
        return pieces;
    }
    // Pieces that were compared without being merged need not be compared again.
    let mut names: Vec<usize> = (0..pieces.len()).collect();
    let mut next = pieces.len();
    let mut apart: FxHashSet<(usize, usize)> = FxHashSet::default();
    'again: loop {
        for i in 0..pieces.len() {
            for j in i + 1..pieces.len() {
                if !apart.insert((names[i], names[j])) {
                    continue;
                }
                if let Some(merged) = merged(&pieces[i], &pieces[j]) {
                    pieces[i] = merged;
                    names[i] = next;
                    next += 1;
                    pieces.remove(j);
                    names.remove(j);
                    continue 'again;
                }
            }
        }
        break;
    }
    for piece in &mut pieces {
        piece.region = piece.region.simplified();
    }
    pieces
}

fn merged(a: &SolvedPiece, b: &SolvedPiece) -> Option<SolvedPiece> {
    let both = match (&a.value, &b.value) {
        (Value::Known(e), Value::Known(f)) => Some((e, f)),
        (v, w) if v == w => None,
        _ => return None,
    };
    // It is cheaper to test whether the union of two regions is a region than whether two expressions are equal on one of them.
    let region = a.region.union_if_convex(&b.region)?;
    let value = match both {
        Some((e, f)) => Value::Known(common(e, &a.region, f, &b.region)?),
        None => a.value.clone(),
    };
    Some(SolvedPiece { region, value })
}

/// Returns an expression that equals `e` on the region `on` and `f` on the region `there`.
fn common(e: &Expr, on: &Region, f: &Expr, there: &Region) -> Option<Expr> {
    let difference = e - f;
    if difference.is_zero() || prove::zero(&difference, there) {
        return Some(e.clone());
    }
    prove::zero(&difference, on).then(|| f.clone())
}
