//! Why a solution is one, as data: what [`super::verify`] looks for, once more and written down.
//!
//! A certificate has a proof for each piece that claims something. It does not repeat the inequalities: a checker that knows the
//! system and the claims builds them itself. What it cannot know is here: which pieces cover where a call goes, which rule proves an
//! inequality, with which multipliers, and in which order lower bounds rest on each other. A piece whose proof uses something that is not
//! written down has none.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{
    RESULT_LIMIT, arguments, components, enabled, integer_valued, linear_coefficient, monotone,
    nested_results, own_cost,
};
use super::{Alternative, Cell, Direction, SolvedPiece, System, Value};
use crate::expr::{Expr, Monomial, Rat, Var, rat};
use crate::linear::{Constraint, Cover, Implied, Refutation, Region};
use crate::prove::{self, Proof};

/// Proof steps for one inequality.
const PROOF_FUEL: u64 = 600;

/// Branches of one alternative.
const BRANCH_LIMIT: usize = 600;

/// The proofs of a solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// For each function and piece: its proof, if it claims something and there is one.
    pub pieces: Vec<Vec<Option<PieceProof>>>,
    /// Of lower bounds: for each level how its pieces may call each other.
    pub levels: Vec<Level>,
}

/// How pieces of one level may rest on each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// For each function, what decreases in calls inside the level; none where each call costs at least 1.
    pub measures: Vec<Option<Expr>>,
    /// Whether it decreases in all of them, so that multipliers need not be integers.
    pub always: bool,
}

/// Why a piece is a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceProof {
    /// Of an expression.
    Bound {
        /// Lower bounds rest on pieces of the same level or lower ones.
        level: usize,
        /// Why its atoms have values.
        defined: Vec<Implied>,
        /// Why it lies in the cells.
        cover: Cover,
        /// Of upper bounds: why it is not negative.
        nonnegative: Option<Proof>,
        /// For each cell of the function.
        cells: Vec<CellProof>,
    },
    /// Of proved divergence.
    Divergence {
        /// Why it lies in the cells.
        cover: Cover,
        /// For each cell.
        cells: Vec<CellProof>,
    },
}

/// Why the bound is one where a piece meets a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellProof {
    /// They do not meet.
    Apart(Refutation),
    /// A lower bound that is at most 0.
    NoClaim(Proof),
    /// One unfolding.
    Unfolded {
        /// Of lower bounds, where the cell is not said to be exhaustive: why the alternatives without locals cover it.
        usable: Option<Cover>,
        /// For each alternative.
        alternatives: Vec<AlternativeProof>,
    },
}

/// Why the bound is one for an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlternativeProof {
    /// It cannot be used here.
    Impossible(Refutation),
    /// A lower bound that is at most 0.
    NoClaim(Proof),
    /// The bound is compared with the value, wherever the calls go.
    Branches {
        /// Why the value does not decrease in results: for each factor that is not constant.
        monotone: Vec<Proof>,
        /// The first is where it begins.
        nodes: Vec<Node>,
    },
    /// A call that goes on for ever.
    Endless {
        /// Why the value does not decrease in results.
        monotone: Vec<Proof>,
        /// The call.
        call: usize,
        /// Why its arguments are integers, and what is known of them.
        arguments: ArgumentProofs,
        /// Why it goes where it diverges: over the pieces of the callee that do, in order.
        cover: Cover,
        /// Why the clause itself costs at least 1.
        cost: Box<Proof>,
        /// Why the result counts at least once.
        coefficient: Box<Proof>,
    },
}

/// Why arguments are integers, and what is known of those that are not linear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentProofs {
    /// Why the exponents in them are not negative.
    pub natural: Vec<(Var, Implied)>,
    /// Floors in them, with their variables; where a variable is that floor already, why.
    pub floors: Vec<(Expr, Var, Option<[Implied; 2]>)>,
    /// For arguments by position: a number that it is at least, and why.
    pub at_least: Vec<(usize, i64, Proof)>,
}

/// Where the calls of an alternative go, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The next call.
    Call {
        /// Of its arguments.
        arguments: ArgumentProofs,
        /// Why it goes to one of the pieces; none if one of the landings is nowhere in particular.
        cover: Option<Cover>,
        /// The pieces of the callee; none for a lower bound that takes 0.
        landings: Vec<Landing>,
    },
    /// All calls have landed.
    Judged(Box<Judged>),
}

/// A piece that a call may land in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The piece; none for "nothing is known, at least 0".
    pub piece: Option<usize>,
    /// For a result that occurs in arguments: a linear expression on its side of the bound, and why it is.
    pub side: Option<(Expr, Proof)>,
    /// The next node.
    pub node: usize,
}

/// Why the inequality holds at the end of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The bound is at most 0 (lower).
    NoClaim(Proof),
    /// A result is infinite and counts at least once (lower).
    Infinite {
        /// The result.
        result: usize,
        /// Why.
        coefficient: Proof,
    },
    /// The difference is not negative.
    Difference {
        /// The results that are replaced by 0 (lower).
        zero: Vec<usize>,
        /// Of lower bounds with products of results: why a bound in place of a result is not negative.
        nonnegative: Vec<(usize, Proof)>,
        /// The results in arguments that are replaced by their bound, in this order, since the difference is least there: why, for each
        /// factor that is not constant.
        extremes: Vec<(usize, Vec<Proof>)>,
        /// Of the difference.
        proof: Proof,
        /// Of lower bounds with calls inside the level.
        descent: Option<Box<Descent>>,
    },
}

/// Why calls inside a level may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descent {
    /// The clause itself costs at least 1; the exponents in its value are natural numbers.
    Costs {
        /// Why.
        cost: Proof,
        /// Why value and results are integers.
        natural: Vec<(Var, Implied)>,
    },
    /// The measure decreases in each such call.
    Measure {
        /// A number that it is at least, and why.
        least: Rat,
        /// Why.
        bounded: Implied,
        /// For each call inside the level.
        decreases: Vec<Proof>,
        /// Why value and results are integers, where other calls of the level cost.
        natural: Vec<(Var, Implied)>,
    },
}

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
        factors_of(value, results)
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
    ) -> Option<(super::graph::Arguments, ArgumentProofs)> {
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
        let products = value.terms().any(|(m, _)| of_results(m, &results) > 1);
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
    fn after(&self, call: &super::CallResult, level: &Level) -> Option<Expr> {
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

    /// Orders the pieces of lower bounds by which rest on which.
    fn order(&mut self) {
        let ids: Vec<PieceId> = (self.table.iter().enumerate())
            .flat_map(|(f, pieces)| (0..pieces.len()).map(move |p| (f, p)))
            .collect();
        let number: BTreeMap<PieceId, usize> =
            ids.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let mut calls: Vec<(PieceId, PieceId, &Alternative, usize, Region)> = Vec::new();
        for &id in &ids {
            let region = &self.table[id.0][id.1].region;
            for cell in &self.system.functions[id.0].cells {
                let both = region.and_all(&cell.region);
                if both.is_empty() || self.bound(id).is_none() {
                    continue;
                }
                for a in &cell.alternatives {
                    let on = enabled(&both, a);
                    if on.is_empty() || a.results.len() > RESULT_LIMIT {
                        continue;
                    }
                    for (i, call) in a.results.iter().enumerate() {
                        for target in self.landings(a, i, &on) {
                            calls.push((id, (call.function, target), a, i, on.clone()));
                        }
                    }
                }
            }
        }
        let mut edges: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); ids.len()];
        for (from, to, ..) in &calls {
            edges[number[from]].insert(number[to]);
        }
        let edges: Vec<Vec<usize>> = edges.into_iter().map(|e| e.into_iter().collect()).collect();
        let mut levels = Vec::new();
        let mut level_of = BTreeMap::new();
        for component in components(&edges) {
            for &i in &component {
                level_of.insert(ids[i], levels.len());
            }
            levels.push(Level::default());
        }
        for (k, level) in levels.iter_mut().enumerate() {
            let inside: Vec<_> = (calls.iter())
                .filter(|(from, to, ..)| {
                    level_of.get(from) == Some(&k) && level_of.get(to) == Some(&k)
                })
                .collect();
            if !inside.is_empty() {
                *level = self.measured(&inside);
            }
        }
        self.levels = levels;
        self.level_of = level_of;
    }

    /// The pieces with a bound that a call may land in.
    fn landings(&self, a: &Alternative, position: usize, on: &Region) -> Vec<usize> {
        let call = &a.results[position];
        let Some(callee) = self.system.functions.get(call.function) else {
            return Vec::new();
        };
        let Some(args) = arguments(call, position, callee, on) else {
            return Vec::new();
        };
        let here = (args.facts.iter()).fold(on.clone(), |r, c| r.and(c.clone()));
        let pieces = self.table[call.function].iter().enumerate();
        pieces
            .filter(|(_, p)| matches!(p.value, Value::Known(_)))
            .filter(|(_, p)| {
                let target = p.region.substitute(&args.linear);
                target.is_none_or(|t| !here.and_all(&t).is_empty())
            })
            .map(|(p, _)| p)
            .collect()
    }

    /// A measure that decreases in all calls, or in those of clauses that cost nothing by themselves.
    fn measured(&self, calls: &[&(PieceId, PieceId, &Alternative, usize, Region)]) -> Level {
        let costs = |a: &Alternative, on: &Region| {
            let results: Vec<Var> = a.results.iter().map(|r| r.var).collect();
            a.value.as_ref().is_some_and(|value| {
                prove::nonnegative(&(&own_cost(value, &results) - &Expr::int(1)), on)
            })
        };
        let integral = calls.iter().all(|(_, _, a, _, on)| {
            let natural = a.results.iter().fold(on.clone(), |r, call| {
                let c = Constraint::ge(&Expr::var(call.var), &Expr::zero());
                c.into_iter().fold(r, |r, c| r.and(c))
            });
            (a.value.as_ref()).is_some_and(|value| integer_valued(value, &natural))
        });
        let free: Vec<_> = calls
            .iter()
            .copied()
            .filter(|(_, _, a, _, on)| !costs(a, on))
            .collect();
        let functions = self.system.functions.len();
        if integral && free.is_empty() {
            return Level {
                measures: vec![None; functions],
                always: false,
            };
        }
        let some = |measures: Option<Vec<Option<Expr>>>, always| {
            measures.map(|measures| Level { measures, always })
        };
        (integral.then(|| some(self.measure(&free), false)).flatten())
            .or_else(|| some(self.measure(calls), true))
            .unwrap_or_else(|| Level {
                measures: vec![None; functions],
                always: false,
            })
    }

    /// `Σ λᵢ·paramᵢ` with λ in {-1, 0, 1}, the same for all functions of the level.
    fn measure(
        &self,
        calls: &[&(PieceId, PieceId, &Alternative, usize, Region)],
    ) -> Option<Vec<Option<Expr>>> {
        let arity = self.system.functions[calls.first()?.0.0].params.len();
        let arities = calls.iter().flat_map(|(from, to, ..)| [from.0, to.0]);
        let functions: BTreeSet<usize> = arities.collect();
        if arity > 4 || (functions.iter()).any(|&f| self.system.functions[f].params.len() != arity)
        {
            return None;
        }
        let choices = 3usize.pow(u32::try_from(arity).ok()?);
        (1..choices).find_map(|code| {
            let mut rest = code;
            let weights: Vec<i64> = (0..arity)
                .map(|_| {
                    let w = [0, 1, -1][rest % 3];
                    rest /= 3;
                    w
                })
                .collect();
            let weigh = |f: usize| {
                let params = self.system.functions[f].params.iter();
                params.zip(&weights).fold(Expr::zero(), |sum, (&p, &w)| {
                    &sum + &Expr::var(p).scale(&rat(w))
                })
            };
            let mut measures = vec![None; self.system.functions.len()];
            for &f in &functions {
                measures[f] = Some(weigh(f));
            }
            let level = Level {
                measures,
                always: true,
            };
            let descends = calls.iter().all(|(from, _, a, i, on)| {
                let before = weigh(from.0);
                on.bounds(&before).0.is_some()
                    && self.after(&a.results[*i], &level).is_some_and(|after| {
                        prove::nonnegative(&(&(&before - &after) - &Expr::int(1)), on)
                    })
            });
            descends.then_some(level.measures)
        })
    }
}

/// The coefficients of products of results, in the order of these.
fn factors_of(value: &Expr, results: &[Var]) -> BTreeMap<Monomial, Expr> {
    let mut factors: BTreeMap<Monomial, Expr> = BTreeMap::new();
    for (m, c) in value.terms() {
        if !m.variables().any(|v| results.contains(&v)) {
            continue;
        }
        let (mut of_results, mut rest) = (m.clone(), m.clone());
        of_results.atoms.clear();
        of_results.atom_exponentials.clear();
        of_results.powers.retain(|v, _| results.contains(v));
        of_results.exponentials.retain(|v, _| results.contains(v));
        rest.powers.retain(|v, _| !results.contains(v));
        rest.exponentials.retain(|v, _| !results.contains(v));
        (factors.entry(of_results).or_default()).add_monomial(rest, c.clone());
    }
    factors
}

/// The degree in the results; exponentials count as more than 1.
fn of_results(m: &Monomial, results: &[Var]) -> u32 {
    let inside = |v: &&Var| results.contains(v);
    let powers: u32 = (m.powers.iter())
        .filter(|(v, _)| inside(v))
        .map(|(_, &k)| k)
        .sum();
    let more = m.exponentials.keys().any(|v| results.contains(v))
        || m.all_atoms()
            .any(|a| a.argument().variables().iter().any(|v| results.contains(v)));
    powers + 2 * u32::from(more)
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
