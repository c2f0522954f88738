//! Bounds that are not exact: coefficients of a form from a linear program.

use std::collections::BTreeMap;

use super::Value;
use super::fit::Sample;
use super::graph::CellId;
use super::solver::Solver;
use crate::expr::Rat;
use crate::linear::fraction::Fraction;

pub(super) type Samples = BTreeMap<CellId, (Sample, Vec<Fraction>)>;
pub(super) type Found = (BTreeMap<CellId, Value>, BTreeMap<CellId, String>);

pub(super) fn search(
    _solver: &mut Solver<'_>,
    _samples: &Samples,
    _exponents: &[Rat],
) -> Option<Found> {
    None
}
