//! Linear arithmetic with given multipliers: cutting planes, implications and covers.

use std::collections::BTreeMap;

use costlens_algebra::{Constraint, Expr, Rat, Region, Relation, Var};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use serde_json::Value;

use crate::read::{index, items, rational};
use crate::{Check, must, refuse};

/// The maximum number of bits of a number.
const BIT_LIMIT: u64 = 20_000;

/// The work available for checking one piece. A unit is an arithmetic operation on a row or a monomial.
pub(crate) struct WorkLimit {
    left: u64,
}

impl WorkLimit {
    pub(crate) fn new() -> Self {
        Self { left: 20_000_000 }
    }

    pub(crate) fn spend(&mut self, steps: usize) -> Check {
        match self.left.checked_sub(steps as u64 + 1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => refuse("the proof is too long"),
        }
    }

    /// Substitutes expressions for variables, within limits.
    pub(crate) fn substitute(&mut self, e: &Expr, by: &BTreeMap<Var, Expr>) -> Check<Expr> {
        let widest = by
            .values()
            .map(|e| e.terms().count())
            .max()
            .unwrap_or(0)
            .max(1);
        for (m, _) in e.terms() {
            let powers = m.powers.iter().filter(|(v, _)| by.contains_key(v));
            let mut degree: u32 = powers.map(|(_, k)| *k).sum();
            degree += m.atoms.values().sum::<u32>();
            // The number of monomials in a power of a sum.
            let mut size = 1usize;
            for i in 0..degree as usize {
                size = size.saturating_mul(widest + i) / (i + 1);
                must(size <= 100_000, "an expression becomes too large")?;
            }
            must(degree <= 400, "an expression becomes too large")?;
            self.spend(size.saturating_mul(degree as usize + 1))?;
        }
        match e.substitute(by) {
            Some(e) => Ok(e),
            None => refuse("a substitution gives no expression"),
        }
    }

    pub(crate) fn substitute_region(
        &mut self,
        on: &Region,
        by: &BTreeMap<Var, Expr>,
    ) -> Check<Region> {
        self.spend(on.constraints().len())?;
        match on.substitute(by) {
            Some(region) => Ok(region),
            None => refuse("a constraint is not linear after a substitution"),
        }
    }

    /// Checks that the region contains no integer point. Every cut must follow from constraints and preceding cuts, and the last cut must
    /// be a contradiction.
    pub(crate) fn refuted(&mut self, on: &Region, cuts: &Value) -> Check {
        let Some(cuts) = cuts.as_array() else {
            return refuse("a refutation expected");
        };
        let mut rows: Vec<(Row, bool)> = (on.constraints().iter())
            .map(|c| (Row::from_constraint(c), c.relation() == Relation::Zero))
            .collect();
        let given = rows.len();
        for cut in cuts {
            let mut sum = Row::default();
            let Some(terms) = cut.as_array() else {
                return refuse("a refutation expected");
            };
            for term in terms {
                let (Some(place), Some(factor)) = (term.get(0), term.get(1)) else {
                    return refuse("a multiplier expected");
                };
                let factor = rational(factor)?;
                let Some((row, equality)) = rows.get(index(place)?) else {
                    return refuse("a refutation uses a constraint that is not there");
                };
                must(
                    *equality || !factor.is_negative(),
                    "an inequality has a negative multiplier",
                )?;
                self.spend(row.coefficients.len())?;
                sum.add(row, &factor);
            }
            sum.round()?;
            rows.push((sum, false));
        }
        match rows.get(given..).and_then(<[_]>::last) {
            Some((last, _)) if last.coefficients.is_empty() && last.constant.is_negative() => {
                Ok(())
            }
            _ => refuse("a refutation does not end in a contradiction"),
        }
    }

    /// Checks that every point of the region satisfies a constraint.
    pub(crate) fn implied(&mut self, on: &Region, c: &Constraint, by: &Value) -> Check {
        let opposites = c.negated();
        let Some(by) = by.as_array().filter(|by| by.len() == opposites.len()) else {
            return refuse("a refutation for each half of a negation expected");
        };
        for (opposite, by) in opposites.into_iter().zip(by) {
            self.refuted(&on.and(opposite), by)?;
        }
        Ok(())
    }

    /// Checks that every point of the region lies in one of the parts.
    pub(crate) fn covered(&mut self, on: &Region, parts: &[Region], by: &Value) -> Check {
        // The depth is limited by the JSON parser.
        if let Some(refutation) = by.get("empty") {
            return self.refuted(on, refutation);
        }
        let Some(part) = by
            .get("part")
            .map(index)
            .transpose()?
            .and_then(|i| parts.get(i))
        else {
            return refuse("a cover names no part");
        };
        let mut rest = items(by, "rest")?.iter();
        let mut inside = on.clone();
        for c in part.constraints() {
            for opposite in c.negated() {
                let Some(by) = rest.next() else {
                    return refuse("a cover leaves something out");
                };
                self.spend(1)?;
                self.covered(&inside.and(opposite), parts, by)?;
            }
            inside = inside.and(c.clone());
        }
        Ok(())
    }
}

/// Returns `a >= b` as a constraint.
pub(crate) fn at_least(a: &Expr, b: &Expr) -> Check<Constraint> {
    match Constraint::ge(a, b) {
        Some(c) => Ok(c),
        None => refuse("an inequality is not linear with moderate coefficients"),
    }
}

/// Returns `a = b` as a constraint.
pub(crate) fn equal(a: &Expr, b: &Expr) -> Check<Constraint> {
    match Constraint::eq(a, b) {
        Some(c) => Ok(c),
        None => refuse("an equation is not linear with moderate coefficients"),
    }
}

#[derive(Default)]
struct Row {
    coefficients: BTreeMap<Var, Rat>,
    constant: Rat,
}

impl Row {
    fn from_constraint(c: &Constraint) -> Self {
        let mut row = Self::default();
        for (m, c) in c.expr().terms() {
            match m.powers.keys().next() {
                Some(&v) => drop(row.coefficients.insert(v, c.clone())),
                None => row.constant = c.clone(),
            }
        }
        row
    }

    fn add(&mut self, other: &Self, factor: &Rat) {
        for (&v, c) in &other.coefficients {
            *self.coefficients.entry(v).or_insert_with(Rat::zero) += c * factor;
        }
        self.constant += &other.constant * factor;
    }

    /// Makes integer coefficients coprime. The constant may then be rounded down, since the sum of the other terms is an integer.
    fn round(&mut self) -> Check {
        self.coefficients.retain(|_, c| !c.is_zero());
        let (mut numerators, mut denominators) = (num_bigint::BigInt::zero(), One::one());
        for c in self.coefficients.values() {
            numerators = numerators.gcd(c.numer());
            denominators = num_bigint::BigInt::lcm(&denominators, c.denom());
        }
        if !numerators.is_zero() {
            let scale = Rat::new(denominators, numerators);
            self.coefficients.values_mut().for_each(|c| *c *= &scale);
            self.constant = (&self.constant * &scale).floor();
        }
        let wide = |c: &Rat| c.numer().bits().max(c.denom().bits()) > BIT_LIMIT;
        let all = self.coefficients.values().chain([&self.constant]);
        must(!all.into_iter().any(wide), "a number is too large")
    }
}
