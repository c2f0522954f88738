//! Ranges of numbers for which a call can succeed.
//!
//! ```prolog
//! strip([C|Cs], R) :- blank(C), strip(Cs, R).          blank(32). blank(9).
//! strip([C|Cs], [C|R]) :- letter(C), strip(Cs, R).     letter(C) :- C >= 97, C =< 122.
//! ```
//!
//! `blank/1` fails for numbers below 9 or above 32, `letter/1` outside 97 to 122. Comparing the number with these limits before the call
//! distinguishes the two clauses, as explicit tests would.

use costlens_algebra::{Expr, Rat, Var};
use costlens_body::Comparison;
use costlens_recurrences::Value;

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::lattice::datum::Datum;
use crate::lattice::types::{Metric, Type};
use crate::state::comparisons::compare_keys;
use crate::summary::Summary;
use crate::summary::pieces::Pieces;
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Returns [`Truth::False`] if a passed number is outside the range for which a call to the summary's predicate can succeed.
    pub(super) fn in_range(
        &self,
        scope: &ClauseScope<'_>,
        point: &Point,
        summary: &Summary,
        data: &[Datum],
    ) -> Result<Truth, Split> {
        let here = self.here(&point.state);
        let is_param = |e: &Expr| self.is_param(e);
        let scope = crate::state::Scope {
            world: &here,
            ..self.scope(scope.terms, &is_param)
        };
        for param in summary
            .params
            .iter()
            .filter(|p| p.metric == Metric::Int && !p.element)
        {
            let Some(datum) = data.get(param.argument - 1) else {
                continue;
            };
            // The entry's sizes already split the worlds.
            let (Type::Int, None, Some(key)) = (&datum.ty, datum.size.as_exact(), &datum.key)
            else {
                continue;
            };
            let (least, most) = range(&summary.solutions.upper, param.var);
            let tests = [
                (Comparison::GreaterOrEqual, least),
                (Comparison::LessOrEqual, most),
            ];
            for (op, limit) in tests {
                let Some(limit) = limit.filter(Rat::is_integer) else {
                    continue;
                };
                let limit = limit.to_integer().to_string().into();
                if compare_keys(&scope, op, key, &limit, true)? == Truth::False {
                    return Ok(Truth::False);
                }
            }
        }
        Ok(Truth::Maybe)
    }
}

/// Returns the minimum and maximum of a size for which solutions may exist.
fn range(solutions: &Pieces, of: Var) -> (Option<Rat>, Option<Rat>) {
    let none = Value::Known(Expr::zero());
    let mut possible = solutions.iter().filter(|piece| piece.value != none);
    let bounds = |piece: &costlens_recurrences::SolvedPiece| piece.region.bounds(&Expr::var(of));
    let Some(first) = possible.next() else {
        return (None, None);
    };
    possible
        .map(bounds)
        .fold(bounds(first), |(low, high), (least, most)| {
            (
                low.zip(least).map(|(a, b)| a.min(b)),
                high.zip(most).map(|(a, b)| a.max(b)),
            )
        })
}
