//! The linear program of a form: unknowns, inequalities at points, what refutes a solution, rounding.

use std::collections::BTreeMap;

use costlens_algebra::linear::fraction::Fraction;
use costlens_algebra::linear::simplex::minimise_free;
use costlens_algebra::{Expr, Var};

use super::points::{LAST_POWER, Reach, points};
use super::turns::turns;
use super::{EVALUATION_FUEL, Found, Samples, Scope, Shape};
use crate::forms::bases::LogForm;
use crate::forms::fit::{Sample, basis_at};
use crate::graph::CellId;
use crate::solver::component::Solver;
use crate::system::{Direction, Value};
use crate::values::compiled::{Compiled, Slots};

/// Unknown coefficients over all cells.
const UNKNOWN_LIMIT: usize = 14;

/// Rows of the program.
const ROW_LIMIT: usize = 100;

/// How often a program is solved again with points that refute what it found.
const MOST_REFUTATIONS: u32 = 3;

/// How far out it is looked whether a form grows.
const FAR_OUT: i128 = 1_000;

/// The part of the unknowns that belongs to a cell.
struct Block {
    start: usize,
    basis: Vec<Expr>,
    compiled: Vec<Compiled>,
}

/// A solved linear program.
pub(crate) struct Program {
    blocks: BTreeMap<CellId, Block>,
    rows: Vec<(Vec<Fraction>, Fraction)>,
    objective: Vec<Fraction>,
    solution: Vec<Fraction>,
    /// Whether the form has logarithms, which differ from point to point.
    is_logarithmic: bool,
}

/// What speaks against a solution.
#[derive(Default)]
struct Refuting {
    rows: Vec<(Vec<Fraction>, Fraction)>,
    /// Whether one of the rows is about a point: then there is no proof.
    for_certain: bool,
}

impl Program {
    pub(crate) fn new(
        solver: &mut Solver<'_>,
        samples: &Samples,
        shape: &Shape,
        scope: Scope,
    ) -> Option<Self> {
        let mut blocks: BTreeMap<CellId, Block> = BTreeMap::new();
        let mut unknowns = 0;
        for (&id, sample) in samples {
            let params = &solver.system.functions[id.0].params;
            let shared = blocks
                .iter()
                .next_back()
                .filter(|(other, _)| other.0 == id.0);
            let start = match (scope, shared) {
                (Scope::Functions, Some((_, block))) => block.start,
                _ => unknowns,
            };
            let basis = if scope == Scope::Functions {
                let varies = |v: &&Var| {
                    let of = samples.iter().filter(|(other, _)| other.0 == id.0);
                    of.into_iter().any(|(_, s)| s.active.contains(v))
                };
                let active: Vec<Var> = params.iter().filter(varies).copied().collect();
                shape.basis(&active)?
            } else {
                shape.basis(&sample.active)?
            };
            let slots = Slots::new(params.to_vec());
            let compiled = basis.iter().map(|e| Compiled::new(e, &slots));
            let compiled: Vec<Compiled> = compiled.collect::<Option<_>>()?;
            unknowns = start + basis.len();
            blocks.insert(
                id,
                Block {
                    start,
                    basis,
                    compiled,
                },
            );
        }
        if unknowns > UNKNOWN_LIMIT {
            return None;
        }
        solver.fuel = solver.fuel.saturating_sub(20);
        solver.evaluator.fuel = EVALUATION_FUEL;
        let reach = match shape {
            Shape::Polynomial(_) | Shape::OfOne(_) | Shape::LooselyOfOne(_) => Reach::Far,
            Shape::Exponential(_, b) if b.is_integer() => Reach::Near,
            Shape::Exponential(..) | Shape::Branching(..) | Shape::Factorial(..) => Reach::Nearest,
            Shape::Logarithmic(log, ..) => Reach::Powers(*log),
        };
        // Which split is the cheapest is not known here.
        let every = matches!(shape, Shape::Logarithmic(..)) && solver.direction == Direction::Lower;
        let mut rows: Vec<(Vec<Fraction>, Fraction)> = Vec::new();
        let mut objective = vec![Fraction::ZERO; unknowns];
        for (&id, sample) in samples {
            for point in points(sample, reach, scope) {
                let small: Vec<i64> = point
                    .iter()
                    .map(|&x| i64::try_from(x).ok())
                    .collect::<Option<_>>()?;
                if solver.evaluator.cell_of(id.0, &small) != Some(id.1) {
                    continue; // a far point that left the cell
                }
                let before = rows.len();
                if inequalities(solver, &blocks, id, &point, every, &mut rows).is_none() {
                    // Far out there may be too many splits to look at.
                    let is_far =
                        matches!(reach, Reach::Powers(_)) && !sample.points.contains(&point);
                    if !is_far {
                        return None;
                    }
                    rows.truncate(before);
                    continue;
                }
                let block = &blocks[&id];
                for (i, b) in basis_at(&block.compiled, &point)?.into_iter().enumerate() {
                    let slot = &mut objective[block.start + i];
                    *slot = match solver.direction {
                        Direction::Upper => slot.add(b)?,
                        Direction::Lower => slot.sub(b)?,
                    };
                }
            }
        }
        if solver.direction == Direction::Lower || matches!(shape, Shape::Logarithmic(..)) {
            // No concave forms from below, and no falling ones: their far ends are worth nothing.
            for block in blocks.values() {
                for (i, e) in block.basis.iter().enumerate() {
                    let concave = match shape {
                        Shape::Logarithmic(_, LogForm::Power(_), _) => false,
                        _ => is_curved(e),
                    };
                    if concave {
                        let mut row = vec![Fraction::ZERO; unknowns];
                        row[block.start + i] = Fraction::ONE;
                        rows.push((row, Fraction::ZERO));
                    }
                }
            }
        }
        rows.sort_by(|a, b| compare(&a.0, &b.0).then_with(|| compare_one(b.1, a.1)));
        rows.dedup_by(|later, earlier| later.0 == earlier.0);
        let limit = if every {
            rows.len()
        } else if scope == Scope::Cells && !matches!(shape, Shape::Logarithmic(..)) {
            ROW_LIMIT
        } else {
            2 * ROW_LIMIT
        };
        if rows.len() > limit {
            let step = rows.len().div_ceil(limit);
            rows = rows.into_iter().step_by(step).collect();
        }
        let evaluated = EVALUATION_FUEL - solver.evaluator.fuel;
        solver.fuel = solver.fuel.saturating_sub(evaluated / 8);
        let solution = minimise_free(&rows, &objective, &mut solver.fuel)?;
        let grows = |block: &Block| {
            let basis = block.basis.iter().enumerate();
            let mut curved = basis.filter(|(_, e)| !e.is_polynomial());
            curved.any(|(i, _)| !solution[block.start + i].is_zero())
        };
        if !shape.is_polynomial() && !blocks.values().any(grows) {
            return None; // a smaller shape will find it
        }
        Some(Self {
            blocks,
            rows,
            objective,
            solution,
            is_logarithmic: matches!(shape, Shape::Logarithmic(..)),
        })
    }

    pub(crate) fn guesses(&self) -> BTreeMap<CellId, Value> {
        self.blocks
            .iter()
            .map(|(&id, block)| {
                let coefficients = &self.solution[block.start..block.start + block.basis.len()];
                let terms = block.basis.iter().zip(coefficients);
                let sum = terms.fold(Expr::zero(), |sum, (e, c)| &sum + &e.scale(&c.rat()));
                (id, Value::Known(sum))
            })
            .collect()
    }

    /// The bounds that the program found, proved. The program looks at few of the points in between, and at few of the
    /// inequalities of many. Those that refute the bounds are added; what a point refutes need not be tried to prove, which takes
    /// much longer.
    pub(crate) fn proved(&mut self, solver: &mut Solver<'_>, samples: &Samples) -> Option<Found> {
        for _ in 0..=MOST_REFUTATIONS {
            let refuting = self.refuting(solver, samples);
            if !refuting.as_ref().is_some_and(|r| r.for_certain) {
                let guesses = self.guesses();
                if let Ok(lines) = solver.proved(&guesses) {
                    return Some((guesses, lines));
                }
            }
            // From below less is lost: a smaller form will do, and one that is squeezed in between is worth little.
            if solver.direction == Direction::Lower && !self.is_logarithmic {
                return None;
            }
            let refuting = refuting.filter(|r| !r.rows.is_empty())?;
            self.rows.extend(refuting.rows);
            self.solution = minimise_free(&self.rows, &self.objective, &mut solver.fuel)?;
        }
        None
    }

    /// Inequalities that the solution does not satisfy; none where something could not be computed.
    fn refuting(&self, solver: &mut Solver<'_>, samples: &Samples) -> Option<Refuting> {
        solver.evaluator.fuel = EVALUATION_FUEL;
        let mut refuting = Refuting::default();
        for (&id, sample) in samples {
            for point in &self.suspects(sample) {
                let small: Option<Vec<i64>> =
                    point.iter().map(|&x| i64::try_from(x).ok()).collect();
                if solver.evaluator.cell_of(id.0, &small?) != Some(id.1) {
                    continue;
                }
                let mut rows = Vec::new();
                inequalities(solver, &self.blocks, id, point, false, &mut rows)?;
                for (row, least) in rows {
                    if self.value(&row)?.less(least)? {
                        refuting.rows.push((row, least));
                        refuting.for_certain |= self.claims(solver.direction, id, point)?;
                        break;
                    }
                }
            }
            let falling = solver.direction == Direction::Upper;
            for row in self
                .far_rows(solver, id, sample)?
                .into_iter()
                .filter(|_| falling)
            {
                if self.value(&row)?.less(Fraction::ZERO)? {
                    refuting.rows.push((row, Fraction::ZERO));
                }
            }
        }
        let evaluated = EVALUATION_FUEL - solver.evaluator.fuel;
        solver.fuel = solver.fuel.saturating_sub(evaluated / 8);
        Some(refuting)
    }

    /// Whether a bound says something at a point: a lower bound of at most 0 holds anyway.
    fn claims(&self, direction: Direction, id: CellId, point: &[i128]) -> Option<bool> {
        if direction == Direction::Upper {
            return Some(true);
        }
        let block = &self.blocks[&id];
        let values = basis_at(&block.compiled, point)?;
        let coefficients = &self.solution[block.start..];
        let mut sum = Fraction::ZERO;
        for (b, &c) in values.into_iter().zip(coefficients) {
            sum = sum.add(b.mul(c)?)?;
        }
        Some(sum.is_positive())
    }

    /// Where a solution may be wrong.
    fn suspects(&self, sample: &Sample) -> Vec<Vec<i128>> {
        let mut points = sample.points.clone();
        if let (true, [first, second, ..]) = (self.is_logarithmic, &sample.points[..]) {
            points = (0..=LAST_POWER)
                .map(|k| {
                    let along = |(a, b): (&i128, &i128)| a + k * (b - a).signum();
                    first.iter().zip(second).map(along).collect()
                })
                .collect();
        }
        points
    }

    /// How much the form grows far out along each size. What stays above 0 for ever does not fall there, which no number of
    /// points would say.
    fn far_rows(
        &self,
        solver: &Solver<'_>,
        id: CellId,
        sample: &Sample,
    ) -> Option<Vec<Vec<Fraction>>> {
        let params = &solver.system.functions[id.0].params;
        let block = &self.blocks[&id];
        let mut rows = Vec::new();
        for (i, p) in params.iter().enumerate() {
            if !sample.active.contains(p) {
                continue;
            }
            let mut near = sample.points[0].clone();
            near[i] += FAR_OUT;
            let mut far = near.clone();
            far[i] += FAR_OUT;
            let small: Option<Vec<i64>> = far.iter().map(|&x| i64::try_from(x).ok()).collect();
            if solver.evaluator.cell_of(id.0, &small?) != Some(id.1) {
                continue;
            }
            let mut row = vec![Fraction::ZERO; self.solution.len()];
            let (near, far) = (
                basis_at(&block.compiled, &near)?,
                basis_at(&block.compiled, &far)?,
            );
            for (j, (n, f)) in near.into_iter().zip(far).enumerate() {
                row[block.start + j] = f.sub(n)?;
            }
            rows.push(row);
        }
        Some(rows)
    }

    /// The left side of an inequality.
    fn value(&self, row: &[Fraction]) -> Option<Fraction> {
        row.iter()
            .zip(&self.solution)
            .try_fold(Fraction::ZERO, |sum, (&a, &x)| sum.add(a.mul(x)?))
    }

    /// Rounds what grows fastest outward to the next fraction with this denominator, and solves for the others again.
    pub(crate) fn loosen(&mut self, q: i128, solver: &mut Solver<'_>) -> bool {
        let outward = solver.direction == Direction::Upper;
        let last: Vec<usize> = self
            .blocks
            .values()
            .filter(|b| b.basis.last().is_some_and(is_curved))
            .map(|b| b.start + b.basis.len() - 1)
            .collect();
        let before = self.rows.len();
        for i in last {
            let mut unit = vec![Fraction::ZERO; self.solution.len()];
            unit[i] = Fraction::ONE;
            let to = self.solution[i].rounded(q, outward);
            let (Some(to), Some(opposite)) = (to, negated(&unit)) else {
                continue;
            };
            let Some(minus) = to.negated() else { continue };
            if to == self.solution[i] {
                continue;
            }
            self.rows.push((unit, to));
            self.rows.push((opposite, minus));
        }
        if self.rows.len() == before {
            return false;
        }
        let solution = minimise_free(&self.rows, &self.objective, &mut solver.fuel);
        self.rows.truncate(before);
        match solution {
            Some(solution) => {
                self.solution = solution;
                true
            }
            None => false,
        }
    }

    /// Rounds coefficients with large denominators outward, from the fastest growing monomial on, each time solving for the
    /// others again; where that has no solution the coefficient stays. Whether something changed.
    pub(crate) fn round(&mut self, solver: &mut Solver<'_>) -> bool {
        let mut order: Vec<(usize, &Expr)> = self
            .blocks
            .values()
            .flat_map(|b| b.basis.iter().enumerate().map(|(i, e)| (b.start + i, e)))
            .collect();
        order.sort_by_key(|(_, e)| {
            let degree = e.terms().map(|(m, _)| m.degree()).max();
            std::cmp::Reverse((!e.is_polynomial(), degree))
        });
        let outward = solver.direction == Direction::Upper;
        let mut changed = false;
        for (i, _) in order {
            let value = self.solution[i];
            if value.denominator() <= READABLE {
                continue;
            }
            let small = Fraction::int(-1).less(value) == Some(true)
                && value.less(Fraction::ONE) == Some(true);
            let q = if small { 12 } else { 4 };
            for up in [outward, !outward] {
                let mut unit = vec![Fraction::ZERO; self.solution.len()];
                unit[i] = Fraction::ONE;
                let (Some(to), Some(opposite)) = (value.rounded(q, up), negated(&unit)) else {
                    continue;
                };
                if to.is_zero() {
                    continue; // the growth would be gone
                }
                let Some(minus) = to.negated() else { continue };
                self.rows.push((unit, to));
                self.rows.push((opposite, minus));
                match minimise_free(&self.rows, &self.objective, &mut solver.fuel) {
                    Some(solution) => {
                        self.solution = solution;
                        changed = true;
                        break;
                    }
                    None => self.rows.truncate(self.rows.len() - 2),
                }
            }
        }
        changed
    }
}

/// Denominators up to this one are left as they are: the cost of flattening a tree has eighteenths.
const READABLE: i128 = 36;

fn compare_one(a: Fraction, b: Fraction) -> std::cmp::Ordering {
    match (a.less(b), b.less(a)) {
        (Some(true), _) => std::cmp::Ordering::Less,
        (_, Some(true)) => std::cmp::Ordering::Greater,
        _ => std::cmp::Ordering::Equal,
    }
}

fn compare(a: &[Fraction], b: &[Fraction]) -> std::cmp::Ordering {
    a.iter()
        .zip(b)
        .map(|(&x, &y)| compare_one(x, y))
        .find(|o| o.is_ne())
        .unwrap_or(std::cmp::Ordering::Equal)
}

/// The inequalities of one point, at the extreme ones among the values of locals or at `every` one; none if something could not be
/// computed.
fn inequalities(
    solver: &mut Solver<'_>,
    blocks: &BTreeMap<CellId, Block>,
    id: CellId,
    point: &[i128],
    every: bool,
    rows: &mut Vec<(Vec<Fraction>, Fraction)>,
) -> Option<()> {
    let block = &blocks[&id];
    let unknowns = blocks.values().map(|b| b.start + b.basis.len()).max()?;
    let mut own = vec![Fraction::ZERO; unknowns];
    for (i, b) in basis_at(&block.compiled, point)?.into_iter().enumerate() {
        own[block.start + i] = b;
    }
    if solver.direction == Direction::Upper {
        rows.push((own.clone(), Fraction::ZERO));
    }
    let cell = &solver.system.functions[id.0].cells[id.1];
    if cell.alternatives.is_empty() && solver.direction == Direction::Lower {
        rows.push((negated(&own)?, Fraction::ZERO));
    }
    let is_open = |cell: CellId| blocks.contains_key(&cell);
    for turn in turns(solver, &is_open, id, point, every)?.iter() {
        let mut row = own.clone();
        for (factor, cell, args) in &turn.calls {
            let block = &blocks[cell];
            for (i, b) in basis_at(&block.compiled, args)?.into_iter().enumerate() {
                let entry = &mut row[block.start + i];
                *entry = entry.sub(b.mul(*factor)?)?;
            }
        }
        match solver.direction {
            Direction::Upper => rows.push((row, turn.cost)),
            Direction::Lower => rows.push((negated(&row)?, turn.cost.negated()?)),
        }
    }
    Some(())
}

fn negated(row: &[Fraction]) -> Option<Vec<Fraction>> {
    row.iter().map(|x| x.negated()).collect()
}

/// Whether it is no linear form.
fn is_curved(e: &Expr) -> bool {
    !e.is_linear()
}
