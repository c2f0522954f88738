//! An exact two-phase simplex method for small dense problems over `x >= 0`. It uses Bland's rule, which never cycles but may be slow. If
//! it runs out of pivots, it uses the steepest column instead, which is fast but may cycle.
//!
//! Problems have few rows and many columns. Therefore only the product of the pivots is kept instead of the table (the "revised" method,
//! Dantzig 1953), and columns are computed from it as needed. The test for whether a column improves the objective is a sum of integers.
//!
//! Hand-written, since the known crates compute with floating-point numbers: here a solution is exact or absent, and pivots are counted as
//! fuel.

use num_integer::Integer as _;

use super::fraction::{Fraction, product};
use crate::work;

/// The rule for choosing the column that enters the basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The first column that improves the objective.
    Bland,
    /// The column with the greatest improvement per unit.
    Steepest,
}

/// Rows `a·x = b` over unknowns `x >= 0`.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    unknowns: usize,
    rows: Vec<(Vec<Fraction>, Fraction)>,
}

impl Problem {
    pub(crate) fn new(unknowns: usize) -> Self {
        Self {
            unknowns,
            rows: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: Vec<Fraction>, right: Fraction) {
        self.rows.push((row, right));
    }

    /// Returns a solution that minimises `objective · x` (any solution if the objective is empty). Returns `None` if there is none, if the
    /// objective is unbounded, if a number does not fit, or after `pivots` pivots.
    pub(crate) fn solve(&self, objective: &[Fraction], pivots: usize) -> Option<Vec<Fraction>> {
        let mut pivots = pivots;
        Some(self.solve_both(objective, Rule::Bland, &mut pivots)?.0)
    }

    /// Solves the problem as in [`Problem::solve`], and also returns the negated multipliers of the rows at the optimum: `c` with
    /// `objective + c·rows >= 0`.
    fn solve_both(
        &self,
        objective: &[Fraction],
        rule: Rule,
        pivots: &mut usize,
    ) -> Option<(Vec<Fraction>, Vec<Fraction>)> {
        let (n, m) = (self.unknowns, self.rows.len());
        let flipped: Vec<bool> = self.rows.iter().map(|(_, b)| b.is_negative()).collect();
        let mut method = Method {
            columns: Columns::new(self, &flipped)?,
            rows: Vec::with_capacity(m),
            basis: (n..n + m).collect(),
            rule,
            pivots,
        };
        for (i, (_, right)) in self.rows.iter().enumerate() {
            let mut line = vec![Fraction::ZERO; m + 1];
            line[i] = Fraction::ONE;
            line[m] = if flipped[i] { right.negated()? } else { *right };
            method.rows.push(line);
        }
        if m > 0 {
            let prices = method.minimise(&vec![Fraction::ZERO; n], Fraction::ONE)?;
            // This is minus the sum of the artificial variables.
            if !prices[m].is_zero() {
                return None;
            }
            method.drive_out()?;
        }
        let mut prices = vec![Fraction::ZERO; m + 1];
        if !objective.is_empty() {
            prices = method.minimise(objective, Fraction::ZERO)?;
        }
        let mut x = vec![Fraction::ZERO; n];
        for (line, &b) in method.rows.iter().zip(&method.basis) {
            if b < n {
                x[b] = line[m];
            }
        }
        let multipliers = prices[..m]
            .iter()
            .zip(&flipped)
            .map(|(&c, &f)| if f { c.negated() } else { Some(c) })
            .collect::<Option<_>>()?;
        Some((x, multipliers))
    }
}

/// Returns the unrestricted `c` that minimises `objective · c` subject to `row · c >= right` for all rows, via the dual problem, which has
/// only as many rows as there are unknowns. Returns `None` if no `c` or no minimum exists, or if a number does not fit.
#[must_use]
pub fn minimise_free(
    rows: &[(Vec<Fraction>, Fraction)],
    objective: &[Fraction],
    fuel: &mut u64,
) -> Option<Vec<Fraction>> {
    // Charge as if a pivot touched every entry of the table; 500 entries count as one step.
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

/// The maximum number of pivots per program.
const PIVOT_LIMIT: usize = 80;

/// The maximum number of steepest pivots if [`PIVOT_LIMIT`] was too small.
const STEEPEST_LIMIT: usize = 40;

/// Returns the solution, and the number of pivots in excess of the given limit.
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

/// Returns the problem "maximise right · y subject to Σ yⱼ·rowⱼ = objective, y >= 0" with the objective that it minimises.
fn dual(
    rows: &[(Vec<Fraction>, Fraction)],
    objective: &[Fraction],
) -> Option<(Problem, Vec<Fraction>)> {
    let mut dual = Problem::new(rows.len());
    for (i, &weight) in objective.iter().enumerate() {
        let row = rows.iter().map(|(row, _)| row[i]).collect();
        dual.push(row, weight);
    }
    let costs = rows.iter().map(|(_, right)| right.negated());
    Some((dual, costs.collect::<Option<_>>()?))
}

/// Checks feasibility, on which the caller relies; for degenerate duals this check is cheap.
fn is_feasible(rows: &[(Vec<Fraction>, Fraction)], c: &[Fraction]) -> bool {
    rows.iter().all(|(row, right)| {
        let mut terms = row.iter().zip(c).map(|(a, x)| a.mul(*x));
        let sum = terms.try_fold(Fraction::ZERO, |sum, term| sum.add(term?));
        sum.and_then(|s| s.less(*right)) == Some(false)
    })
}

/// The columns of the unknowns, stored contiguously.
struct Columns {
    /// The number of entries in a column.
    height: usize,
    entries: Vec<Fraction>,
    /// The columns as integers, each multiplied by its scale.
    whole: Vec<i128>,
    /// Positive scales; `None` if the integers do not fit.
    scales: Vec<Option<i128>>,
}

impl Columns {
    fn new(problem: &Problem, flipped: &[bool]) -> Option<Self> {
        let (n, m) = (problem.unknowns, problem.rows.len());
        let mut columns = Self {
            height: m,
            entries: Vec::with_capacity(n * m),
            whole: Vec::with_capacity(n * m),
            scales: Vec::with_capacity(n),
        };
        for j in 0..n {
            for ((row, _), &flipped) in problem.rows.iter().zip(flipped) {
                let entry = if flipped { row[j].negated()? } else { row[j] };
                columns.entries.push(entry);
            }
            let column = &columns.entries[j * m..];
            let scale = common_denominator(column.iter().copied());
            let whole = column.iter().map(|e| whole(*e, scale?));
            let whole: Option<Vec<i128>> = whole.collect();
            columns.scales.push(scale.filter(|_| whole.is_some()));
            columns.whole.extend(whole.unwrap_or_else(|| vec![0; m]));
        }
        Some(columns)
    }

    fn column(&self, j: usize) -> &[Fraction] {
        &self.entries[j * self.height..(j + 1) * self.height]
    }

    fn whole(&self, j: usize) -> Option<(&[i128], i128)> {
        let column = &self.whole[j * self.height..(j + 1) * self.height];
        Some((column, self.scales[j]?))
    }
}

/// Returns the least common multiple of the denominators, if it fits.
fn common_denominator(mut numbers: impl Iterator<Item = Fraction>) -> Option<i128> {
    numbers.try_fold(1i128, |common, x| {
        let d = x.denominator();
        match common % d == 0 {
            true => Some(common),
            false => product(common / common.gcd(&d), d),
        }
    })
}

/// Returns a number times a multiple of its denominator, as an integer.
fn whole(x: Fraction, scale: i128) -> Option<i128> {
    match x.denominator() == scale {
        true => Some(x.numerator()),
        false => product(x.numerator(), scale / x.denominator()),
    }
}

/// The prices of the rows. The reduced cost of a column with cost `c` is `c - prices·column`.
struct Prices {
    exact: Vec<Fraction>,
    /// The prices times a positive number, and that number, if they fit.
    whole: Option<(Vec<i128>, i128)>,
}

impl Prices {
    fn new(exact: Vec<Fraction>) -> Self {
        let scaled = || {
            let scale = common_denominator(exact.iter().copied())?;
            let all: Option<Vec<i128>> = exact.iter().map(|&p| whole(p, scale)).collect();
            Some((all?, scale))
        };
        let whole = scaled();
        Self { exact, whole }
    }

    /// Returns the reduced cost of a column, or `None` if a number is too large.
    fn reduced(&self, columns: &Columns, j: usize, cost: Fraction) -> Option<Fraction> {
        let mut entries = self.exact.iter().zip(columns.column(j));
        entries.try_fold(cost, |sum, (p, a)| sum.sub(p.mul(*a)?))
    }

    /// Returns whether the reduced cost is less than 0.
    fn is_negative(&self, columns: &Columns, j: usize, cost: Fraction) -> Option<bool> {
        match self.scaled(columns, j, cost) {
            Some(scaled) => Some(scaled < 0),
            None => Some(self.reduced(columns, j, cost)?.is_negative()),
        }
    }

    /// Returns the reduced cost times a positive number.
    fn scaled(&self, columns: &Columns, j: usize, cost: Fraction) -> Option<i128> {
        let (prices, common) = self.whole.as_ref()?;
        let (column, scale) = columns.whole(j)?;
        if scale % cost.denominator() != 0 {
            return None;
        }
        let cost = product(whole(cost, scale)?, *common)?;
        let mut entries = prices.iter().zip(column);
        entries.try_fold(cost, |sum, (&p, &a)| match p == 0 || a == 0 {
            true => Some(sum),
            false => sum.checked_sub(product(p, a)?),
        })
    }
}

/// The state of one run.
struct Method<'a> {
    columns: Columns,
    /// The columns of the artificial variables (one per row), and the right-hand side.
    rows: Vec<Vec<Fraction>>,
    /// The basic variable of each row. Indices that are at least the number of unknowns denote artificial variables.
    basis: Vec<usize>,
    rule: Rule,
    pivots: &'a mut usize,
}

impl Method<'_> {
    /// Minimises the cost of the unknowns, with the same cost for each artificial variable. Returns the reduced costs of the artificial
    /// variables, and minus the minimum.
    fn minimise(&mut self, cost: &[Fraction], artificial: Fraction) -> Option<Vec<Fraction>> {
        let height = self.columns.height;
        let mut reduced = vec![artificial; height + 1];
        reduced[height] = Fraction::ZERO;
        for (row, &basic) in self.rows.iter().zip(&self.basis) {
            let c = cost.get(basic).copied().unwrap_or(artificial);
            if !c.is_zero() {
                subtract(&mut reduced, c, row)?;
            }
        }
        loop {
            let prices = (reduced[..height].iter()).map(|r| artificial.sub(*r));
            let prices = Prices::new(prices.collect::<Option<_>>()?);
            let Some(entering) = self.entering(&prices, cost)? else {
                return Some(reduced);
            };
            let column = self.column(entering)?;
            let mut best: Option<(usize, Fraction)> = None;
            for (i, (row, entry)) in self.rows.iter().zip(&column).enumerate() {
                if entry.is_positive() {
                    let ratio = row[height].div(*entry)?;
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
            let (leaving, _) = best?; // the objective is unbounded
            let c = prices.reduced(&self.columns, entering, cost[entering])?;
            self.pivot(leaving, entering, &column)?;
            subtract(&mut reduced, c, &self.rows[leaving])?;
        }
    }

    /// Chooses the entering column; the inner option is `None` if no column improves the objective.
    fn entering(&self, prices: &Prices, cost: &[Fraction]) -> Option<Option<usize>> {
        let mut best: Option<(usize, Fraction)> = None;
        for (j, &c) in cost.iter().enumerate() {
            if !prices.is_negative(&self.columns, j, c)? {
                continue;
            }
            work::add(self.columns.height);
            if self.rule == Rule::Bland {
                return Some(Some(j));
            }
            let reduced = prices.reduced(&self.columns, j, c)?;
            let is_better = match &best {
                None => true,
                Some((_, least)) => reduced.less(*least)?,
            };
            if is_better {
                best = Some((j, reduced));
            }
        }
        Some(best.map(|(j, _)| j))
    }

    /// Returns the column of an unknown after the pivots so far.
    fn column(&self, j: usize) -> Option<Vec<Fraction>> {
        self.rows.iter().map(|row| self.entry(row, j)).collect()
    }

    fn entry(&self, row: &[Fraction], j: usize) -> Option<Fraction> {
        let column = self.columns.column(j);
        work::add(column.len());
        let mut entries = row.iter().zip(column);
        entries.try_fold(Fraction::ZERO, |sum, (r, a)| {
            match r.is_zero() || a.is_zero() {
                true => Some(sum),
                false => sum.add(r.mul(*a)?),
            }
        })
    }

    fn pivot(&mut self, at: usize, entering: usize, column: &[Fraction]) -> Option<()> {
        *self.pivots = self.pivots.checked_sub(1)?;
        let p = column[at];
        for entry in &mut self.rows[at] {
            if !entry.is_zero() {
                *entry = entry.div(p)?;
            }
        }
        let row = std::mem::take(&mut self.rows[at]);
        for (i, (other, &c)) in self.rows.iter_mut().zip(column).enumerate() {
            if i != at && !c.is_zero() {
                subtract(other, c, &row)?;
            }
        }
        self.rows[at] = row;
        self.basis[at] = entering;
        Some(())
    }

    /// Removes artificial variables (which are 0 at this point) from the basis; rows without another entry are redundant.
    fn drive_out(&mut self) -> Option<()> {
        let real = self.columns.scales.len();
        let mut i = 0;
        while i < self.rows.len() {
            if self.basis[i] >= real {
                let mut found = None;
                for j in 0..real {
                    if !self.entry(&self.rows[i], j)?.is_zero() {
                        found = Some(j);
                        break;
                    }
                }
                match found {
                    Some(j) => {
                        let column = self.column(j)?;
                        self.pivot(i, j, &column)?;
                    }
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

/// Computes `line -= factor · row`.
fn subtract(line: &mut [Fraction], factor: Fraction, row: &[Fraction]) -> Option<()> {
    work::add(line.len());
    for (entry, r) in line.iter_mut().zip(row) {
        if !r.is_zero() {
            *entry = entry.sub(factor.mul(*r)?)?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fraction((n, d): (i8, u8)) -> Fraction {
        Fraction::new(n.into(), i128::from(d % 4) + 1).unwrap()
    }

    fn dot(a: &[Fraction], b: &[Fraction]) -> Fraction {
        a.iter().zip(b).fold(Fraction::ZERO, |sum, (x, y)| {
            sum.add(x.mul(*y).unwrap()).unwrap()
        })
    }

    proptest! {
        /// Checks that the primal and the dual problem have the same value at their solutions, so that both are optimal.
        #[test]
        fn solutions_are_optimal(
            rows in prop::collection::vec(prop::collection::vec((-3_i8..4, any::<u8>()), 5), 1..4),
            right in prop::collection::vec((-4_i8..5, any::<u8>()), 3),
            objective in prop::collection::vec((-2_i8..6, any::<u8>()), 5),
            steepest in any::<bool>(),
        ) {
            let mut problem = Problem::new(5);
            for (row, &b) in rows.iter().zip(&right) {
                problem.push(row.iter().copied().map(fraction).collect(), fraction(b));
            }
            let objective: Vec<Fraction> = objective.into_iter().map(fraction).collect();
            let rule = if steepest { Rule::Steepest } else { Rule::Bland };
            if let Some((x, c)) = problem.solve_both(&objective, rule, &mut 100) {
                prop_assert!(x.iter().all(|x| !x.is_negative()));
                for (row, b) in &problem.rows {
                    prop_assert_eq!(dot(row, &x), *b);
                }
                let of_rows: Vec<Fraction> = problem.rows.iter().map(|(_, b)| *b).collect();
                prop_assert!(dot(&objective, &x).add(dot(&c, &of_rows)).unwrap().is_zero());
                for (j, cost) in objective.iter().enumerate() {
                    let column: Vec<Fraction> = problem.rows.iter().map(|(row, _)| row[j]).collect();
                    prop_assert!(!cost.add(dot(&c, &column)).unwrap().is_negative());
                }
            }
        }
    }

    #[test]
    fn redundant_rows_and_rows_without_a_solution() {
        let row = |numbers: [i128; 2]| numbers.map(Fraction::int).to_vec();
        let solve = |rows: &[([i128; 2], i128)]| {
            let mut problem = Problem::new(2);
            for &(numbers, b) in rows {
                problem.push(row(numbers), Fraction::int(b));
            }
            problem.solve(&row([1, 0]), 100)
        };
        assert_eq!(solve(&[([1, 1], 3), ([2, 2], 6)]), Some(row([0, 3])));
        assert_eq!(solve(&[([1, 1], 3), ([2, 2], 5)]), None);
        assert_eq!(solve(&[([-1, -1], -3), ([1, -1], 1)]), Some(row([2, 1])));
    }
}
