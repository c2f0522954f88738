//! Certificates `expr = Σ λ·(products of at most two constraints, or squares)` with `λ >= 0` (Handelman 1988), found by linear
//! programming.

use std::collections::BTreeMap;

use crate::expr::{Expr, Monomial};
use crate::linear::fraction::Fraction;
use crate::linear::simplex::{Comparison, Problem};
use crate::linear::{Constraint, Region};

use super::spend;

/// More constraints than this and no certificate is looked for.
const CONSTRAINT_LIMIT: usize = 7;

/// Whether there is a certificate of degree 2 for a polynomial.
pub(super) fn certificate(expr: &Expr, region: &Region, fuel: &mut u64) -> bool {
    if !expr.is_polynomial()
        || expr.terms().any(|(m, _)| m.degree() > 2)
        || region.constraints().len() > CONSTRAINT_LIMIT
    {
        return false;
    }
    for _ in 0..10 {
        if !spend(fuel) {
            return false;
        }
    }
    let factors: Vec<Expr> = region.constraints().iter().map(Constraint::expr).collect();
    let mut products = vec![Expr::int(1)];
    for (i, a) in factors.iter().enumerate() {
        products.push(a.clone());
        for b in &factors[..=i] {
            products.push(a * b);
        }
    }
    // Squares are not negative anywhere.
    let vars = expr.variables();
    for (i, &v) in vars.iter().enumerate() {
        products.push(Expr::var(v).pow(2));
        for &w in &vars[..i] {
            products.push((&Expr::var(v) - &Expr::var(w)).pow(2));
        }
    }
    let mut rows: BTreeMap<Monomial, Vec<Fraction>> = BTreeMap::new();
    for (j, product) in products.iter().enumerate() {
        for (m, c) in product.terms() {
            let Some(c) = Fraction::of(c) else {
                return false;
            };
            rows.entry(m.clone())
                .or_insert_with(|| vec![Fraction::ZERO; products.len()])[j] = c;
        }
    }
    if expr.terms().any(|(m, _)| !rows.contains_key(m)) {
        return false;
    }
    let mut problem = Problem::new(products.len());
    for (m, row) in rows {
        let Some(right) = Fraction::of(&expr.coefficient(&m)) else {
            return false;
        };
        problem.push(row, Comparison::Equal, right);
    }
    problem.solve(&[], 400).is_some()
}
