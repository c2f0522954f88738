//! The induction step for a piece, each cell that it intersects, and each alternative.

use costlens_algebra::{Expr, Rat, Region, Var, prove};
use num_traits::One;

use crate::graph::{CellId, Graph, enabled};
use crate::system::{Alternative, Cell, Direction, SolvedPiece, System, Value, Why};

/// The fuel per difference, in proof steps.
const PROOF_FUEL: u64 = 400;

/// A prover of pieces, which assumes that the pieces in the table are bounds.
pub(crate) struct Checker<'a> {
    pub(crate) system: &'a System,
    pub(crate) graph: &'a Graph,
    /// For each component, true if a lower bound proved by induction is sound ([`crate::induction::measure`]).
    pub(crate) measured: &'a [bool],
    pub(crate) table: &'a [Vec<SolvedPiece>],
    pub(crate) direction: Direction,
    pub(crate) fuel: &'a mut u64,
}

impl Checker<'_> {
    /// Calls [`prove::nonnegative`] and charges fuel for it.
    pub(super) fn nonnegative(&mut self, e: &Expr, on: &Region) -> bool {
        let budget = PROOF_FUEL.min(*self.fuel);
        let mut left = budget;
        let proved = prove::nonnegative_within(e, on, &mut left);
        *self.fuel -= budget - left;
        proved
    }

    /// Proves that a piece is a bound. Returns a description of the proof.
    pub(crate) fn piece(&mut self, function: usize, piece: &SolvedPiece) -> Result<String, Why> {
        let bound = match &piece.value {
            Value::Unknown(_) => return Ok(String::from("unknown: nothing is claimed")),
            Value::Diverges => return self.diverges(function, piece),
            Value::Known(bound) => bound,
        };
        let refused = || Why::NotProved(bound.clone());
        let Some(f) = self.system.functions.get(function) else {
            return Err(refused());
        };
        if bound.variables().iter().any(|v| !f.params.contains(v)) {
            return Err(refused());
        }
        if !prove::defined(bound, &piece.region) {
            return Err(refused());
        }
        let mut cells = Vec::new();
        for (c, cell) in f.cells.iter().enumerate() {
            let both = if cell.region == piece.region || piece.region.implies_all(&cell.region) {
                piece.region.clone()
            } else {
                piece.region.and_all(&cell.region)
            };
            if !both.is_empty() {
                cells.push((c, cell, both));
            }
        }
        let regions: Vec<Region> = cells.iter().map(|(_, c, _)| c.region.clone()).collect();
        if !piece.region.covered_by(&regions) {
            return Err(refused());
        }
        if self.direction == Direction::Upper && !self.nonnegative(bound, &piece.region) {
            return Err(refused());
        }
        let mut steps = 0;
        for (c, cell, both) in cells {
            steps += self.cell((function, c), cell, &both, bound)?;
        }
        Ok(match (self.direction, steps) {
            (_, 0) => String::from("no call: read off"),
            (Direction::Upper, n) => {
                format!("induction over {n} call landings: one unfolding is at most the bound")
            }
            (Direction::Lower, n) => {
                format!("induction over {n} call landings: one unfolding is at least the bound")
            }
        })
    }

    /// Proves the bound for a cell. Returns the number of branches with calls.
    fn cell(&mut self, id: CellId, cell: &Cell, on: &Region, bound: &Expr) -> Result<usize, Why> {
        if cell.alternatives.is_empty() {
            // The value is 0.
            return if self.direction == Direction::Upper || self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(Why::NotProved(bound.clone()))
            };
        }
        if self.direction == Direction::Lower
            && !self.some_alternative(cell, on)
            && !self.no_claim(bound, on)
        {
            return Err(Why::NotProved(bound.clone()));
        }
        let mut steps = 0;
        for (a, alternative) in cell.alternatives.iter().enumerate() {
            if self.graph.landings[id.0][id.1][a].is_none() {
                continue;
            }
            let on = enabled(on, alternative);
            if !on.is_empty() {
                steps += self.alternative(id, a, alternative, &on, bound)?;
            }
        }
        Ok(steps)
    }

    /// Returns true only if some alternative is proved feasible at every point. Where no alternative is feasible, the value is 0.
    pub(super) fn some_alternative(&self, cell: &Cell, on: &Region) -> bool {
        if cell.exhaustive
            || cell
                .alternatives
                .iter()
                .any(|a| on.implies_all(&a.constraints))
        {
            return true;
        }
        let shadows: Vec<Region> = cell
            .alternatives
            .iter()
            .filter_map(|a| on.and_all(&a.constraints).project_inside(&a.locals))
            .collect();
        on.covered_by(&shadows)
    }

    /// Returns whether a lower bound is at most 0, and therefore holds trivially.
    pub(super) fn no_claim(&mut self, bound: &Expr, on: &Region) -> bool {
        self.direction == Direction::Lower && self.nonnegative(&-bound, on)
    }

    pub(super) fn difference(&self, bound: &Expr, value: &Expr) -> Expr {
        match self.direction {
            Direction::Upper => bound - value,
            Direction::Lower => value - bound,
        }
    }

    /// Returns whether `f <= Φ(f)` implies a bound on the least solution: see [`crate::induction::measure`]. Sizes computed in the same
    /// component must not steer the recursion.
    pub(super) fn lower_is_sound(
        &self,
        id: CellId,
        at: usize,
        alternative: &Alternative,
        nested: &[Var],
    ) -> bool {
        let component = self.graph.component_of[&id];
        let Some(landings) = &self.graph.landings[id.0][id.1][at] else {
            return true;
        };
        let internal = |i: usize| {
            landings.get(i).is_some_and(|l| {
                l.cells
                    .iter()
                    .any(|c| self.graph.component_of[c] == component)
            })
        };
        if !(0..landings.len()).any(internal) {
            return true;
        }
        self.measured[component]
            && alternative
                .results
                .iter()
                .enumerate()
                .all(|(i, r)| !nested.contains(&r.var) || !internal(i))
    }

    /// Returns true only if the expression is proved to be at least 1.
    pub(super) fn at_least_one(&mut self, e: &Expr, on: &Region) -> bool {
        match e.as_constant() {
            Some(c) => c >= Rat::one(),
            None => self.nonnegative(&(e - &Expr::int(1)), on),
        }
    }
}
