//! Costs of calls that pass numbers, where no formula was found for all sizes.
//!
//! ```prolog
//! even(0).
//! even(N) :- N =\= 0, M is N-2, even(M).      % without end for odd numbers
//! eight :- even(8).                           % exactly 6
//! ```

use costlens_algebra::{Expr, Rat, Var};
use costlens_recurrences::{SolvedPiece, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::Summary;
use super::pieces::at_most;
use crate::lattice::size::Size;
use crate::lattice::types::Metric;
use crate::report::EvaluatedPoint;

impl Summary {
    /// Returns the sizes of a call in the order of [`Summary::params`], if all are values of integers for which the upper bound is unknown.
    pub(crate) fn open_numbers(&self, sizes: &[Size]) -> Option<Vec<i64>> {
        let are_values = (self.params.iter()).all(|p| p.metric == Metric::Int && !p.element);
        if !are_values || sizes.len() != self.params.len() || !self.parameters.is_empty() {
            return None;
        }
        let number = |size: &Size| {
            let number = size.as_exact()?.as_constant()?;
            number.is_integer().then(|| number.to_i64())?
        };
        let numbers: Vec<i64> = sizes.iter().map(number).collect::<Option<_>>()?;
        let value = |v: Var| {
            let at = self.params.iter().position(|p| p.var == v)?;
            numbers.get(at).map(|&n| BigInt::from(n))
        };
        let contains = |piece: &&SolvedPiece| {
            let mut constraints = piece.region.constraints().iter();
            constraints.all(|c| c.holds_at(&value).unwrap_or(true))
        };
        let mut here = self.all.upper.iter().filter(contains);
        let is_open = here.any(|piece| matches!(piece.value, Value::Unknown(_)));
        is_open.then_some(numbers)
    }

    /// Returns the summary for calls with certain sizes, whose upper bounds were evaluated.
    pub(crate) fn evaluated(&self, point: &EvaluatedPoint) -> Summary {
        let whole = |value: &BigInt| {
            vec![SolvedPiece {
                region: self.domain.clone(),
                value: Value::Known(Expr::constant(Rat::from_integer(value.clone()))),
            }]
        };
        let mut found = self.clone();
        found.all.upper = whole(&point.all);
        found.first.upper = at_most(whole(&point.first), &found.all.upper);
        found
    }
}
