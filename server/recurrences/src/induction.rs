//! VERIFY: the proof that a candidate is a bound, however it was found.
//!
//! For each piece, each cell that it meets, each alternative and each combination of pieces in which the calls may land, the
//! difference between the candidate and one unfolding of the equation must not be negative.

pub(crate) mod measure;

use std::collections::BTreeMap;

use costlens_algebra::{Constraint, Expr, Monomial, Rat, Region, Var, prove};
use num_traits::One;
use thiserror::Error;

use crate::graph;
use crate::graph::{
    CellId, Graph, arguments, degree_in_results, enabled, linear_coefficient, monotone,
    nested_results,
};
use crate::system::{Alternative, Cell, Direction, SolvedPiece, System, Value, Why};
use crate::transform::unfold;

/// Fuel of a call of [`verify`].
const VERIFY_FUEL: u64 = 100_000;

/// Proof steps for one difference.
const PROOF_FUEL: u64 = 400;

/// A candidate that was not proved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the bound of function {function} is not proved on one of its pieces")]
pub struct Refusal {
    /// The function.
    pub function: usize,
    /// The piece.
    pub region: Region,
    /// What went wrong.
    pub why: Why,
}

/// Checks every piece of a candidate: one list of pieces per function. Pieces that are unknown claim nothing. On success, a
/// short line for each piece that says how it was proved.
///
/// # Errors
/// The first piece that was not proved. That it is wrong does not follow.
pub fn verify(
    system: &System,
    candidate: &[Vec<SolvedPiece>],
    direction: Direction,
) -> Result<Vec<String>, Refusal> {
    let refused = match verify_as_it_is(system, candidate, direction) {
        Ok(lines) => return Ok(lines),
        Err(refused) => refused,
    };
    // What is inductive over two turns need not be over one.
    let unfolded = match direction {
        Direction::Upper => unfold::halving(system),
        Direction::Lower => None,
    };
    unfolded
        .and_then(|system| verify_as_it_is(&system, candidate, direction).ok())
        .ok_or(refused)
}

fn verify_as_it_is(
    system: &System,
    candidate: &[Vec<SolvedPiece>],
    direction: Direction,
) -> Result<Vec<String>, Refusal> {
    let refined = refined(system, candidate);
    let system = refined.as_ref().unwrap_or(system);
    let graph = Graph::new(system);
    let mut fuel = VERIFY_FUEL;
    let measured = measure::components(system, &graph, &mut fuel);
    let mut checker = Checker {
        system,
        graph: &graph,
        measured: &measured,
        table: candidate,
        direction,
        fuel: &mut fuel,
    };
    let mut lines = Vec::new();
    for (function, pieces) in candidate.iter().enumerate() {
        for piece in pieces {
            match checker.piece(function, piece) {
                Ok(line) => lines.push(line),
                Err(why) => {
                    return Err(Refusal {
                        function,
                        region: piece.region.clone(),
                        why,
                    });
                }
            }
        }
    }
    Ok(lines)
}

/// The system with its cells cut along the pieces, where a piece covers a part of a cell only: the components of the finer cells
/// are smaller ones. None if there is nothing to cut.
fn refined(system: &System, candidate: &[Vec<SolvedPiece>]) -> Option<System> {
    let mut changed = false;
    let mut finer = system.clone();
    for (function, pieces) in finer.functions.iter_mut().zip(candidate) {
        let mut cells = Vec::new();
        for cell in &function.cells {
            if pieces.iter().any(|p| cell.region.implies_all(&p.region)) || pieces.len() > 40 {
                cells.push(cell.clone());
                continue;
            }
            changed = true;
            let mut left = vec![cell.region.clone()];
            for piece in pieces {
                let mut next = Vec::new();
                for region in left {
                    let inside = region.and_all(&piece.region);
                    if inside.is_empty() {
                        next.push(region);
                        continue;
                    }
                    cells.push(Cell {
                        region: inside.simplified(),
                        ..cell.clone()
                    });
                    next.extend(region.difference(&piece.region));
                }
                left = next;
            }
            cells.extend(left.into_iter().map(|region| Cell {
                region,
                ..cell.clone()
            }));
        }
        function.cells = cells;
    }
    changed.then_some(finer)
}

pub(crate) struct Checker<'a> {
    pub(crate) system: &'a System,
    pub(crate) graph: &'a Graph,
    /// Per component: whether a lower bound proved by induction is one ([`measure`]).
    pub(crate) measured: &'a [bool],
    pub(crate) table: &'a [Vec<SolvedPiece>],
    pub(crate) direction: Direction,
    pub(crate) fuel: &'a mut u64,
}

/// What a call contributes on a branch.
#[derive(Clone, Debug)]
enum Landed {
    Bound(Expr),
    /// Proved infinite.
    Infinite,
    /// Not known: at least 0.
    Nothing,
}

/// The calls of an alternative, one after the other, each with a piece that it may land in.
struct Branch {
    region: Region,
    landed: Vec<Landed>,
}

impl Checker<'_> {
    /// [`prove::nonnegative`], charged.
    fn nonnegative(&mut self, e: &Expr, on: &Region) -> bool {
        let budget = PROOF_FUEL.min(*self.fuel);
        let mut left = budget;
        let proved = prove::nonnegative_within(e, on, &mut left);
        *self.fuel -= budget - left;
        proved
    }

    /// How the piece was proved.
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

    /// The number of branches with calls.
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

    /// Whether at every point some alternative can be used: where none can, the value is 0.
    fn some_alternative(&self, cell: &Cell, on: &Region) -> bool {
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

    fn alternative(
        &mut self,
        id: CellId,
        at: usize,
        alternative: &Alternative,
        on: &Region,
        bound: &Expr,
    ) -> Result<usize, Why> {
        let refused = || Why::NotProved(bound.clone());
        let Some(value) = &alternative.value else {
            return if self.direction == Direction::Upper {
                Err(Why::Unbounded)
            } else if self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        };
        if alternative.results.len() > graph::RESULT_LIMIT {
            return Err(Why::Fuel);
        }
        if alternative.results.is_empty() {
            let difference = self.difference(bound, value);
            return if self.nonnegative(&difference, on) || self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        }
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        if !monotone(value, &results, on) {
            return if self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        }
        let nested = nested_results(alternative);
        if self.direction == Direction::Lower && !self.lower_is_sound(id, at, alternative, &nested)
        {
            return if self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        }
        let mut open = vec![Branch {
            region: on.clone(),
            landed: Vec::new(),
        }];
        let mut steps = 0;
        while let Some(branch) = open.pop() {
            *self.fuel = self.fuel.checked_sub(1).ok_or(Why::Fuel)?;
            if branch.landed.len() < results.len() {
                self.land(alternative, &nested, branch, &mut open)?;
                continue;
            }
            steps += 1;
            if !self.judge(value, alternative, &nested, &branch, bound) {
                return Err(refused());
            }
        }
        Ok(steps)
    }

    /// Lower bounds of at most 0 hold anyway.
    fn no_claim(&mut self, bound: &Expr, on: &Region) -> bool {
        self.direction == Direction::Lower && self.nonnegative(&-bound, on)
    }

    fn difference(&self, bound: &Expr, value: &Expr) -> Expr {
        match self.direction {
            Direction::Upper => bound - value,
            Direction::Lower => value - bound,
        }
    }

    /// Whether `f <= Φ(f)` says something about the least solution here: see [`measure`]; sizes that come from the same
    /// component may not steer the recursion.
    fn lower_is_sound(
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

    /// Extends a branch by the next call, once for each piece that the call may land in.
    fn land(
        &mut self,
        alternative: &Alternative,
        nested: &[Var],
        branch: Branch,
        open: &mut Vec<Branch>,
    ) -> Result<(), Why> {
        let call = &alternative.results[branch.landed.len()];
        let missing = |open: &mut Vec<Branch>, branch: &Branch, region: Region| match self.direction
        {
            Direction::Upper => Err(Why::Callee),
            Direction::Lower => {
                let mut landed = branch.landed.clone();
                landed.push(Landed::Nothing);
                open.push(Branch { region, landed });
                Ok(())
            }
        };
        let (Some(callee), Some(pieces)) = (
            self.system.functions.get(call.function),
            self.table.get(call.function),
        ) else {
            return missing(open, &branch, branch.region.clone());
        };
        let Some(args) = arguments(call, branch.landed.len(), callee, &branch.region) else {
            return missing(open, &branch, branch.region.clone());
        };
        let here = args
            .facts
            .iter()
            .fold(branch.region.clone(), |r, c| r.and(c.clone()));
        let mut targets = Vec::new();
        let mut covered = false;
        for piece in pieces {
            let Some(target) = piece.region.substitute(&args.linear) else {
                return missing(open, &branch, here);
            };
            let mut region = here.and_all(&target);
            if region.is_empty() {
                continue;
            }
            let whole = here.implies_all(&target);
            if whole {
                region = here.clone();
            }
            let landed = match &piece.value {
                Value::Known(bound) => args.bound(bound).map(Landed::Bound),
                Value::Diverges if self.direction == Direction::Lower => Some(Landed::Infinite),
                Value::Diverges | Value::Unknown(_) => None,
            };
            match landed {
                None => missing(open, &branch, region.clone())?,
                Some(landed) => {
                    if nested.contains(&call.var)
                        && let Landed::Bound(e) = &landed
                    {
                        let r = Expr::var(call.var);
                        let fact = match self.direction {
                            Direction::Upper => {
                                prove::linear_side(e, true).and_then(|e| Constraint::le(&r, &e))
                            }
                            Direction::Lower => {
                                prove::linear_side(e, false).and_then(|e| Constraint::ge(&r, &e))
                            }
                        };
                        if let Some(fact) = fact {
                            region = region.and(fact);
                        }
                    }
                    let mut all = branch.landed.clone();
                    all.push(landed);
                    open.push(Branch {
                        region,
                        landed: all,
                    });
                }
            }
            if whole {
                covered = true;
                break;
            }
            targets.push(target);
        }
        if !covered && !here.covered_by(&targets) {
            missing(open, &branch, here)?;
        }
        Ok(())
    }

    /// Whether the difference is not negative on a complete branch.
    fn judge(
        &mut self,
        value: &Expr,
        alternative: &Alternative,
        nested: &[Var],
        branch: &Branch,
        bound: &Expr,
    ) -> bool {
        let region = &branch.region;
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        let products = value
            .terms()
            .any(|(m, _)| degree_in_results(m, &results) > 1);
        let mut by = BTreeMap::new();
        for (call, landed) in alternative.results.iter().zip(&branch.landed) {
            let replaced = match landed {
                Landed::Bound(e) => {
                    // A negative lower bound is fine in a sum, not in a product.
                    if self.direction == Direction::Lower
                        && products
                        && !self.nonnegative(e, region)
                    {
                        Expr::zero()
                    } else {
                        e.clone()
                    }
                }
                Landed::Infinite => {
                    if linear_coefficient(value, call.var, &results)
                        .is_some_and(|s| self.nonnegative(&(&s - &Expr::int(1)), region))
                    {
                        return true;
                    }
                    Expr::zero()
                }
                Landed::Nothing => Expr::zero(),
            };
            if !nested.contains(&call.var) {
                by.insert(call.var, replaced);
            }
        }
        let Some(value) = value.substitute(&by) else {
            return self.no_claim(bound, region);
        };
        let mut difference = self.difference(bound, &value);
        // Sizes in arguments: from the last to the first, replaced by their bound where the difference only shrinks with it.
        for (call, landed) in alternative.results.iter().zip(&branch.landed).rev() {
            if !nested.contains(&call.var) || !difference.variables().contains(&call.var) {
                continue;
            }
            let extreme = match landed {
                Landed::Bound(e) => e.clone(),
                Landed::Nothing if self.direction == Direction::Lower => Expr::zero(),
                Landed::Infinite | Landed::Nothing => continue,
            };
            // A lower bound may be negative, and what grows from 0 on need not grow below.
            let of_result = |m: &Monomial| degree_in_results(m, &[call.var]);
            if self.direction == Direction::Lower
                && difference.terms().any(|(m, _)| of_result(m) > 1)
                && !self.nonnegative(&extreme, region)
            {
                continue;
            }
            let towards = match self.direction {
                Direction::Upper => -&difference,
                Direction::Lower => difference.clone(),
            };
            if monotone(&towards, &[call.var], region)
                && let Some(e) = difference.substitute(&BTreeMap::from([(call.var, extreme)]))
            {
                difference = e;
            }
        }
        self.nonnegative(&difference, region) || self.no_claim(bound, region)
    }

    fn at_least_one(&mut self, e: &Expr, on: &Region) -> bool {
        match e.as_constant() {
            Some(c) => c >= Rat::one(),
            None => self.nonnegative(&(e - &Expr::int(1)), on),
        }
    }

    /// Every alternative has a call that surely lands in a diverging piece and costs at least 1 more.
    fn diverges(&mut self, function: usize, piece: &SolvedPiece) -> Result<String, Why> {
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

    fn surely_diverges(&mut self, alternative: &Alternative, on: &Region) -> bool {
        let Some(value) = &alternative.value else {
            return false;
        };
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        if results.len() > graph::RESULT_LIMIT
            || !monotone(value, &results, on)
            || !self.nonnegative(&(&graph::own_cost(value, &results) - &Expr::int(1)), on)
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
