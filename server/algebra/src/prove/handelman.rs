//! Certificates `expr = Σ λ·(products of at most two constraints, or squares)` with `λ >= 0` (Handelman 1988), found by linear
//! programming.

use std::collections::BTreeMap;

use crate::expr::{Expr, Monomial};
use crate::linear::fraction::Fraction;
use crate::linear::simplex::Problem;
use crate::linear::{Constraint, Region};

use super::{Proof, Search, spend};

/// The largest number of constraints for which the search for a certificate runs.
const CONSTRAINT_LIMIT: usize = 7;

/// Searches for a certificate of degree 2 for a polynomial.
pub(super) fn certificate(expr: &Expr, region: &Region, fuel: &mut Search) -> bool {
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
    let mut places = vec![Vec::new()];
    for (i, a) in factors.iter().enumerate() {
        products.push(a.clone());
        places.push(vec![i]);
        for (j, b) in factors[..=i].iter().enumerate() {
            products.push(a * b);
            places.push(vec![i, j]);
        }
    }
    // Squares are never negative.
    let vars = expr.variables();
    let mut squared = Vec::new();
    for (i, &v) in vars.iter().enumerate() {
        squared.push(Expr::var(v));
        squared.extend(vars[..i].iter().map(|&w| &Expr::var(v) - &Expr::var(w)));
    }
    products.extend(squared.iter().map(|e| e.pow(2)));
    let mut rows: BTreeMap<Monomial, Vec<Fraction>> = BTreeMap::new();
    for (j, product) in products.iter().enumerate() {
        for (m, c) in product.terms() {
            let Some(c) = Fraction::from_rat(c) else {
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
        let Some(right) = Fraction::from_rat(&expr.coefficient(&m)) else {
            return false;
        };
        problem.push(row, right);
    }
    let Some(multipliers) = problem.solve(&[], 400) else {
        return false;
    };
    fuel.done(|| {
        let mut terms = Vec::new();
        let mut squares = Vec::new();
        for (j, c) in multipliers.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            match places.get(j) {
                Some(places) => terms.push((c.rat(), places.clone())),
                None => squares.push((c.rat(), squared.get(j - places.len())?.clone())),
            }
        }
        Some(Proof::Products { terms, squares })
    })
}
