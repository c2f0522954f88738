//! The proof that a piece diverges.

use costlens_algebra::{Expr, Region, Var};

use super::checker::Checker;
use crate::graph::{RESULT_LIMIT, arguments, enabled, linear_coefficient, monotone, own_cost};
use crate::system::{Alternative, Direction, SolvedPiece, Value, Why};

impl Checker<'_> {
    /// Proves divergence: every alternative has a call that certainly lands in a diverging piece, and an additional cost of at least 1.
    pub(super) fn diverges(&mut self, function: usize, piece: &SolvedPiece) -> Result<String, Why> {
        let refused = Why::NotProved(Expr::zero());
        let (Direction::Lower, Some(f)) = (self.direction, self.system.functions.get(function))
        else {
            return Err(refused);
        };
        let regions: Vec<Region> = f.cells.iter().map(|c| c.region.clone()).collect();
        if !piece.region.covered_by(&regions) {
            return Err(refused);
        }
        for cell in &f.cells {
            let both = piece.region.and_all(&cell.region);
            if both.is_empty() {
                continue;
            }
            if !self.some_alternative(cell, &both) {
                return Err(refused);
            }
            for alternative in &cell.alternatives {
                let on = enabled(&both, alternative);
                if !on.is_empty() && !self.surely_diverges(alternative, &on) {
                    return Err(refused);
                }
            }
        }
        Ok(String::from(
            "every alternative surely calls on into the same region, at a cost of at least 1 each time",
        ))
    }

    /// Returns true only if the alternative is proved to have such a call.
    fn surely_diverges(&mut self, alternative: &Alternative, on: &Region) -> bool {
        let Some(value) = &alternative.value else {
            return false;
        };
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        if results.len() > RESULT_LIMIT
            || !monotone(value, &results, on)
            || !self.nonnegative(&(&own_cost(value, &results) - &Expr::int(1)), on)
        {
            return false;
        }
        alternative
            .results
            .iter()
            .enumerate()
            .any(|(position, call)| {
                let (Some(callee), Some(pieces)) = (
                    self.system.functions.get(call.function),
                    self.table.get(call.function),
                ) else {
                    return false;
                };
                let Some(args) = arguments(call, position, callee, on) else {
                    return false;
                };
                let here = args.facts.iter().fold(on.clone(), |r, c| r.and(c.clone()));
                let targets: Option<Vec<Region>> = pieces
                    .iter()
                    .filter(|p| p.value == Value::Diverges)
                    .map(|p| p.region.substitute(&args.linear))
                    .collect();
                targets.is_some_and(|t| !t.is_empty() && here.covered_by(&t))
                    && linear_coefficient(value, call.var, &results)
                        .is_some_and(|s| self.at_least_one(&s, on))
            })
    }
}
