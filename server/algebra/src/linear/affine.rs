//! Affine hulls: the equalities that two regions share (Karr 1976).
//!
//! `append([], L, L)` yields `a = 0, c = b`, and one further clause entry yields `a = 1, c = b + 1`; the equality common to both is
//! `c = a + b`.

use super::fraction::Fraction;
use super::{Constraint, Region, Relation};
use crate::expr::{Expr, Var};

/// The maximum number of variables for which common equalities are computed.
const VARIABLE_LIMIT: usize = 24;

impl Region {
    /// Returns the equalities among the constraints.
    #[must_use]
    pub fn equalities(&self) -> Region {
        let zero = |c: &&Constraint| c.relation == Relation::Zero;
        self.constraints.iter().filter(zero).cloned().collect()
    }

    /// Returns the equalities over the variables that follow from the equalities of each region: the affine hull of the union, insofar as
    /// equalities describe both regions. Neither region may be empty.
    ///
    /// The set of equalities weakens with every change, so a fixpoint is reached in as many steps as there are variables (Karr 1976).
    #[must_use]
    pub fn common_equalities(&self, other: &Region, vars: &[Var]) -> Region {
        self.try_common(other, vars).unwrap_or_default()
    }

    fn try_common(&self, other: &Region, vars: &[Var]) -> Option<Region> {
        if vars.len() > VARIABLE_LIMIT {
            return None;
        }
        let columns = vars.len() + 1;
        // Represent the points (x, 1) of each region as linear combinations of generators; a form orthogonal to all generators holds in
        // both regions.
        let mut generators = null_space(&matrix(self, vars)?, columns)?;
        generators.extend(null_space(&matrix(other, vars)?, columns)?);
        null_space(&generators, columns)?
            .iter()
            .map(|row| {
                let mut e = Expr::zero();
                for (a, &v) in row.iter().zip(vars) {
                    e += &Expr::var(v).scale(&a.rat());
                }
                e += &Expr::constant(row[vars.len()].rat());
                Constraint::new(&e, Relation::Zero)
            })
            .collect()
    }
}

/// Returns the equalities over the variables as rows, with the constant last.
fn matrix(region: &Region, vars: &[Var]) -> Option<Vec<Vec<Fraction>>> {
    let mut rows = Vec::new();
    for c in region.equalities().constraints() {
        let row = c.row();
        if row.coefficients.is_empty() {
            return None; // a contradiction
        }
        if row.coefficients.iter().any(|(v, _)| !vars.contains(v)) {
            continue;
        }
        let mut entries: Vec<Fraction> = vars
            .iter()
            .map(|&v| Fraction::int(row.coefficient(v)))
            .collect();
        entries.push(Fraction::int(row.constant));
        rows.push(entries);
    }
    Some(rows)
}

/// Returns a basis of the null space of the rows.
fn null_space(rows: &[Vec<Fraction>], columns: usize) -> Option<Vec<Vec<Fraction>>> {
    // Reduced row echelon form: `pivots[j]` is the row whose leading 1 is in column j.
    let mut pivots: Vec<Option<Vec<Fraction>>> = vec![None; columns];
    for row in rows {
        let mut row = row.clone();
        for (j, pivot) in pivots.iter().enumerate() {
            if let (Some(pivot), false) = (pivot, row[j].is_zero()) {
                let factor = row[j];
                subtract(&mut row, factor, pivot)?;
            }
        }
        let Some(lead) = row.iter().position(|x| !x.is_zero()) else {
            continue;
        };
        let a = row[lead];
        for x in &mut row {
            *x = x.div(a)?;
        }
        for pivot in pivots.iter_mut().flatten() {
            if !pivot[lead].is_zero() {
                let factor = pivot[lead];
                subtract(pivot, factor, &row)?;
            }
        }
        pivots[lead] = Some(row);
    }
    let mut basis = Vec::new();
    for free in (0..columns).filter(|&j| pivots[j].is_none()) {
        let mut vector = vec![Fraction::ZERO; columns];
        vector[free] = Fraction::ONE;
        for (j, pivot) in pivots.iter().enumerate() {
            if let Some(pivot) = pivot {
                vector[j] = pivot[free].negated()?;
            }
        }
        basis.push(vector);
    }
    Some(basis)
}

/// Computes `row - factor·other`.
fn subtract(row: &mut [Fraction], factor: Fraction, other: &[Fraction]) -> Option<()> {
    for (x, &y) in row.iter_mut().zip(other) {
        if !y.is_zero() {
            *x = x.sub(factor.mul(y)?)?;
        }
    }
    Some(())
}
