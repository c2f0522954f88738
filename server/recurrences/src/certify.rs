//! Why a solution is one, as data: what [`crate::verify`] looks for, once more and written down.
//!
//! A certificate has a proof for each piece that claims something. It does not repeat the inequalities: a checker that knows the
//! system and the claims builds them itself. What it cannot know is here: which pieces cover where a call goes, which rule proves an
//! inequality, with which multipliers, and in which order lower bounds rest on each other. A piece whose proof uses something that is not
//! written down has none.

mod levels;
mod proofs;

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::Implied;
use costlens_algebra::prove::Proof;
use costlens_algebra::{Constraint, Expr, Region, Var, prove};

use crate::graph::{
    RESULT_LIMIT, arguments, degree_in_results, enabled, factors_of_results, integer_valued,
    linear_coefficient, monotone, nested_results, own_cost,
};
use crate::system::{Alternative, CallResult, Cell, Direction, SolvedPiece, System, Value};

pub use proofs::{
    AlternativeProof, ArgumentProofs, CellProof, Certificate, Descent, Judged, Landing, Level,
    Node, PieceProof,
};

/// Proof steps for one inequality.
const PROOF_FUEL: u64 = 600;

/// Branches of one alternative.
const BRANCH_LIMIT: usize = 600;

/// Writes down why the solution is one.
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

/// A piece by function and position.
type PieceId = (usize, usize);

struct Writer<'a> {
    system: &'a System,
    table: &'a [Vec<SolvedPiece>],
    direction: Direction,
    levels: Vec<Level>,
    level_of: BTreeMap<PieceId, usize>,
}

/// The calls of an alternative with the pieces that they land in.
struct Branch {
    region: Region,
    landed: Vec<Option<PieceId>>,
    /// The bounds there, in terms of the caller.
    bounds: Vec<Option<Expr>>,
    node: usize,
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

    /// Why a lower bound says nothing.
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

    fn branches(&self, id: PieceId, a: &Alternative, on: &Region) -> Option<AlternativeProof> {
        let value = a.value.as_ref()?;
        if a.results.len() > RESULT_LIMIT {
            return None;
        }
        let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
        let monotone = self.factors(value, &results, on)?;
        let nested = nested_results(a);
        let mut nodes: Vec<Option<Node>> = vec![None];
        let mut open = vec![Branch {
            region: on.clone(),
            landed: Vec::new(),
            bounds: Vec::new(),
            node: 0,
        }];
        while let Some(branch) = open.pop() {
            if nodes.len() > BRANCH_LIMIT {
                return None;
            }
            let node = if branch.landed.len() < results.len() {
                self.land(id, a, &nested, &branch, &mut nodes, &mut open)?
            } else {
                Node::Judged(Box::new(self.judge(id, a, &nested, &branch)?))
            };
            nodes[branch.node] = Some(node);
        }
        Some(AlternativeProof::Branches {
            monotone,
            nodes: nodes.into_iter().collect::<Option<_>>()?,
        })
    }

    /// Why a value does not decrease in results: see [`monotone`].
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

    fn land(
        &self,
        own: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &Branch,
        nodes: &mut Vec<Option<Node>>,
        open: &mut Vec<Branch>,
    ) -> Option<Node> {
        let position = branch.landed.len();
        let call = &a.results[position];
        let mut go_on = |region: Region, piece: Option<PieceId>, bound: Option<Expr>, side| {
            let mut landed = branch.landed.clone();
            landed.push(piece);
            let mut bounds = branch.bounds.clone();
            bounds.push(bound);
            let node = nodes.len();
            nodes.push(None);
            open.push(Branch {
                region,
                landed,
                bounds,
                node,
            });
            let piece = piece.map(|p| p.1);
            Landing { piece, side, node }
        };
        let known = self.arguments(a, position, &branch.region);
        let lower = self.direction == Direction::Lower;
        let Some((args, proofs)) = known else {
            let nowhere = go_on(branch.region.clone(), None, None, None);
            return lower.then(|| Node::Call {
                arguments: ArgumentProofs::default(),
                cover: None,
                landings: vec![nowhere],
            });
        };
        let here = (args.facts.iter()).fold(branch.region.clone(), |r, c| r.and(c.clone()));
        let mut targets = Vec::new();
        let mut landings = Vec::new();
        for (p, piece) in self.table.get(call.function)?.iter().enumerate() {
            let id = (call.function, p);
            let target = piece.region.substitute(&args.linear)?;
            let region = here.and_all(&target);
            if region.is_empty() {
                continue;
            }
            let usable = match &piece.value {
                Value::Known(e) => args.bound(e).is_some(),
                Value::Diverges => lower,
                Value::Unknown(_) => false,
            };
            if !usable {
                continue;
            }
            let whole = here.implies_all(&target);
            let mut region = region;
            let mut side = None;
            // What is claimed on the same level may not steer its recursion.
            let may_steer = !lower || self.level_of.get(&id) < self.level_of.get(&own);
            if nested.contains(&call.var)
                && may_steer
                && let Value::Known(e) = &piece.value
                && let Some(e) = args.bound(e)
                && let Some(linear) = prove::linear_side(&e, !lower)
            {
                let r = Expr::var(call.var);
                let (c, gap) = if lower {
                    (Constraint::ge(&r, &linear), &e - &linear)
                } else {
                    (Constraint::le(&r, &linear), &linear - &e)
                };
                if let (Some(c), Some(proof)) = (c, self.nonnegative(&gap, &region)) {
                    region = region.and(c);
                    side = Some((linear, proof));
                }
            }
            let bound = match &piece.value {
                Value::Known(e) => args.bound(e),
                _ => None,
            };
            landings.push(go_on(region, Some(id), bound, side));
            targets.push(target);
            if whole {
                break;
            }
        }
        let cover = here.cover(&targets);
        if cover.is_none() {
            if !lower {
                return None;
            }
            landings.push(go_on(here, None, None, None));
        }
        Some(Node::Call {
            arguments: proofs,
            cover,
            landings,
        })
    }

    fn judge(
        &self,
        id: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &Branch,
    ) -> Option<Judged> {
        self.difference(id, a, nested, branch)
            .or_else(|| Some(Judged::NoClaim(self.no_claim(id, &branch.region)?)))
    }

    fn difference(
        &self,
        id: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &Branch,
    ) -> Option<Judged> {
        let lower = self.direction == Direction::Lower;
        let (value, region) = (a.value.as_ref()?, &branch.region);
        let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
        let products = value
            .terms()
            .any(|(m, _)| degree_in_results(m, &results) > 1);
        let (mut zero, mut nonnegative) = (Vec::new(), Vec::new());
        let mut by = BTreeMap::new();
        let bounds = &branch.bounds;
        for (i, landed) in branch.landed.iter().enumerate() {
            let (args, bound) = (&a.results[i], &bounds[i]);
            if landed.and_then(|id| self.value(id)) == Some(&Value::Diverges)
                && let Some(s) = linear_coefficient(value, args.var, &results)
                && let Some(coefficient) = self.at_least_one(&s, region)
            {
                return Some(Judged::Infinite {
                    result: i,
                    coefficient,
                });
            }
            if !nested.contains(&args.var) {
                let mut replaced = bound.clone();
                if lower
                    && products
                    && let Some(e) = &replaced
                {
                    match self.nonnegative(e, region) {
                        Some(proof) => nonnegative.push((i, proof)),
                        None => replaced = None,
                    }
                }
                if replaced.is_none() {
                    zero.push(i);
                }
                by.insert(args.var, replaced.unwrap_or_default());
            }
        }
        let value_here = value.substitute(&by)?;
        let bound = self.bound(id)?;
        let mut difference = if lower {
            &value_here - bound
        } else {
            bound - &value_here
        };
        let mut extremes = Vec::new();
        for i in (0..results.len()).rev() {
            let var = results[i];
            if !nested.contains(&var) || !difference.variables().contains(&var) {
                continue;
            }
            let extreme = match (&bounds[i], branch.landed[i]) {
                (Some(e), _) => e.clone(),
                (None, None) if lower => Expr::zero(),
                _ => continue,
            };
            let towards = if lower {
                difference.clone()
            } else {
                -&difference
            };
            if let Some(proofs) = self.factors(&towards, &[var], region)
                && let Some(e) = difference.substitute(&BTreeMap::from([(var, extreme)]))
            {
                difference = e;
                extremes.push((i, proofs));
            }
        }
        let proof = self.nonnegative(&difference, region)?;
        let descent = self.descent(id, a, nested, branch, &zero)?;
        Some(Judged::Difference {
            zero,
            nonnegative,
            extremes,
            proof,
            descent,
        })
    }

    /// Why the calls inside the level may be used; none if they may not.
    fn descent(
        &self,
        id: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &Branch,
        zero: &[usize],
    ) -> Option<Option<Box<Descent>>> {
        let Some(&own) = self.level_of.get(&id) else {
            return Some(None); // upper bounds need nothing
        };
        let inside: Vec<usize> = (0..branch.landed.len())
            .filter(|i| !zero.contains(i))
            .filter(|&i| branch.landed[i].is_some_and(|id| self.level_of.get(&id) == Some(&own)))
            .collect();
        if inside.is_empty() {
            return Some(None);
        }
        if inside.iter().any(|&i| nested.contains(&a.results[i].var)) {
            return None;
        }
        let value = a.value.as_ref()?;
        let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
        let level = &self.levels[own];
        let integers = || {
            let natural_results = results.iter().fold(branch.region.clone(), |r, &v| {
                (Constraint::ge(&Expr::var(v), &Expr::zero()).into_iter()).fold(r, |r, c| r.and(c))
            });
            integer_valued(value, &natural_results)
                .then(|| natural(value, &natural_results))
                .flatten()
        };
        if !level.always
            && let Some(cost) = self.at_least_one(&own_cost(value, &results), &branch.region)
        {
            let natural = integers()?;
            return Some(Some(Box::new(Descent::Costs { cost, natural })));
        }
        let region = &branch.region;
        let measure = level.measures.get(id.0)?.as_ref()?;
        let least = region.bounds(measure).0?;
        let bounded = Constraint::ge(measure, &Expr::constant(least.clone()))?;
        let mut decreases = Vec::new();
        for i in inside {
            let after = self.after(&a.results[i], level)?;
            decreases.push(self.at_least_one(&(measure - &after), region)?);
        }
        Some(Some(Box::new(Descent::Measure {
            bounded: region.implication(&bounded)?,
            least,
            decreases,
            natural: if level.always {
                Vec::new()
            } else {
                integers()?
            },
        })))
    }

    /// The measure of the callee at the arguments.
    fn after(&self, call: &CallResult, level: &Level) -> Option<Expr> {
        let callee = self.system.functions.get(call.function)?;
        let values = callee.params.iter().copied().zip(call.args.iter().cloned());
        (level.measures.get(call.function)?.as_ref()?).substitute(&values.collect())
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

/// Why the exponents of an expression are not negative; nothing for what is not a result and has no bound.
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
