//! The proof of a solution as data: the search of [`crate::verify`] is repeated and recorded.
//!
//! A certificate contains a proof for each piece that makes a claim. It does not contain the inequalities: a checker that knows the system
//! and the claims derives them itself. The certificate contains everything else: the pieces that cover the points a call reaches, the rule
//! that proves each inequality with its multipliers, and the order in which lower bounds depend on each other. A piece has no proof if its
//! proof uses an unrecorded step.

mod branches;
mod certificate;
mod levels;

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::Implied;
use costlens_algebra::prove::Proof;
use costlens_algebra::{Constraint, Expr, Region, Var, prove};

use crate::graph::{
    arguments, enabled, factors_of_results, linear_coefficient, monotone, own_cost,
};
use crate::system::{Alternative, Cell, Direction, SolvedPiece, System, Value};

pub use certificate::{
    AlternativeProof, ArgumentProofs, BranchNode, CellProof, Certificate, Descent, Judged, Landing,
    Level, PieceProof,
};

/// The fuel per inequality, in proof steps.
const PROOF_FUEL: u64 = 600;

/// Records the proof of a solution.
#[must_use]
pub fn certify(system: &System, pieces: &[Vec<SolvedPiece>], direction: Direction) -> Certificate {
    let mut writer = Writer {
        system,
        table: pieces,
        direction,
        levels: Vec::new(),
        level_of: BTreeMap::new(),
    };
    let mut certificate = Certificate::default();
    if direction == Direction::Lower {
        writer.order();
    }
    for (f, own) in pieces.iter().enumerate() {
        let proofs = (0..own.len()).map(|p| writer.piece((f, p)));
        certificate.pieces.push(proofs.collect());
    }
    certificate.levels = writer.levels;
    certificate
}

/// A piece, by function and index.
type PieceId = (usize, usize);

struct Writer<'a> {
    system: &'a System,
    table: &'a [Vec<SolvedPiece>],
    direction: Direction,
    levels: Vec<Level>,
    level_of: BTreeMap<PieceId, usize>,
}

impl Writer<'_> {
    fn nonnegative(&self, e: &Expr, on: &Region) -> Option<Proof> {
        prove::nonnegative_proof(e, on, &mut PROOF_FUEL.clone())
    }

    fn at_least_one(&self, e: &Expr, on: &Region) -> Option<Proof> {
        self.nonnegative(&(e - &Expr::int(1)), on)
    }

    fn value(&self, (f, p): PieceId) -> Option<&Value> {
        Some(&self.table.get(f)?.get(p)?.value)
    }

    fn bound(&self, id: PieceId) -> Option<&Expr> {
        match self.value(id)? {
            Value::Known(e) => Some(e),
            _ => None,
        }
    }

    fn piece(&self, id: PieceId) -> Option<PieceProof> {
        let function = self.system.functions.get(id.0)?;
        let piece = self.table.get(id.0)?.get(id.1)?;
        let regions: Vec<Region> = function.cells.iter().map(|c| c.region.clone()).collect();
        let cells = || {
            let proofs = function.cells.iter().map(|cell| {
                let both = piece.region.and_all(&cell.region);
                if both.is_empty() {
                    return Some(CellProof::Apart(both.refutation()?));
                }
                self.cell(id, cell, &both)
            });
            proofs.collect::<Option<Vec<CellProof>>>()
        };
        match &piece.value {
            Value::Unknown(_) => None,
            Value::Diverges => Some(PieceProof::Divergence {
                cover: piece.region.cover(&regions)?,
                cells: cells()?,
            }),
            Value::Known(bound) => Some(PieceProof::Bound {
                level: self.level_of.get(&id).copied().unwrap_or(0),
                defined: prove::why_defined(bound, &piece.region)?,
                cover: piece.region.cover(&regions)?,
                nonnegative: match self.direction {
                    Direction::Upper => Some(self.nonnegative(bound, &piece.region)?),
                    Direction::Lower => None,
                },
                cells: cells()?,
            }),
        }
    }

    /// Proves that a lower bound is trivial.
    fn no_claim(&self, id: PieceId, on: &Region) -> Option<Proof> {
        match self.direction {
            Direction::Upper => None,
            Direction::Lower => {
                let bound = self.bound(id)?;
                self.nonnegative(&-bound, on)
            }
        }
    }

    fn cell(&self, id: PieceId, cell: &Cell, on: &Region) -> Option<CellProof> {
        let unfolded = || {
            let usable = match self.direction {
                Direction::Lower if !cell.exhaustive => {
                    let parts: Vec<Region> = (cell.alternatives.iter())
                        .filter(|a| a.locals.is_empty())
                        .map(|a| a.constraints.clone())
                        .collect();
                    Some(on.cover(&parts)?)
                }
                _ => None,
            };
            let alternatives = cell.alternatives.iter().map(|a| {
                let on = enabled(on, a);
                if on.is_empty() {
                    return Some(AlternativeProof::Impossible(on.refutation()?));
                }
                if self.value(id) == Some(&Value::Diverges) {
                    return self.endless(a, &on);
                }
                self.branches(id, a, &on)
                    .or_else(|| Some(AlternativeProof::NoClaim(self.no_claim(id, &on)?)))
            });
            Some(CellProof::Unfolded {
                usable,
                alternatives: alternatives.collect::<Option<_>>()?,
            })
        };
        if cell.alternatives.is_empty() && self.direction == Direction::Lower {
            return Some(CellProof::NoClaim(self.no_claim(id, on)?));
        }
        unfolded().or_else(|| Some(CellProof::NoClaim(self.no_claim(id, on)?)))
    }

    /// Proves that a value is non-decreasing in the results: see [`monotone`].
    fn factors(&self, value: &Expr, results: &[Var], on: &Region) -> Option<Vec<Proof>> {
        if !monotone(value, results, on) {
            return None;
        }
        factors_of_results(value, results)
            .values()
            .filter(|f| f.as_constant().is_none())
            .map(|f| self.nonnegative(f, on))
            .collect()
    }

    fn arguments(
        &self,
        a: &Alternative,
        position: usize,
        on: &Region,
    ) -> Option<(crate::graph::Arguments, ArgumentProofs)> {
        let call = a.results.get(position)?;
        let callee = self.system.functions.get(call.function)?;
        let arguments = arguments(call, position, callee, on)?;
        let mut proofs = ArgumentProofs::default();
        let mut on = on.clone();
        for (i, arg) in call.args.iter().enumerate() {
            proofs.natural.extend(natural(arg, &on)?);
            if !arg.is_linear()
                && let Some((_, facts)) = prove::without_floors(arg, &on)
            {
                let known = facts.into_iter().fold(on.clone(), |r, c| r.and(c));
                for atom in arg.atoms() {
                    let v = prove::floor_variable(atom.argument(), &known)?;
                    let why = if on.variables().contains(&v) {
                        Some(prove::why_floor(atom.argument(), v, &on)?)
                    } else {
                        None
                    };
                    proofs.floors.push((atom.argument().clone(), v, why));
                }
                on = known;
            } else if !arg.is_linear() {
                for least in [1, 0] {
                    if let Some(proof) = self.nonnegative(&(arg - &Expr::int(least)), &on) {
                        proofs.at_least.push((i, least, proof));
                        break;
                    }
                }
            }
        }
        Some((arguments, proofs))
    }

    fn endless(&self, a: &Alternative, on: &Region) -> Option<AlternativeProof> {
        let value = a.value.as_ref()?;
        let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
        let monotone = self.factors(value, &results, on)?;
        let cost = self.at_least_one(&own_cost(value, &results), on)?;
        (0..results.len()).find_map(|call| {
            let (args, proofs) = self.arguments(a, call, on)?;
            let here = (args.facts.iter()).fold(on.clone(), |r, c| r.and(c.clone()));
            let targets: Option<Vec<Region>> = (self.table.get(a.results[call].function)?.iter())
                .filter(|p| p.value == Value::Diverges)
                .map(|p| p.region.substitute(&args.linear))
                .collect();
            let s = linear_coefficient(value, results[call], &results)?;
            Some(AlternativeProof::Endless {
                monotone: monotone.clone(),
                call,
                arguments: proofs,
                cover: here.cover(&targets?)?,
                cost: Box::new(cost.clone()),
                coefficient: Box::new(self.at_least_one(&s, on)?),
            })
        })
    }
}

/// Proves that the exponents in an expression are non-negative.
fn natural(e: &Expr, on: &Region) -> Option<Vec<(Var, Implied)>> {
    let exponents: BTreeSet<Var> = e
        .terms()
        .flat_map(|(m, _)| m.exponentials.keys().copied())
        .collect();
    let why = |v: Var| {
        let c = Constraint::ge(&Expr::var(v), &Expr::zero())?;
        Some((v, on.implication(&c)?))
    };
    exponents.into_iter().map(why).collect()
}
