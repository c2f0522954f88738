//! Bounds that are not exact: the coefficients of a form from a linear program.
//!
//! For the unknown coefficients `c` of a form `c·B` in each cell, "one unfolding is at most the form" is linear in `c` at each
//! sampled point (where calls stay in the component, `c·B(x) - Σ s·c·B(args) >= cost`). The program minimises the sum of the
//! values at the points (maximises, for lower bounds); what it returns has to pass the proof as any guess does.

use std::collections::{BTreeMap, BTreeSet};

use super::bases::{self, LogForm};
use super::compiled::{Compiled, Slots};
use super::evaluate::Worth;
use super::extremes::extremes;
use super::families::{Families, Logarithm};
use super::fit::{Sample, basis_at};
use super::graph::CellId;
use super::products::Products;
use super::solver::Solver;
use super::{Direction, Value};
use crate::expr::{Expr, Rat, Var, rat};
use crate::linear::fraction::Fraction;
use crate::linear::simplex::minimise_free;

/// Unknown coefficients over all cells.
const UNKNOWN_LIMIT: usize = 14;

/// Rows of the program.
const ROW_LIMIT: usize = 100;

/// How often a program is solved again with points that refute what it found.
const MOST_REFUTATIONS: u32 = 3;

/// How far out it is looked whether a form grows.
const FAR_OUT: i128 = 1_000;

/// Unfoldings for one program.
const EVALUATION_FUEL: u64 = 2_000;

/// Points per cell.
const POINT_LIMIT: usize = 14;

pub(super) type Samples = BTreeMap<CellId, Sample>;
pub(super) type Found = (BTreeMap<CellId, Value>, BTreeMap<CellId, String>);

/// A family of forms, the same for all cells of a component.
#[derive(Clone, Debug)]
enum Shape {
    Polynomial(u32),
    /// A polynomial and `b^v` for the variables that vary.
    Exponential(u32, Rat),
    /// With a logarithm of one of the variables that vary, the only one but for depths.
    Logarithmic(Logarithm, LogForm, usize),
    /// Factorials and what goes with them ([`Products::monomials`]).
    Factorial(u32, Products),
}

impl Shape {
    /// None where the form does not apply.
    fn basis(&self, active: &[Var]) -> Option<Vec<Expr>> {
        let polynomials = |degree| {
            let monomials = bases::polynomials(active, degree);
            monomials.into_iter().map(|m| Expr::monomial(m, rat(1)))
        };
        match self {
            Self::Polynomial(degree) => Some(polynomials(*degree).collect()),
            Self::Exponential(degree, b) => {
                let powers = active.iter().filter_map(|&v| Expr::exponential(b, v));
                Some(polynomials(*degree).chain(powers).collect())
            }
            Self::Factorial(level, products) => {
                let monomials = products.monomials(active, *level).into_iter();
                Some(monomials.map(|m| Expr::monomial(m, rat(1))).collect())
            }
            Self::Logarithmic(log, form, at) => match active {
                [] => Some(polynomials(0).collect()),
                [v] if *at == 0 => bases::log_form(*v, *log, form),
                _ if *form == LogForm::Depth => bases::log_form(*active.get(*at)?, *log, form),
                _ => None,
            },
        }
    }

    /// The forms with logarithms that the equations suggest.
    fn logarithmic(families: &Families) -> Vec<Self> {
        let mut shapes = Vec::new();
        for log in &families.logarithms {
            let base = rat(log.base.into());
            let mut forms = Vec::new();
            forms.push(LogForm::Depth);
            if families.descends {
                forms.push(LogForm::DepthSquared);
            }
            if families.splits || families.bases.contains(&base) {
                forms.push(LogForm::Convex);
            }
            for a in &families.bases {
                if *a > rat(1) && *a != base {
                    forms.push(LogForm::Power(a.clone()));
                }
            }
            for at in 0..VARIABLE_LIMIT {
                let depths = |f: &&LogForm| at == 0 || **f == LogForm::Depth;
                let forms = forms.iter().filter(depths).cloned();
                shapes.extend(forms.map(|f| Self::Logarithmic(*log, f, at)));
            }
        }
        shapes
    }
}

/// Proved upper bounds that are depths of divisions, for functions of several sizes: among their few values that are near each
/// other a logarithm looks like a line.
pub(super) fn depths(
    solver: &mut Solver<'_>,
    samples: &Samples,
    families: &Families,
) -> Option<Found> {
    let several = samples.values().any(|s| s.active.len() > 1);
    if solver.direction == Direction::Lower || !families.descends || !several {
        return None;
    }
    let shapes = Shape::logarithmic(families);
    let depth = |s: &&Shape| matches!(s, Shape::Logarithmic(_, LogForm::Depth, _));
    // Most cells have few points; one form for all of them has more to go by.
    for scope in [Scope::Functions, Scope::Cells] {
        let mut best: Option<(Fraction, Found)> = None;
        for shape in shapes.iter().filter(depth) {
            if let Some(found) = with_shape(solver, samples, shape, scope)
                && let Some(worth) = worth(solver, samples, &found.0)
                && best
                    .as_ref()
                    .is_none_or(|(other, _)| worth.less(*other) == Some(true))
            {
                best = Some((worth, found));
            }
        }
        if let Some((_, found)) = best {
            return Some(found);
        }
    }
    None
}

/// Proved bounds for all sampled cells together.
pub(super) fn search(
    solver: &mut Solver<'_>,
    samples: &Samples,
    exponents: &[Rat],
    families: &Families,
) -> Option<Found> {
    let mut shapes = Vec::new();
    let logarithmic = Shape::logarithmic(families);
    let products = &families.products;
    let factorial = |level: u32| Shape::Factorial(level, products.clone());
    let levels = if products.is_empty() { 0 } else { 3 };
    match solver.direction {
        Direction::Upper => {
            let is_depth = |s: &Shape| {
                matches!(
                    s,
                    Shape::Logarithmic(_, LogForm::Depth | LogForm::DepthSquared, _)
                )
            };
            let (depths, others): (Vec<Shape>, Vec<Shape>) =
                logarithmic.into_iter().partition(is_depth);
            shapes.push(Shape::Polynomial(0));
            shapes.extend(depths);
            shapes.push(Shape::Polynomial(1));
            shapes.extend(others);
            shapes.push(Shape::Polynomial(2));
            shapes.extend((0..levels).map(factorial));
            for b in exponents {
                shapes.push(Shape::Exponential(0, b.clone()));
                shapes.push(Shape::Exponential(1, b.clone()));
            }
            shapes.push(Shape::Polynomial(3));
        }
        // The larger forms contain the smaller ones.
        Direction::Lower => {
            shapes.extend((0..levels).rev().map(factorial));
            for b in exponents.iter().rev() {
                shapes.push(Shape::Exponential(0, b.clone()));
                shapes.push(Shape::Exponential(1, b.clone()));
            }
            shapes.push(Shape::Polynomial(2));
            shapes.extend(logarithmic);
            shapes.extend([1, 0].map(Shape::Polynomial));
        }
    }
    // Of the forms with logarithms, none of which contains the others, the best one.
    let mut best: Option<(Fraction, Found)> = None;
    for (shape, scope) in attempts(solver.direction, samples, shapes) {
        let is_logarithmic = matches!(shape, Shape::Logarithmic(..));
        if solver.fuel == 0 || (best.is_some() && !is_logarithmic) {
            break;
        }
        let Some(found) = with_shape(solver, samples, &shape, scope) else {
            continue;
        };
        if !is_logarithmic {
            return Some(found);
        }
        let Some(worth) = worth(solver, samples, &found.0) else {
            return Some(found);
        };
        let better = best.as_ref().is_none_or(|(other, _)| {
            let (less, more) = match solver.direction {
                Direction::Upper => (worth, *other),
                Direction::Lower => (*other, worth),
            };
            less.less(more) == Some(true)
        });
        if better {
            best = Some((worth, found));
        }
    }
    best.map(|(_, found)| found)
}

fn with_shape(
    solver: &mut Solver<'_>,
    samples: &Samples,
    shape: &Shape,
    scope: Scope,
) -> Option<Found> {
    let mut program = Program::new(solver, samples, shape, scope)?;
    let mut found = program.proved(solver, samples);
    if matches!(shape, Shape::Logarithmic(..)) {
        // With some room the lines of the proof need not be the best ones.
        for q in LOOSER {
            if found.is_none() && program.loosen(q, solver) {
                found = program.proved(solver, samples);
            }
        }
    }
    let found = found?;
    if program.round(solver) {
        let rounded = program.guesses();
        if let Ok(lines) = solver.proved(&rounded) {
            return Some((rounded, lines));
        }
    }
    Some(found)
}

/// The sum of the bounds' values at the sampled points and further out, where growth decides.
fn worth(
    solver: &Solver<'_>,
    samples: &Samples,
    guesses: &BTreeMap<CellId, Value>,
) -> Option<Fraction> {
    let mut sum = Fraction::ZERO;
    for (id, sample) in samples {
        let Value::Known(e) = guesses.get(id)? else {
            return None;
        };
        let slots = Slots::new(solver.system.functions[id.0].params.clone());
        let e = Compiled::new(e, &slots)?;
        for point in points(sample, Reach::Far, Scope::Cells) {
            let point: Vec<Fraction> = point.iter().map(|&x| Fraction::int(x)).collect();
            if let Some(value) = e.eval(&point) {
                sum = sum.add(value)?;
            }
        }
    }
    Some(sum)
}

/// Which points and unknowns a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// A form for each cell, at points of its sample.
    Cells,
    /// The same, with every point near the beginning: between points that are looked at a form may be too small.
    Dense,
    /// One form for all cells of a function. Of many cells few unknowns remain.
    Functions,
}

/// Each shape with the scopes that are worth a try.
fn attempts(direction: Direction, samples: &Samples, shapes: Vec<Shape>) -> Vec<(Shape, Scope)> {
    let functions: BTreeSet<usize> = samples.keys().map(|id| id.0).collect();
    let many = samples.len() > functions.len();
    let line = samples.values().all(|s| s.active.len() <= 1);
    let mut attempts = Vec::new();
    for shape in shapes {
        let more = matches!(shape, Shape::Polynomial(1 | 2)) && direction == Direction::Upper;
        attempts.push((shape.clone(), Scope::Cells));
        if more && line {
            attempts.push((shape.clone(), Scope::Dense));
        }
        if more && many {
            attempts.push((shape, Scope::Functions));
        }
    }
    attempts
}

/// The part of the unknowns that belongs to a cell.
struct Block {
    start: usize,
    basis: Vec<Expr>,
    compiled: Vec<Compiled>,
}

/// A solved linear program.
struct Program {
    blocks: BTreeMap<CellId, Block>,
    rows: Vec<(Vec<Fraction>, Fraction)>,
    objective: Vec<Fraction>,
    solution: Vec<Fraction>,
    /// Whether the form has logarithms, which differ from point to point.
    is_logarithmic: bool,
}

impl Program {
    fn new(
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
            Shape::Polynomial(_) => Reach::Far,
            Shape::Exponential(_, b) if b.is_integer() => Reach::Near,
            Shape::Exponential(..) | Shape::Factorial(..) => Reach::Nearest,
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
        if !matches!(shape, Shape::Polynomial(_)) && !blocks.values().any(grows) {
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

    fn guesses(&self) -> BTreeMap<CellId, Value> {
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
    /// inequalities of many; where the proof fails, those that refute the bounds are added.
    fn proved(&mut self, solver: &mut Solver<'_>, samples: &Samples) -> Option<Found> {
        for _ in 0..=MOST_REFUTATIONS {
            let guesses = self.guesses();
            if let Ok(lines) = solver.proved(&guesses) {
                return Some((guesses, lines));
            }
            // From below less is lost: a smaller form will do, and one that is squeezed in between is worth little.
            if solver.direction == Direction::Lower && !self.is_logarithmic {
                return None;
            }
            let refuting = self.refuting(solver, samples)?;
            self.rows.extend(refuting);
            self.solution = minimise_free(&self.rows, &self.objective, &mut solver.fuel)?;
        }
        None
    }

    /// Inequalities at sampled points that the solution does not satisfy; none where there is none.
    fn refuting(
        &self,
        solver: &mut Solver<'_>,
        samples: &Samples,
    ) -> Option<Vec<(Vec<Fraction>, Fraction)>> {
        solver.evaluator.fuel = EVALUATION_FUEL;
        let mut refuting = Vec::new();
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
                        refuting.push((row, least));
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
                    refuting.push((row, Fraction::ZERO));
                }
            }
        }
        let evaluated = EVALUATION_FUEL - solver.evaluator.fuel;
        solver.fuel = solver.fuel.saturating_sub(evaluated / 8);
        (!refuting.is_empty()).then_some(refuting)
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
    fn loosen(&mut self, q: i128, solver: &mut Solver<'_>) -> bool {
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
    fn round(&mut self, solver: &mut Solver<'_>) -> bool {
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

/// How far out points are looked at: powers of fractions become large numbers soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Nearest,
    Near,
    Far,
    /// Next to the powers of a base.
    Powers(Logarithm),
}

/// Whether it is no linear form.
fn is_curved(e: &Expr) -> bool {
    !e.is_linear()
}

/// Denominators for what grows fastest, where its best factor is not proved.
const LOOSER: [i128; 2] = [4, 1];

/// Of so many variables the first may be the one with a logarithm.
const VARIABLE_LIMIT: usize = 3;

/// Where a logarithm's points end.
const LAST_POWER: i128 = 66;

/// Points one after the other.
const DENSE_POINTS: i128 = 40;

/// Sampled points, and for polynomials the same pattern further out.
fn points(sample: &Sample, reach: Reach, scope: Scope) -> Vec<Vec<i128>> {
    let mut points = spread(&sample.points, POINT_LIMIT);
    if let (Reach::Powers(log), [first, second, ..]) = (reach, &sample.points[..]) {
        let base = i128::from(log.base);
        let powers = std::iter::successors(Some(base), |p| Some(p * base));
        for power in powers.take_while(|&p| p <= LAST_POWER) {
            for near in [power - 1, power, power + 1] {
                let at = near + i128::from(log.shift);
                let along = |(a, b): (&i128, &i128)| if a == b { *a } else { at };
                points.push(first.iter().zip(second).map(along).collect());
            }
        }
        if sample.active.len() > 1 {
            for point in spread(&sample.points, POINT_LIMIT / 2) {
                for power in [base, base * base, base * base * base] {
                    points.push(point.iter().map(|x| x * power).collect());
                }
            }
        }
        points.sort();
        points.dedup();
    }
    if scope == Scope::Dense
        && let [first, second, ..] = &sample.points[..]
    {
        points.extend((1..=DENSE_POINTS).map(|k| {
            let step = first.iter().zip(second);
            step.map(|(a, b)| a + k * (b - a).signum()).collect()
        }));
        points.sort();
        points.dedup();
    }
    if reach == Reach::Nearest {
        points.truncate(POINT_LIMIT / 2);
    }
    if reach == Reach::Far {
        let origin = sample.points[0].clone();
        for p in spread(&sample.points, POINT_LIMIT / 2) {
            points.push(
                p.iter()
                    .zip(&origin)
                    .map(|(x, o)| o + 9 * (x - o))
                    .collect(),
            );
        }
    }
    points
}

/// At most so many of the points, evenly spread, so that in a square of points not always the same columns are met.
fn spread(points: &[Vec<i128>], limit: usize) -> Vec<Vec<i128>> {
    let count = points.len().min(limit);
    (0..count)
        .map(|i| points[i * points.len() / count].clone())
        .collect()
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
    let system = solver.system;
    let cell = &system.functions[id.0].cells[id.1];
    if cell.alternatives.is_empty() && solver.direction == Direction::Lower {
        rows.push((negated(&own)?, Fraction::ZERO));
    }
    for (a, alternative) in cell.alternatives.iter().enumerate() {
        let Some(_) = &solver.graph.landings[id.0][id.1][a] else {
            continue;
        };
        let limit = if alternative.locals.len() > 1 {
            400
        } else {
            60
        };
        let choices = solver.evaluator.choices(id, a, point, limit)?;
        let (from, to) = (point.len(), point.len() + alternative.locals.len());
        let choices = if every {
            choices
        } else {
            extremes(choices, from, to)
        };
        'choices: for mut values in choices {
            let mut row = own.clone();
            let mut internal: Vec<(usize, &Block, Vec<i128>)> = Vec::new();
            for i in 0..alternative.results.len() {
                let (callee, args, slot) = solver.evaluator.call(id, a, i, &values)?;
                let target = solver.evaluator.cell_of(callee, &args).map(|c| (callee, c));
                if let Some(block) = target.and_then(|t| blocks.get(&t)) {
                    internal.push((slot, block, args.iter().map(|&x| x.into()).collect()));
                    let nested = alternative.results[i + 1..].iter().any(|r| {
                        r.args
                            .iter()
                            .any(|e| e.variables().contains(&alternative.results[i].var))
                    });
                    if !nested {
                        continue;
                    }
                }
                match solver.evaluator.worth(callee, &args) {
                    Worth::Finite(x) => values[slot] = x,
                    Worth::Infinite if solver.direction == Direction::Lower => continue 'choices,
                    _ if solver.direction == Direction::Lower => {}
                    _ => return None,
                }
            }
            for (slot, ..) in &internal {
                values[*slot] = Fraction::ZERO;
            }
            let cost = match (solver.evaluator.value(id, a, &values), solver.direction) {
                (Some(cost), _) => cost,
                (None, Direction::Lower) if alternative.value.is_none() => Fraction::ZERO,
                (None, _) => return None,
            };
            for (slot, block, args) in &internal {
                values[*slot] = Fraction::ONE;
                let factor = solver.evaluator.value(id, a, &values)?.sub(cost)?;
                values[*slot] = Fraction::ZERO;
                for (i, b) in basis_at(&block.compiled, args)?.into_iter().enumerate() {
                    let entry = &mut row[block.start + i];
                    *entry = entry.sub(b.mul(factor)?)?;
                }
            }
            match solver.direction {
                Direction::Upper => rows.push((row, cost)),
                Direction::Lower => rows.push((negated(&row)?, cost.negated()?)),
            }
        }
    }
    Some(())
}

fn negated(row: &[Fraction]) -> Option<Vec<Fraction>> {
    row.iter().map(|x| x.negated()).collect()
}
