//! Branches: the calls of an alternative, each with a piece that contains its arguments, and the remaining inequality.

use std::collections::BTreeMap;

use costlens_algebra::prove::{self, Proof};
use costlens_algebra::{Constraint, Expr, Region, Rounding, Var};

use super::{
    AlternativeProof, ArgumentProofs, BranchNode, Descent, Judged, Landing, Level, PieceId, Writer,
    natural,
};
use crate::graph::{
    RESULT_LIMIT, degree_in_results, integer_valued, linear_coefficient, nested_results, own_cost,
};
use crate::system::{Alternative, CallResult, Direction, Value};

/// The maximum number of branches per alternative.
const BRANCH_LIMIT: usize = 600;

/// The calls of an alternative with the pieces that contain their arguments.
struct CertifiedBranch {
    region: Region,
    landed: Vec<Option<PieceId>>,
    /// The bounds of these pieces in terms of the caller.
    bounds: Vec<Option<Expr>>,
    node: usize,
}

impl CertifiedBranch {
    /// Returns the branch extended by a call.
    fn extended(
        &self,
        region: Region,
        piece: Option<PieceId>,
        bound: Option<Expr>,
        node: usize,
    ) -> Self {
        let (mut landed, mut bounds) = (self.landed.clone(), self.bounds.clone());
        landed.push(piece);
        bounds.push(bound);
        Self {
            region,
            landed,
            bounds,
            node,
        }
    }
}

impl Writer<'_> {
    /// Compares the bound with the value, for all combinations of pieces in which the calls may land.
    pub(super) fn branches(
        &self,
        id: PieceId,
        a: &Alternative,
        on: &Region,
    ) -> Option<AlternativeProof> {
        let value = a.value.as_ref()?;
        if a.results.len() > RESULT_LIMIT {
            return None;
        }
        let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
        let monotone = self.factors(value, &results, on)?;
        let nested = nested_results(a);
        let mut nodes: Vec<Option<BranchNode>> = vec![None];
        let mut open = vec![CertifiedBranch {
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
                BranchNode::Judged(Box::new(self.judge(id, a, &nested, &branch)?))
            };
            nodes[branch.node] = Some(node);
        }
        Some(AlternativeProof::Branches {
            monotone,
            nodes: nodes.into_iter().collect::<Option<_>>()?,
        })
    }

    /// Extends a branch by the next call, once for each piece in which the call may land.
    fn land(
        &self,
        own: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &CertifiedBranch,
        nodes: &mut Vec<Option<BranchNode>>,
        open: &mut Vec<CertifiedBranch>,
    ) -> Option<BranchNode> {
        let position = branch.landed.len();
        let call = &a.results[position];
        let mut go_on = |region: Region, piece: Option<PieceId>, bound: Option<Expr>, side| {
            let node = nodes.len();
            nodes.push(None);
            open.push(branch.extended(region, piece, bound, node));
            let piece = piece.map(|p| p.1);
            Landing { piece, side, node }
        };
        let known = self.arguments(a, position, &branch.region);
        let lower = self.direction == Direction::Lower;
        let Some((args, proofs)) = known else {
            let nowhere = go_on(branch.region.clone(), None, None, None);
            return lower.then(|| BranchNode::Call {
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
            let bound = match &piece.value {
                Value::Known(e) => match args.bound(e) {
                    None => continue,
                    bound => bound,
                },
                Value::Diverges if lower => None,
                Value::Diverges | Value::Unknown(_) => continue,
            };
            let whole = here.implies_all(&target);
            let mut region = region;
            // Claims on the same level must not steer the recursion of this level.
            let may_steer = !lower || self.level_of.get(&id) < self.level_of.get(&own);
            let mut side = None;
            if nested.contains(&call.var)
                && may_steer
                && let Some(e) = &bound
                && let Some((fact, linear, proof)) = self.side(call.var, e, &region)
            {
                region = region.and(fact);
                side = Some((linear, proof));
            }
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
        Some(BranchNode::Call {
            arguments: proofs,
            cover,
            landings,
        })
    }

    /// For a result that occurs in arguments, returns a linear expression on the same side of the result as the bound, the corresponding
    /// constraint, and a proof.
    fn side(&self, result: Var, e: &Expr, on: &Region) -> Option<(Constraint, Expr, Proof)> {
        let lower = self.direction == Direction::Lower;
        let linear = prove::linear_side(
            e,
            match self.direction {
                Direction::Lower => Rounding::Down,
                Direction::Upper => Rounding::Up,
            },
        )?;
        let r = Expr::var(result);
        let (fact, gap) = if lower {
            (Constraint::ge(&r, &linear), e - &linear)
        } else {
            (Constraint::le(&r, &linear), &linear - e)
        };
        Some((fact?, linear, self.nonnegative(&gap, on)?))
    }

    /// Proves the inequality at the end of a branch, or that the bound is trivial.
    fn judge(
        &self,
        id: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &CertifiedBranch,
    ) -> Option<Judged> {
        self.difference(id, a, nested, branch)
            .or_else(|| Some(Judged::NoClaim(self.no_claim(id, &branch.region)?)))
    }

    /// Proves that the difference is non-negative.
    fn difference(
        &self,
        id: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &CertifiedBranch,
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
        let difference = if lower {
            &value_here - bound
        } else {
            bound - &value_here
        };
        let (difference, extremes) = self.at_extremes(a, nested, branch, difference);
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

    /// Replaces results in arguments by their bounds, which minimises the difference. Returns that difference and the proofs.
    fn at_extremes(
        &self,
        a: &Alternative,
        nested: &[Var],
        branch: &CertifiedBranch,
        difference: Expr,
    ) -> (Expr, Vec<(usize, Vec<Proof>)>) {
        let lower = self.direction == Direction::Lower;
        let (bounds, region) = (&branch.bounds, &branch.region);
        let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
        let mut difference = difference;
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
        (difference, extremes)
    }

    /// Proves that the calls within the level may be used; the inner option is `None` if no proof is needed.
    fn descent(
        &self,
        id: PieceId,
        a: &Alternative,
        nested: &[Var],
        branch: &CertifiedBranch,
        zero: &[usize],
    ) -> Option<Option<Box<Descent>>> {
        let Some(&own) = self.level_of.get(&id) else {
            return Some(None); // upper bounds need no such proof
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
            let after = self.callee_measure(&a.results[i], level)?;
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

    /// Returns the measure of the callee at its arguments.
    pub(super) fn callee_measure(&self, call: &CallResult, level: &Level) -> Option<Expr> {
        let callee = self.system.functions.get(call.function)?;
        let values = callee.params.iter().copied().zip(call.args.iter().cloned());
        (level.measures.get(call.function)?.as_ref()?).substitute(&values.collect())
    }
}
