//! Output sizes of successful calls.

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::Value as Bound;
use costlens_syntax::term::{CONS, TermId, Terms};

use super::Runner;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::report::Side;
use crate::state::State;
use crate::summary::node::{Output, element_place};
use crate::summary::pieces::Pieces;
use crate::world::lookup::CallArguments;
use crate::world::questions::{Split, Truth};

/// The maximum number of arguments whose largest elements are compared; comparing three would create many regions.
const MOST_ORDERED: usize = 2;

impl Runner<'_> {
    /// Measures the outputs of a successful call, and their largest elements. Returns the sizes represented by variables.
    pub(super) fn measure(
        &self,
        [outputs, elements]: [&[Output]; 2],
        at: &CallArguments<'_>,
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
                    let lower = self.side(&sides.lower, Side::Lower, at, region)?;
                    let upper = self.side(&sides.upper, Side::Upper, at, region)?;
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
                    datum.element = self.side(&sides.upper, Side::Upper, at, region)?;
                }
            }
        }
        Ok(symbolic)
    }

    /// Bounds the elements of written lists that are passed, by the largest written element. If the largest one depends on the sizes of the
    /// call, the method requests a split.
    pub(super) fn measure_elements(
        &self,
        state: &State,
        terms: &Terms,
        args: &[TermId],
        data: &mut [Datum],
    ) -> Result<(), Split> {
        let params = self.nodes[self.node].params.iter();
        if params.filter(|p| p.slot.element).count() > MOST_ORDERED {
            return Ok(());
        }
        for (&argument, datum) in args.iter().zip(data) {
            let is_written = terms
                .matches(state.resolve(terms, argument), CONS, 2)
                .is_some();
            let (true, Some(metric), Some(_)) =
                (is_written, datum.ty.element_metric(), &datum.element)
            else {
                continue;
            };
            let mut sizes = (state.element_sizes(terms, argument, metric).into_iter()).flatten();
            let mut largest = sizes.next();
            for size in sizes {
                largest = match largest {
                    Some(other) => self.larger(other, size)?,
                    None => break,
                };
            }
            datum.element = largest.or_else(|| datum.element.take());
        }
        Ok(())
    }

    /// Returns the larger of two sizes, or `None` if their order is unknown.
    fn larger(&self, a: Expr, b: Expr) -> Result<Option<Expr>, Split> {
        if a == b {
            return Ok(Some(a));
        }
        let Some(c) = Constraint::ge(&a, &b) else {
            return Ok(None);
        };
        let is_param = self.is_param(&a) && self.is_param(&b);
        Ok(match self.world.sizes(&c, is_param)? {
            Truth::True => Some(a),
            Truth::False => Some(b),
            Truth::Maybe => None,
        })
    }

    /// Returns the lower or upper bound of a solved function at a call.
    fn side(
        &self,
        pieces: &Pieces,
        side: Side,
        at: &CallArguments<'_>,
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
        let own = result.and_then(|size| match side {
            Side::Lower => size.lower,
            Side::Upper => size.upper,
        });
        Ok(own.or_else(|| at.envelope(pieces, side)))
    }
}
