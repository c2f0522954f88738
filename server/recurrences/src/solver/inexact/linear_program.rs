//! The linear program for a template: unknowns, inequalities at points, points that refute a solution, and rounding.

use std::collections::BTreeMap;

use costlens_algebra::Expr;
use costlens_algebra::linear::fraction::Fraction;
use costlens_algebra::linear::simplex::minimise_free;

use super::inequalities::{Inequality, at_point, negated, thin_out, without_concave};
use super::points::{LAST_POWER, PointDistance, points};
use super::unknowns::{CellUnknowns, blocks};
use super::{EVALUATION_FUEL, Samples, Scope};
use crate::forms::fit::basis_at;
use crate::forms::sample::Sample;
use crate::forms::template::Template;
use crate::graph::CellId;
use crate::solver::state::{ProvedBounds, SolverState};
use crate::system::{Direction, Value};

/// The maximum number of rows in the program.
const ROW_LIMIT: usize = 100;

/// The maximum number of times that points refuting its solution are added to a program, which is then solved again.
const MOST_REFUTATIONS: u32 = 3;

/// The size at which the growth of a form is checked.
const FAR_OUT: i128 = 1_000;

/// A solved linear program.
pub(crate) struct LinearProgram {
    blocks: BTreeMap<CellId, CellUnknowns>,
    rows: Vec<Inequality>,
    objective: Vec<Fraction>,
    solution: Vec<Fraction>,
    /// True if the form contains logarithms, whose values vary irregularly between points.
    is_logarithmic: bool,
}

/// The inequalities that a solution violates.
#[derive(Default)]
struct Refuting {
    rows: Vec<Inequality>,
    /// True if one of the rows belongs to a point. The bound is then refuted and has no proof.
    for_certain: bool,
}

impl LinearProgram {
    /// Solves the program for a template. Returns `None` if it has no solution, or if a smaller template suffices.
    pub(crate) fn new(
        state: &mut SolverState<'_>,
        samples: &Samples,
        template: &Template,
        scope: Scope,
    ) -> Option<Self> {
        let (blocks, unknowns) = blocks(state.system, samples, template, scope)?;
        state.fuel = state.fuel.saturating_sub(20);
        state.evaluator.fuel = EVALUATION_FUEL;
        let is_logarithmic = matches!(template, Template::Logarithmic(..));
        // The cheapest split is not known in advance.
        let every = is_logarithmic && state.direction == Direction::Lower;
        let mut program = Self {
            blocks,
            rows: Vec::new(),
            objective: vec![Fraction::ZERO; unknowns],
            solution: Vec::new(),
            is_logarithmic,
        };
        for (&id, sample) in samples {
            for point in points(sample, reach(template), scope) {
                program.add_point(state, id, sample, &point, every)?;
            }
        }
        if state.direction == Direction::Lower || is_logarithmic {
            let rows = without_concave(&program.blocks, template, unknowns);
            program.rows.extend(rows);
        }
        let limit = if scope == Scope::Cells && !is_logarithmic {
            ROW_LIMIT
        } else {
            2 * ROW_LIMIT
        };
        thin_out(&mut program.rows, (!every).then_some(limit));
        let evaluated = EVALUATION_FUEL - state.evaluator.fuel;
        state.fuel = state.fuel.saturating_sub(evaluated / 8);
        program.solution = minimise_free(&program.rows, &program.objective, &mut state.fuel)?;
        let grows = |block: &CellUnknowns| {
            let basis = block.basis.iter().enumerate();
            let mut curved = basis.filter(|(_, e)| !e.is_polynomial());
            curved.any(|(i, _)| !program.solution[block.start + i].is_zero())
        };
        if !template.is_polynomial() && !program.blocks.values().any(grows) {
            return None; // a smaller template will yield this form
        }
        Some(program)
    }

    /// Adds the inequalities at a point, and adds the point to the objective.
    fn add_point(
        &mut self,
        state: &mut SolverState<'_>,
        id: CellId,
        sample: &Sample,
        point: &[i128],
        every: bool,
    ) -> Option<()> {
        let small: Vec<i64> = point
            .iter()
            .map(|&x| i64::try_from(x).ok())
            .collect::<Option<_>>()?;
        if state.evaluator.cell_of(id.0, &small) != Some(id.1) {
            return Some(()); // the distant point lies outside the cell
        }
        let before = self.rows.len();
        if at_point(state, &self.blocks, id, point, every, &mut self.rows).is_none() {
            // A distant point may have too many splits to consider.
            let is_far = self.is_logarithmic && !sample.points.iter().any(|p| p == point);
            self.rows.truncate(before);
            return is_far.then_some(());
        }
        let block = &self.blocks[&id];
        for (i, b) in basis_at(&block.compiled, point)?.into_iter().enumerate() {
            let slot = &mut self.objective[block.start + i];
            *slot = match state.direction {
                Direction::Upper => slot.add(b)?,
                Direction::Lower => slot.sub(b)?,
            };
        }
        Some(())
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

    /// Returns the bounds from the program, if they are proved. The program considers few intermediate points and, if there are many
    /// inequalities, only some of them. Inequalities that refute the bounds are added; if a point refutes a bound, no proof is attempted,
    /// because that would take much longer.
    pub(crate) fn proved(
        &mut self,
        state: &mut SolverState<'_>,
        samples: &Samples,
    ) -> Option<ProvedBounds> {
        for _ in 0..=MOST_REFUTATIONS {
            let refuting = self.refuting(state, samples);
            if !refuting.as_ref().is_some_and(|r| r.for_certain) {
                let guesses = self.guesses();
                if let Ok(lines) = state.proved(&guesses) {
                    return Some(ProvedBounds {
                        values: guesses,
                        lines,
                    });
                }
            }
            // For lower bounds, a smaller form loses little, and a bound between the two forms is of little use.
            if state.direction == Direction::Lower && !self.is_logarithmic {
                return None;
            }
            let refuting = refuting.filter(|r| !r.rows.is_empty())?;
            self.rows.extend(refuting.rows);
            self.solution = minimise_free(&self.rows, &self.objective, &mut state.fuel)?;
        }
        None
    }

    /// Returns inequalities that the solution violates, or `None` if something could not be computed.
    fn refuting(&self, state: &mut SolverState<'_>, samples: &Samples) -> Option<Refuting> {
        state.evaluator.fuel = EVALUATION_FUEL;
        let mut refuting = Refuting::default();
        for (&id, sample) in samples {
            for point in &self.suspects(sample) {
                let small: Option<Vec<i64>> =
                    point.iter().map(|&x| i64::try_from(x).ok()).collect();
                if state.evaluator.cell_of(id.0, &small?) != Some(id.1) {
                    continue;
                }
                let mut rows = Vec::new();
                at_point(state, &self.blocks, id, point, false, &mut rows)?;
                for (row, least) in rows {
                    if self.value(&row)?.less(least)? {
                        refuting.rows.push((row, least));
                        refuting.for_certain |= self.claims(state.direction, id, point)?;
                        break;
                    }
                }
            }
            let falling = state.direction == Direction::Upper;
            for row in self
                .far_rows(state, id, sample)?
                .into_iter()
                .filter(|_| falling)
            {
                if self.value(&row)?.less(Fraction::ZERO)? {
                    refuting.rows.push((row, Fraction::ZERO));
                }
            }
        }
        let evaluated = EVALUATION_FUEL - state.evaluator.fuel;
        state.fuel = state.fuel.saturating_sub(evaluated / 8);
        Some(refuting)
    }

    /// Returns whether a bound is nontrivial at a point: a lower bound of at most 0 always holds.
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

    /// Returns points at which a solution may be wrong.
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

    /// Returns rows for the growth of the form at large sizes, along each size. If the growth is non-negative, a form that is positive at
    /// large sizes does not decrease. No number of sample points could ensure this.
    fn far_rows(
        &self,
        state: &SolverState<'_>,
        id: CellId,
        sample: &Sample,
    ) -> Option<Vec<Vec<Fraction>>> {
        let params = &state.system.functions[id.0].params;
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
            if state.evaluator.cell_of(id.0, &small?) != Some(id.1) {
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

    /// Returns the left-hand side of an inequality.
    fn value(&self, row: &[Fraction]) -> Option<Fraction> {
        row.iter()
            .zip(&self.solution)
            .try_fold(Fraction::ZERO, |sum, (&a, &x)| sum.add(a.mul(x)?))
    }

    /// Rounds the coefficient of the fastest-growing monomial outward to the next multiple of `1/q`, and solves for the other coefficients
    /// again.
    pub(crate) fn loosen(&mut self, q: i128, state: &mut SolverState<'_>) -> bool {
        let last: Vec<usize> = self
            .blocks
            .values()
            .filter(|b| b.basis.last().is_some_and(|e| !e.is_linear()))
            .map(|b| b.start + b.basis.len() - 1)
            .collect();
        self.rounded_outward(&last, q, state)
    }

    /// Rounds the slopes of a linear form up to the next multiple of `1/q`, and solves for the constants again.
    ///
    /// ```text
    /// f(1) = 1, f(n) = f(n-3) + 3        % n suffices; n points are met by a slope of (n-1)/n
    /// ```
    pub(crate) fn steepen(&mut self, q: i128, state: &mut SolverState<'_>) -> bool {
        let slopes: Vec<usize> = (self.blocks.values())
            .flat_map(|b| b.basis.iter().enumerate().map(|(i, e)| (b.start + i, e)))
            .filter(|(_, e)| e.as_constant().is_none())
            .map(|(i, _)| i)
            .collect();
        self.rounded_outward(&slopes, q, state)
    }

    /// Rounds some coefficients outward to the next multiple of `1/q`, and solves for the others again. Returns whether there is a solution
    /// that differs.
    fn rounded_outward(
        &mut self,
        coefficients: &[usize],
        q: i128,
        state: &mut SolverState<'_>,
    ) -> bool {
        let outward = state.direction == Direction::Upper;
        let before = self.rows.len();
        for &i in coefficients {
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
        let solution = minimise_free(&self.rows, &self.objective, &mut state.fuel);
        self.rows.truncate(before);
        match solution {
            Some(solution) => {
                self.solution = solution;
                true
            }
            None => false,
        }
    }

    /// Rounds coefficients with large denominators outward, starting with the fastest-growing monomial, and solves for the remaining
    /// coefficients after each step; if there is no solution, the coefficient is kept. Returns whether a coefficient changed.
    pub(crate) fn round(&mut self, state: &mut SolverState<'_>) -> bool {
        let mut order: Vec<(usize, &Expr)> = self
            .blocks
            .values()
            .flat_map(|b| b.basis.iter().enumerate().map(|(i, e)| (b.start + i, e)))
            .collect();
        order.sort_by_key(|(_, e)| {
            let degree = e.terms().map(|(m, _)| m.degree()).max();
            std::cmp::Reverse((!e.is_polynomial(), degree))
        });
        let outward = state.direction == Direction::Upper;
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
                    continue; // rounding would remove the growth
                }
                let Some(minus) = to.negated() else { continue };
                self.rows.push((unit, to));
                self.rows.push((opposite, minus));
                match minimise_free(&self.rows, &self.objective, &mut state.fuel) {
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

/// The largest denominator that is not rounded: the cost of flattening a tree contains eighteenths.
const READABLE: i128 = 36;

/// Returns how far apart the points are: powers quickly become large numbers.
fn reach(template: &Template) -> PointDistance {
    match template {
        Template::Polynomial(_) | Template::OfOne(_) | Template::LooselyOfOne(_) => {
            PointDistance::Far
        }
        Template::Exponential(_, b) if b.is_integer() => PointDistance::Near,
        Template::Exponential(..) | Template::Branching(..) | Template::Factorial(..) => {
            PointDistance::Nearest
        }
        Template::Logarithmic(log, ..) => PointDistance::Powers(*log),
    }
}
