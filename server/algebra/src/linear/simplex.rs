//! An exact simplex method (two phases) for small dense problems over `x >= 0`. It follows Bland's rule, which never cycles and may be
//! slow; where the pivots do not suffice, the steepest column, which is quick and may cycle.
//!
//! Hand-written, since the crates for it that we know of compute with floating-point numbers: here a solution is exact or none, and pivots are
//! counted as fuel.

use super::fraction::Fraction;
use crate::work;

/// The comparison of a row with its right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    AtLeast,
}

/// Which column enters the basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The first one that helps.
    Bland,
    /// The one that helps most for each unit.
    Steepest,
}

/// Rows `a·x = b` or `a·x >= b` over unknowns `x >= 0`.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    unknowns: usize,
    rows: Vec<(Vec<Fraction>, Comparison, Fraction)>,
}

impl Problem {
    pub(crate) fn new(unknowns: usize) -> Self {
        Self {
            unknowns,
            rows: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: Vec<Fraction>, comparison: Comparison, right: Fraction) {
        self.rows.push((row, comparison, right));
    }

    /// A solution that minimises `objective · x` (any solution if it is empty); none if there is none, if the objective has no
    /// bound, if a number does not fit or after `pivots` pivots.
    pub(crate) fn solve(&self, objective: &[Fraction], pivots: usize) -> Option<Vec<Fraction>> {
        let mut pivots = pivots;
        Some(self.solve_both(objective, Rule::Bland, &mut pivots)?.0)
    }

    /// [`Problem::solve`] with the multipliers of the rows at the optimum, negated: `c` with `objective + c·rows >= 0`.
    fn solve_both(
        &self,
        objective: &[Fraction],
        rule: Rule,
        pivots: &mut usize,
    ) -> Option<(Vec<Fraction>, Vec<Fraction>)> {
        let surplus = self
            .rows
            .iter()
            .filter(|r| r.1 == Comparison::AtLeast)
            .count();
        let (n, m) = (self.unknowns, self.rows.len());
        // Columns: unknowns, surplus variables, artificial variables (one per row), right-hand side.
        let width = n + surplus + m + 1;
        let mut table = Tableau {
            rows: Vec::with_capacity(m),
            basis: Vec::with_capacity(m),
            rule,
            pivots,
        };
        let mut next_surplus = n;
        let mut flipped = vec![false; m];
        for (i, (row, comparison, right)) in self.rows.iter().enumerate() {
            let mut line = vec![Fraction::ZERO; width];
            line[..n].copy_from_slice(row);
            line[width - 1] = *right;
            let mut basic = n + surplus + i;
            let mut own = None;
            if *comparison == Comparison::AtLeast {
                line[next_surplus] = Fraction::int(-1);
                own = Some(next_surplus);
                next_surplus += 1;
            }
            // A row with right <= 0 and a surplus starts with the surplus in the basis; others with an artificial variable.
            if right.is_negative() || (right.is_zero() && own.is_some()) {
                flipped[i] = true;
                for entry in &mut line {
                    *entry = entry.negated()?;
                }
                if let Some(s) = own {
                    basic = s;
                }
            }
            if basic >= n + surplus {
                line[basic] = Fraction::ONE;
            }
            table.rows.push(line);
            table.basis.push(basic);
        }
        let real = n + surplus;
        if table.basis.iter().any(|&b| b >= real) {
            let mut cost = vec![Fraction::ZERO; width];
            for c in &mut cost[real..width - 1] {
                *c = Fraction::ONE;
            }
            table.minimise(&mut cost, real)?;
            // -cost[rhs] is the sum of the artificial variables.
            if !cost[width - 1].is_zero() {
                return None;
            }
            table.drive_out(real)?;
        }
        let mut cost = vec![Fraction::ZERO; width];
        if !objective.is_empty() {
            cost[..n].copy_from_slice(objective);
            table.minimise(&mut cost, real)?;
        }
        let mut x = vec![Fraction::ZERO; n];
        for (line, &b) in table.rows.iter().zip(&table.basis) {
            if b < n {
                x[b] = line[width - 1];
            }
        }
        let multipliers = cost[real..width - 1]
            .iter()
            .zip(&flipped)
            .map(|(&c, &f)| if f { c.negated() } else { Some(c) })
            .collect::<Option<_>>()?;
        Some((x, multipliers))
    }
}

/// The free `c` that minimises `objective · c` under `row · c >= right` for all rows; by way of the dual problem, which has only
/// as many rows as there are unknowns. None if there is no `c`, no minimum, or no room for a number.
#[must_use]
pub fn minimise_free(
    rows: &[(Vec<Fraction>, Fraction)],
    objective: &[Fraction],
    fuel: &mut u64,
) -> Option<Vec<Fraction>> {
    // A pivot touches every entry of the table; 500 entries count as one step.
    let size = (objective.len() * (objective.len() + rows.len()))
        .div_ceil(500)
        .max(1);
    let mut pivots = usize::try_from(*fuel).unwrap_or(usize::MAX) / size;
    pivots = pivots.min(PIVOT_LIMIT);
    let before = pivots;
    let (solved, more) = minimise_free_within(rows, objective, &mut pivots);
    *fuel = fuel.saturating_sub(((before - pivots + more) * size) as u64);
    solved
}

/// Pivots of one program.
const PIVOT_LIMIT: usize = 80;

/// The same where these were too few.
const STEEPEST_LIMIT: usize = 40;

/// The solution, and how many pivots were done beyond the given ones.
fn minimise_free_within(
    rows: &[(Vec<Fraction>, Fraction)],
    objective: &[Fraction],
    pivots: &mut usize,
) -> (Option<Vec<Fraction>>, usize) {
    let Some((dual, costs)) = dual(rows, objective) else {
        return (None, 0);
    };
    let mut solved = dual.solve_both(&costs, Rule::Bland, pivots);
    let mut more = 0;
    if solved.is_none() && *pivots == 0 {
        let mut left = STEEPEST_LIMIT;
        solved = dual.solve_both(&costs, Rule::Steepest, &mut left);
        more = STEEPEST_LIMIT - left;
    }
    let solution = solved.map(|(_, c)| c);
    (solution.filter(|c| is_feasible(rows, c)), more)
}

/// Maximise right · y under Σ yⱼ·rowⱼ = objective, y >= 0, as a problem and what it minimises.
fn dual(
    rows: &[(Vec<Fraction>, Fraction)],
    objective: &[Fraction],
) -> Option<(Problem, Vec<Fraction>)> {
    let mut dual = Problem::new(rows.len());
    for (i, &weight) in objective.iter().enumerate() {
        let row = rows.iter().map(|(row, _)| row[i]).collect();
        dual.push(row, Comparison::Equal, weight);
    }
    let costs = rows.iter().map(|(_, right)| right.negated());
    Some((dual, costs.collect::<Option<_>>()?))
}

/// The caller relies on feasibility; degenerate duals are cheap to check.
fn is_feasible(rows: &[(Vec<Fraction>, Fraction)], c: &[Fraction]) -> bool {
    rows.iter().all(|(row, right)| {
        let mut terms = row.iter().zip(c).map(|(a, x)| a.mul(*x));
        let sum = terms.try_fold(Fraction::ZERO, |sum, term| sum.add(term?));
        sum.and_then(|s| s.less(*right)) == Some(false)
    })
}

struct Tableau<'a> {
    rows: Vec<Vec<Fraction>>,
    basis: Vec<usize>,
    rule: Rule,
    pivots: &'a mut usize,
}

impl Rule {
    /// Chooses a column; the inner option is none where no column helps.
    fn entering(self, cost: &[Fraction]) -> Option<Option<usize>> {
        let first = cost.iter().position(|c| c.is_negative());
        let (Rule::Steepest, Some(first)) = (self, first) else {
            return Some(first);
        };
        let mut best = first;
        for (j, c) in cost.iter().enumerate().skip(first) {
            if c.less(cost[best])? {
                best = j;
            }
        }
        Some(Some(best))
    }
}

impl Tableau<'_> {
    /// Minimises over the first `columns` columns; `cost` is reduced in place, its last entry becomes minus the minimum.
    fn minimise(&mut self, cost: &mut [Fraction], columns: usize) -> Option<()> {
        for i in 0..self.rows.len() {
            let c = cost[self.basis[i]];
            if !c.is_zero() {
                subtract(cost, c, &self.rows[i])?;
            }
        }
        while let Some(entering) = self.rule.entering(&cost[..columns])? {
            let last = cost.len() - 1;
            let mut best: Option<(usize, Fraction)> = None;
            for (i, row) in self.rows.iter().enumerate() {
                if row[entering].is_positive() {
                    let ratio = row[last].div(row[entering])?;
                    let better = match &best {
                        None => true,
                        Some((j, least)) => {
                            ratio.less(*least)?
                                || (ratio == *least && self.basis[i] < self.basis[*j])
                        }
                    };
                    if better {
                        best = Some((i, ratio));
                    }
                }
            }
            let (leaving, _) = best?; // no bound
            self.pivot(leaving, entering)?;
            let c = cost[entering];
            subtract(cost, c, &self.rows[leaving])?;
        }
        Some(())
    }

    fn pivot(&mut self, at: usize, column: usize) -> Option<()> {
        *self.pivots = self.pivots.checked_sub(1)?;
        let p = self.rows[at][column];
        for entry in &mut self.rows[at] {
            if !entry.is_zero() {
                *entry = entry.div(p)?;
            }
        }
        let row = self.rows[at].clone();
        for (i, other) in self.rows.iter_mut().enumerate() {
            let c = other[column];
            if i != at && !c.is_zero() {
                subtract(other, c, &row)?;
            }
        }
        self.basis[at] = column;
        Some(())
    }

    /// Takes artificial variables (which are 0 by now) out of the basis; rows without another entry are redundant.
    fn drive_out(&mut self, real: usize) -> Option<()> {
        let mut i = 0;
        while i < self.rows.len() {
            if self.basis[i] >= real {
                match (0..real).find(|&j| !self.rows[i][j].is_zero()) {
                    Some(j) => self.pivot(i, j)?,
                    None => {
                        self.rows.swap_remove(i);
                        self.basis.swap_remove(i);
                        continue;
                    }
                }
            }
            i += 1;
        }
        Some(())
    }
}

/// `line -= factor · row`.
fn subtract(line: &mut [Fraction], factor: Fraction, row: &[Fraction]) -> Option<()> {
    work::add(line.len());
    for (entry, r) in line.iter_mut().zip(row) {
        if !r.is_zero() {
            *entry = entry.sub(factor.mul(*r)?)?;
        }
    }
    Some(())
}
