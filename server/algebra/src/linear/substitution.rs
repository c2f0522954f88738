//! Substitution of linear expressions for variables: a callee's `n >= 1` in terms of the caller's sizes.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::rows::{Coefficients, Row};
use super::{Constraint, Region, whole_row};
use crate::expr::{Expr, Rat, Var};

/// A substitution in many constraints: the expressions are converted to rows of machine integers only once.
#[derive(Debug, Default)]
pub struct Substitution {
    by: BTreeMap<Var, Expr>,
    rows: RefCell<MachineRows>,
}

impl Substitution {
    /// Creates a substitution; variables that are not in the map are kept.
    #[must_use]
    pub fn new(by: BTreeMap<Var, Expr>) -> Self {
        Self {
            by,
            rows: RefCell::default(),
        }
    }

    /// Applies [`Constraint::substitute`].
    #[must_use]
    pub fn apply(&self, c: &Constraint) -> Option<Constraint> {
        c.substituted(&self.by, &mut self.rows.borrow_mut())
    }

    /// Applies [`Region::substitute`].
    #[must_use]
    pub fn region(&self, region: &Region) -> Option<Region> {
        region.constraints().iter().map(|c| self.apply(c)).collect()
    }
}

/// The rows of the substituted expressions; `None` for an expression that is not a row of machine integers.
#[derive(Debug, Default)]
pub(super) struct MachineRows(Vec<(Var, Option<Row>)>);

impl MachineRows {
    fn row(&mut self, v: Var, e: &Expr) -> Option<&Row> {
        let known = self.0.iter().position(|&(w, _)| w == v);
        let at = known.unwrap_or_else(|| {
            self.0.push((v, whole_row(e)));
            self.0.len() - 1
        });
        self.0[at].1.as_ref()
    }
}

impl Constraint {
    /// Replaces variables by linear expressions. Returns `None` if the result is not linear.
    #[must_use]
    pub fn substitute(&self, by: &BTreeMap<Var, Expr>) -> Option<Self> {
        self.substituted(by, &mut MachineRows::default())
    }

    pub(super) fn substituted(
        &self,
        by: &BTreeMap<Var, Expr>,
        rows: &mut MachineRows,
    ) -> Option<Self> {
        if let Some(row) = self.substituted_row(by, rows) {
            return Some(Self::of_row(row, self.relation));
        }
        let mut expr = Expr::int(0);
        expr += &Expr::constant(Rat::from_integer(self.row.constant.into()));
        for &(v, a) in &self.row.coefficients {
            let factor = Rat::from_integer(a.into());
            match by.get(&v) {
                Some(e) => expr += &e.scale(&factor),
                None => expr += &Expr::var(v).scale(&factor),
            }
        }
        Self::new(&expr, self.relation)
    }

    /// Computes [`Self::substitute`] in machine integers. Returns `None` if fractions or large numbers occur.
    fn substituted_row(&self, by: &BTreeMap<Var, Expr>, rows: &mut MachineRows) -> Option<Row> {
        let mut sum = Row {
            coefficients: Coefficients::with_capacity(self.row.coefficients.len()),
            constant: self.row.constant,
        };
        for &(v, a) in &self.row.coefficients {
            sum = match by.get(&v) {
                Some(e) => sum.combined(1, rows.row(v, e)?, a)?,
                None => sum.combined(1, &Row::of_var(v), a)?,
            }
        }
        let fits = |x: i128| i64::try_from(x).is_ok();
        let all = sum.coefficients.iter().all(|&(_, a)| fits(a)) && fits(sum.constant);
        all.then_some(sum)
    }
}
