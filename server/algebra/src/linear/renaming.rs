//! Renaming of variables that keeps their order.
//!
//! Monomials, rows and constraints are sorted by variable. If the order stays the same, a renamed value is already in normal form for the
//! new names, and nothing needs to be recomputed.

use std::sync::Arc;

use super::{Constraint, Region, Row};
use crate::atom::Atom;
use crate::expr::{Expr, Monomial, Var};

/// A renaming of variables that keeps their order. All variables that it does not rename are greater than the renamed variables, both
/// before and after.
#[derive(Clone, Debug)]
pub struct Renaming {
    names: Vec<(Var, Var)>,
}

impl Renaming {
    /// Numbers variables in order, starting at 0. Returns `None` if this leaves all variables unchanged.
    #[must_use]
    pub fn numbering(mut variables: Vec<Var>) -> Option<Self> {
        variables.sort_unstable();
        variables.dedup();
        let names: Vec<(Var, Var)> = variables.into_iter().zip((0..).map(Var)).collect();
        names.iter().any(|(v, w)| v != w).then_some(Self { names })
    }

    /// Returns the inverse renaming.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            names: self.names.iter().map(|&(v, w)| (w, v)).collect(),
        }
    }

    /// Returns the new name of a variable.
    #[must_use]
    pub fn var(&self, v: Var) -> Var {
        match self.names.binary_search_by_key(&v, |&(w, _)| w) {
            Ok(at) => self.names[at].1,
            Err(_) => v,
        }
    }

    /// Returns an expression in the new names.
    #[must_use]
    pub fn expr(&self, e: &Expr) -> Expr {
        if e.terms().all(|(m, _)| m.is_one()) {
            return e.clone();
        }
        Expr::sorted(
            e.terms()
                .map(|(m, c)| (self.monomial(m), c.clone()))
                .collect(),
        )
    }

    fn monomial(&self, m: &Monomial) -> Monomial {
        Monomial {
            powers: m.powers.iter().map(|(&v, &k)| (self.var(v), k)).collect(),
            exponentials: (m.exponentials.iter())
                .map(|(&v, b)| (self.var(v), b.clone()))
                .collect(),
            atoms: m.atoms.iter().map(|(a, &k)| (self.atom(a), k)).collect(),
            atom_exponentials: (m.atom_exponentials.iter())
                .map(|(a, b)| (self.atom(a), b.clone()))
                .collect(),
        }
    }

    fn atom(&self, atom: &Atom) -> Atom {
        match atom {
            Atom::Floor(of) => Atom::Floor(self.expr(of)),
            Atom::Log { base, rounding, of } => Atom::Log {
                base: *base,
                rounding: *rounding,
                of: self.expr(of),
            },
            Atom::CFinite {
                coefficients,
                index,
            } => Atom::CFinite {
                coefficients: coefficients.clone(),
                index: self.expr(index),
            },
            Atom::Factorial(of) => Atom::Factorial(self.expr(of)),
            Atom::Arrangements { base, of } => Atom::Arrangements {
                base: base.clone(),
                of: self.expr(of),
            },
        }
    }

    /// Returns a region in the new names.
    #[must_use]
    pub fn region(&self, region: &Region) -> Region {
        if region.constraints.is_empty() {
            return region.clone();
        }
        Region {
            constraints: Arc::new(
                region
                    .constraints
                    .iter()
                    .map(|c| self.constraint(c))
                    .collect(),
            ),
        }
    }

    fn constraint(&self, c: &Constraint) -> Constraint {
        let coefficients = (c.row.coefficients.iter()).map(|&(v, a)| (self.var(v), a));
        Constraint::normal(
            Row {
                coefficients: coefficients.collect(),
                constant: c.row.constant,
            },
            c.relation,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::rat;

    #[test]
    fn renaming_is_substitution() {
        let (n, m, far) = (Var(3), Var(7), Var(1_000));
        let renaming = Renaming::numbering(vec![m, n, m]).unwrap();
        assert_eq!(renaming.var(n), Var(0));
        assert_eq!(renaming.var(m), Var(1));
        assert_eq!(renaming.var(far), far);
        let by = [(n, Var(0)), (m, Var(1))].map(|(v, w)| (v, Expr::var(w)));
        let by = by.into_iter().collect();
        let (x, y, z) = (Expr::var(n), Expr::var(m), Expr::var(far));
        let half = (&(&x + &y) + &z)
            .scale(&rat(1))
            .scale(&crate::Rat::new(1.into(), 2.into()));
        let floor = Expr::floor(&half).unwrap();
        let power = Expr::exponential(&rat(2), m).unwrap();
        let e = &(&(&x * &y) * &z) + &(&(&floor * &power) - &Expr::int(5));
        assert_eq!(Some(renaming.expr(&e)), e.substitute(&by));
        assert_eq!(renaming.inverse().expr(&renaming.expr(&e)), e);
        let region: Region = [Constraint::ge(&x, &z), Constraint::eq(&y, &(&x + &z))]
            .into_iter()
            .flatten()
            .collect();
        assert_eq!(Some(renaming.region(&region)), region.substitute(&by));
        assert_eq!(renaming.inverse().region(&renaming.region(&region)), region);
    }

    #[test]
    fn what_is_numbered_stays() {
        assert!(Renaming::numbering(vec![Var(1), Var(0)]).is_none());
        assert!(Renaming::numbering(Vec::new()).is_none());
        assert!(Renaming::numbering(vec![Var(1)]).is_some());
    }
}
