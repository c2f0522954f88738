//! Sizes of the outputs of a call that succeeds.

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::Value as Bound;

use super::Runner;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::summary::node::{Output, element_place};
use crate::summary::pieces::Pieces;
use crate::world::lookup::At;
use crate::world::questions::Split;

impl Runner<'_> {
    /// Measures the outputs of a call that succeeds, and their largest elements; gives those for which variables stand.
    pub(super) fn measure(
        &self,
        [outputs, elements]: [&[Output]; 2],
        at: &At<'_>,
        region: &Region,
        before: &[Datum],
        after: &mut [Datum],
    ) -> Result<Vec<(usize, Var)>, Split> {
        let arity = after.len();
        let mut symbolic = Vec::new();
        for (i, datum) in after.iter_mut().enumerate() {
            if datum.ty.metric().is_none() || !before[i].ty.is_unsized() {
                continue;
            }
            match &outputs[i] {
                Output::Unsized => {}
                Output::Symbolic => {
                    let v = self.fresh();
                    symbolic.push((i, v));
                    datum.size = Size::exact(Expr::var(v));
                }
                Output::Solved(sides) => {
                    let lower = self.side(&sides.lower, true, at, region)?;
                    let upper = self.side(&sides.upper, false, at, region)?;
                    datum.size = Size {
                        lower: lower.or_else(|| datum.size.lower.clone()),
                        upper,
                    };
                }
            }
            if datum.ty.element_metric().is_none() {
                continue;
            }
            match &elements[i] {
                Output::Unsized => {}
                Output::Symbolic => {
                    let v = self.fresh();
                    symbolic.push((element_place(arity, i), v));
                    datum.element = Some(Expr::var(v));
                }
                Output::Solved(sides) => {
                    datum.element = self.side(&sides.upper, false, at, region)?;
                }
            }
        }
        Ok(symbolic)
    }

    /// One bound on what a solved function is at a call.
    fn side(
        &self,
        pieces: &Pieces,
        low: bool,
        at: &At<'_>,
        region: &Region,
    ) -> Result<Option<Expr>, Split> {
        let mut result: Option<Size> = None;
        for (value, size) in at.values(pieces, &|e| self.is_param(e))? {
            let Some(size) = size.filter(|_| matches!(value, Bound::Known(_))) else {
                return Ok(None);
            };
            result = Some(match result {
                None => size,
                Some(other) => other.hull(&size, region),
            });
        }
        let own = result.and_then(|s| if low { s.lower } else { s.upper });
        Ok(own.or_else(|| at.envelope(pieces, low)))
    }
}
